/// The calls that a store makes on its file, so that a test can record one or let it fail.
///
/// Pages are read through a map, which no test needs to see.
package protocol DataFile: AnyObject, Sendable {
  /// Writes pieces one behind the other.
  ///
  /// - Throws: A `SystemError` with the `errno`.
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError)

  /// Returns when everything written before is on the disk.
  ///
  /// - Throws: A `SystemError` with the `errno`; what of it is on the disk is then unknown.
  func synchronize() throws(SystemError)
}

extension DataFile {
  /// Writes bytes.
  func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    try unsafe bytes.withRawBytes { (bytes) throws(SystemError) in
      try unsafe write([bytes], at: offset)
    }
  }
}

/// A file of the system.
package final class SystemFile: DataFile {
  package let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func write(
    _ pieces: [UnsafeRawBufferPointer],
    at offset: Int
  ) throws(SystemError) {
    try unsafe System.write(descriptor, at: offset, pieces)
  }

  package func synchronize() throws(SystemError) { try System.synchronize(descriptor) }
}
