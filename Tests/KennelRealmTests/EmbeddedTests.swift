import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Embedded objects` {
  private func withOak(_ body: (Oak, Realm) throws -> Void) throws {
    try withRealm([Oak.self, Planted.self, Branch.self, Twig.self, Mixture.self]) { realm in
      try realm.write {
        let visitor = Mixture()
        let oak = Oak(
          value: [
            "name": "old", "trunk": ["length": 9, "twig": ["leaves": 1]],
            "branches": [["length": 1], ["length": 2, "twig": ["leaves": 2]]],
            "named": ["low": ["length": 3]], "visitors": [visitor],
          ] as [String: Any]
        )
        realm.add(oak)
        try body(oak, realm)
      }
    }
  }

  /// All that an oak has but its name.
  private func text(_ oak: Oak) -> String {
    let branches = Array(oak.branches.map { "\($0.length) \($0.twig?.leaves ?? 0)" })
    let named = oak.named.map { "\($0.key) \($0.value?.length ?? 0)" }
    return "\(oak.trunk?.length ?? 0) \(oak.trunk?.twig?.leaves ?? 0) \(branches) \(named)"
  }

  @Test func `are copied with all that they own when an object is created of a stored one`() throws
  {
    try withOak { oak, realm in
      let copy = realm.create(Planted.self, value: oak)
      #expect(copy.trunk?.length == 9 && copy.trunk?.twig?.leaves == 1)
      #expect(copy.trunk?.isSameObject(as: oak.trunk) == false)
      #expect(copy.trunk?.twig?.isSameObject(as: oak.trunk?.twig) == false)
      #expect(copy.branches.map(\.length) == [1, 2] && copy.branches[1].twig?.leaves == 2)
      #expect(copy.named["low"]??.length == 3)
      // Other objects are linked to.
      #expect(copy.visitors.first?.isSameObject(as: oak.visitors.first) == true)
      #expect(text(oak) == #"9 1 ["1 0", "2 2"] ["low 3"]"#)
      oak.trunk?.length = 8
      #expect(copy.trunk?.length == 9)
    }
  }

  @Test func `stay what they are when an object is updated with itself`() throws {
    try withOak { oak, realm in
      let trunk = oak.trunk
      for policy in [Realm.UpdatePolicy.modified, .all] {
        #expect(realm.create(Oak.self, value: oak, update: policy).isSameObject(as: oak))
      }
      #expect(trunk?.isInvalidated == false && oak.trunk?.isSameObject(as: trunk) == true)
      #expect(text(oak) == #"9 1 ["1 0", "2 2"] ["low 3"]"#)
    }
  }

  @Test func `have one owner, and the words for it are those of the place`() throws {
    try withOak { oak, _ in
      let (trunk, branch) = (oak.trunk, oak.branches[0])
      oak.trunk = trunk
      oak["trunk"] = trunk
      #expect(oak.trunk?.isSameObject(as: trunk) == true)
      expectMisuse("Can't set link to existing managed embedded object") { oak.trunk = branch }
      expectMisuse("Can't set link to existing managed embedded object") { oak["trunk"] = branch }
      let inList = "Cannot add an existing managed embedded object to a List."
      expectMisuse(inList) { oak.branches.append(branch) }
      expectMisuse(inList) { oak.branches[0] = branch }
      let inMap = "Cannot add an existing managed embedded object to a Dictionary."
      let low = oak.named["low"]
      expectMisuse(inMap) { oak.named["low"] = low }
      expectMisuse(inMap) { oak.named["high"] = low }
      #expect(!branch.isInvalidated && low??.isInvalidated == false)
      #expect(text(oak) == #"9 1 ["1 0", "2 2"] ["low 3"]"#)
    }
  }
}
