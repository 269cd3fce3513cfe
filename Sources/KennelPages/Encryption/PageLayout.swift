/// How pages and the pages of long values divide their bytes between contents and tail.
struct PageLayout: Equatable, Sendable {
  /// The bytes of a tail, see ``PageCipher``.
  static let tailByteCount = 48

  let pageSize: Int
  /// The bytes behind the contents; 0 in an open file.
  let tail: Int

  init(pageSize: Int, isEncrypted: Bool) {
    self.pageSize = pageSize
    tail = isEncrypted ? Self.tailByteCount : 0
  }

  /// The bytes of a page that its tree has.
  var room: Int { pageSize - tail }

  /// How many pages a value takes that has pages of its own.
  func pageCount(ofValue byteCount: Int) -> Int { (byteCount + tail + pageSize - 1) / pageSize }
}
