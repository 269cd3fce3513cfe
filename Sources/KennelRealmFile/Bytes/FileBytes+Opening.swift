import Glibc

extension FileBytes {
  /// Opens a file for reading.
  ///
  /// With `isDamaged`, the first page may be damaged, and a node without its mark is none.
  ///
  /// Throws `notReadable`, and `notRealm`, `keyNeeded` or `wrongKey` as the first pages tell.
  static func open(
    _ path: String,
    key: RealmEncryptionKey?,
    isDamaged: Bool = false
  ) throws(RealmFileError) -> FileBytes {
    // A pipe that nobody writes to would block.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .notReadable(path: path, code: errno) }
    do throws(RealmFileError) {
      let size = try fileSize(descriptor, path)
      var first = [UInt8](repeating: 0, count: min(size, RealmPageCipher.pageSize))
      try unsafe first.withUnsafeMutableBufferPointer { buffer throws(RealmFileError) in
        try unsafe readFully(descriptor, of: path, into: .init(buffer), at: 0)
      }
      var cipher: RealmPageCipher?
      if !Header.isPlain(first) {
        guard isDamaged || RealmPageCipher.looksLikeMetadata(first, fileSize: size) else {
          throw RealmFileError.notRealm(path: path)
        }
        guard isDamaged || key != nil else { throw RealmFileError.keyNeeded(path: path) }
        cipher = key.map { RealmPageCipher(path: path, key: $0) }
        if let cipher, try !fits(cipher, descriptor, fileSize: size) {
          throw RealmFileError.wrongKey(path: path)
        }
      }
      let count = RealmPageCipher.contentSize(ofFile: size, isEncrypted: cipher != nil)
      return try FileBytes(
        path: path,
        descriptor: descriptor,
        count: count,
        cipher: cipher,
        expectsMarks: isDamaged
      )
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func fileSize(_ descriptor: Int32, _ path: String) throws(RealmFileError) -> Int {
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0 else {
      throw .notReadable(path: path, code: errno)
    }
    let kind = facts.st_mode & S_IFMT
    if kind == S_IFDIR { throw .notReadable(path: path, code: EISDIR) }
    if kind != S_IFREG { throw .notRealm(path: path) }
    return Int(facts.st_size)
  }

  /// Whether the key decrypts any of the first pages: then the others are damaged if it does not.
  private static func fits(
    _ cipher: RealmPageCipher,
    _ descriptor: Int32,
    fileSize: Int
  ) throws(RealmFileError) -> Bool {
    let pages =
      RealmPageCipher.contentSize(ofFile: fileSize, isEncrypted: true) / RealmPageCipher.pageSize
    var page = [UInt8](repeating: 0, count: RealmPageCipher.pageSize)
    for index in 0..<min(64, pages) {
      let found = try unsafe page.withUnsafeMutableBufferPointer { buffer throws(RealmFileError) in
        try unsafe cipher.tryPage(index, of: descriptor, into: .init(buffer))
      }
      if found == .content { return true }
    }
    return false
  }
}
