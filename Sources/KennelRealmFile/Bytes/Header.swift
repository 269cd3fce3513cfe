/// The first 24 bytes of a file, which tell the newest commit and the one before it.
struct Header: Equatable {
  static let size = 24
  static let oldestFormat = 20
  static let newestFormat = 24
  /// Ends a file that was written in one go; the reference to its top precedes it.
  private static let streamCookie: UInt64 = 0x3034_1252_37e5_26c8
  private static let streamSize = 16

  let format: Int
  /// The reference to the top node; 0 if nothing was ever committed.
  let top: Int64

  /// Whether the bytes are a header.
  static func isPlain(_ bytes: [UInt8]) -> Bool {
    bytes.count >= size && bytes[16..<20].elementsEqual("T-DB".utf8)
  }

  /// Throws `olderFormat` or `newerFormat` where this reader does not know the format.
  func requireKnownFormat() throws(RealmFileError) {
    // A file that nothing was committed to has no format yet.
    if format == 0, top == 0 { return }
    if format < Self.oldestFormat { throw .olderFormat(format) }
    if format > Self.newestFormat { throw .newerFormat(format) }
  }

  /// What a header would say that is lost.
  init(format: Int, top: Int64) {
    self.format = format
    self.top = top
  }

  /// Reads the header as it is in the file now.
  ///
  /// With `isPrevious`, it is that of the commit before the newest one. A file that was written in one
  /// go, or only once, has none: it is as if nothing was committed.
  init(of bytes: FileBytes, isPrevious: Bool = false) throws(RealmFileError) {
    let header = try bytes.current(0, count: Header.size)
    guard Header.isPlain(header) else {
      throw bytes.isEncrypted ? .wrongKey(path: bytes.path) : .notRealm(path: bytes.path)
    }
    let slot = Int(header[23] & 1) ^ (isPrevious ? 1 : 0)
    format = Int(header[20 + slot])
    var top: UInt64 = word(header, slot * 8)
    if slot == 0 && top == .max && isPrevious {
      top = 0
    } else if slot == 0 && top == .max {
      guard bytes.count >= Header.size + Header.streamSize else {
        throw .truncated(expected: Header.size + Header.streamSize, found: bytes.count)
      }
      let end = try bytes.current(bytes.count - Header.streamSize, count: Header.streamSize)
      guard word(end, 8) == Header.streamCookie else {
        // The cookie is the last that is written, and the first that a cut takes away.
        throw .truncated(expected: nil, found: bytes.count)
      }
      top = word(end, 0)
    }
    guard top <= UInt64(Int64.max) else { throw damaged("a top beyond all files", at: slot * 8) }
    self.top = Int64(top)
  }
}
