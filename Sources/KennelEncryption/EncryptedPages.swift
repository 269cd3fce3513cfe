package import KennelPages

/// Encrypts the pages of a file with XAES-256-GCM.
///
/// What is authenticated with a unit are the id of the file, the number of its first page and its commit.
package final class EncryptedPages: PageCipher {
  private let file: FileID
  private let random: any RandomNumbers
  private let sealing: XAES
  private let opening: XAES

  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - file: The id of the file.
  ///   - random: Where random numbers come from.
  /// - Throws: `CipherFailure` if the library fails.
  package init(
    _ key: SecretBytes,
    for file: FileID,
    random: any RandomNumbers
  ) throws(CipherFailure) {
    self.file = file
    self.random = random
    sealing = try XAES(key)
    opening = try XAES(key)
  }

  package func seal(
    _ unit: UnsafeMutableRawBufferPointer,
    at place: UnitPlace
  ) throws(CipherFailure) {
    let tail = Tail(unit.count)
    unsafe unit.storeBytes(
      of: place.commit.littleEndian,
      toByteOffset: tail.commit,
      as: UInt64.self
    )
    let nonce = unsafe UnsafeMutableRawBufferPointer(rebasing: unit[tail.nonce..<tail.tag])
    try unsafe random.fill(nonce)
    try unsafe withAdditional(place) { (additional) throws(CipherFailure) in
      try unsafe sealing.seal(
        UnsafeMutableRawBufferPointer(rebasing: unit[..<tail.commit]),
        nonce: UnsafeRawBufferPointer(nonce),
        additional: additional,
        tag: UnsafeMutableRawBufferPointer(rebasing: unit[tail.tag...])
      )
    }
  }

  package func open(
    _ unit: UnsafeRawBufferPointer,
    at place: UnitPlace,
    into memory: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let tail = Tail(unit.count)
    let isOpen = unsafe withAdditional(place) { additional in
      unsafe opening.open(
        UnsafeRawBufferPointer(rebasing: unit[..<tail.commit]),
        nonce: UnsafeRawBufferPointer(rebasing: unit[tail.nonce..<tail.tag]),
        additional: additional,
        tag: UnsafeRawBufferPointer(rebasing: unit[tail.tag...]),
        into: UnsafeMutableRawBufferPointer(rebasing: memory[..<tail.commit])
      )
    }
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[tail.commit...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    return isOpen
  }

  /// Where the parts of a tail begin.
  private struct Tail {
    let commit: Int
    let nonce: Int
    let tag: Int

    init(_ byteCount: Int) {
      tag = byteCount - XAES.tagByteCount
      nonce = tag - XAES.nonceByteCount
      commit = nonce - 8
    }
  }

  private func withAdditional<Result, Failure: Error>(
    _ place: UnitPlace,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let words = (
      file.high.littleEndian, file.low.littleEndian, place.commit.littleEndian,
      UInt64(place.number).littleEndian
    )
    return try unsafe withUnsafeBytes(of: words) { (bytes) throws(Failure) in
      try unsafe body(bytes)
    }
  }
}
