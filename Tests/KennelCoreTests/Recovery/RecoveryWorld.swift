import Foundation
import KennelCore
import KennelPages
import KennelStorage
import KennelTestSupport
import Testing

/// A file with objects of all sorts, changed in a few commits, and what was in it.
final class RecoveryWorld {
  let folder: TemporaryFolder
  let bytes: [UInt8]
  /// The file before its last commit.
  let olderBytes: [UInt8]
  let contents: Contents
  /// The pages of each entry of each tree: its leaf, and those of its value.
  private(set) var pages: [Int: [UInt64: Set<Int>]] = [:]
  let schema: Schema

  static let classes = [
    ClassDefinition(
      "Dog",
      properties: [
        PropertyDefinition("name", .string), PropertyDefinition("age", .int),
        PropertyDefinition("friends", .list(.link("Dog"))),
      ]
    ),
    ClassDefinition(
      "Home",
      isEmbedded: true,
      properties: [
        PropertyDefinition("street", .string), PropertyDefinition("guest", .link("Dog")),
      ]
    ),
    ClassDefinition(
      "Person",
      properties: [
        PropertyDefinition("number", .int, isPrimaryKey: true),
        PropertyDefinition("name", .string, isIndexed: true),
        PropertyDefinition("born", PropertyType(.date, isOptional: true)),
        PropertyDefinition("notes", .string), PropertyDefinition("tags", .list(.string)),
        PropertyDefinition("any", .mixed), PropertyDefinition("dog", .link("Dog")),
        PropertyDefinition("friends", .set(.link("Person"))),
        PropertyDefinition("home", .link("Home")), PropertyDefinition("huts", .list(.link("Home"))),
      ]
    ),
  ]

  init(objectCount: Int, isCompacted: Bool = false) throws {
    folder = try TemporaryFolder()
    let path = folder.file("whole.kennel")
    let database = try Database.open(path)
    try Self.fill(database, objectCount)
    olderBytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    try Self.change(database)
    contents = try Contents(database.snapshot())
    schema = try database.snapshot().schema
    database.close()
    if isCompacted { #expect(try Database.compact(path)) }
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let salvage = try PageSalvage(path: path)
    #expect(salvage.hasRoots && salvage.isCertain)
    for part in salvage.parts {
      guard let tree = part.tree else { continue }
      #expect(part.holes.isEmpty)
      for leaf in part.leaves {
        for index in 0..<salvage.entryCount(of: leaf) {
          let run = Set(salvage.run(of: leaf, index))
          pages[tree, default: [:]][salvage.key(of: leaf, index)] = run.union([Int(leaf)])
        }
      }
    }
  }

  private static func fill(_ database: Database, _ count: Int) throws {
    var random = SeededGenerator(seed: 5)
    try database.write { transaction in
      try transaction.define(classes)
      let dog = try transaction.schema.require("Dog")
      for index in 0..<count / 2 {
        let values: [PropertyKey: Value] = [
          try dog.require("name").key: .string("Dog \(index)"),
          try dog.require("age").key: .int(Int64(index % 17)),
        ]
        try transaction.create(dog.key, values)
      }
    }
    for part in 0..<4 {
      try database.write { transaction in
        for index in 0..<count / 8 {
          try makePerson(part * (count / 8) + index, transaction, count, &random)
        }
      }
    }
  }

  private static func change(_ database: Database) throws {
    try database.write { transaction in
      for name in ["Dog", "Person"] {
        let schema = try transaction.schema.require(name)
        let doomed = try transaction.objects(of: schema.key).filter { $0.key.rawValue % 23 == 3 }
        _ = try transaction.delete(doomed)
        let property = try schema.require("name").key
        for object in try transaction.objects(of: schema.key, limit: 40) {
          try transaction.set(object, property: property, to: .string("New \(object.key.rawValue)"))
        }
      }
    }
  }

  private static func makePerson(
    _ index: Int,
    _ transaction: WriteTransaction,
    _ count: Int,
    _ random: inout SeededGenerator
  ) throws {
    let person = try transaction.schema.require("Person")
    let dog = try transaction.schema.require("Dog")
    let home = try transaction.schema.require("Home")
    func anyDog() -> Value {
      .link(ObjectIdentity(dog.key, ObjectKey(rawValue: UInt64(1 + random.below(count / 2)))))
    }
    var values: [PropertyKey: Value] = [
      try person.require("number").key: .int(Int64(1_000_000 - 7 * index)),
      try person.require("name").key: .string("Person \(index)"),
      try person.require("notes").key:
        .string(String(repeating: "note \(index) ", count: index % 40 == 0 ? 900 : index % 20)),
      try person.require("tags").key: .list([.string("a\(index)"), .string("b")]),
      try person.require("any").key: random.chance(50) ? anyDog() : .int(Int64(index)),
      try person.require("dog").key: anyDog(),
    ]
    if random.chance(70) {
      values[try person.require("born").key] = .date(Timestamp(seconds: Int64(index) * 1000))
    }
    let made = try transaction.create(person.key, values)
    if index > 0 {
      let friends = (0..<3).map { _ in
        Value.link(ObjectIdentity(person.key, ObjectKey(rawValue: UInt64(1 + random.below(index)))))
      }
      let friendsKey = try person.require("friends").key
      try transaction.set(made, property: friendsKey, to: .set(friends))
    }
    var slots = [Slot(made, try person.require("huts").key, .index(0))]
    if random.chance(60) { slots.append(Slot(made, try person.require("home").key)) }
    for slot in slots {
      let embedded = try transaction.createEmbedded(at: slot)
      let street = try home.require("street").key
      try transaction.set(embedded, property: street, to: .string("Street \(index)"))
      try transaction.set(embedded, property: home.require("guest").key, to: anyDog())
    }
  }

  // MARK: - Damage

  var pageCount: Int { bytes.count / 4096 }

  /// The pages of the roots that the newest meta page has.
  var rootPages: [Int] {
    func word(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    let meta = word(32, 8) > word(4096 + 32, 8) ? 0 : 4096
    return (0..<9).map { word(meta + 48 + 32 * $0 + 8, 4) }.filter { $0 > 0 }
  }

  /// The pages with the schema.
  var schemaPages: Set<Int> { pages[Tree.meta.number]?[FileHeader.schemaKey] ?? [] }

  func bytes(withoutPages zeroed: Set<Int>) -> [UInt8] {
    var bytes = bytes
    for page in zeroed {
      bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
    }
    return bytes
  }

  /// Recovers a damaged file, checks the new one, and gives it to a body.
  func recover<Result>(
    _ bytes: [UInt8],
    backup: Database? = nil,
    _ body: (Database, RecoveryReport) throws -> Result
  ) throws -> Result {
    let path = folder.file("damaged.kennel")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let result = try withTemporaryDatabase { database in
      let report = try Database.recover(path, into: database, classesOf: backup)
      return try body(database, report)
    }
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
    #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
    return result
  }

  // MARK: - What must come back

  /// The pages of a chunk, or of the header of its cluster if no property is named; empty if there is
  /// none.
  func pages(_ className: String, _ property: String?, _ key: ObjectKey) -> Set<Int> {
    guard let classSchema = schema[className] else { return [] }
    let column = property.flatMap { classSchema[$0] }.map { $0.key.rawValue + 1 } ?? 0
    let chunk = ChunkKey(classSchema.key, cluster: key.rawValue >> 8, column: column)
    let tree = column == 0 ? Tree.clusters : Tree.chunks
    return pages[tree.number]?[chunk.rawValue] ?? []
  }
}
