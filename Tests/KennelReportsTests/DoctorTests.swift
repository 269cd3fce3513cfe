import KennelCore
import KennelPages
import KennelReports
import KennelStorage
import KennelTestSupport
import Synchronization
import Testing

@Suite("The doctor")
struct DoctorTests {
  private func findings(in database: Database) throws -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    try Doctor.examine(database.snapshot()) { findings.append($0) }
    return findings
  }

  /// The objects that the query of a finding selects.
  private func selected(_ finding: DoctorFinding, in database: Database) throws -> [UInt64] {
    let snapshot = try database.snapshot()
    let query = try #require(finding.query)
    let predicate = try Predicate.parse(query, for: finding.classKey, in: snapshot.schema)
    return try snapshot.objects(of: finding.classKey, where: predicate).keys.map(\.rawValue)
  }

  @Test func `finds nothing where nothing is wrong`() throws {
    try Farm.withDatabase { database in
      let found = try findings(in: database)
      #expect(found.isEmpty)
    }
    let none = try withTemporaryDatabase { database in try findings(in: database) }
    #expect(none.isEmpty)
  }

  @Test func `finds the few objects that nothing links to, where most are linked to`() throws {
    try Farm.withDatabase { database in
      try database.write { transaction in
        _ = try Farm.make("Dog", ["name": .string("Stray")], transaction)
      }
      let found = try findings(in: database)
      #expect(found.map(\.kind) == [.orphan])
      #expect(
        found.first?.message
          == "1 object of Dog has no link to it; 8 of 9 have one from Person.dogs"
      )
      #expect(try selected(#require(found.first), in: database) == [9])
    }
  }

  @Test func `takes objects for normal that most of their class are like`() throws {
    try Farm.withDatabase { database in
      try database.write { transaction in
        for _ in 0..<5 { try Farm.make("Dog", [:], transaction) }
      }
      #expect(try findings(in: database).isEmpty)
    }
  }

  @Test func `finds objects that link only to each other`() throws {
    try Farm.withDatabase { database in
      try database.write { transaction in
        let one = try Farm.make("Dog", [:], transaction)
        let other = try Farm.make("Dog", ["friend": .link(one)], transaction)
        try Farm.set(one, "friend", .link(other), transaction)
      }
      let found = try findings(in: database)
      #expect(found.map(\.kind) == [.island])
      #expect(
        found.first?.message == "Dog/9, Dog/10 link to each other, and nothing else leads to them"
      )
      #expect(try selected(#require(found.first), in: database) == [9, 10])
    }
  }

  @Test func `reaches objects over any number of links`() throws {
    try Farm.withDatabase(people: 40) { database in
      try database.write { transaction in
        let one = try Farm.make("Dog", [:], transaction)
        let other = try Farm.make("Dog", ["friend": .link(one)], transaction)
        try Farm.set(one, "friend", .link(other), transaction)
        // From a dog of a person to the pair.
        try Farm.set(Farm.object("Dog", 3, in: transaction), "friend", .link(one), transaction)
      }
      #expect(try findings(in: database).isEmpty)
    }
  }

  @Test func `takes what objects lead to that link to each other by design for reached`() throws {
    try Farm.withDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Twin",
            properties: [
              PropertyDefinition("other", .link("Twin")), PropertyDefinition("dog", .link("Dog")),
            ]
          )
        ])
        let dog = try Farm.make("Dog", [:], transaction)
        let one = try Farm.make("Twin", ["dog": .link(dog)], transaction)
        let other = try Farm.make("Twin", ["other": .link(one)], transaction)
        try Farm.set(one, "other", .link(other), transaction)
      }
      #expect(try findings(in: database).isEmpty)
    }
  }

  @Test func `tells how many islands there are past the first hundred`() throws {
    try Farm.withDatabase(people: 250) { database in
      try database.write { transaction in
        for _ in 0..<150 {
          let dog = try Farm.make("Dog", [:], transaction)
          try Farm.set(dog, "friend", .link(dog), transaction)
        }
      }
      let found = try findings(in: database)
      #expect(found.count == 101)
      #expect(Set(found.map(\.kind)) == [.island])
      #expect(found.reduce(0) { $0 + $1.count } == 150)
      #expect(
        found.last?.message.hasPrefix("50 objects in 50 more groups link to each other") == true
      )
    }
  }

  @Test func `finds elements that are in a list twice, but for numbers`() throws {
    try Farm.withDatabase { database in
      try database.write { transaction in
        let person = try Farm.object("Person", 2, in: transaction)
        let dog = try Farm.object("Dog", 3, in: transaction)
        let other = try Farm.object("Dog", 4, in: transaction)
        try Farm.set(
          person,
          "dogs",
          .list([.link(dog), .link(other), .link(dog)]),
          transaction
        )
        try Farm.set(person, "phones", .list([.string("1"), .string("1")]), transaction)
      }
      let found = try findings(in: database)
      #expect(found.map(\.propertyName) == ["dogs", "phones"])
      #expect(Set(found.map(\.kind)) == [.duplicateElement])
      for finding in found { #expect(try selected(finding, in: database) == [2]) }
    }
  }

  @Test func `names no more objects than a query can hold, and counts all`() throws {
    try Farm.withDatabase(people: 300) { database in
      try database.write { transaction in
        for key in 1...300 {
          let person = try Farm.object("Person", UInt64(key), in: transaction)
          try Farm.set(person, "phones", .list([.string("1"), .string("1")]), transaction)
        }
      }
      let found = try #require(try findings(in: database).first)
      #expect(found.count == 300)
      #expect(!found.isQueryComplete)
      #expect(try selected(found, in: database).count == 100)
    }
  }

  @Test func `can be stopped`() throws {
    try Farm.withDatabase { database in
      let progress = QueryProgress(isCancelled: { true })
      let error = #expect(throws: DatabaseError.self) {
        try Doctor.examine(database.snapshot(), progress: progress) { _ in }
      }
      #expect(error?.code == .cancelled)
    }
  }

  @Test func `asks whether to stop while it compares backlinks, and while it groups islands`()
    throws
  {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let friends = (0..<10).map { PropertyDefinition("friend\($0)", .link("Dog")) }
        try transaction.define([
          ClassDefinition("Dog"), ClassDefinition("Cat", properties: friends),
        ])
        for _ in 0..<10_000 { try Farm.make("Dog", [:], transaction) }
      }
      // Ten properties, whose targets are looked at 4,096 at a time.
      #expect(try self.questions(in: database) > 30)
    }
    func questions(islanders: Int) throws -> Int {
      try Farm.withDatabase(people: 0) { database in
        try database.write { transaction in
          var last: ObjectIdentity?
          for _ in 0..<islanders {
            last = try Farm.make("Dog", ["friend": last.map(Value.link) ?? .null], transaction)
          }
          if let last {
            try Farm.set(Farm.object("Dog", 1, in: transaction), "friend", .link(last), transaction)
          }
          let dogs = try (islanders..<20_000).map { _ in try Farm.make("Dog", [:], transaction) }
          try Farm.make("Person", ["dogs": .list(dogs.map(Value.link))], transaction)
        }
        return try self.questions(in: database)
      }
    }
    // An object is reached or on an island.
    #expect(try questions(islanders: 4_500) == questions(islanders: 0))
  }

  /// How often the doctor asks whether to stop.
  private func questions(in database: Database) throws -> Int {
    let count = Mutex(0)
    let progress = QueryProgress(isCancelled: {
      count.withLock { $0 += 1 }
      return false
    })
    try Doctor.examine(database.snapshot(), progress: progress) { _ in }
    return count.withLock { $0 }
  }

  // MARK: - What only a damaged file has

  /// Changes a stored column, with the right checksum.
  private func edit(
    _ className: String,
    _ name: String,
    backlinksOf target: String? = nil,
    _ change: (MutableColumn) -> Void
  ) throws -> [DoctorFinding] {
    let folder = try TemporaryFolder()
    let path = folder.file("faulty.kennel")
    var key = ChunkKey(rawValue: 0)
    var type = ColumnType.backlinks
    do {
      let database = try Database.open(path)
      try Farm.fill(database)
      try database.write { transaction in
        let friend = Value.link(try Farm.object("Dog", 2, in: transaction))
        try Farm.set(Farm.object("Dog", 1, in: transaction), "friend", friend, transaction)
      }
      let schema = try database.snapshot().schema
      let origin = try schema.require(className)
      let property = try origin.require(name)
      if let target {
        let column = try schema.require(target).backlinkColumns.first {
          $0.origin == origin.key && $0.property == property.key
        }
        let number = try #require(column).number
        key = ChunkKey(try schema.require(target).key, cluster: 0, column: number + 1)
      } else {
        type = ColumnType(property.type)
        key = ChunkKey(origin.key, cluster: 0, column: property.key.rawValue + 1)
      }
    }
    do {
      let store = try PageStore.open(path: path)
      defer { store.close() }
      let transaction = try store.beginWrite()
      defer { transaction.abort() }
      let tree = target == nil ? Tree.chunks : .backlinks
      let bytes = try #require(
        unsafe try transaction.get(tree, key.rawValue).map { unsafe Array($0) }
      )
      let column = try bytes.withRawBytes {
        try ChunkCodec.decode($0, type: type, key: key)
      }
      change(column)
      let changed = ChunkCodec.encode(column, keepsNulls: true)
      try unsafe changed.withUnsafeBytes { try unsafe transaction.put(tree, key.rawValue, $0) }
      try transaction.commit()
    }
    return try findings(in: Database.open(path, configuration: .init(access: .readOnly)))
  }

  @Test func `finds links to objects that do not exist`() throws {
    let found = try edit("Dog", "friend") { column in
      column.setNull(2, false)
      column.words[2] = 5_000
    }
    #expect(found.map(\.kind) == [.danglingLink])
    #expect(found.first?.message == "1 link of Dog.friend leads to an object that does not exist")
    #expect(found.first?.query == "SELF == object(Dog/2)")
  }

  @Test func `finds backlinks without a link, and links without a backlink`() throws {
    let found = try edit("Person", "dogs", backlinksOf: "Dog") { column in
      column.keys[3] = .inline([])
      column.keys[4] = .inline([2, 3])
    }
    #expect(found.map(\.kind) == [.wrongBacklinks])
    #expect(found.first?.query == "SELF IN {object(Dog/3), object(Dog/4)}")
    #expect(
      found.first?.message == "2 objects of Dog have other backlinks than Person.dogs has links"
    )
  }

  @Test func `finds nulls that may not be`() throws {
    let found = try edit("Dog", "age") { $0.setNull(5, true) }
    #expect(found.map(\.kind) == [.unexpectedNull])
    #expect(found.first?.query == "age == null")
  }

  @Test func `finds primary keys that lead to another object`() throws {
    let found = try edit("Person", "id") { column in column.words[2] = 100 }
    #expect(found.map(\.kind) == [.wrongPrimaryKey])
    #expect(found.first?.query == "SELF == object(Person/2)")
  }
}
