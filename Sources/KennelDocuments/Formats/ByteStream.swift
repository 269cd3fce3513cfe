/// Bytes that come in chunks, of which some can be looked at before they are taken.
final class ByteStream {
  private let read: () throws -> [UInt8]
  /// Bytes that are not taken lie behind ``position``.
  private(set) var buffer: [UInt8]
  private(set) var position = 0
  private(set) var isAtEnd = false
  /// How many bytes have been taken.
  private(set) var byteCount = 0

  /// Creates a stream of bytes that have come and of what `read` gives, none at the end.
  init(_ start: [UInt8] = [], _ read: @escaping () throws -> [UInt8]) {
    buffer = start
    self.read = read
  }

  /// How many bytes can be looked at.
  var available: Int { buffer.count - position }

  /// Sees to it that as many bytes can be looked at, if there are as many.
  func fill(_ count: Int) throws -> Bool {
    while available < count, !isAtEnd { try readMore() }
    return available >= count
  }

  /// Reads the next chunk.
  func readMore() throws {
    guard !isAtEnd else { return }
    let bytes = try read()
    isAtEnd = bytes.isEmpty
    if position == buffer.count {
      buffer = bytes
    } else {
      // Changed outside of the property: the compiler then knows that no access to it is inside another,
      // and readers that look at each byte need no check.
      var rest = buffer
      buffer = []
      rest.removeSubrange(..<position)
      rest += bytes
      buffer = rest
    }
    position = 0
  }

  /// Takes bytes that can be looked at; where they lie in ``buffer`` until more is read.
  func take(_ count: Int) -> Range<Int> {
    let range = position..<position + count
    position += count
    byteCount += count
    return range
  }
}
