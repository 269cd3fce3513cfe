import KennelCore

/// Reads the documents of an archive of `mongodump`.
final class ArchiveReader: DocumentSource {
  /// A collection as the beginning of the archive names it.
  struct Collection {
    let database: String
    let name: String
    let metadata: String
  }

  private let stream: ByteStream
  private let documents: BSONReader
  /// The collections that the beginning names.
  private(set) var collections: [Collection] = []
  /// The collections whose end has not come, by database and name.
  private var unfinished: Set<String> = []
  private var checksums: [String: CRC64] = [:]
  private var numbers: [String: Int] = [:]
  /// The database and the collection of the block, `nil` between two.
  private var block: (database: String, collection: String)?

  init(_ stream: ByteStream) throws {
    self.stream = stream
    documents = BSONReader(stream)
    guard try stream.fill(4),
      stream.buffer[stream.position...].starts(with: ArchiveFormat.magic)
    else { throw Self.problem("the archive does not begin as one of mongodump does") }
    _ = stream.take(4)
    guard let header = try document(), case .string(let version)? = header["version"] else {
      throw Self.problem("the header of the archive is missing")
    }
    guard version.hasPrefix("0.") else {
      throw Self.problem("the archive has version \(version); 0.1 can be read")
    }
    while let next = try document() {
      guard case .string(let database)? = next["db"],
        case .string(let name)? = next["collection"]
      else { throw Self.problem("a collection of the archive has no name") }
      var metadata = ""
      if case .string(let text)? = next["metadata"] { metadata = text }
      collections.append(Collection(database: database, name: name, metadata: metadata))
      // A view has no documents, and what a server keeps for itself may have none.
      let isView = if case .string("view")? = next["type"] { true } else { false }
      if !isView, !name.hasPrefix("system.") { unfinished.insert("\(database).\(name)") }
    }
  }

  /// The next document of any collection, `nil` at the end.
  func next() throws -> SourceDocument? {
    while true {
      if let block {
        if let found = try document() {
          // What a server keeps for itself is no collection of objects.
          if block.collection.hasPrefix("system.") { continue }
          let name = "\(block.database).\(block.collection)"
          checksums[name, default: CRC64()].add(stream.buffer[documents.range])
          numbers[name, default: 0] += 1
          return SourceDocument(
            document: found,
            className: block.collection,
            number: numbers[name]
          )
        }
        self.block = nil
      }
      guard try stream.fill(1) else {
        if let name = unfinished.min() {
          throw Self.problem("the archive ends before the collection \(name) does: it is truncated")
        }
        return nil
      }
      guard let header = try document(), case .string(let database)? = header["db"],
        case .string(let collection)? = header["collection"]
      else { throw Self.problem("a block of the archive has no header") }
      if case .bool(true)? = header["EOF"], collection.hasPrefix("system.") {
        _ = try document()
      } else if case .bool(true)? = header["EOF"] {
        try finish("\(database).\(collection)", header["CRC"])
      } else {
        block = (database, collection)
      }
    }
  }

  private func finish(_ name: String, _ checksum: DocumentValue?) throws {
    unfinished.remove(name)
    guard case .int64(let expected)? = checksum,
      UInt64(bitPattern: expected) == (checksums[name] ?? CRC64()).value
    else {
      throw Self.problem("the checksum of the collection \(name) is wrong: the archive is damaged")
    }
    guard try document() == nil else {
      throw Self.problem("documents follow the end of the collection \(name)")
    }
  }

  /// The next document; `nil` if the end of a block stands instead, which is taken.
  private func document() throws -> Document? {
    guard try stream.fill(4) else {
      throw Self.problem("the archive ends inside a block: it is truncated")
    }
    if stream.buffer[stream.position...].starts(with: ArchiveFormat.terminator) {
      _ = stream.take(4)
      return nil
    }
    return try documents.document()
  }

  private static func problem(_ message: String) -> DocumentError {
    DocumentError(message.prefix(1).uppercased() + message.dropFirst())
  }
}
