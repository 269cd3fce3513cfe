/// Cuts what comes in chunks into lines.
struct LineReader {
  /// The most bytes that a line may have.
  let limit: Int
  /// The number of the line that ``next(_:)`` gave last, from 1.
  private(set) var line = 0
  /// How many bytes have been given out.
  private(set) var byteCount = 0
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// Creates a reader of lines up to a length in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// The next line without its end; `nil` after the last one.
  ///
  /// `read` gives the next bytes, none at the end.
  ///
  /// - Throws: ``DocumentError`` if a line is longer than the limit, as soon as that is known, and
  ///   what `read` throws.
  mutating func next(_ read: () throws -> [UInt8]) throws -> [UInt8]? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return try take(upTo: end, skipping: 1)
      }
      if isAtEnd {
        return position < buffer.count ? try take(upTo: buffer.count, skipping: 0) : nil
      }
      buffer.removeSubrange(..<position)
      position = 0
      searched = buffer.count
      guard searched <= limit else { throw tooLong }
      let bytes = try read()
      isAtEnd = bytes.isEmpty
      buffer.append(contentsOf: bytes)
    }
  }

  private mutating func take(upTo end: Int, skipping count: Int) throws(DocumentError) -> [UInt8] {
    guard end - position <= limit else { throw tooLong }
    let bytes = Array(buffer[position..<end])
    byteCount += end + count - position
    position = end + count
    line += 1
    return bytes
  }

  private var tooLong: DocumentError {
    DocumentError(
      line: line + 1,
      "the line is longer than the limit of \(limit >> 20) MB; raise the line limit to read it"
    )
  }
}
