import Foundation
import KennelRealm
import RealmTestSupport
import Testing

/// Values of any type, missing values and enumerations, in collections.
class Mixed: Object {
  @Persisted var anything: List<AnyRealmValue>
  @Persisted var any: AnyRealmValue
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var numbers: List<Int>
  @Persisted var optionals: List<Int?>
  @Persisted var texts: MutableSet<String>
  @Persisted var optionalTexts: MutableSet<String?>
  @Persisted var counts: Map<String, Int>
  @Persisted var optionalCounts: Map<String, Int?>
  @Persisted var moods: List<Mood>
  @Persisted var dogs: List<Dog>
  @Persisted var dogSet: MutableSet<Dog>
  @Persisted var dogMap: Map<String, Dog?>
}

class Places: Object {
  @Persisted var place: Place
  @Persisted var list: List<Place>
  @Persisted var map: Map<String, Place>
}

private let mixed: [ObjectBase.Type] = [Mixed.self, Dog.self, Person.self, Address.self]

@Suite struct `Values by key` {
  private func check(_ object: Mixed) throws {
    let anything = try #require(object.anything.value(forKey: "self") as? [Any])
    #expect((anything[0] as? NSNumber) == 1 && anything[1] as? String == "two")
    #expect(anything[2] is NSNull && anything[3] as? Double == 2.5)
    #expect(object.optionals.value(forKey: "self") as? [AnyHashable] == [1, NSNull()])
    #expect(object.moods.value(forKey: "self") as? [String] == ["angry"])
    #expect(object.texts.value(forKey: "self") as Any? as? Set<String> == ["a", "b"])
    let texts: [AnyObject] = object.texts.value(forKey: "self")
    #expect(Set(texts.compactMap { $0 as? String }) == ["a", "b"])
    let optional = object.optionalTexts.value(forKey: "self") as Any? as? Set<AnyHashable>
    #expect(optional?.count == 2 && optional?.contains("a") == true)
    #expect(optional?.contains { $0.base is NSNull } == true)
    let names = object.dogSet.value(forKey: "name") as Any?
    #expect(names as? Set<String> == ["Rex"])
    #expect(object.dogs.value(forKey: "name") as? [String] == ["Rex", "Rex"])
    #expect((object.dogs.value(forKey: "@count") as Any?) as? NSNumber == 2)
    #expect(object.optionalCounts.value(forKey: "none") as Any? is NSNull)
    #expect(object.optionalCounts.value(forKey: "one") as Any? as? Int == 1)
    #expect(object.optionalCounts.value(forKey: "other") as Any? == nil)
    #expect(object.anyMap.value(forKey: "text") as Any? as? String == "x")
    #expect(object.anyMap.value(forKey: "none") as Any? is NSNull)
    #expect(object.dogMap.value(forKey: "nobody") as Any? is NSNull)
  }

  @Test func `are plain, missing ones are NSNull, and those of a set are a set`() throws {
    let dog = Dog(value: ["name": "Rex"])
    let object = Mixed(
      value: [
        "anything": [1, "two", NSNull(), 2.5] as [Any], "optionals": [1, nil],
        "moods": [Mood.angry],
        "texts": ["a", "b"], "optionalTexts": ["a", NSNull()] as [Any], "dogs": [dog, dog],
        "dogSet": [dog], "optionalCounts": ["one": 1, "none": NSNull()] as [String: Any],
        "anyMap": ["text": "x", "none": NSNull()] as [String: Any], "dogMap": ["nobody": NSNull()],
      ] as [String: Any]
    )
    try check(object)
    try withRealm(mixed) { realm in
      try realm.write { realm.add(object) }
      try check(object)
      try check(try #require(realm.objects(Mixed.self).first))
    }
  }
}

@Suite struct `Values that do not fit` {
  @Test func `null is refused by lists, sets and maps that have none`() throws {
    try withRealm(mixed) { realm in
      let stored = Mixed()
      try realm.write { realm.add(stored) }
      for object in [Mixed(), stored] {
        realm.beginWrite()
        for name in ["numbers", "texts", "dogs", "dogSet", "moods"] {
          expectMisuse("Invalid value") { object[name] = [NSNull()] }
          expectMisuse("Invalid value") { object[name] = [Int?.none] }
          expectMisuse("Invalid value") { _ = Mixed(value: [name: [NSNull()]]) }
          expectMisuse("Invalid value") { realm.create(Mixed.self, value: [name: [NSNull()]]) }
        }
        expectMisuse("Invalid value") { object["counts"] = ["a": NSNull()] }
        for name in ["anything", "optionals", "optionalTexts"] { object[name] = [NSNull()] }
        for name in ["anyMap", "optionalCounts", "dogMap"] { object[name] = ["a": NSNull()] }
        #expect(object.anything[0] == .none && object.optionals[0] == nil)
        #expect(object.dogs.isEmpty && object.numbers.isEmpty && object.dogMap.count == 1)
        realm.cancelWrite()
      }
    }
  }

  @Test func `null is the default of a custom type that is stored as an object, but not in lists`()
    throws
  {
    try withRealm([Places.self, StoredPlace.self]) { realm in
      realm.beginWrite()
      for object in [
        Places(value: ["place": NSNull(), "map": ["a": NSNull()]] as [String: Any]),
        realm.create(
          Places.self,
          value: ["place": NSNull(), "map": ["a": NSNull()]] as [String: Any]
        ),
      ] {
        #expect(object.place.city.isEmpty && object.map["a"]?.city.isEmpty == true)
      }
      expectMisuse("Invalid value") { _ = Places(value: ["list": [NSNull()]]) }
      expectMisuse("Invalid value") { realm.create(Places.self, value: ["list": [NSNull()]]) }
      realm.cancelWrite()
    }
  }

  private let thirteen: [String: Any] = [
    "one": 13, "maybe": 13, "list": [13], "maybes": [13], "set": [13], "map": ["a": 13],
    "maybeMap": ["a": 13],
  ]
  private let inCollection = "Could not convert value '13' to type 'Lucky'."

  @Test func `a stored value that a custom type cannot be made of is told when it is read`() throws
  {
    try withRealm([Wheels.self]) { realm in
      realm.beginWrite()
      let made = realm.create(Wheels.self, value: thirteen)
      let set = realm.create(Wheels.self)
      for (name, value) in thirteen { set[name] = value }
      for object in [made, set] {
        let alone =
          "Failed to convert persisted value '13' to type 'Lucky' in a non-optional context."
        expectMisuse(alone) { _ = object.one }
        expectMisuse(alone) { _ = object["one"] }
        #expect(object.maybe == nil && object["maybe"] == nil)
        expectMisuse(inCollection) { _ = object.list[0] }
        expectMisuse(inCollection) { _ = object.set.first }
        expectMisuse(inCollection) { _ = object.map["a"] }
        #expect(Array(object.maybes) == [nil] && object.maybeMap["a"] == .some(nil))
        object["one"] = 2
        #expect(object.one.persistableValue == 2 && object["one"] as? Int == 2)
      }
      #expect(realm.objects(Wheels.self).filter("maybe == 13").count == 2)
      realm.cancelWrite()
    }
  }

  @Test func `an unmanaged object refuses what its custom type cannot be made of`() {
    let object = Wheels()
    expectMisuse(inCollection) { object["one"] = 13 }
    expectMisuse(inCollection) { _ = Wheels(value: ["one": 13]) }
    object["maybe"] = 13
    #expect(object.maybe == nil && object["maybe"] == nil)
  }

  @Test func `an unmanaged collection tells when it is read what its type cannot be made of`() {
    var values = thirteen
    values["one"] = nil
    let object = Wheels(value: values)
    expectMisuse(inCollection) { _ = object.list[0] }
    expectMisuse(inCollection) { _ = object.set.first }
    expectMisuse(inCollection) { _ = object.map["a"] }
    #expect(Array(object.maybes) == [nil] && object.maybeMap["a"] == .some(nil))
    object["list"] = [2, 3]
    object["set"] = [2, 2]
    object.list.append(.first)
    #expect(object.list.map(\.persistableValue) == [2, 3, 1] && object.set.count == 1)
  }

  @Test func `decimal numbers print no zeros at the end of their fraction`() {
    let sum: Decimal128 = "1.234567" + "9.876543"
    let texts = [
      sum, "2.5" - "3.5", 3.0, 1_230_000.0, "123e4", "1.50", "1.50E-9", "0.000", "1E+20", "-INF",
      "nan",
    ]
    .map(\.description)
    #expect(
      texts == [
        "11.11111", "-1", "3", "1230000", "1.23E6", "1.5", "1.5E-9", "0", "1E20", "-Infinity",
        "NaN",
      ]
    )
    #expect(Decimal128(number: 3.0).description == "3" && Decimal128(20).description == "20")
    #expect(Decimal128(number: 567e8).description == "56700000000")
    #expect(Decimal128(number: NSNumber(value: -0.05)).description == "-0.05")
  }
}
