import Foundation
import KennelRealm
import RealmTestSupport
import Testing

/// Runs a body with a collection of an unmanaged object, and with one of a stored object.
private func withBoth(
  _ body: (Person, @escaping (@escaping () -> Void) throws -> Void) throws -> Void
) throws {
  try body(Person(value: ["name": "unmanaged"]), { $0() })
  try withRealm(zoo) { realm in
    let person = Person(value: ["name": "stored"])
    try realm.write { realm.add(person) }
    try body(person, { change in try realm.write { change() } })
  }
}

private func dog(_ name: String, _ age: Int = 0) -> Dog {
  Dog(value: ["name": name, "age": age] as [String: Any])
}

@Suite struct `Collections` {
  @Test func `lists change in every way that Realm's do`() throws {
    try withBoth { person, write in
      let dogs = person.dogs
      func names() -> String { dogs.map(\.name).joined() }
      try write { dogs.append(dog("a")) }
      try write { dogs.append(objectsIn: [dog("b"), dog("c")]) }
      #expect(names() == "abc" && dogs.count == 3)
      try write { dogs.insert(dog("d"), at: 1) }
      try write { dogs.insert(contentsOf: [dog("e"), dog("f")], at: 0) }
      #expect(names() == "efadbc")
      try write { dogs.remove(at: 1) }
      try write { dogs.removeFirst() }
      try write { dogs.removeLast() }
      #expect(names() == "adb")
      try write { dogs.replace(index: 1, object: dog("g")) }
      try write { dogs[0] = dog("h") }
      #expect(names() == "hgb")
      try write { dogs.move(from: 0, to: 2) }
      #expect(names() == "gbh")
      try write { dogs.swapAt(0, 2) }
      #expect(names() == "hbg")
      try write { dogs.replaceSubrange(0..<2, with: [dog("i"), dog("j"), dog("k")]) }
      #expect(names() == "ijkg")
      try write { dogs.move(fromOffsets: [0, 2], toOffset: 4) }
      #expect(names() == "jgik")
      try write { dogs.remove(atOffsets: [0, 3]) }
      #expect(names() == "gi")
      try write { dogs.append(objectsIn: [dogs[0], dogs[0]]) }
      #expect(names() == "gigg" && dogs[0].isSameObject(as: dogs[3]))
      try write { dogs.removeSubrange(1...2) }
      #expect(names() == "gg" && dogs[0..<2].count == 2)
      try write { dogs.removeFirst(2) }
      #expect(dogs.isEmpty && dogs.first == nil && dogs.last == nil)
      try write { dogs.append(dog("z")) }
      try write { dogs.removeAll() }
      #expect(dogs.isEmpty)
    }
  }

  @Test func `lists take parts of themselves`() throws {
    try withBoth { person, write in
      let dogs = person.dogs
      func names() -> String { dogs.map(\.name).joined() }
      try write { dogs.append(objectsIn: ["a", "b", "c"].map { dog($0) }) }
      try write { dogs.insert(contentsOf: dogs[0..<2], at: 0) }
      #expect(names() == "ababc")
      try write { dogs.insert(contentsOf: dogs, at: 1) }
      #expect(names() == "aababcbabc")
      try write { dogs.replaceSubrange(0..<9, with: dogs.lazy.filter { $0.name == "b" }) }
      #expect(names() == "bbbbc")
      try write { dogs.append(objectsIn: dogs[3...]) }
      #expect(names() == "bbbbcbc")
    }
  }

  @Test func `lists are read like arrays`() throws {
    try withBoth { person, write in
      let dogs = person.dogs
      let second = dog("b", 2)
      try write { dogs.append(objectsIn: [dog("a", 1), second, dog("c", 3)]) }
      #expect(dogs.first?.name == "a" && dogs.last?.name == "c" && dogs[1].name == "b")
      #expect(dogs.index(of: second) == 1)
      #expect(dogs.objects(at: [0, 2]).map(\.name) == ["a", "c"])
      expectMisuse("Indexes for collection are out of bounds.") { _ = dogs.objects(at: [1, 3]) }
      #expect(dogs.map(\.age).reduce(0, +) == 6)
      #expect(dogs.contains { $0.age == 3 } && dogs.reversed().first?.name == "c")
      #expect(dogs.description.hasPrefix("List<Dog>"))
      #expect(dogs == person.dogs && !dogs.isInvalidated)
      expectMisuse("out of bounds") { _ = dogs[3] }
      expectMisuse("negative") { _ = dogs[-1] }
    }
  }

  @Test func `assigning a list copies its elements`() throws {
    try withBoth { person, write in
      try write { person.dogs.append(dog("a")) }
      let other = List<Dog>()
      other.append(objectsIn: [dog("b"), dog("c")])
      try write { person.dogs = other }
      #expect(person.dogs.map(\.name) == ["b", "c"])
      try write { person.dogs = person.dogs }
      #expect(person.dogs.count == 2)
    }
  }

  @Test func `sets hold each member once`() throws {
    try withBoth { person, write in
      let names = person.nicknames
      try write { names.insert("a") }
      try write { names.insert(objectsIn: ["b", "a", "c"]) }
      #expect(names.count == 3 && names.contains("b") && !names.contains("d"))
      try write { names.remove("b") }
      #expect(Set(names) == ["a", "c"])
      let other = MutableSet<String>()
      other.insert(objectsIn: ["c", "d"])
      #expect(names.intersects(other) && !names.isSubset(of: other))
      try write { names.formUnion(other) }
      #expect(Set(names) == ["a", "c", "d"] && other.isSubset(of: names))
      try write { names.formIntersection(other) }
      #expect(Set(names) == ["c", "d"])
      try write { names.subtract(other) }
      #expect(names.isEmpty)
      try write { person.nicknames = other }
      #expect(Set(person.nicknames) == ["c", "d"])
      try write { names.removeAll() }
      #expect(names.isEmpty)
    }
  }

  @Test func `sets hold objects by identity`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada"])
      let bea = Person(value: ["name": "Bea"])
      try realm.write {
        realm.add([ada, bea])
        ada.friends.insert(bea)
        ada.friends.insert(realm.objects(Person.self).filter("name == 'Bea'")[0])
      }
      #expect(ada.friends.count == 1 && ada.friends.contains(bea) && !ada.friends.contains(ada))
      try realm.write { realm.delete(bea) }
      #expect(ada.friends.isEmpty)
    }
  }

  @Test func `maps hold values under keys`() throws {
    try withBoth { person, write in
      let grades = person.grades
      try write { grades["math"] = 1 }
      try write { grades.updateValue(2, forKey: "art") }
      try write { grades["math", default: 0] += 10 }
      try write { grades["new", default: 5] += 1 }
      #expect(grades["math"] == 11 && grades["art"] == 2 && grades["new"] == 6)
      #expect(grades["none"] == nil && grades["none", default: 7] == 7)
      #expect(grades.count == 3 && grades.keys.sorted() == ["art", "math", "new"])
      #expect(grades.values.sorted() == [2, 6, 11])
      #expect(grades.contains { $0 == "art" && $1 == 2 })
      #expect(grades.map { "\($0.key)\($0.value)" }.sorted() == ["art2", "math11", "new6"])
      #expect(grades.asKeyValueSequence().count == 3)
      try write { grades.merge(["art": 3, "x": 1].map { ($0, $1) }) { $0 * 100 + $1 } }
      #expect(grades["art"] == 203 && grades["x"] == 1)
      try write { grades.removeObject(for: "art") }
      try write { grades["x"] = nil }
      #expect(grades["art"] == nil && grades.count == 2)
      expectMisuse("must not contain '.'") { try? write { grades["a.b"] = 1 } }
    }
  }

  @Test func `maps of objects lose the object, not the key`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada"])
      let rex = dog("Rex")
      try realm.write {
        realm.add(ada)
        ada.dogsByRole["guard"] = rex
        ada.dogsByRole["nobody"] = .some(nil)
      }
      #expect(rex.isSameObject(as: ada.dogsByRole["guard"] ?? nil))
      #expect(ada.dogsByRole["nobody"] == .some(nil))
      try realm.write { realm.delete(rex) }
      #expect(ada.dogsByRole["guard"] == .some(nil) && ada.dogsByRole.count == 2)
    }
  }

  @Test func `stored collections change in a transaction only`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada", "dogs": [["a", 1]]] as [String: Any])
      try realm.write { realm.add(ada) }
      expectMisuse("outside of a write transaction") { ada.dogs.removeAll() }
      expectMisuse("outside of a write transaction") { ada.nicknames.insert("a") }
      expectMisuse("outside of a write transaction") { ada.grades["a"] = 1 }
      let dogs = ada.dogs
      try realm.write { realm.delete(ada) }
      #expect(dogs.isInvalidated)
      expectMisuse("invalidated") { _ = dogs.count }
    }
  }

  @Test func `inverse relationships follow the links`() throws {
    try withRealm(zoo) { realm in
      let rex = dog("Rex")
      let ada = Person(value: ["name": "Ada"])
      #expect(rex.owners.isEmpty)
      try realm.write {
        realm.add([ada])
        realm.add(rex)
        ada.dogs.append(objectsIn: [rex, rex])
        #expect(rex.owners.count == 2)
        ada.dogs.remove(at: 0)
      }
      #expect(rex.owners.map(\.name) == ["Ada"] && rex.owners.index(of: ada) == 0)
      #expect(rex.owners.filter("name == 'Bea'").isEmpty)
      try realm.write { ada.dogs.removeAll() }
      #expect(rex.owners.isEmpty && !rex.isInvalidated)
      let owners = rex.owners
      try realm.write { realm.delete(rex) }
      #expect(owners.isInvalidated)
    }
  }

  @Test func `collections are coded as arrays and dictionaries`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let list = try JSONDecoder().decode(List<Int>.self, from: Data("[1,2]".utf8))
    #expect(Array(list) == [1, 2])
    #expect(String(decoding: try encoder.encode(list), as: UTF8.self) == "[1,2]")
    let set = try JSONDecoder().decode(MutableSet<String>.self, from: Data("[\"a\"]".utf8))
    #expect(set.contains("a"))
    let map = try JSONDecoder().decode(Map<String, Int>.self, from: Data("{\"a\":1}".utf8))
    #expect(map["a"] == 1)
    #expect(String(decoding: try encoder.encode(map), as: UTF8.self) == "{\"a\":1}")
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada", "nicknames": ["b", "a"]] as [String: Any])
      try realm.write { realm.add(ada) }
      for names in [ada.nicknames.sorted(), ada.nicknames.sorted().freeze()] {
        let text = #"["a","b"]"#
        #expect(String(decoding: try encoder.encode(names), as: UTF8.self) == text)
        let any = AnyRealmCollection(names)
        #expect(String(decoding: try encoder.encode(any), as: UTF8.self) == text)
      }
    }
  }
}

/// How many elements of one collection are, in their places, those of another that has no missing ones.
private func matches<Some: RealmCollection, All: RealmCollection>(
  _ optional: Some,
  _ all: All
) -> Int where Some.Element == All.Element? {
  zip(optional, all).count { $0 == $1 }
}

@Suite struct `Generic code` {
  @Test func `takes collections whose elements are optionals of those of another`() {
    let (optional, all) = (List<Int?>(), List<Int>())
    optional.append(objectsIn: [1, nil, 3])
    all.append(objectsIn: [1, 2, 3])
    let count = matches(optional, all)
    #expect(count == 2)
  }
}
