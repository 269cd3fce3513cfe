@_spi(Faces) public import KennelCore

/// Exports a snapshot as lines of JSON that lose nothing.
///
/// ```swift
/// var exporter = DocumentExporter(try database.snapshot())
/// try exporter.write { bytes in file.write(bytes) }
/// ```
///
/// The output is the schema, then one line per object in the order of the database. Embedded
/// objects are written inside their owners. Memory use is bounded by the largest value.
public struct DocumentExporter {
  /// How many elements are read, or objects written until the progress is told, at a time.
  private static let window = 512

  private let reader: DatabaseReader
  private let schema: Schema
  private let linkTargets: ObjectSet?
  private var writer = JSONWriter()

  /// Creates an exporter of the objects of a reader.
  ///
  /// - Parameters:
  ///   - reader: The reader.
  ///   - linkTargets: The objects to which links are kept, as in ``DocumentOptions/linkTargets``;
  ///     `nil` for all.
  public init(_ reader: DatabaseReader, linkTargets: ObjectSet? = nil) {
    self.reader = reader
    self.linkTargets = linkTargets
    schema = reader.schema
  }

  /// Writes the schema and all objects.
  ///
  /// - Parameters:
  ///   - progress: Called periodically with the number of objects written so far.
  ///   - output: Receives the next bytes of the text.
  /// - Throws: ``DatabaseError`` if the file cannot be read, and what `output` throws.
  public mutating func write(
    progress: (Int) -> Void = { _ in },
    to output: ([UInt8]) throws -> Void
  ) throws {
    writer.append(schema: schema)
    var count = 0
    for classSchema in schema.classes where !classSchema.isEmbedded {
      try reader.forEachObject(of: classSchema.key) { object in
        try append(object, output)
        count += 1
        if count % Self.window == 0 { progress(count) }
      }
      progress(count)
    }
    try flush(output)
  }

  /// Writes the schema without objects.
  ///
  /// - Parameter output: Receives the next bytes of the text.
  /// - Throws: What `output` throws.
  public mutating func writeSchema(to output: ([UInt8]) throws -> Void) throws {
    writer.append(schema: schema)
    try flush(output)
  }

  mutating func flush(_ output: ByteOutput) throws {
    try writer.bytes.flush(output)
  }

  // MARK: - Objects

  /// An object that is being written, down to where its next embedded object stands.
  private struct Frame {
    let object: ObjectIdentity
    let properties: [PropertySchema]
    var nextProperty = 0
    /// Whether a member has been written.
    var hasMembers = false
    /// The collection of embedded objects that is being written.
    var collection: EmbeddedCollection?
  }

  private struct EmbeddedCollection {
    let property: PropertySchema
    let count: Int
    /// How many elements have been written.
    var written = 0
    /// The next elements, the first of them last, with their keys in a map.
    var window: [MapEntry] = []

    var isMap: Bool { property.type.collection == .map }
  }

  /// Appends the line of an object and, inside it, all that it owns to any depth.
  mutating func append(_ object: ObjectIdentity, _ output: ByteOutput) throws {
    writer.append("{" as Unicode.Scalar)
    writer.append(name: DocumentFormat.objectLine)
    writer.append(quoted: JSONWriter.name(of: object, in: schema))
    var frames = [frame(of: object, hasMembers: true)]
    // In a damaged file an embedded object may be a part of itself, and its line without end.
    var owned = ObjectSet()
    while var top = frames.popLast() {
      if let child = try advance(&top, output) {
        guard owned.insert(child) else { throw reader.severalOwners(child) }
        frames.append(top)
        frames.append(frame(of: child, hasMembers: false))
        writer.append("{" as Unicode.Scalar)
      } else {
        writer.append("}" as Unicode.Scalar)
      }
    }
    writer.append("\n" as Unicode.Scalar)
    try writer.bytes.flushIfLarge(output)
  }

  private func frame(of object: ObjectIdentity, hasMembers: Bool) -> Frame {
    let properties = schema[object.classKey]?.properties ?? []
    return Frame(object: object, properties: properties, hasMembers: hasMembers)
  }

  /// Writes on until an embedded object has to be written; `nil` when the object is complete.
  private mutating func advance(
    _ frame: inout Frame,
    _ output: ByteOutput
  ) throws -> ObjectIdentity? {
    while true {
      if frame.collection != nil {
        if let child = try nextEmbedded(&frame) { return child }
        frame.collection = nil
      }
      guard frame.nextProperty < frame.properties.count else { return nil }
      let property = frame.properties[frame.nextProperty]
      frame.nextProperty += 1
      if frame.hasMembers { writer.append("," as Unicode.Scalar) }
      frame.hasMembers = true
      writer.append(name: DocumentFormat.escaped(property.name))
      if property.isEmbedded, property.isCollection {
        let count = try reader.elementCount(of: frame.object, property: property.key)
        let collection = EmbeddedCollection(property: property, count: count)
        writer.append(collection.isMap ? "{" : "[" as Unicode.Scalar)
        frame.collection = collection
      } else if property.isEmbedded {
        if case .link(let child) = try reader.value(of: frame.object, property: property.key) {
          return child
        }
        writer.append("null")
      } else {
        try append(property, of: frame.object, output)
      }
    }
  }

  /// The next object of a collection of embedded ones; `nil` after its last, with its end written.
  private mutating func nextEmbedded(_ frame: inout Frame) throws -> ObjectIdentity? {
    guard var collection = frame.collection else { return nil }
    defer { frame.collection = collection }
    while collection.written < collection.count {
      if collection.window.isEmpty { try refill(&collection, of: frame.object) }
      guard let entry = collection.window.popLast() else { break }
      if collection.written > 0 { writer.append("," as Unicode.Scalar) }
      collection.written += 1
      if collection.isMap { writer.append(name: DocumentFormat.escaped(entry.key)) }
      if case .link(let child) = entry.value { return child }
      writer.append("null")
    }
    writer.append(collection.isMap ? "}" : "]" as Unicode.Scalar)
    return nil
  }

  /// Reads the next elements; maps are read as a whole, since they have no positions.
  private func refill(
    _ collection: inout EmbeddedCollection,
    of object: ObjectIdentity
  ) throws(DatabaseError) {
    let key = collection.property.key
    if collection.isMap {
      guard case .map(let entries) = try reader.value(of: object, property: key) else { return }
      collection.window = entries.reversed()
    } else {
      let range = collection.written..<min(collection.written + Self.window, collection.count)
      let elements = try reader.elements(of: object, property: key, in: range)
      collection.window = elements.reversed().map { MapEntry("", $0) }
    }
  }

  // MARK: - Values

  /// Appends the value of a property that holds no embedded objects.
  private mutating func append(
    _ property: PropertySchema,
    of object: ObjectIdentity,
    _ output: ByteOutput
  ) throws {
    let kind = property.type.kind
    switch property.type.collection {
    case .none, .map:
      let value = try reader.value(of: object, property: property.key)
      return writer.append(linking(value, property), kind: kind, in: schema)
    case .list, .set: break
    }
    let count = try reader.elementCount(of: object, property: property.key)
    writer.append("[" as Unicode.Scalar)
    var isFirst = true
    for start in stride(from: 0, to: count, by: Self.window) {
      let range = start..<min(start + Self.window, count)
      let part = Value.list(try reader.elements(of: object, property: property.key, in: range))
      guard case .list(let elements) = linking(part, property) else { continue }
      for element in elements {
        if !isFirst { writer.append("," as Unicode.Scalar) }
        isFirst = false
        writer.append(element, kind: kind, in: schema)
      }
      try writer.bytes.flushIfLarge(output)
    }
    writer.append("]" as Unicode.Scalar)
  }

  /// The value without the links that are left out.
  private func linking(_ value: Value, _ property: PropertySchema) -> Value {
    linkTargets.map { value.linking(to: $0, isMany: property.isCollection) } ?? value
  }
}
