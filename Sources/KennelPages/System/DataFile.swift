/// The calls that a store makes on its file, so that a test can record one or let it fail.
///
/// Pages are read through a map, which no test needs to see.
package protocol DataFile: AnyObject, Sendable {
  /// Writes pieces one behind the other.
  ///
  /// - Throws: A `FileFailure` with the `errno`.
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(FileFailure)

  /// Returns when everything written before is on the disk.
  ///
  /// - Throws: A `FileFailure` with the `errno`; what of it is on the disk is then unknown.
  func synchronize() throws(FileFailure)
}

extension DataFile {
  /// Writes bytes.
  func write(_ bytes: [UInt8], at offset: Int) throws(FileFailure) {
    try unsafe bytes.withRawBytes { (bytes) throws(FileFailure) in
      try unsafe write([bytes], at: offset)
    }
  }
}

/// The `errno` of a call that failed.
package struct FileFailure: Error, Equatable, Sendable {
  package let code: Int32

  package init(code: Int32) { self.code = code }
}

/// A file of the system.
package final class SystemFile: DataFile {
  package let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func write(
    _ pieces: [UnsafeRawBufferPointer],
    at offset: Int
  ) throws(FileFailure) {
    do throws(SystemError) {
      try unsafe System.write(descriptor, at: offset, pieces)
    } catch {
      throw FileFailure(code: error.code)
    }
  }

  package func synchronize() throws(FileFailure) {
    do throws(SystemError) {
      try System.synchronize(descriptor)
    } catch {
      throw FileFailure(code: error.code)
    }
  }
}
