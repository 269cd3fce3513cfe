@_spi(Faces) public import KennelCore

/// A class and those of its objects that are exported.
///
/// ```swift
/// let dog = try snapshot.schema.require("Dog")
/// let predicate = try Predicate.parse("age > 3", for: dog.key, in: snapshot.schema)
/// let old = try snapshot.objects(of: dog.key, where: predicate)
/// let selection = ObjectSelection(dog, keys: old.keys)
/// try selection.write(from: snapshot, as: .csv) { bytes in file.write(bytes) }
/// ```
public struct ObjectSelection {
  /// The class.
  public let classSchema: ClassSchema
  /// The keys of the objects, ascending; `nil` for all objects.
  public let keys: [ObjectKey]?

  /// Creates a selection.
  ///
  /// - Parameters:
  ///   - classSchema: The class, which is not embedded.
  ///   - keys: The keys, ascending; `nil` for all objects.
  public init(_ classSchema: ClassSchema, keys: [ObjectKey]? = nil) {
    self.classSchema = classSchema
    self.keys = keys
  }

  /// Returns the number of selected objects.
  ///
  /// - Parameter snapshot: The snapshot.
  /// - Returns: The number.
  public func count(in snapshot: Snapshot) -> Int {
    keys?.count ?? snapshot.count(of: classSchema.key)
  }

  /// Calls a body with the keys of the objects.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - body: Called with some keys at a time.
  /// - Throws: `DatabaseError` if the file is damaged, and what the body throws.
  public func forEach(in snapshot: Snapshot, _ body: ([ObjectKey]) throws -> Void) throws {
    if let keys { return try body(keys) }
    var next: ObjectKey? = ObjectKey(rawValue: 0)
    while let from = next {
      let keys = try snapshot.objects(of: classSchema.key, from: from, limit: 4096).keys
      if !keys.isEmpty { try body(keys) }
      next = keys.last.map { ObjectKey(rawValue: $0.rawValue + 1) }
    }
  }

  /// Writes the objects in a format.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - format: The format.
  ///   - options: How objects are written.
  ///   - progress: Called with the number of objects written since the last call.
  ///   - output: Receives the next bytes of the file.
  /// - Throws: As ``ObjectWriter/write(_:to:)`` does.
  public func write(
    from snapshot: Snapshot,
    as format: OutputFormat,
    _ options: OutputOptions = OutputOptions(),
    progress: (Int) -> Void = { _ in },
    to output: ByteOutput
  ) throws {
    var writer = format.writer(for: snapshot, options)
    try writer.begin(classSchema, to: output)
    try forEach(in: snapshot) { keys in
      for (position, key) in keys.enumerated() {
        try writer.write(ObjectIdentity(classSchema.key, key), to: output)
        if position & 4095 == 4095 { progress(4096) }
      }
      progress(keys.count & 4095)
    }
    try writer.end(to: output)
  }

  /// Returns the contents of `Class.metadata.json` for a dump.
  ///
  /// - Parameter snapshot: The snapshot.
  /// - Returns: The bytes of the file.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func metadata(in snapshot: Snapshot) throws -> [UInt8] {
    var ranges: [ClosedRange<UInt64>] = []
    try forEach(in: snapshot) { keys in for key in keys { ranges.append(key: key.rawValue) } }
    return try rethrowing(
      try CollectionMetadata.text(of: classSchema, in: snapshot.schema, keys: ranges)
    ) { (error: ValueProblem) in DocumentError(path: classSchema.name, error.message) }
  }
}

/// Writes an archive, as `mongodump --archive` does.
///
/// ```swift
/// let classes = snapshot.schema.classes.filter { !$0.isEmbedded }
/// let writer = ArchiveWriter(snapshot, database: "family")
/// try writer.write(classes.map { ObjectSelection($0) }) { bytes in file.write(bytes) }
/// ```
public struct ArchiveWriter {
  private let snapshot: Snapshot
  private let options: OutputOptions
  private let database: String
  private let encoder = BSONEncoder()

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - database: The name of the database in the archive.
  ///   - options: How objects are written.
  public init(_ snapshot: Snapshot, database: String, _ options: OutputOptions = OutputOptions()) {
    self.snapshot = snapshot
    self.database = database
    self.options = options
  }

  /// Writes each selection as a collection.
  ///
  /// - Parameters:
  ///   - selections: The objects to write.
  ///   - progress: Called with the number of objects written since the last call.
  ///   - output: Receives the next bytes.
  /// - Throws: As ``ObjectWriter/write(_:to:)`` does.
  public func write(
    _ selections: [ObjectSelection],
    progress: (Int) -> Void = { _ in },
    to output: ByteOutput
  ) throws {
    try output(ArchiveFormat.magic + bytes(of: ArchiveFormat.header))
    for selection in selections {
      let metadata = String(decoding: try selection.metadata(in: snapshot), as: UTF8.self)
      let collection: Document = [
        "db": .string(database), "collection": .string(selection.classSchema.name),
        "metadata": .string(metadata), "size": .int32(0), "type": .string("collection"),
      ]
      try output(bytes(of: collection))
    }
    try output(ArchiveFormat.terminator)
    for selection in selections {
      let name = selection.classSchema.name
      var checksum = CRC64()
      var hasBegun = false
      try selection.write(from: snapshot, as: .bson, options, progress: progress) { bytes in
        if !hasBegun { try output(self.bytes(of: ArchiveFormat.blockHeader(database, name))) }
        hasBegun = true
        checksum.add(bytes[...])
        try output(bytes)
      }
      if hasBegun { try output(ArchiveFormat.terminator) }
      let end = ArchiveFormat.blockHeader(database, name, checksum: checksum.value)
      try output(bytes(of: end) + ArchiveFormat.terminator)
    }
  }

  private func bytes(of document: Document) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try rethrowing(try encoder.encode(document, into: &bytes)) { (error: ValueProblem) in
      DocumentError(error.message)
    }
    return bytes
  }
}
