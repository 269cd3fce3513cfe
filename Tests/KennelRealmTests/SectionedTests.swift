import Foundation
import KennelRealm
import RealmTestSupport
import Testing

extension Dog {
  var firstLetter: String { String(name.prefix(1)) }
}

class Ward: Object {
  @Persisted var color: String?
  @Persisted var number: Int
  @Persisted var names: List<String>
}

private func paths(_ paths: [IndexPath]) -> String {
  "[" + paths.map { "\($0.section).\($0.item)" }.joined(separator: " ") + "]"
}

private func text<C: Collection>(_ change: SectionedResultsChange<C>) -> String {
  switch change {
  case .initial: "initial"
  case .update(let now, let deletions, let insertions, let modifications, let added, let removed):
    "\(now.count): -\(paths(deletions)) +\(paths(insertions)) ~\(paths(modifications))"
      + " sections -\(Array(removed)) +\(Array(added))"
  }
}

private func text<Key, Element>(_ sections: SectionedResults<Key, Element>) -> String {
  sections.map { "\($0.key): \($0.map { "\($0)" }.joined(separator: " "))" }
    .joined(separator: ", ")
}

private func names<Key>(_ sections: SectionedResults<Key, Dog>) -> String {
  sections.map { "\($0.key): \($0.map(\.name).joined(separator: " "))" }.joined(separator: ", ")
}

@Suite struct `Sections` {
  private func add(_ names: [String], to realm: Realm) throws {
    try realm.write { for name in names { realm.add(Dog(value: ["name": name])) } }
  }

  @Test func `stand where their first elements do`() throws {
    try withRealm(zoo + [Ward.self]) { realm in
      try add(["bo", "ann", "ben", "cy", "al"], to: realm)
      let dogs = realm.objects(Dog.self)
      let rising = dogs.sectioned(by: \.firstLetter)
      #expect(names(rising) == "a: al ann, b: ben bo, c: cy")
      #expect(rising.allKeys == ["a", "b", "c"])
      #expect(
        names(dogs.sectioned(by: \.firstLetter, ascending: false)) == "c: cy, b: bo ben, a: ann al"
      )
      let byLength = dogs.sectioned(by: { $0.name.count }, sortDescriptors: ["name"])
      #expect(names(byLength) == "2: al bo cy, 3: ann ben")
      let byAge = dogs.sectioned(
        by: \.firstLetter,
        sortDescriptors: [.init(keyPath: "age"), .init(keyPath: "name", ascending: false)]
      )
      #expect(names(byAge) == "c: cy, b: bo ben, a: ann al")
      #expect(rising[IndexPath(item: 1, section: 1)].name == "bo")
      #expect(rising[1].first?.name == "ben")
      #expect(rising[1].id == "b")
    }
  }

  @Test func `are made of values and of missing keys`() throws {
    try withRealm(zoo + [Ward.self]) { realm in
      try realm.write {
        realm.add(Ward(value: ["number": 1, "color": "red", "names": ["x1", "y1", "x0"]]))
        realm.add(Ward(value: ["number": 2]))
      }
      let wards = realm.objects(Ward.self)
      #expect(wards.sectioned(by: \.color).allKeys == [nil, "red"])
      let names = try #require(wards.first).names
      #expect(text(names.sectioned(by: { String($0.prefix(1)) })) == "x: x0 x1, y: y1")
      let falling = names.sectioned(by: { String($0.prefix(1)) }, ascending: false)
      #expect(text(falling) == "y: y1, x: x1 x0")
    }
  }

  @Test func `live with the realm, and stay when they are frozen`() throws {
    try withRealm(zoo + [Ward.self]) { realm in
      try add(["ann", "bo"], to: realm)
      let sections = realm.objects(Dog.self).sectioned(by: \.firstLetter)
      let first = sections[0]
      let frozen = sections.freeze()
      let frozenFirst = first.freeze()
      try add(["al", "cy"], to: realm)
      #expect(names(sections) == "a: al ann, b: bo, c: cy")
      #expect(first.map(\.name) == ["al", "ann"])
      #expect(names(frozen) == "a: ann, b: bo")
      #expect(frozenFirst.map(\.name) == ["ann"])
      #expect(frozen.isFrozen && frozenFirst.isFrozen && frozen[0].isFrozen)
      #expect(!sections.isFrozen && !first.isFrozen)
      #expect(frozen.thaw().map(names) == names(sections))
      #expect(frozenFirst.thaw()?.count == 2)
      #expect(sections.realm == realm)
      try realm.write { realm.delete(sections[0]) }
      #expect(first.isEmpty)
      #expect(sections.allKeys == ["b", "c"])
    }
  }

  @Test func `are equal only to themselves`() throws {
    try withRealm(zoo + [Ward.self]) { realm in
      try add(["ann", "bo"], to: realm)
      let sections = realm.objects(Dog.self).sectioned(by: \.firstLetter)
      #expect(sections == sections)
      #expect(sections[0] == sections[0])
      #expect(sections[0] != sections[1])
      #expect(sections != realm.objects(Dog.self).sectioned(by: \.firstLetter))
    }
  }

  @Test func `tell what went, came, changed and moved`() throws {
    try withWatch { watch in
      try add(["ann", "bo", "cy", "di"], to: watch.writer)
      try watch.observe { realm, note in
        realm.objects(Dog.self).sectioned(by: \.firstLetter).observe { note(text($0)) }
      }
      let dogs = watch.writer.objects(Dog.self)
      func dog(_ name: String) throws -> Dog { try #require(dogs.filter("name == %@", name).first) }
      try add(["al", "ed"], to: watch.writer)
      watch.expect("5: -[] +[0.0 4.0] ~[] sections -[] +[4]")
      try watch.writer.write { try dog("bo").age = 4 }
      watch.expect("5: -[] +[] ~[1.0] sections -[] +[]")
      try watch.writer.write { watch.writer.delete(try dog("bo")) }
      watch.expect("4: -[] +[] ~[] sections -[1] +[]")
      try watch.writer.write { try dog("al").name = "dan" }
      watch.expect("4: -[0.0] +[2.0] ~[] sections -[] +[]")
      try watch.writer.write {
        watch.writer.delete(try dog("ann"))
        try dog("ed").age = 9
      }
      watch.expect("3: -[3.0] +[2.0] ~[] sections -[0] +[]")
      try watch.writer.write { watch.writer.add(Person(value: ["name": "Ada"])) }
      watch.expectNothing()
    }
  }

  @Test func `tell of one section alone`() throws {
    try withWatch { watch in
      try add(["ann", "bo"], to: watch.writer)
      try watch.observe { realm, note in
        realm.objects(Dog.self).sectioned(by: \.firstLetter)[1].observe { note(text($0)) }
      }
      let dogs = watch.writer.objects(Dog.self)
      try add(["al", "cy"], to: watch.writer)
      watch.expectNothing()
      try add(["ben"], to: watch.writer)
      watch.expect("2: -[] +[1.0] ~[] sections -[] +[]")
      try watch.writer.write { watch.writer.delete(dogs.filter("name BEGINSWITH 'b'")) }
      watch.expect("0: -[] +[] ~[] sections -[1] +[]")
      try add(["bob"], to: watch.writer)
      watch.expect("1: -[] +[1.0] ~[] sections -[] +[1]")
    }
  }

  @Test func `tell only of the properties that are asked for`() throws {
    try withWatch { watch in
      try add(["ann", "bo"], to: watch.writer)
      try watch.observe { realm, note in
        realm.objects(Dog.self).sectioned(by: \.firstLetter)
          .observe(keyPaths: [\Dog.age]) { note(text($0)) }
      }
      let dogs = watch.writer.objects(Dog.self)
      try watch.writer.write { dogs[0].name = "al" }
      watch.expectNothing()
      try watch.writer.write { dogs[0].age = 3 }
      watch.expect("2: -[] +[] ~[0.0] sections -[] +[]")
    }
  }
}
