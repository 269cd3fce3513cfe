import CZlib
import KennelCore

/// Compresses a stream of bytes with gzip.
///
/// ```swift
/// let gzip = GzipWriter()
/// file.write(gzip.write(bytes))
/// file.write(gzip.finish())
/// ```
///
/// It owns the memory that zlib uses.
@safe public final class GzipWriter {
  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates a writer.
  public init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe kennel_begin_deflating(stream)
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses the next bytes.
  ///
  /// - Parameter bytes: The bytes, which may be empty.
  /// - Returns: The next bytes of the compressed file, which may be empty.
  public func write(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty ? [] : deflate(bytes, Z_NO_FLUSH)
  }

  /// Ends the compressed file.
  ///
  /// - Returns: The last bytes of the compressed file.
  public func finish() -> [UInt8] {
    deflate([], Z_FINISH)
  }

  private func deflate(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
    var output: [UInt8] = []
    unsafe bytes.withUnsafeBufferPointer { input in
      // zlib does not write to what it reads.
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
      repeat {
        unsafe output += [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
          unsafe stream.pointee.next_out = buffer.baseAddress
          unsafe stream.pointee.avail_out = UInt32(buffer.count)
          unsafe CZlib.deflate(stream, flush)
          count = unsafe buffer.count - Int(stream.pointee.avail_out)
        }
      } while unsafe stream.pointee.avail_out == 0
    }
    return output
  }
}

/// Decompresses a gzip file as its bytes come.
///
/// It owns the memory that zlib uses.
@safe final class GzipReader {
  private let stream: UnsafeMutablePointer<z_stream>
  private let read: () throws -> [UInt8]
  private var input: [UInt8]
  private var position = 0
  /// Whether the bytes so far end where a compressed file may end.
  private var isComplete = false
  private var isAtEnd = false

  /// Creates a reader of what `read` gives: bytes of a gzip file, none at its end.
  init(_ start: [UInt8], _ read: @escaping () throws -> [UInt8]) {
    self.read = read
    input = start
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe kennel_begin_inflating(stream)
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// The next decompressed bytes, none at the end.
  func next() throws -> [UInt8] {
    while !isAtEnd {
      if position == input.count {
        input = try read()
        position = 0
        if input.isEmpty {
          isAtEnd = true
          guard isComplete else {
            throw DocumentError("The gzip file is truncated")
          }
          return []
        }
      }
      let output = try inflate()
      if !output.isEmpty { return output }
    }
    return []
  }

  private func inflate() throws(DocumentError) -> [UInt8] {
    // A gzip file may be several in a row.
    if isComplete {
      unsafe inflateReset(stream)
      isComplete = false
    }
    var code: Int32 = Z_OK
    let output = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
      unsafe input.withUnsafeBufferPointer { bytes in
        let rest = unsafe UnsafeBufferPointer(rebasing: bytes[position...])
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: rest.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(rest.count)
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(buffer.count)
        code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        position = unsafe bytes.count - Int(stream.pointee.avail_in)
        count = unsafe buffer.count - Int(stream.pointee.avail_out)
      }
    }
    guard [Z_OK, Z_BUF_ERROR, Z_STREAM_END].contains(code) else {
      throw DocumentError("The gzip file is damaged")
    }
    isComplete = code == Z_STREAM_END
    return output
  }
}
