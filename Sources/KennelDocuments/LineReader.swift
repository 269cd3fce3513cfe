/// Cuts what comes in chunks into lines.
struct LineReader {
  /// The number of the line that ``next(_:)`` gave last, from 1.
  private(set) var line = 0
  /// How many bytes have been given out.
  private(set) var byteCount = 0
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// The next line without its end; `nil` after the last one.
  ///
  /// `read` gives the next bytes, none at the end.
  mutating func next(_ read: () throws -> [UInt8]) throws -> [UInt8]? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return take(upTo: end, skipping: 1)
      }
      if isAtEnd { return position < buffer.count ? take(upTo: buffer.count, skipping: 0) : nil }
      buffer.removeSubrange(..<position)
      position = 0
      searched = buffer.count
      let bytes = try read()
      isAtEnd = bytes.isEmpty
      buffer.append(contentsOf: bytes)
    }
  }

  private mutating func take(upTo end: Int, skipping count: Int) -> [UInt8] {
    let bytes = Array(buffer[position..<end])
    byteCount += end + count - position
    position = end + count
    line += 1
    return bytes
  }
}
