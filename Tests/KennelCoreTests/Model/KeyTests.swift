import Foundation
import KennelCore
import KennelTestSupport
import Testing

@Suite struct `An object's key` {
  @Test func `counts from 1 by class, and a new object gets one that none had`() throws {
    try withTemporaryDatabase { database in
      let first = try database.write { transaction in
        try transaction.define([define("Dog", [:]), define("Cat", [:])])
        let dogs = try (0..<3).map { _ in try transaction.make("Dog") }
        #expect(dogs.map(\.key.rawValue) == [1, 2, 3])
        #expect(try transaction.make("Cat").key.rawValue == 1)
        try transaction.delete([dogs[2]])
        #expect(try transaction.make("Dog").key.rawValue == 4)
        return dogs[0]
      }
      _ = try database.write { transaction in
        try transaction.delete(
          transaction.objects(of: first.classKey).keys
            .map { ObjectIdentity(first.classKey, $0) }
        )
      }
      #expect(try database.write { try $0.make("Dog") }.key.rawValue == 5)
    }
  }

  @Test func `of a rolled back transaction was never given`() throws {
    try withTemporaryDatabase { database in
      try database.write { try $0.define([define("Dog", [:])]) }
      let transaction = try database.beginWrite()
      _ = try transaction.make("Dog")
      transaction.rollback()
      #expect(try database.write { try $0.make("Dog") }.key.rawValue == 1)
    }
  }

  @Test func `is the same in a copy of the file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("one.kennel")
    let database = try Database.open(path)
    let dog = try database.write { transaction in
      try transaction.define([define("Dog", ["name": .string])])
      try transaction.delete([transaction.make("Dog")])
      return try transaction.make("Dog", ["name": .string("Rex")])
    }
    try FileManager.default.copyItem(atPath: path, toPath: folder.file("two.kennel"))
    let copy = try Database.open(folder.file("two.kennel"))
    #expect(try copy.snapshot().value(dog, "name") == .string("Rex"))
    #expect(copy.fileID == database.fileID)
    #expect(try copy.write { try $0.make("Dog") }.key.rawValue == 3)
    expectSound(copy)
  }

  @Test func `may be asked for past all that were given`() throws {
    try withClasses([define("Dog", [:])]) { transaction, _ in
      let dog = try transaction.classKey("Dog")
      let far = try transaction.create(dog, key: ObjectKey(rawValue: 100_000), [:])
      #expect(try transaction.make("Dog").key.rawValue == 100_001)
      #expect(code { _ = try transaction.create(dog, key: far.key, [:]) } == .outOfRange)
      let end = ObjectKey(rawValue: ObjectKey.firstProvisional)
      #expect(code { _ = try transaction.create(dog, key: end, [:]) } == .outOfRange)
      let error = #expect(throws: DatabaseError.self) {
        _ = try transaction.create(dog, key: ObjectKey(rawValue: end.rawValue - 1), [:])
      }
      #expect(error?.message.hasSuffix("it must be from 1 to 1099511727777") == true)
      #expect(
        try transaction.objects(of: dog, limit: 9).keys.map(\.rawValue) == [100_000, 100_001]
      )
    }
  }

  @Test func `may be far from all others and past a billion, in one transaction and after it`()
    throws
  {
    let far: [UInt64] = [400_000_028, 900_000_063, 1_000_000_070, 1_073_741_823, 1_200_000_084]
    try withTemporaryDatabase { database in
      let dog = try database.write { transaction in
        try transaction.define([define("Dog", ["age": .int])])
        let dog = try transaction.classKey("Dog")
        for key in far { _ = try transaction.create(dog, key: ObjectKey(rawValue: key), [:]) }
        // The first of them lies in the last cluster of the table, the rest behind it.
        for _ in 0..<600 { _ = try transaction.make("Dog") }
        return dog
      }
      let snapshot = try database.snapshot()
      let keys = try snapshot.objects(of: dog).keys.map(\.rawValue)
      #expect(keys == far + Array(1_200_000_085..<1_200_000_685))
      try database.write { transaction in
        for key in keys {
          let object = ObjectIdentity(dog, ObjectKey(rawValue: key))
          try transaction.set(object, property: try transaction.key(object, "age"), to: .int(7))
        }
      }
      let age = try #require(snapshot.schema["Dog"]?["age"])
      let found = try database.snapshot().objects(
        of: dog,
        where: Predicate.parse("age == 7", for: dog, in: snapshot.schema)
      ).keys
      #expect(found.map(\.rawValue) == keys)
      #expect(age.name == "age")
    }
  }

  @Test func `of a deleted object may be asked for, and nothing of that object is left`() throws {
    let classes = [
      ClassDefinition(
        "Dog",
        properties: [
          PropertyDefinition("name", .string, isIndexed: true),
          PropertyDefinition("age", .int),
          PropertyDefinition("born", .date.optional),
          PropertyDefinition("best", .link("Dog")),
          PropertyDefinition("pack", .set(.link("Dog"))),
          PropertyDefinition("tags", .list(.string)),
          PropertyDefinition("notes", .data, defaultValue: .data([1])),
        ]
      )
    ]
    try withTemporaryDatabase { database in
      try database.write { try $0.define(classes) }
      for isStored in [false, true] {
        let (first, second) = try database.write { transaction in
          let dogs = try (0..<2).map { _ in try transaction.make("Dog") }
          try transaction.put(dogs[1], "best", .link(dogs[0]))
          try transaction.put(dogs[1], "pack", .set([.link(dogs[0])]))
          try transaction.put(dogs[0], "name", .string("Rex"))
          try transaction.put(dogs[0], "age", .int(9))
          try transaction.put(dogs[0], "born", .date(Timestamp(seconds: 5)))
          try transaction.put(dogs[0], "best", .link(dogs[1]))
          try transaction.put(dogs[0], "pack", .set([.link(dogs[1])]))
          try transaction.put(dogs[0], "tags", .list([.string("good")]))
          try transaction.put(dogs[0], "notes", .data(Array(repeating: 7, count: 10_000)))
          if !isStored { try transaction.delete([dogs[0]]) }
          return (dogs[0], dogs[1])
        }
        if isStored { _ = try database.write { try $0.delete([first]) } }
        try database.write { transaction in
          try #expect(transaction.create(first.classKey, key: first.key, [:]) == first)
          let used = #expect(throws: DatabaseError.self) {
            try transaction.create(first.classKey, key: first.key, [:])
          }
          #expect(used?.message.hasSuffix("an object has it") == true)
        }
        let snapshot = try database.snapshot()
        #expect(try snapshot.value(first, "name") == .string(""))
        #expect(try snapshot.value(first, "age") == .int(0))
        #expect(try snapshot.value(first, "born") == .null)
        #expect(try snapshot.value(first, "best") == .null)
        #expect(try snapshot.value(first, "pack") == .set([]))
        #expect(try snapshot.value(first, "tags") == .list([]))
        #expect(try snapshot.value(first, "notes") == .data([1]))
        #expect(try snapshot.backlinks(to: first).isEmpty)
        #expect(try snapshot.backlinks(to: second).isEmpty)
        expectSound(database)
      }
    }
  }

  @Test(arguments: [1, 100, 5000], [false, true])
  func `may be asked for again, and nothing leads to its new object`(
    origins: Int,
    areStored: Bool
  ) throws {
    try withTemporaryDatabase { database in
      let (dogs, target) = try database.write { transaction in
        try transaction.define([define("Dog", ["best": .link("Dog")])])
        let target = try transaction.make("Dog")
        let dogs = try (0..<origins).map { _ in
          try transaction.make("Dog", ["best": .link(target)])
        }
        if !areStored { try transaction.delete([target]) }
        return (dogs, target)
      }
      if areStored { _ = try database.write { try $0.delete([target]) } }
      try database.write { transaction in
        try transaction.create(target.classKey, key: target.key, [:])
        #expect(try transaction.backlinks(to: target).isEmpty)
        try transaction.put(dogs[0], "best", .link(target))
        #expect(try transaction.backlinks(to: target).count == 1)
        try transaction.put(dogs[0], "best", .link(dogs[0]))
        try transaction.delete([target])
        #expect(try transaction.value(dogs[0], "best") == .link(dogs[0]))
      }
      expectSound(database)
    }
  }

  @Test func `that no object has had may be asked for later, in any order`() throws {
    try withTemporaryDatabase { database in
      let dog = try database.write { transaction in
        try transaction.define([define("Dog", [:])])
        let dog = try transaction.classKey("Dog")
        try transaction.create(dog, key: ObjectKey(rawValue: 5000), [:])
        return dog
      }
      let keys: [UInt64] = [1000, 3000, 2000, 700, 4999, 1]
      for key in keys.prefix(3) {
        try database.write { _ = try $0.create(dog, key: ObjectKey(rawValue: key), [:]) }
        expectSound(database)
      }
      try database.write { transaction in
        for key in keys.dropFirst(3) {
          try transaction.create(dog, key: ObjectKey(rawValue: key), [:])
        }
        #expect(transaction.firstUnusedKey(of: dog).rawValue == 5001)
        let all = (keys + [5000]).sorted()
        #expect(try transaction.objects(of: dog).keys.map(\.rawValue) == all)
        let last = ObjectKey(rawValue: 5000)
        let before = try transaction.objects(of: dog, before: last, limit: .max).keys.map(
          \.rawValue
        )
        #expect(before == all.dropLast().reversed())
      }
      expectSound(database)
      let found = try database.snapshot().objects(of: dog).keys.map(\.rawValue)
      #expect(found == (keys + [5000]).sorted())
    }
  }

  @Test func `finds its object's position and the other way round`() throws {
    try withClasses([define("Dog", [:])]) { transaction, _ in
      let dogs = try (0..<1000).map { _ in try transaction.make("Dog") }
      let dog = dogs[0].classKey
      try transaction.delete(dogs.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
      let left = dogs.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
      for position in stride(from: 0, to: left.count, by: 37) {
        #expect(try transaction.position(of: left[position]) == position)
        #expect(try transaction.object(of: dog, at: position)?.key == left[position].key)
      }
      #expect(try transaction.position(of: dogs[0]) == nil)
      #expect(try transaction.object(of: dog, at: left.count) == nil)
      let tail = try transaction.objects(of: dog, before: left[600].key, limit: 300).keys
      #expect(tail == left[300..<600].map(\.key).reversed())
    }
  }

  @Test func `is found by position in a snapshot, a draft and a transaction alike`() throws {
    try withTemporaryDatabase { database in
      try database.write { try $0.define([define("Dog", ["name": .string])]) }
      var random = SplitMix64(seed: 5)
      for round in 0..<4 {
        try database.write { transaction in
          for _ in 0..<700 { _ = try transaction.make("Dog") }
          try expectPositions(transaction)
          // All of them live in the first round.
          guard round > 0 else { return }
          let dog = try #require(transaction.schema["Dog"]?.key)
          let keys = try transaction.objects(of: dog).keys
          let chosen = keys.filter { _ in random.next() % 4 == 0 }
          _ = try transaction.delete(chosen.map { ObjectIdentity(dog, $0) })
          try expectPositions(transaction)
        }
        let snapshot = try database.snapshot()
        try expectPositions(snapshot)
        try expectPositions(snapshot)
        let draft = try database.makeDraft()
        try expectPositions(draft.reader)
        let dog = try #require(snapshot.schema["Dog"]?.key)
        for _ in 0..<3 { _ = try draft.create(dog, [:]) }
        _ = try draft.delete([ObjectIdentity(dog, snapshot.objects(of: dog, limit: 1).keys[0])])
        try expectPositions(draft.reader)
      }
    }
  }

  private func expectPositions(_ snapshot: DatabaseReader) throws {
    let dog = try #require(snapshot.schema["Dog"]?.key)
    let keys = try snapshot.objects(of: dog).keys
    #expect(keys.count == snapshot.count(of: dog))
    for position in stride(from: 0, to: keys.count, by: 61) + [keys.count - 1] {
      #expect(try snapshot.object(of: dog, at: position)?.key == keys[position])
      #expect(try snapshot.position(of: ObjectIdentity(dog, keys[position])) == position)
    }
    #expect(try snapshot.object(of: dog, at: keys.count) == nil)
  }
}

@Suite struct `A primary key` {
  static let kinds: [(PropertyType, [Value])] = [
    (.int.optional, [.int(1), .int(-1), .int(.min), .null]),
    (.string.optional, [.string(""), .string("a"), .string("caf\u{E9}"), .null]),
    (.objectId.optional, [.objectId(ObjectId(high: 1, low: 0)), .null]),
    (.uuid.optional, [.uuid(UUIDValue(high: 1, low: 0)), .null]),
    (
      .string,
      [
        .string(String(repeating: "x", count: 1000)),
        .string(String(repeating: "x", count: 1000) + "y"),
      ]
    ),
  ]

  @Test(arguments: kinds)
  func `is unique, with one null at most, and finds its object`(
    _ type: PropertyType,
    _ values: [Value]
  ) throws {
    try withTemporaryDatabase { database in
      try database.write { try $0.define([define("Dog", key: "id", ["id": type])]) }
      for isStored in [false, true] {
        if isStored {
          try database.write { transaction in
            for value in values { _ = try transaction.make("Dog", ["id": value]) }
          }
        }
        let transaction = try database.beginWrite()
        defer { transaction.rollback() }
        if !isStored { for value in values { _ = try transaction.make("Dog", ["id": value]) } }
        let dog = try transaction.classKey("Dog")
        for (index, value) in values.enumerated() {
          #expect(
            code { _ = try transaction.make("Dog", ["id": value]) } == .duplicatePrimaryKey
          )
          let found = try #require(try transaction.find(dog, primaryKey: value))
          #expect(found.key.rawValue == UInt64(index + 1))
        }
        #expect(transaction.count(of: dog) == values.count)
      }
    }
  }

  @Test func `may change to one that is free, and its old one is free then`() throws {
    try withClasses([define("Dog", key: "id", ["id": .int])]) { transaction, _ in
      let one = try transaction.make("Dog", ["id": .int(1)])
      let two = try transaction.make("Dog", ["id": .int(2)])
      #expect(code { try transaction.put(two, "id", .int(1)) } == .duplicatePrimaryKey)
      try transaction.put(two, "id", .int(2))
      try transaction.put(one, "id", .int(3))
      try transaction.put(two, "id", .int(1))
      #expect(try transaction.find(one.classKey, primaryKey: .int(1)) == two)
      #expect(try transaction.find(one.classKey, primaryKey: .int(2)) == nil)
      try transaction.delete([two])
      #expect(try transaction.make("Dog", ["id": .int(1)]) != two)
    }
  }
}
