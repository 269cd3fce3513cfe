// swift-format-ignore-file: NeverForceUnwrap
// A name that the classes below do not have should stop the test.

import Foundation
import KennelCore
import KennelPages
import KennelStorage
import KennelTestSupport

/// A database with something of everything, and a way to write into it what no program would.
final class CheckWorld {
  private let folder: TemporaryFolder
  let path: String
  let database: Database
  let schema: Schema
  let dogs: [ObjectIdentity]
  let people: [ObjectIdentity]

  static let classes: [ClassDefinition] = [
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("age", .int(bitWidth: 8)),
        PropertyDefinition("tags", .set(.string)), PropertyDefinition("marks", .map(.int)),
        PropertyDefinition("story", .string.optional),
      ]
    ),
    ClassDefinition(
      "Address",
      isEmbedded: true,
      properties: [
        PropertyDefinition("street", .string), PropertyDefinition("annex", .link("Address")),
      ]
    ),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("id", .int, isPrimaryKey: true),
        PropertyDefinition("code", .string, isIndexed: true),
        PropertyDefinition("dog", .link("Dog")),
        PropertyDefinition("dogs", .list(.link("Dog"))),
        PropertyDefinition("friends", .set(.link("Person"))),
        PropertyDefinition("home", .link("Address")),
        PropertyDefinition("other", .mixed),
        PropertyDefinition("badge", .int.optional, isUnique: true),
      ]
    ),
  ]

  /// The file that every world begins with, made once.
  private static let file = Result {
    let temporary = try TemporaryDatabase()
    try temporary.database.write { try $0.define(classes) }
    try temporary.database.write { try populate($0) }
    return try Data(contentsOf: URL(fileURLWithPath: temporary.path))
  }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("test.kennel")
    try Self.file.get().write(to: URL(fileURLWithPath: path))
    database = try Database.open(path)
    let snapshot = try database.snapshot()
    schema = snapshot.schema
    dogs = Array(try snapshot.objects(of: schema["Dog"]!.key))
    people = Array(try snapshot.objects(of: schema["Person"]!.key))
  }

  private static func populate(_ transaction: KennelCore.WriteTransaction) throws {
    let schema = transaction.schema
    let dogs = try (0..<1300).map { try makeDog($0, transaction, schema["Dog"]!) }
    let people = try (0..<300).map { try makePerson($0, transaction, schema, dogs) }
    let friends = schema["Person"]!["friends"]!.key
    for number in 1..<20 {
      let neighbours = [people[number - 1], people[number + 1]]
      try transaction.set(people[number], property: friends, to: .set(neighbours.map(Value.link)))
    }
  }

  private static func makeDog(
    _ number: Int,
    _ transaction: KennelCore.WriteTransaction,
    _ dog: ClassSchema
  ) throws -> ObjectIdentity {
    let story = "\(number)" + String(repeating: "Once upon a time ", count: 300)
    let tags: [Value] = number % 9 == 0 ? [.string("a"), .string("b")] : []
    let marks = number % 7 == 0 ? [MapEntry("x", .int(1)), MapEntry("y", .int(2))] : []
    var values: [PropertyKey: Value] = [:]
    values[dog["name"]!.key] = .string("Dog \(number)")
    values[dog["age"]!.key] = .int(Int64(number % 20))
    values[dog["tags"]!.key] = .set(tags)
    values[dog["marks"]!.key] = .map(marks)
    values[dog["story"]!.key] = number < 3 ? .string(story) : .null
    return try transaction.create(dog.key, values)
  }

  private static func makePerson(
    _ number: Int,
    _ transaction: KennelCore.WriteTransaction,
    _ schema: Schema,
    _ dogs: [ObjectIdentity]
  ) throws -> ObjectIdentity {
    let person = schema["Person"]!
    let mine = number == 0 ? dogs[...] : dogs[number..<number + 2]
    var values: [PropertyKey: Value] = [:]
    values[person["id"]!.key] = .int(Int64(number))
    values[person["badge"]!.key] = .int(Int64(number))
    values[person["code"]!.key] = .string("code \(number % 50)")
    values[person["dog"]!.key] = .link(dogs[number % 4])
    values[person["dogs"]!.key] = .list(mine.map(Value.link))
    values[person["other"]!.key] = number % 2 == 0 ? .link(dogs[number]) : .string("nothing")
    let made = try transaction.create(person.key, values)
    if number < 10 {
      let home = try transaction.createEmbedded(at: Slot(made, person["home"]!.key))
      try transaction.set(
        home,
        property: schema["Address"]!["street"]!.key,
        to: .string("Street \(number)")
      )
      if number == 9 {
        try transaction.createEmbedded(at: Slot(home, schema["Address"]!["annex"]!.key))
      }
    }
    return made
  }

  func property(_ className: String, _ name: String) -> PropertySchema {
    schema[className]![name]!
  }

  func chunkKey(_ className: String, _ name: String, cluster: UInt64) -> UInt64 {
    let column = property(className, name).key.rawValue + 1
    return ChunkKey(schema[className]!.key, cluster: cluster, column: column).rawValue
  }

  func headerKey(_ className: String, cluster: UInt64) -> UInt64 {
    ChunkKey(schema[className]!.key, cluster: cluster, column: 0).rawValue
  }

  /// The key of the chunk of backlinks to a class from a property of another.
  func backlinkKey(
    to className: String,
    from origin: String,
    _ name: String,
    cluster: UInt64
  ) -> UInt64 {
    let backlinks = schema[className]!.backlinkColumns.first {
      $0.origin == schema[origin]!.key && $0.property == property(origin, name).key
    }!
    return ChunkKey(schema[className]!.key, cluster: cluster, column: backlinks.number + 1).rawValue
  }

  /// Commits what a body writes into the trees.
  func write(_ body: (Planter) throws -> Void) throws {
    let store = try PageStore.open(path: path)
    defer { store.close() }
    let transaction = try store.beginWrite()
    defer { transaction.abort() }
    try body(Planter(world: self, transaction: transaction))
    try transaction.commit()
  }
}

/// Writes values with right checksums and wrong contents.
struct Planter {
  let world: CheckWorld
  let transaction: Writer

  func raw(_ tree: Tree, _ key: UInt64) throws -> UnsafeRawBufferPointer? {
    try unsafe transaction.get(tree, key)
  }

  func bytes(_ tree: Tree, _ key: UInt64) throws -> [UInt8] {
    guard let found = try unsafe raw(tree, key) else { throw TestFailure("\(tree) has no \(key)") }
    return unsafe Array(found)
  }

  func put(_ tree: Tree, _ key: UInt64, _ bytes: [UInt8]) throws {
    try unsafe bytes.withUnsafeBytes { try unsafe transaction.put(tree, key, $0) }
  }

  func flipByte(_ tree: Tree, _ key: UInt64, at offset: Int) throws {
    var bytes = try bytes(tree, key)
    bytes[offset] ^= 0x40
    try put(tree, key, bytes)
  }

  /// Changes the column of a property in a cluster.
  func edit(
    _ className: String,
    _ name: String,
    cluster: UInt64 = 0,
    _ change: (MutableColumn) -> Void
  ) throws {
    let key = world.chunkKey(className, name, cluster: cluster)
    let type = ColumnType(world.property(className, name).type)
    try edit(.chunks, key, type, change)
  }

  func edit(
    _ tree: Tree,
    _ key: UInt64,
    _ type: ColumnType,
    _ change: (MutableColumn) -> Void
  ) throws {
    let chunkKey = ChunkKey(rawValue: key)
    let column = try bytes(tree, key).withRawBytes {
      try ChunkCodec.decode($0, type: type, key: chunkKey)
    }
    change(column)
    try put(tree, key, ChunkCodec.encode(column, keepsNulls: true))
  }

  func editHeader(
    _ className: String,
    cluster: UInt64 = 0,
    _ change: (inout ClusterHeader) -> Void
  ) throws {
    let key = ChunkKey(rawValue: world.headerKey(className, cluster: cluster))
    var header = try bytes(.clusters, key.rawValue).withRawBytes {
      try ClusterHeader(decoding: $0, for: key)
    }
    change(&header)
    try put(.clusters, key.rawValue, header.encoded)
  }

  func editRecord(_ className: String, _ change: (inout ClassRecord) -> Void) throws {
    let classKey = world.schema[className]!.key
    let key = ClassRecord.key(of: classKey)
    var record = try bytes(.meta, key).withRawBytes {
      try ClassRecord(decoding: $0, for: classKey)
    }
    change(&record)
    try put(.meta, key, record.encoded)
  }

  func editFileHeader(_ change: (inout FileHeader) -> Void) throws {
    var header = try FileHeader(decoding: transaction.note, path: world.path)
    change(&header)
    try transaction.setNote(header.encoded)
  }

  /// Where the value of an object lies, which must be outside its chunk.
  func location(
    _ className: String,
    _ name: String,
    _ object: ObjectIdentity
  ) throws -> ExternalLocation {
    let key = world.chunkKey(className, name, cluster: object.key.cluster)
    let type = ColumnType(world.property(className, name).type)
    let column = try bytes(.chunks, key).withRawBytes {
      try ChunkCodec.decode($0, type: type, key: ChunkKey(rawValue: key))
    }
    guard let location = column.external(at: object.key.place) else {
      throw TestFailure("\(className).\(name) lies in its chunk")
    }
    return location
  }

  func entry(_ name: String, _ value: Value, _ object: ObjectIdentity) -> [UInt8] {
    IndexKey.entry(object.classKey, world.property("Person", name).key, value, object.key).bytes
  }

  func putEntry(_ entry: [UInt8]) throws {
    try unsafe entry.withUnsafeBytes { entry in
      try unsafe transaction.put(.indexes, key: entry, UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  func deleteEntry(_ entry: [UInt8]) throws {
    let isThere = try unsafe entry.withUnsafeBytes {
      try unsafe transaction.delete(.indexes, key: $0)
    }
    guard isThere else { throw TestFailure("there was no such entry") }
  }
}
