import COpenSSL
package import KennelPages

/// The key slots of an encrypted file.
///
/// | bytes | what |
/// |---|---|
/// | 1 | what opens the slot: 1 for a key of 32 or 64 bytes, 2 for a passphrase; 0 if nobody uses it |
/// | 3 | of scrypt: the logarithm of N, r, p |
/// | 32 | random bytes: the salt |
/// | 24 | the random number of XAES-256-GCM |
/// | 32 | the key of the file's pages, encrypted |
/// | 16 | the tag |
/// | 4 | zero |
///
/// The key that encrypts the slot is made of a key by HKDF with SHA-256 (RFC 5869), and of a passphrase by
/// scrypt (RFC 7914). The id of the file and the first 36 bytes are authenticated with it.
package enum KeySlots {
  package static let limit = 8
  private static let byteCount = 112
  private static let headByteCount = 36
  package static let info = Array("Kennel key slot".utf8)

  /// What opens a slot.
  package enum Kind: UInt8 {
    case bytes = 1
    case passphrase = 2
  }

  /// Encrypts the key of a file's pages.
  package static func slot(
    _ pageKey: SecretBytes,
    for file: FileID,
    _ key: EncryptionKey
  ) throws(CipherFailure) -> [UInt8] {
    var slot = [UInt8](repeating: 0, count: byteCount)
    slot[0] = key.kind.rawValue
    if key.kind == .passphrase { slot.replaceSubrange(1..<4, with: EncryptionKey.cost.bytes) }
    let random = try unsafe SecretBytes(byteCount: 32 + XAES.nonceByteCount) {
      (memory) throws(CipherFailure) in
      try unsafe key.random.fill(memory)
    }
    unsafe random.withBytes { unsafe slot.replaceSubrange(4..<60, with: $0) }
    let cipher = try XAES(key.slotKey(head: Array(slot[..<headByteCount])))
    unsafe pageKey.withBytes { unsafe slot.replaceSubrange(60..<92, with: $0) }
    let additional = additional(slot, file)
    var bytes = slot.mutableSpan
    try unsafe bytes.withUnsafeMutableBytes { (slot) throws(CipherFailure) in
      try unsafe additional.span.withUnsafeBytes { (additional) throws(CipherFailure) in
        try unsafe cipher.seal(
          UnsafeMutableRawBufferPointer(rebasing: slot[60..<92]),
          nonce: UnsafeRawBufferPointer(rebasing: slot[36..<60]),
          additional: additional,
          tag: UnsafeMutableRawBufferPointer(rebasing: slot[92..<108])
        )
      }
    }
    return slot
  }

  /// The slots that are in use, in the order of their places.
  package static func split(_ slots: [UInt8]) throws(CipherFailure) -> [[UInt8]] {
    guard slots.count % byteCount == 0, slots.count / byteCount <= limit else {
      throw .unknownSlots("they have \(slots.count) bytes")
    }
    return stride(from: 0, to: slots.count, by: byteCount)
      .map { Array(slots[$0..<$0 + byteCount]) }
      .filter { $0[0] != 0 }
  }

  /// The key of a file's pages, and the index of the slot that has it.
  ///
  /// - Throws: `CipherFailure.wrongKey` if no slot belongs to the key.
  package static func pageKey(
    _ slots: [UInt8],
    for file: FileID,
    _ key: EncryptionKey
  ) throws(CipherFailure) -> (key: SecretBytes, index: Int) {
    for (index, slot) in try split(slots).enumerated() where slot[0] == key.kind.rawValue {
      let cipher = try XAES(key.slotKey(head: Array(slot[..<headByteCount])))
      let additional = additional(slot, file)
      var isOpen = false
      let pageKey = unsafe SecretBytes(byteCount: 32) { memory in
        unsafe slot.withUnsafeBytes { slot in
          unsafe additional.withUnsafeBytes { additional in
            isOpen = unsafe cipher.open(
              UnsafeRawBufferPointer(rebasing: slot[60..<92]),
              nonce: UnsafeRawBufferPointer(rebasing: slot[36..<60]),
              additional: additional,
              tag: UnsafeRawBufferPointer(rebasing: slot[92..<108]),
              into: memory
            )
          }
        }
      }
      if isOpen { return (pageKey, index) }
    }
    throw .wrongKey
  }

  private static func additional(_ slot: [UInt8], _ file: FileID) -> [UInt8] {
    var bytes = info + slot[..<headByteCount]
    for word in [file.high, file.low] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
    return bytes
  }

  // MARK: - Keys of slots

  /// HKDF with SHA-256, for 32 bytes.
  package static func hkdf(
    _ key: SecretBytes,
    salt: [UInt8],
    info: [UInt8] = info
  ) throws(CipherFailure) -> SecretBytes {
    let extracted = try hmac(SecretBytes(salt), key)
    return try hmac(extracted, SecretBytes(info + [1]))
  }

  private static func hmac(
    _ key: SecretBytes,
    _ message: SecretBytes
  ) throws(CipherFailure) -> SecretBytes {
    try unsafe SecretBytes(byteCount: 32) { (memory) throws(CipherFailure) in
      let made = unsafe key.withBytes { key in
        unsafe message.withBytes { message in
          unsafe HMAC(
            EVP_sha256(),
            key.baseAddress,
            Int32(key.count),
            message.assumingMemoryBound(to: UInt8.self).baseAddress,
            message.count,
            memory.assumingMemoryBound(to: UInt8.self).baseAddress,
            nil
          ) != nil
        }
      }
      if !made { throw .library("HMAC") }
    }
  }

  /// scrypt, for 32 bytes.
  package static func scrypt(
    _ passphrase: SecretBytes,
    salt: [UInt8],
    _ cost: ScryptCost
  ) throws(CipherFailure) -> SecretBytes {
    guard cost.isPossible else {
      throw .unknownSlots("one asks for more time or memory than any program gives")
    }
    return try unsafe SecretBytes(byteCount: 32) { (memory) throws(CipherFailure) in
      let made = unsafe passphrase.withBytes { passphrase in
        unsafe EVP_PBE_scrypt(
          passphrase.assumingMemoryBound(to: CChar.self).baseAddress,
          passphrase.count,
          salt,
          salt.count,
          1 << UInt64(cost.logN),
          UInt64(cost.r),
          UInt64(cost.p),
          UInt64(ScryptCost.mostByteCount),
          memory.assumingMemoryBound(to: UInt8.self).baseAddress,
          memory.count
        )
      }
      if made != 1 { throw .library("EVP_PBE_scrypt") }
    }
  }
}

/// What scrypt takes of time and memory.
package struct ScryptCost: Equatable, Sendable {
  package static let mostByteCount = 1 << 30

  package let logN: UInt8
  package let r: UInt8
  package let p: UInt8

  package init(logN: UInt8, r: UInt8, p: UInt8) {
    (self.logN, self.r, self.p) = (logN, r, p)
  }

  package var bytes: [UInt8] { [logN, r, p] }

  /// Whether a file can ask for it: 128 × N × r bytes of memory, p times.
  package var isPossible: Bool {
    (1...24).contains(logN) && (1...32).contains(r) && (1...16).contains(p)
      && (128 << Int(logN)) * Int(r) < Self.mostByteCount
  }
}
