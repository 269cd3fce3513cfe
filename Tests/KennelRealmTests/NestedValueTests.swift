import Foundation
import KennelRealm
import RealmTestSupport
import Testing

class Chest: Object {
  @Persisted var name: String
  @Persisted var any: AnyRealmValue
  @Persisted var all: List<AnyRealmValue>
  @Persisted var named: Map<String, AnyRealmValue>
  @Persisted(originProperty: "any") var holders: LinkingObjects<Chest>
}

class OldChest: Object {
  let any = RealmProperty<AnyRealmValue>()
}

/// Collections that several threads read.
private final class Frozen: @unchecked Sendable {
  let map: Map<String, AnyRealmValue>
  let list: List<AnyRealmValue>

  init(map: Map<String, AnyRealmValue>, list: List<AnyRealmValue>) {
    (self.map, self.list) = (map, list)
  }
}

/// Counts on any thread.
private final class Sums: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var total = 0

  func add() { lock.withLock { total += 1 } }
}

@Suite struct `Lists and dictionaries in values of any type` {
  private let types: [ObjectBase.Type] = [Chest.self, OldChest.self, Fruit.self]

  /// A dictionary of a list, in which a dictionary is.
  private var nested: AnyRealmValue {
    .fromDictionary([
      "numbers": .fromArray([.int(1), .int(2), .fromDictionary(["three": .int(3)])]),
      "text": .string("x"), "nothing": .none,
    ])
  }

  private func withChest(_ body: (Realm, Chest) throws -> Void) throws {
    try withRealm(types) { realm in
      let chest = try realm.write { realm.create(Chest.self, value: ["any": nested]) }
      try body(realm, chest)
    }
  }

  @Test func `are stored and read, to any depth`() throws {
    try withChest { realm, chest in
      let map = try #require(chest.any.dictionaryValue)
      #expect(map.count == 3)
      #expect(map.keys == ["nothing", "numbers", "text"])
      #expect(map["text"] == .string("x"))
      #expect(map["nothing"] == AnyRealmValue.none)
      #expect(map["absent"] == nil)
      let list = try #require(map["numbers"]?.listValue)
      #expect(list.count == 3)
      #expect(list[0] == .int(1))
      #expect(list[2].dictionaryValue?["three"] == .int(3))
      #expect(Array(list)[1].intValue == 2)
      #expect(list.map { $0.dictionaryValue?.count ?? 0 } == [0, 0, 1])
      #expect(map.realm == realm)
      #expect(chest.any.listValue == nil)
    }
  }

  @Test func `are the same in unmanaged objects`() {
    let chest = Chest()
    chest.any = nested
    chest.any.dictionaryValue?["numbers"]?.listValue?.append(.int(4))
    #expect(chest.any.dictionaryValue?["numbers"]?.listValue?.count == 4)
    #expect(nested == nested)
    #expect(chest.any != nested)
    #expect(AnyRealmValue.fromArray([.int(1)]) == .fromArray([.int(1)]))
    #expect(AnyRealmValue.fromArray([.int(1)]) != .fromArray([.int(2)]))
    #expect(AnyRealmValue.fromArray([]) != .fromDictionary([:]))
    #expect(Set([nested, nested, .int(1)]).count == 2)
  }

  @Test func `are live: what changes in one place is seen in all`() throws {
    try withChest { realm, chest in
      let map = try #require(chest.any.dictionaryValue)
      let list = try #require(map["numbers"]?.listValue)
      let inner = try #require(list[2].dictionaryValue)
      try realm.write {
        list.append(.string("end"))
        inner["four"] = .int(4)
        map["more"] = .fromArray([])
        map["more"]?.listValue?.append(objectsIn: [.int(7), .int(8), .int(9)])
        map["text"] = nil
      }
      #expect(chest.any.dictionaryValue?.keys == ["more", "nothing", "numbers"])
      #expect(chest.any.dictionaryValue?["numbers"]?.listValue?.count == 4)
      #expect(inner.count == 2)
      try realm.write {
        let more = try #require(map["more"]?.listValue)
        more.move(from: 0, to: 2)
        more[0] = .bool(true)
        more.remove(at: 1)
        more.insert(.none, at: 0)
        #expect(Array(more) == [.none, .bool(true), .int(7)])
        more.swapAt(0, 2)
        #expect(Array(more) == [.int(7), .bool(true), .none])
        more.removeAll()
        #expect(more.isEmpty)
        inner.removeAll()
      }
      #expect(map["more"]?.listValue?.count == 0)
      #expect(inner.isEmpty)
    }
  }

  @Test func `go with their collection when others come and go before them`() throws {
    try withChest { realm, chest in
      let list = try #require(chest.any.dictionaryValue?["numbers"]?.listValue)
      let inner = try #require(list[2].dictionaryValue)
      let other = try #require(list[2].dictionaryValue)
      try realm.write {
        list.insert(.string("first"), at: 0)
        inner["a"] = .int(1)
        list.insert(.fromDictionary([:]), at: 0)
        #expect(inner["a"] == .int(1))
        #expect(other["a"] == .int(1))
        other["b"] = .int(2)
        list.remove(at: 1)
        #expect(inner["b"] == .int(2))
        list.move(from: 3, to: 0)
        #expect(inner.count == 3)
      }
      #expect(list[0].dictionaryValue?.count == 3)
      #expect(inner == list[0].dictionaryValue)
      try realm.write { list.remove(at: 0) }
      #expect(inner.isInvalidated)
      #expect(!list.isInvalidated)
      expectMisuse("invalidated") { _ = inner.count }
    }
  }

  @Test func `are invalid when something else is in their place`() throws {
    try withChest { realm, chest in
      let map = try #require(chest.any.dictionaryValue)
      let list = try #require(map["numbers"]?.listValue)
      try realm.write { chest.any = .fromArray([.int(1)]) }
      #expect(map.isInvalidated)
      #expect(list.isInvalidated)
      expectMisuse("invalidated") { _ = list[0] }
      expectMisuse("outside of a write transaction") { chest.any.listValue?.append(.int(2)) }
      let now = try #require(chest.any.listValue)
      try realm.write { realm.delete(chest) }
      #expect(now.isInvalidated)
    }
  }

  @Test func `are valid again when the transaction that removed them is cancelled`() throws {
    try withChest { realm, chest in
      let list = try #require(chest.any.dictionaryValue?["numbers"]?.listValue)
      let inner = try #require(list[2].dictionaryValue)
      realm.beginWrite()
      list.remove(at: 2)
      #expect(inner.isInvalidated)
      chest.any = .none
      #expect(list.isInvalidated)
      realm.cancelWrite()
      #expect(list.count == 3)
      #expect(inner["three"] == .int(3))
      try realm.write { inner["three"] = .int(4) }
      #expect(list[2].dictionaryValue?["three"] == .int(4))
    }
  }

  @Test func `are known among others that changed beside them`() throws {
    try withChest { realm, chest in
      try realm.write {
        chest.any = .fromArray((0..<5).map { .fromArray([.int($0)]) })
      }
      let outer = try #require(chest.any.listValue)
      let inner = try (0..<5).map { try #require(outer[$0].listValue) }
      // Other accessors of the same lists change them, so that these have to look for them.
      try realm.write {
        outer[1].listValue?.append(.int(10))
        outer[2].listValue?.append(.int(20))
      }
      #expect(inner.map { $0.count } == [1, 2, 2, 1, 1])
      #expect(inner[2].last == .int(20))
      try realm.write {
        outer.move(from: 4, to: 0)
        outer[4].listValue?.append(.int(30))
      }
      #expect(inner[4].first == .int(4))
      #expect(inner[3].last == .int(30))
    }
  }

  @Test func `are not taken for a new one that was added elsewhere`() throws {
    try withChest { realm, chest in
      try realm.write {
        chest.any = .fromArray([.fromArray([.int(1)]), .string("x"), .string("y")])
      }
      let outer = try #require(chest.any.listValue)
      let inner = try #require(outer[0].listValue)
      try realm.write {
        outer.remove(at: 0)
        outer.append(.fromArray([.int(2)]))
      }
      #expect(inner.isInvalidated)
    }
  }

  @Test func `are in lists and maps of any values, too`() throws {
    try withChest { realm, chest in
      try realm.write {
        chest.all.append(objectsIn: [.int(1), nested, .fromArray([.fromArray([])])])
        chest.named["a"] = .fromArray([.int(1)])
      }
      let inner = try #require(chest.all[2].listValue?[0].listValue)
      let named = try #require(chest.named["a"]?.listValue)
      try realm.write {
        chest.all.remove(at: 0)
        inner.append(.string("deep"))
        named.append(.int(2))
        chest.all[0].dictionaryValue?["text"] = .string("y")
      }
      #expect(chest.all[1].listValue?[0].listValue?.first == .string("deep"))
      #expect(chest.all[0].dictionaryValue?["text"] == .string("y"))
      #expect(chest.named["a"]?.listValue?.count == 2)
      #expect(chest.all.filter { $0.listValue != nil }.count == 1)
    }
  }

  @Test func `are known to inverse relationships, and lose what is deleted`() throws {
    try withChest { realm, chest in
      let (fruit, other) = try realm.write {
        let other = realm.create(Chest.self, value: ["name": "other"])
        let fruit = Fruit("pear")
        chest.any = .fromDictionary([
          "list": .fromArray([.object(fruit), .object(other), .int(1)]), "one": .object(fruit),
        ])
        return (fruit, other)
      }
      #expect(fruit.realm == realm)
      #expect(other.holders.count == 1)
      try realm.write {
        realm.delete(fruit)
        realm.delete(other)
      }
      let map = try #require(chest.any.dictionaryValue)
      #expect(map["one"] == AnyRealmValue.none)
      #expect(map["list"]?.listValue.map(Array.init) == [.none, .none, .int(1)])
    }
  }

  @Test func `take turns with links and single values, and the links are those of the last`() throws
  {
    try withRealm(types) { realm in
      // The same in every run, so that a failure can be looked at again.
      var state: UInt64 = 42
      let chests = try realm.write {
        (0..<300).map { realm.create(Chest.self, value: ["name": "\($0)"]) }
      }
      func number(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
      }
      /// A value, and the chest that it leads to.
      func made() -> (AnyRealmValue, Int?) {
        let target = number(300)
        return switch number(6) {
        case 0: (.none, nil)
        case 1: (.int(target), nil)
        case 2: (.string("text \(target)"), nil)
        case 3: (.object(chests[target]), target)
        case 4: (.fromDictionary(["a": .int(1), "b": .fromArray([.string("x")])]), nil)
        default: (.fromDictionary(["a": .fromArray([.object(chests[target])])]), target)
        }
      }
      var targets = [Int?](repeating: nil, count: 300)
      for _ in 0..<4 {
        try realm.write {
          for _ in 0..<600 {
            let (origin, (value, target)) = (number(300), made())
            chests[origin].any = value
            targets[origin] = target
          }
        }
        for (number, chest) in chests.enumerated() {
          let origins = targets.indices.filter { targets[$0] == number }
          #expect(chest.holders.map { Int($0.name) }.sorted { $0 ?? 0 < $1 ?? 0 } == origins)
        }
      }
    }
  }

  @Test func `are found by what is inside`() throws {
    try withChest { realm, chest in
      try realm.write {
        realm.create(Chest.self, value: ["name": "list", "any": [5, ["a": 6], [7, 8]]])
        realm.create(Chest.self, value: ["name": "int", "any": 5])
      }
      let chests = realm.objects(Chest.self)
      func names(_ results: Results<Chest>) -> [String] { results.map(\.name) }
      #expect(names(chests.where { $0.any["numbers"][0] == .int(1) }) == [""])
      #expect(names(chests.where { $0.any["numbers"].any == .int(2) }) == [""])
      #expect(names(chests.where { $0.any["numbers"][2]["three"] > .int(2) }) == [""])
      #expect(names(chests.where { $0.any.any == .int(5) }) == ["list"])
      #expect(names(chests.where { $0.any[1]["a"] == .int(6) }) == ["list"])
      #expect(names(chests.where { $0.any.any.any == .int(8) }) == ["list"])
      #expect(names(chests.where { $0.any == .int(5) }) == ["int"])
      #expect(names(chests.where { $0.any[2] == .fromArray([.int(7), .int(8)]) }) == ["list"])
      #expect(names(chests.filter("#any['numbers'][*] == 2")) == [""])
      #expect(names(chests.filter("#any[LAST][FIRST] == 7")) == ["list"])
      #expect(names(chests.filter("#any.@type == 'dictionary'")) == [""])
      #expect(names(chests.filter("#any.@type == 'collection'")) == ["", "list"])
      #expect(names(chests.filter("#any[*].@type == 'int'")) == ["list"])
      #expect(names(chests.filter("#any.@count == 3")) == ["", "list"])
      #expect(names(chests.filter("#any[%@] == %@", 0, 5)) == ["list"])
      expectMisuse("no kind of value named") { _ = chests.filter("#any.@type == 'dict'").count }
    }
  }

  @Test func `are found where they hold objects`() throws {
    try withChest { realm, chest in
      try realm.write { realm.create(Chest.self, value: ["name": "other"]) }
      let chests = realm.objects(Chest.self)
      let other = try #require(chests.last)
      let list = AnyRealmValue.fromArray([.int(1), .object(other)])
      for value in [list, .fromDictionary(["a": list])] {
        try realm.write { chest.any = value }
        #expect(chests.where { $0.any == value }.map(\.name) == [""])
        #expect(chests.where { $0.any == .fromArray([.int(1), .object(chest)]) }.isEmpty)
        #expect(chests.where { $0.any == .fromArray([.int(1), .object(Chest())]) }.isEmpty)
        #expect(chests.where { $0.any != .fromArray([.object(Chest())]) }.count == 2)
      }
    }
  }

  @Test func `lists tell what was done to them`() throws {
    try withWatch(types) { watch in
      let chest = try watch.writer.write { watch.writer.create(Chest.self, value: ["any": nested]) }
      let list = try #require(chest.any.dictionaryValue?["numbers"]?.listValue)
      try watch.observe { realm, note in
        realm.objects(Chest.self)[0].any.dictionaryValue?["numbers"]?.listValue?.observe { change in
          guard case .update(_, let gone, let came, let changed) = change else {
            return note("initial")
          }
          note("-\(gone) +\(came) ~\(changed)")
        }
      }
      try watch.writer.write {
        list.append(.int(4))
        list.remove(at: 0)
      }
      watch.expect("-[0] +[2] ~[]")
      try watch.writer.write { list[0] = .int(20) }
      watch.expect("-[] +[] ~[0]")
      try watch.writer.write { chest.any.dictionaryValue?["text"] = .int(1) }
      watch.expectNothing()
      try watch.writer.write { chest.any = .none }
      watch.expect("-[0, 1, 2] +[] ~[]")
    }
  }

  @Test func `dictionaries tell what was done to them`() throws {
    try withWatch(types) { watch in
      let chest = try watch.writer.write { watch.writer.create(Chest.self, value: ["any": nested]) }
      let map = try #require(chest.any.dictionaryValue)
      try watch.observe { realm, note in
        realm.objects(Chest.self)[0].any.dictionaryValue?.observe { change in
          guard case .update(_, let gone, let came, let changed) = change else {
            return note("initial")
          }
          note("-\(gone) +\(came) ~\(changed)")
        }
      }
      try watch.writer.write {
        map["text"] = nil
        map["new"] = .fromArray([])
        map["numbers"]?.listValue?.removeAll()
      }
      watch.expect("-[\"text\"] +[\"new\"] ~[\"numbers\"]")
    }
  }

  @Test func `objects tell that a value changed inside`() throws {
    try withWatch(types) { watch in
      let chest = try watch.writer.write { watch.writer.create(Chest.self, value: ["any": nested]) }
      try watch.observe(waitingFor: nil) { realm, note in
        realm.objects(Chest.self)[0].observe { change in
          if case .change(_, let changes) = change { note("\(changes.map(\.name))") }
        }
      }
      try watch.writer.write { chest.any.dictionaryValue?["numbers"]?.listValue?.append(.none) }
      watch.expect("[\"any\"]")
    }
  }

  @Test func `are read by many threads at once where they are frozen`() throws {
    try withRealm(types) { realm in
      // Large, so that the threads meet while they find it.
      let entries = (0..<500).map { ("key \($0)", AnyRealmValue.fromArray([.int($0)])) }
      let all = AnyRealmValue.fromDictionary(Dictionary(uniqueKeysWithValues: entries))
      let chest = try realm.write { realm.create(Chest.self, value: ["any": all]) }
      for _ in 0..<60 {
        let list = try #require(chest.any.dictionaryValue?["key 7"]?.listValue)
        let map = try #require(chest.freeze().any.dictionaryValue)
        let shared = Frozen(map: map, list: list.freeze())
        let sums = Sums()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
          let count = shared.map.keys.count
          let isRight =
            shared.map["key 3"]?.listValue?[0] == .int(3) && shared.list[0] == .int(7)
          if isRight, count == 500 { sums.add() }
        }
        #expect(sums.total == 4)
      }
    }
  }

  @Test func `are frozen, thawed and sent to other threads`() throws {
    try withChest { realm, chest in
      let list = try #require(chest.any.dictionaryValue?["numbers"]?.listValue)
      let inner = try #require(list[2].dictionaryValue)
      let (frozen, frozenInner) = (list.freeze(), inner.freeze())
      let reference = ThreadSafeReference(to: inner)
      try realm.write { list.insert(.int(0), at: 0) }
      #expect(frozen.count == 3)
      #expect(frozenInner["three"] == .int(3))
      #expect(frozenInner.thaw()?.count == 1)
      #expect(frozen.thaw()?.count == 4)
      #expect(realm.resolve(reference)?["three"] == .int(3))
      expectMisuse("frozen") { frozen.append(.int(1)) }
    }
  }

  @Test func `are made of arrays and dictionaries, by name and in older models`() throws {
    try withRealm(types) { realm in
      try realm.write {
        let chest = realm.create(Chest.self, value: ["any": ["a": [1, "b", NSNull()]]])
        #expect(chest.any.dictionaryValue?["a"]?.listValue?[1] == .string("b"))
        chest.setValue([1, 2], forKey: "any")
        #expect(chest.any.listValue?.count == 2)
        #expect((chest.value(forKey: "any") as? List<AnyRealmValue>)?.count == 2)
        let dynamic = realm.dynamicObjects("Chest")[0]
        #expect((dynamic["any"] as? List<AnyRealmValue>)?[1] == .int(2))
        let old = realm.create(OldChest.self)
        old.any.value = nested
        old.any.value.dictionaryValue?["text"] = .int(1)
        #expect(old.any.value.dictionaryValue?["text"] == .int(1))
        #expect(chest.description.contains("[1] 2"))
      }
    }
  }

  @Test func `have as many levels as are allowed, and no more`() throws {
    try withChest { realm, chest in
      var value = AnyRealmValue.int(1)
      for _ in 0..<100 { value = .fromArray([value]) }
      try realm.write { chest.any = value }
      #expect(chest.any.listValue?[0].listValue != nil)
      let list = List<AnyRealmValue>()
      list.append(.list(list))
      realm.beginWrite()
      expectMisuse("levels inside each other") { chest.any = .list(list) }
      expectMisuse("must not contain") { chest.any = .fromDictionary(["$a": .int(1)]) }
      realm.cancelWrite()
    }
  }
}
