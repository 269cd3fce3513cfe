import KennelCore
import KennelTestSupport
import Testing

/// Objects that are made one after the other with primary keys that ascend, and some that do not.
@Suite struct `Primary keys` {
  private static let classes = [
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("id", .int, isPrimaryKey: true),
        PropertyDefinition("age", .int),
      ]
    )
  ]

  @Test func `that ascend are found, in the transaction and after it`() throws {
    try withTemporaryDatabase { database in
      try database.write { try $0.define(Self.classes) }
      let id = try database.snapshot().schema.property("id", of: "Person", as: Int64.self)
      try database.write { transaction in
        for number in 0..<1000 {
          let person = try transaction.create(id, Int64(number) * 3 - 300)
          #expect(try transaction[person, id] == Int64(number) * 3 - 300)
        }
        #expect(try transaction.find(id, 0) != nil)
        #expect(try transaction.find(id, 1) == nil)
      }
      let snapshot = try database.snapshot()
      for number in 0..<1000 {
        let value = Int64(number) * 3 - 300
        let person = try #require(try snapshot.find(id, value))
        #expect(try snapshot[person, id] == value)
        #expect(try snapshot.find(id, value + 1) == nil)
      }
    }
  }

  @Test func `that are taken are refused, wherever the other object was made`() throws {
    try withTemporaryDatabase { database in
      try database.write { try $0.define(Self.classes) }
      let id = try database.snapshot().schema.property("id", of: "Person", as: Int64.self)
      try database.write { transaction in
        for number in 0..<300 { try transaction.create(id, Int64(number)) }
        for taken in [299, 298, 0] as [Int64] {
          let error = #expect(throws: DatabaseError.self) { try transaction.create(id, taken) }
          #expect(error?.code == .duplicatePrimaryKey)
        }
        try transaction.create(id, 1000)
      }
      try database.write { transaction in
        for taken in [1000, 299, 5] as [Int64] {
          #expect(throws: DatabaseError.self) { try transaction.create(id, taken) }
        }
        try transaction.create(id, 999)
        try transaction.create(id, 1001)
        #expect(throws: DatabaseError.self) { try transaction.create(id, 999) }
        #expect(throws: DatabaseError.self) { try transaction.create(id, 1001) }
      }
      #expect(try database.snapshot().count(of: id.classKey) == 303)
    }
  }

  @Test(arguments: [true, false])
  func `that are taken are refused after the greatest is gone`(_ isDeleted: Bool) throws {
    try withTemporaryDatabase { database in
      try database.write { try $0.define(Self.classes) }
      let id = try database.snapshot().schema.property("id", of: "Person", as: Int64.self)
      try database.write { transaction in
        for number in -3..<7 { try transaction.create(id, Int64(number)) }
      }
      try database.write { transaction in
        let last = try #require(try transaction.find(id, 6))
        if isDeleted {
          try transaction.delete([last])
        } else {
          try transaction.set(last, property: id, to: -9)
        }
        for taken in [5, 4, 0, -1, -3] as [Int64] {
          #expect(throws: DatabaseError.self) { try transaction.create(id, taken) }
        }
        try transaction.create(id, 6)
        try transaction.create(id, 7)
        #expect(throws: DatabaseError.self) { try transaction.create(id, 6) }
      }
    }
  }

  @Test func `that were looked up many times are those of their snapshot`() throws {
    try withTemporaryDatabase { database in
      try database.write { try $0.define(Self.classes) }
      let id = try database.snapshot().schema.property("id", of: "Person", as: Int64.self)
      try database.write { transaction in
        for number in 0..<2000 { try transaction.create(id, Int64(number)) }
      }
      let snapshot = try database.snapshot()
      for number in 0..<9000 { #expect(try snapshot.find(id, Int64(number % 2000)) != nil) }
      let fifth = try #require(try snapshot.find(id, 5))
      try database.write { transaction in
        for number in 0..<9000 { _ = try transaction.find(id, Int64(number % 2000)) }
        try transaction.delete([fifth])
        #expect(try transaction.find(id, 5) == nil)
        let sixth = try #require(try transaction.find(id, 6))
        try transaction.set(sixth, property: id, to: 5)
        #expect(try transaction.find(id, 5) == sixth)
        #expect(try transaction.find(id, 6) == nil)
      }
      #expect(try snapshot.find(id, 5) == fifth)
      #expect(try snapshot.find(id, 2000) == nil)
      let newer = try database.snapshot()
      for _ in 0..<9000 { #expect(try newer.find(id, 6) == nil) }
      #expect(try newer.find(id, 5) == snapshot.find(id, 6))
    }
  }

  @Test func `in any order, with objects deleted and keys changed, agree with a dictionary`() throws
  {
    try withTemporaryDatabase { database in
      try database.write { try $0.define(Self.classes) }
      let id = try database.snapshot().schema.property("id", of: "Person", as: Int64.self)
      var random = SplitMix64(seed: 17)
      var known: [Int64: ObjectIdentity] = [:]
      for round in 0..<12 {
        try database.write { transaction in
          for _ in 0..<400 {
            let greatest = known.keys.max() ?? 0
            switch random.next() % 16 {
            case 0:
              guard let (key, person) = known.first else { continue }
              try transaction.delete([person])
              known[key] = nil
            case 1:
              guard let (key, person) = known.first else { continue }
              let other = Int64(random.next() % 5000) - 100
              if other == key { continue }
              if known[other] != nil {
                #expect(throws: DatabaseError.self) {
                  try transaction.set(person, property: id, to: other)
                }
              } else {
                try transaction.set(person, property: id, to: other)
                known[key] = nil
                known[other] = person
              }
            case 2:
              let key = Int64(random.next() % 5000) - 100
              #expect(try transaction.find(id, key) == known[key])
            case 3:
              let key = Int64(random.next() % 5000) - 100
              if known[key] != nil {
                #expect(throws: DatabaseError.self) { try transaction.create(id, key) }
              } else {
                known[key] = try transaction.create(id, key)
              }
            default:
              let key = greatest + 1 + Int64(random.next() % 3)
              known[key] = try transaction.create(id, key)
            }
          }
          if round % 4 == 3 {
            let greatest = known.max { $0.key < $1.key }
            if let greatest {
              try transaction.delete([greatest.value])
              known[greatest.key] = try transaction.create(id, greatest.key)
            }
          }
        }
        let snapshot = try database.snapshot()
        for key in -100..<5000 as Range<Int64> {
          #expect(try snapshot.find(id, key) == known[key])
        }
      }
    }
  }
}
