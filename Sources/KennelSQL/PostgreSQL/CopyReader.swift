/// What a server sends for `COPY … (FORMAT binary)`, row after row.
///
/// Each length that the server gives is checked before it is used. A value, so that a row is read in one access.
struct CopyReader {
  private static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
  /// Bytes that were read are thrown away when there are so many.
  private static let mostRead = 1 << 20

  private let connection: PostgresConnection
  private let columnCount: Int
  private let mostBytes: Int
  /// Bytes that came and are not read yet, from a position on; before it lies the present row.
  private var buffer: [UInt8] = []
  private var position = 0
  private var byteCount = 0
  private var hasHeader = false
  private var isAtEnd = false
  /// Where the values of the present row lie; `nil` for null.
  private(set) var fields: [Range<Int>?] = []

  /// - Parameters:
  ///   - connection: The connection that the copy was begun on.
  ///   - columnCount: How many columns a row has.
  ///   - mostBytes: More bytes are an error.
  init(_ connection: PostgresConnection, columnCount: Int, mostBytes: Int) {
    self.connection = connection
    self.columnCount = columnCount
    self.mostBytes = mostBytes
  }

  /// Goes to the next row; `false` at the end.
  mutating func step() throws(SQLError) -> Bool {
    if isAtEnd { return false }
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      position = 0
    } else if position > Self.mostRead {
      buffer.removeFirst(position)
      position = 0
    }
    if !hasHeader { try readHeader() }
    let count = Int16(truncatingIfNeeded: try number(bytes: 2))
    if count == -1 {
      while try connection.readCopy(into: &buffer) {}
      isAtEnd = true
      return false
    }
    guard count == columnCount else { throw Self.malformed }
    fields.removeAll(keepingCapacity: true)
    for _ in 0..<columnCount {
      let length = Int32(truncatingIfNeeded: try number(bytes: 4))
      if length == -1 {
        fields.append(nil)
        continue
      }
      guard length >= 0 else { throw Self.malformed }
      try need(Int(length))
      fields.append(position..<position + Int(length))
      position += Int(length)
    }
    return true
  }

  private mutating func readHeader() throws(SQLError) {
    try need(Self.signature.count)
    guard buffer[position..<position + Self.signature.count].elementsEqual(Self.signature) else {
      throw Self.malformed
    }
    position += Self.signature.count
    let flags = try number(bytes: 4)
    // The upper flags change the format.
    guard flags >> 16 == 0 else { throw Self.malformed }
    let length = Int(try number(bytes: 4))
    try need(length)
    position += length
    hasHeader = true
  }

  private static var malformed: SQLError {
    SQLError(.failed, "the server sent what is no row")
  }

  /// Reads until so many bytes are there.
  private mutating func need(_ count: Int) throws(SQLError) {
    while buffer.count - position < count {
      let before = buffer.count
      guard try connection.readCopy(into: &buffer) else { throw Self.malformed }
      byteCount += buffer.count - before
      guard byteCount <= mostBytes else {
        throw SQLError(.tooLarge, "it has more than \(mostBytes >> 20) MB")
      }
    }
  }

  private mutating func number(bytes count: Int) throws(SQLError) -> UInt64 {
    try need(count)
    defer { position += count }
    return word(position..<position + count)
  }

  /// A number of at most eight bytes, the highest first.
  func word(_ range: Range<Int>) -> UInt64 {
    var word: UInt64 = 0
    for index in range.prefix(8) { word = word << 8 | UInt64(buffer[index]) }
    return word
  }

  /// A number of a column; 0 for null.
  func number(_ column: Int) -> UInt64 { fields[column].map(word) ?? 0 }

  /// The bytes of a column; none for null.
  func bytes(_ column: Int) -> ArraySlice<UInt8> { fields[column].map { buffer[$0] } ?? [] }
}
