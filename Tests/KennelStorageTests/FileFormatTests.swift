import Foundation
import KennelPages
import KennelStorage
import KennelTestSupport
import Testing

/// The small file that the essay in `FileFormat.swift` decodes by hand.
private struct SmallFile {
  let folder: TemporaryFolder
  let store: DatabaseFile
  let dog: ClassSchema
  let name: PropertySchema
  let age: PropertySchema

  init() throws {
    folder = try TemporaryFolder()
    store = try DatabaseFile(
      path: folder.file("small.kennel"),
      isReadOnly: false,
      create: true,
      id: UUIDValue(high: 0x0011_2233_4455_4677, low: 0x8899_AABB_CCDD_EEFF)
    )
    name = PropertySchema(
      key: PropertyKey(rawValue: 0),
      name: "name",
      type: .string,
      defaultValue: .string(""),
      fillValue: .string("")
    )
    age = PropertySchema(
      key: PropertyKey(rawValue: 1),
      name: "age",
      type: .int.optional,
      defaultValue: .null,
      fillValue: .null
    )
    dog = ClassSchema(
      key: ClassKey(rawValue: 0),
      name: "Dog",
      isEmbedded: false,
      properties: [name, age],
      nextColumn: 2
    )
    let writer = try store.beginWrite()
    try writer.setSchema(Schema(classes: [dog]))
    let dogs: [(String, Value)] = [("Rex", .int(30)), ("Max", .null), ("Bo", .int(32))]
    for (text, years) in dogs {
      let object = ObjectIdentity(dog.key, try writer.view.objects.create(dog.key))
      try writer.view.values.set(object, name, .string(text))
      try writer.view.values.set(object, age, years)
    }
    _ = try writer.commit()
  }

  /// What is stored under a key.
  func bytes(_ place: Place) throws -> [UInt8] {
    let source = try TreeSource(pinning: store.pages)
    guard case .key(let tree, let key) = place else {
      return try #require(source.snapshot).note
    }
    return Array(try #require(try source.get(tree, key)))
  }

  /// Where something is stored.
  enum Place {
    case header
    case key(Tree, UInt64)
  }

  /// Opens the file again with other bytes as its header.
  func changingHeader(_ bytes: [UInt8]) throws -> DatabaseFile {
    let writer = try store.pages.beginWrite()
    try writer.setNote(bytes)
    try writer.commit()
    return try DatabaseFile(path: store.path, isReadOnly: false, create: false)
  }

  /// Opens the file again after bytes were put under a key, or taken away.
  func changing(_ tree: Tree, _ key: UInt64, _ bytes: [UInt8]?) throws -> DatabaseFile {
    let transaction = try store.pages.beginWrite()
    if let bytes {
      try unsafe bytes.withUnsafeBytes { raw in try unsafe transaction.put(tree, key, raw) }
    } else {
      _ = try transaction.delete(tree, key)
    }
    try transaction.commit()
    return try DatabaseFile(path: store.path, isReadOnly: false, create: false)
  }
}

@Suite struct FileFormatTests {
  /// The parts of the file that the essay decodes, in its order.
  private static let parts: [(title: String, place: SmallFile.Place)] = [
    ("The header", .header), ("The class record", .key(.meta, 0x1000)),
    ("The cluster header", .key(.clusters, 0)), ("The names", .key(.chunks, 1)),
    ("The ages", .key(.chunks, 2)),
  ]

  @Test func `the dump of the essay is what is stored`() throws {
    let file = try SmallFile()
    let essay = try Self.dump()
    #expect(essay.map(\.title) == Self.parts.map(\.title))
    for (part, told) in zip(Self.parts, essay) {
      let stored = try file.bytes(part.place)
      #expect(Self.hex(stored) == Self.hex(told.bytes), "\(part.title)")
    }
  }

  @Test func `a file of a newer format is refused by name`() throws {
    let file = try SmallFile()
    var header = try file.store.view().header
    header.formatVersion = FileFormat.version + 1
    let error = #expect(throws: StorageError.self) {
      try file.changingHeader(header.encoded)
    }
    #expect(error?.kind == .newerFormat)
  }

  @Test func `a file from before the first release is refused by name, with what to do`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("old.kennel")
    var bytes = Data("KnlPages".utf8) + [1, 0, 0, 0]
    bytes.append(Data(count: 8192 - bytes.count))
    try bytes.write(to: URL(fileURLWithPath: path))
    for create in [false, true] {
      let error = #expect(throws: StorageError.self) {
        try DatabaseFile(path: path, isReadOnly: false, create: create)
      }
      #expect(error?.kind == .notADatabase)
      #expect(error?.message.contains("from before the first release") == true)
      #expect(error?.message.contains("kennel export") == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
  }

  @Test func `a page file that Kennel did not write is refused`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("other.pages")
    try PageStore.open(path: path, create: true).close()
    let error = #expect(throws: StorageError.self) {
      try DatabaseFile(path: path, isReadOnly: false, create: true)
    }
    #expect(error == .notKennel(path: path))
  }

  @Test func `what a cluster header names must be there`() throws {
    let file = try SmallFile()
    let store = try file.changing(.chunks, 1, nil)
    let view = try store.view()
    let rex = ObjectIdentity(file.dog.key, ObjectKey(rawValue: 1))
    #expect(try view.values.value(of: rex, file.age) == .int(30))
    #expect(throws: StorageError.self) { try view.values.value(of: rex, file.name) }
  }

  @Test func `a missing cluster header is damage and not a class without objects`() throws {
    let file = try SmallFile()
    let view = try file.changing(.clusters, 0, nil).view()
    let rex = ObjectIdentity(file.dog.key, ObjectKey(rawValue: 1))
    #expect(throws: StorageError.self) { try view.objects.contains(rex) }
    #expect(throws: StorageError.self) { try view.clusters.nextCluster(file.dog.key, from: 0) }
  }

  @Test func `a class record whose parts do not fit is damage`() throws {
    let file = try SmallFile()
    var record = ClassRecord()
    record.nextKey = 4
    record.count = 3
    record.lastCluster = 7
    let store = try file.changing(.meta, 0x1000, record.encoded)
    #expect(throws: StorageError.self) { try store.view() }
  }

  @Test func `the essay names tests that there are`() throws {
    let text = try Self.essay()
    let start = try #require(text.range(of: "## Invariants"))
    let end = try #require(text.range(of: "## A small file"))
    let named = text[start.upperBound..<end.lowerBound].components(separatedBy: "`").enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
    let sources = try Self.testSources()
    #expect(named.count > 10)
    for name in named {
      #expect(sources.contains("func `\(name)`"), "\(name)")
    }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The comment at the beginning of the file format's source, one line per line.
  private static func essay() throws -> String {
    let url = root.appendingPathComponent("Sources/KennelStorage/FileFormat.swift")
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    return lines.prefix { $0.hasPrefix("///") }
      .map { String($0.dropFirst($0.hasPrefix("/// ") ? 4 : 3)) }.joined(separator: "\n")
  }

  private static func testSources() throws -> String {
    let tests = root.appendingPathComponent("Tests")
    let paths = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String }
    return try (paths ?? []).filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }
      .joined(separator: "\n")
  }

  /// The bytes of each part of the dump: what stands before three blanks in its lines.
  private static func dump() throws -> [(title: String, bytes: [UInt8])] {
    let text = try essay()
    let start = try #require(text.range(of: "## A small file"))
    var parts: [(title: String, bytes: [UInt8])] = []
    var isDump = false
    for line in text[start.upperBound...].components(separatedBy: "\n") {
      if line.hasPrefix("## ") { break }
      if line.hasPrefix("### ") {
        parts.append((String(line.dropFirst(4)).components(separatedBy: ",")[0], []))
      } else if line.hasPrefix("```") {
        isDump.toggle()
      } else if isDump {
        let words = line.components(separatedBy: "   ")[0].split(separator: " ")
        parts[parts.count - 1].bytes += words.compactMap { UInt8($0, radix: 16) }
      }
    }
    return parts
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined(separator: " ")
  }
}
