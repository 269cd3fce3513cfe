public import KennelCore

/// A function that receives the next bytes of a file.
public typealias ByteOutput = ([UInt8]) throws -> Void

/// Writes objects in a format.
///
/// ```swift
/// struct KeyWriter: ObjectWriter {
///   mutating func begin(_ classSchema: ClassSchema, to output: ByteOutput) throws {}
///   mutating func write(_ object: ObjectIdentity, to output: ByteOutput) throws {
///     try output(Array("\(object.key.rawValue)\n".utf8))
///   }
///   mutating func end(to output: ByteOutput) throws {}
/// }
/// ```
///
/// ``OutputFormat/writer(for:_:)`` creates a writer. It buffers output and passes it on in large
/// parts.
public protocol ObjectWriter {
  /// Begins a file of objects of one class.
  ///
  /// - Parameters:
  ///   - classSchema: The class.
  ///   - output: Receives the next bytes.
  /// - Throws: ``DocumentError`` if the format cannot hold such objects, and what `output` throws.
  mutating func begin(_ classSchema: ClassSchema, to output: ByteOutput) throws

  /// Writes one object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - output: Receives the next bytes.
  /// - Throws: ``DocumentError`` if the format cannot hold the object, `DatabaseError` if it cannot
  ///   be read, and what `output` throws.
  mutating func write(_ object: ObjectIdentity, to output: ByteOutput) throws

  /// Ends the file.
  ///
  /// - Parameter output: Takes the last bytes.
  /// - Throws: What `output` throws.
  mutating func end(to output: ByteOutput) throws
}
