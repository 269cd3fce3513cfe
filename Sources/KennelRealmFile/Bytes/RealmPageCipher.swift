import COpenSSL
import Glibc

/// Decrypts the pages of an encrypted file.
///
/// The file is a row of blocks: a page of metadata and the 64 pages of content that they describe.
/// The metadata of a page are two pairs of a number, of which the initialization vector is made,
/// and an HMAC of the encrypted page. The second pair is that of the page's former content: the
/// writer replaces the metadata before the page.
struct RealmPageCipher: Sendable {
  static let pageSize = 4096
  private static let pagesOfBlock = 64
  private static let metadataSize = 64

  let path: String
  let key: RealmEncryptionKey

  enum Page {
    case content
    /// A page that was never written: zeros.
    case unused
    /// Neither HMAC fits.
    case unreadable
  }

  /// The size of the content of a file.
  static func contentSize(ofFile size: Int, isEncrypted: Bool) -> Int {
    guard isEncrypted else { return size }
    let pages = size / pageSize
    return (pages - (pages + pagesOfBlock) / (pagesOfBlock + 1)) * pageSize
  }

  /// Whether the first page of a file can be the metadata of an encrypted file of `size` bytes.
  ///
  /// The numbers of the pages are small, the former number of a page is not larger than its number,
  /// the HMACs look random, and pages that were never written are described by zeros.
  static func looksLikeMetadata(_ page: [UInt8], fileSize size: Int) -> Bool {
    guard page.count == pageSize, size >= 2 * pageSize, word(page, 0) as UInt32 != 0
    else { return false }
    return (0..<pagesOfBlock).allSatisfy { index in
      let start = index * metadataSize
      let number: UInt32 = word(page, start)
      let former: UInt32 = word(page, start + metadataSize / 2)
      let bytes = page[start..<start + metadataSize]
      guard number != 0 else { return bytes.allSatisfy { $0 == 0 } }
      return number < 1 << 24 && former <= number
        && Set(bytes.prefix(metadataSize / 2).dropFirst(4)).count > 12
    }
  }

  /// Reads and decrypts a page; the target is as large as a page.
  func readPage(
    _ index: Int,
    of descriptor: Int32,
    into target: UnsafeMutableRawBufferPointer
  ) throws(RealmFileError) {
    // The writer may be between the metadata and the page.
    for attempt in 0..<3 {
      if attempt > 0 { usleep(1000) }
      if try unsafe tryPage(index, of: descriptor, into: target) != .unreadable { return }
    }
    throw damaged(
      "an encrypted page whose content fits none of its sums",
      at: index * Self.pageSize
    )
  }

  /// Reads and decrypts a page if an HMAC fits.
  func tryPage(
    _ index: Int,
    of descriptor: Int32,
    into target: UnsafeMutableRawBufferPointer
  ) throws(RealmFileError) -> Page {
    let block = index / Self.pagesOfBlock * (Self.pagesOfBlock + 1) * Self.pageSize
    let place = index % Self.pagesOfBlock
    var metadata = [UInt8](repeating: 0, count: Self.metadataSize)
    var page = [UInt8](repeating: 0, count: Self.pageSize)
    try read(&metadata, descriptor, at: block + place * Self.metadataSize)
    try read(&page, descriptor, at: block + (place + 1) * Self.pageSize)
    guard word(metadata, 0) as UInt32 != 0 else {
      unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
      return .unused
    }
    let sum = hmac(page)
    for start in [0, Self.metadataSize / 2]
    where sum.elementsEqual(metadata[start + 4..<start + Self.metadataSize / 2]) {
      let number: UInt32 = word(metadata, start)
      return unsafe decrypt(page, number, position: index * Self.pageSize, into: target)
        ? .content : .unreadable
    }
    return .unreadable
  }

  private func read(
    _ bytes: inout [UInt8],
    _ descriptor: Int32,
    at offset: Int
  ) throws(RealmFileError) {
    try unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(RealmFileError) in
      try unsafe readFully(descriptor, of: path, into: .init(buffer), at: offset)
    }
  }

  private func hmac(_ page: [UInt8]) -> [UInt8] {
    var sum = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    unsafe key.withBytes { key in
      _ = unsafe HMAC(EVP_sha224(), key + 32, 32, page, page.count, &sum, &length)
    }
    return Array(sum.prefix(Int(length)))
  }

  private func decrypt(
    _ page: [UInt8],
    _ number: UInt32,
    position: Int,
    into target: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var vector = [UInt8](repeating: 0, count: 16)
    for index in 0..<4 { vector[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    for index in 0..<8 { vector[4 + index] = UInt8(truncatingIfNeeded: position >> (8 * index)) }
    guard let context = unsafe EVP_CIPHER_CTX_new() else { return false }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var length: Int32 = 0
    let began = unsafe key.withBytes { key in
      unsafe EVP_DecryptInit_ex(context, EVP_aes_256_cbc(), nil, key, vector) == 1
    }
    guard began, unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1 else { return false }
    let output = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    return unsafe EVP_DecryptUpdate(context, output, &length, page, Int32(page.count)) == 1
      && Int(length) == page.count
  }
}

/// A number of little-endian bytes.
func word<Number: FixedWidthInteger>(_ bytes: [UInt8], _ start: Int) -> Number {
  (0..<Number.bitWidth / 8).reduce(0) { $0 | Number(bytes[start + $1]) << Number(8 * $1) }
}
