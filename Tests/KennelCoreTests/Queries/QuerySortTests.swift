// swift-format-ignore-file: NeverForceUnwrap
// A property that a table of questions names and the classes do not have should stop the test.

import KennelCore
import Synchronization
import Testing

/// The order in which queries return objects, limits, cancellation and refusals.
struct QuerySortTests {
  private func withPeople(_ body: (DatabaseReader, ClassKey) throws -> Void) throws {
    try QueryWorld.with { database in
      try database.write { transaction in
        try transaction.define(QueryWorld.classes)
        try QueryWorld.populate(transaction)
        try QueryWorld.change(transaction, { transaction }, seed: 7)
      }
      let snapshot = try database.snapshot()
      try body(snapshot, try #require(snapshot.schema["Person"]?.key))
    }
  }

  /// Sort orders, and the value of each of their keys with whether it ascends.
  static let orders: [(String, [(@Sendable (QueryTwin.Object) -> Value, Bool)])] = [
    ("age", [({ $0["age"] }, true)]), ("age DESC", [({ $0["age"] }, false)]),
    ("height", [({ $0["height"] }, true)]),
    ("height DESC, name", [({ $0["height"] }, false), ({ $0["name"] }, true)]),
    ("nick, age DESC", [({ $0["nick"] }, true), ({ $0["age"] }, false)]),
    ("nick DESC, born", [({ $0["nick"] }, false), ({ $0["born"] }, true)]),
    ("born DESC, token", [({ $0["born"] }, false), ({ $0["token"] }, true)]),
    ("price DESC, photo", [({ $0["price"] }, false), ({ $0["photo"] }, true)]),
    ("anything, isGood DESC", [({ $0["anything"] }, true), ({ $0["isGood"] }, false)]),
    ("weight, code", [({ $0["weight"] }, true), ({ $0["code"] }, true)]),
    (
      "dog.breed, dog.age DESC, name",
      [
        ({ $0.link("dog")?["breed"] ?? .null }, true), ({ $0.link("dog")?["age"] ?? .null }, false),
        ({ $0["name"] }, true),
      ]
    ),
    ("spouse.dog.name DESC", [({ $0.link("spouse")?.link("dog")?["name"] ?? .null }, false)]),
    (
      "dogs.@count DESC, clubs.@count",
      [
        ({ .int(Int64($0.elements("dogs").count)) }, false),
        ({ .int(Int64($0.origins("Club", "members").count)) }, true),
      ]
    ),
    ("scores.@max", [({ $0.ints("scores").max().map(Value.int) ?? .null }, true)]),
    ("marks['a'], name DESC", [({ $0.entry("marks", "a") }, true), ({ $0["name"] }, false)]),
  ]

  @Test func `objects are sorted by each key in turn and stay in order where alike`() throws {
    try withPeople { snapshot, person in
      let twin = try QueryTwin(snapshot)
      for (text, keys) in Self.orders {
        let sort = try SortKey.parse(text, for: person, in: snapshot.schema)
        let decorated = twin.objects["Person"]!.map { object in
          (key: object.key, values: keys.map { $0.0(object) })
        }
        let expected = decorated.sorted { left, right in
          for index in keys.indices {
            let isAscending = keys[index].1
            if left.values[index].isOrdered(before: right.values[index]) { return isAscending }
            if right.values[index].isOrdered(before: left.values[index]) { return !isAscending }
          }
          return left.key < right.key
        }
        #expect(try snapshot.objects(of: person, sort: sort).keys == expected.map(\.key), "\(text)")
      }
    }
  }

  @Test func `a limit cuts what the order puts last`() throws {
    try withPeople { snapshot, person in
      let all = try snapshot.objects(of: person).keys
      #expect(try snapshot.objects(of: person, limit: 3).keys == Array(all.prefix(3)))
      #expect(try snapshot.objects(of: person, limit: 0).keys == [])
      let sort = try SortKey.parse("name DESC", for: person, in: snapshot.schema)
      let sorted = try snapshot.objects(of: person, sort: sort).keys
      #expect(
        try snapshot.objects(of: person, sort: sort, limit: 5).keys == Array(sorted.prefix(5))
      )
    }
  }

  @Test func `a cancelled query says so and progress ends at one`() throws {
    try withPeople { snapshot, person in
      let predicate = try Predicate.parse("age > 3", for: person, in: snapshot.schema)
      let cancelled = QueryProgress(isCancelled: { true })
      let error = #expect(throws: DatabaseError.self) {
        try snapshot.objects(of: person, where: predicate, progress: cancelled).keys
      }
      #expect(error?.code == .cancelled)
      let last = Mutex(0.0)
      let progress = QueryProgress(
        isCancelled: { false },
        report: { part in last.withLock { $0 = part } }
      )
      _ = try snapshot.objects(of: person, where: predicate, progress: progress).keys
      #expect(last.withLock { $0 } == 1)
    }
  }

  @Test func `finding and sorting both count as progress`() throws {
    try QueryWorld.with { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Tag", properties: [PropertyDefinition("text", .string)])
        ])
        let tag = try #require(transaction.schema["Tag"])
        let text = try #require(tag["text"]?.key)
        for number in 0..<60_000 {
          _ = try transaction.create(tag.key, [text: .string("\(number * 7919 % 60_000)")])
        }
      }
      let snapshot = try database.snapshot()
      let tag = try #require(snapshot.schema["Tag"]?.key)
      let sort = try SortKey.parse("text", for: tag, in: snapshot.schema)
      let parts = Mutex<[Double]>([])
      let progress = QueryProgress(
        isCancelled: { false },
        report: { part in parts.withLock { $0.append(part) } }
      )
      _ = try snapshot.objects(of: tag, sort: sort, progress: progress).keys
      let told = parts.withLock { $0 }
      #expect(told == told.sorted())
      #expect(told.last == 1)
      // No step is longer than what nobody can look into: making the first digits.
      for (before, after) in zip([0] + told, told) { #expect(after - before < 0.25) }
    }
  }

  @Test func `decimal numbers add up without rounding`() throws {
    try QueryWorld.with { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("Till", properties: [PropertyDefinition("sums", .list(.decimal128))])
        ])
        let till = try #require(transaction.schema["Till"])
        let object = try transaction.create(till.key, [:])
        let sums = ["0.1", "0.2", "1E+20"].compactMap { Decimal128($0).map(Value.decimal128) }
        try transaction.set(object, property: try #require(till["sums"]?.key), to: .list(sums))
      }
      let snapshot = try database.snapshot()
      let till = try #require(snapshot.schema["Till"]?.key)
      for text in [
        "sums.@sum == decimal(100000000000000000000.3)",
        "sums.@avg == decimal(33333333333333333333.43333333333333)",
      ] {
        let predicate = try Predicate.parse(text, for: till, in: snapshot.schema)
        #expect(try snapshot.objects(of: till, where: predicate).count == 1, "\(text)")
      }
    }
  }

  @Test func `some objects are asked without the others`() throws {
    try withPeople { snapshot, person in
      let all = try snapshot.objects(of: person).keys
      let predicate = try Predicate.parse("dogs.@count > 0", for: person, in: snapshot.schema)
      let found = try snapshot.objects(of: person, where: predicate).keys
      #expect(found.count > 1)
      let some = Array(all.reversed().dropFirst())
      #expect(
        try snapshot.objects(among: Objects(person, some), where: predicate).keys
          == found.filter { some.contains($0) }
      )
      #expect(
        try snapshot.objects(among: Objects(person, [found[0], found[0]]), where: predicate).keys
          == [found[0]]
      )
      #expect(try snapshot.objects(among: Objects(person, [])).isEmpty)
      let name = try SortKey.parse("name DESC", for: person, in: snapshot.schema)
      #expect(
        try snapshot.objects(among: Objects(person, some), sort: name).keys
          == snapshot.objects(of: person, sort: name).keys.filter { some.contains($0) }
      )
    }
  }

  @Test(
    arguments: [
      ("SELF > 3", [4, 5]), ("self IN {1, 4}", [1, 4]),
      ("SELF BETWEEN {2, 4} AND NOT SELF == 3", [2, 4]),
      ("3 < self", [4, 5]), ("FALSEPREDICATE OR SELF == 1.0", [1]), ("SELF == null", []),
    ] as [(String, [Int64])]
  )
  func `a predicate is asked of values`(text: String, expected: [Int64]) throws {
    try withPeople { snapshot, _ in
      let predicate = try Predicate.read(text, in: snapshot.schema)
      let found = try (Int64(1)...5).filter { try predicate.holds(for: .int($0)) }
      #expect(found == expected)
      let property = try Predicate.read("age > 3", in: snapshot.schema)
      #expect(throws: PredicateError.self) { try property.holds(for: .int(1)) }
    }
  }

  @Test func `a predicate that does not fit the class is refused`() throws {
    try withPeople { snapshot, person in
      let dog = try #require(snapshot.schema["Dog"]?.key)
      let predicate = try Predicate.parse("isGood", for: person, in: snapshot.schema)
      let error = #expect(throws: DatabaseError.self) {
        try snapshot.objects(of: dog, where: predicate).keys
      }
      #expect(error?.code == .invalidPredicate)
      #expect(error?.className == "Dog")
    }
  }

  @Test func `a predicate is asked of one object`() throws {
    try withPeople { snapshot, person in
      let predicate = try Predicate.parse("dogs.@count > 1", for: person, in: snapshot.schema)
      let found = Set(try snapshot.objects(of: person, where: predicate).keys)
      for object in try snapshot.objects(of: person, limit: 50) {
        #expect(try snapshot.holds(predicate, for: object) == found.contains(object.key))
      }
      let gone = ObjectIdentity(person, ObjectKey(rawValue: 99_999))
      #expect(try !snapshot.holds(predicate, for: gone))
    }
  }
}
