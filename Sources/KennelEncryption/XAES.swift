import COpenSSL
package import KennelPages
import Synchronization

/// XAES-256-GCM: AES-256-GCM with random numbers of 192 bits, so many that none is drawn twice.
///
/// The first half of the number gives each message a key of its own, by NIST SP 800-108r1 with CMAC, and the
/// second half is what AES-256-GCM calls the nonce. See <https://c2sp.org/XAES-256-GCM>.
///
/// Threads wait for each other.
///
/// Safe to use: it owns its contexts, which are used under the lock, and all buffers are those of one call.
@safe package final class XAES: @unchecked Sendable {
  package static let nonceByteCount = 24
  package static let tagByteCount = 16
  private static let halfByteCount = 12

  private let lock = Mutex<Void>(())
  private let blocks: OpaquePointer
  private let messages: OpaquePointer
  /// K1 of CMAC.
  private let subkey: SecretBytes

  /// - Parameter key: 32 bytes.
  /// - Throws: `CipherFailure` if the library fails.
  package init(_ key: SecretBytes) throws(CipherFailure) {
    guard key.count == 32 else { throw .library("key") }
    guard let blocks = unsafe EVP_CIPHER_CTX_new(), let messages = unsafe EVP_CIPHER_CTX_new()
    else {
      throw .library("EVP_CIPHER_CTX_new")
    }
    unsafe key.withBytes { key in
      let bytes = unsafe key.assumingMemoryBound(to: UInt8.self).baseAddress
      _ = unsafe EVP_EncryptInit_ex(blocks, EVP_aes_256_ecb(), nil, bytes, nil)
    }
    unsafe EVP_CIPHER_CTX_set_padding(blocks, 0)
    unsafe EVP_CipherInit_ex(messages, EVP_aes_256_gcm(), nil, nil, nil, 1)
    unsafe self.blocks = blocks
    unsafe self.messages = messages
    subkey = try unsafe SecretBytes(byteCount: 16) { (memory) throws(CipherFailure) in
      try unsafe Self.encrypt(blocks, memory)
      unsafe Self.double(memory)
    }
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(blocks)
    unsafe EVP_CIPHER_CTX_free(messages)
  }

  /// Encrypts blocks where they are.
  private static func encrypt(
    _ context: OpaquePointer,
    _ blocks: UnsafeMutableRawBufferPointer
  ) throws(CipherFailure) {
    let bytes = unsafe blocks.assumingMemoryBound(to: UInt8.self).baseAddress
    var count: Int32 = 0
    guard unsafe EVP_EncryptUpdate(context, bytes, &count, bytes, Int32(blocks.count)) == 1 else {
      throw .library("EVP_EncryptUpdate")
    }
  }

  /// Multiplies by x in the field of CMAC (NIST SP 800-38B, 6.1).
  private static func double(_ block: UnsafeMutableRawBufferPointer) {
    let isHigh = unsafe block[0] & 0x80 != 0
    for index in 0..<16 {
      let carry = index < 15 ? unsafe block[index + 1] >> 7 : isHigh ? 0x87 : 0
      unsafe block[index] = block[index] << 1 ^ carry
    }
  }

  /// Makes the messages' context ready for one.
  private func begin(
    _ nonce: UnsafeRawBufferPointer,
    _ additional: UnsafeRawBufferPointer,
    encrypts: Bool
  ) throws(CipherFailure) {
    let key = try unsafe SecretBytes(byteCount: 32) { (memory) throws(CipherFailure) in
      for half in 0..<2 {
        let start = half * 16
        unsafe memory[start + 1] = UInt8(half + 1)
        unsafe memory[start + 2] = 0x58
        for index in 0..<Self.halfByteCount {
          unsafe memory[start + 4 + index] = nonce[index]
        }
        unsafe subkey.withBytes { subkey in
          for index in 0..<16 { unsafe memory[start + index] ^= subkey[index] }
        }
      }
      try unsafe Self.encrypt(blocks, memory)
    }
    let rest = unsafe nonce.assumingMemoryBound(to: UInt8.self).baseAddress.map {
      unsafe $0 + Self.halfByteCount
    }
    let isReady = unsafe key.withBytes { key in
      let key = unsafe key.assumingMemoryBound(to: UInt8.self).baseAddress
      return unsafe EVP_CipherInit_ex(messages, nil, nil, key, rest, encrypts ? 1 : 0)
    }
    var count: Int32 = 0
    guard isReady == 1,
      unsafe EVP_CipherUpdate(
        messages,
        nil,
        &count,
        additional.assumingMemoryBound(to: UInt8.self).baseAddress,
        Int32(additional.count)
      ) == 1
    else { throw .library("EVP_CipherInit_ex") }
  }

  /// Passes a message through the cipher, in parts that its library can count.
  private func update(
    _ source: UnsafeRawBufferPointer,
    _ target: UnsafeMutableRawBufferPointer
  ) throws(CipherFailure) {
    let most = 1 << 30
    var start = 0
    while start < source.count {
      let part = min(most, source.count - start)
      var count: Int32 = 0
      let from = unsafe source.assumingMemoryBound(to: UInt8.self).baseAddress.map {
        unsafe $0 + start
      }
      let into = unsafe target.assumingMemoryBound(to: UInt8.self).baseAddress.map {
        unsafe $0 + start
      }
      guard unsafe EVP_CipherUpdate(messages, into, &count, from, Int32(part)) == 1 else {
        throw .library("EVP_CipherUpdate")
      }
      start += part
    }
  }

  /// Encrypts a message where it is.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - nonce: 24 random bytes.
  ///   - additional: What must be the same when it is decrypted.
  ///   - tag: Where 16 bytes go.
  /// - Throws: `CipherFailure` if the library fails.
  package func seal(
    _ message: UnsafeMutableRawBufferPointer,
    nonce: UnsafeRawBufferPointer,
    additional: UnsafeRawBufferPointer,
    tag: UnsafeMutableRawBufferPointer
  ) throws(CipherFailure) {
    try lock.withLock { (_) throws(CipherFailure) in
      try unsafe begin(nonce, additional, encrypts: true)
      try unsafe update(UnsafeRawBufferPointer(message), message)
      var count: Int32 = 0
      guard unsafe EVP_CipherFinal_ex(messages, nil, &count) == 1,
        unsafe EVP_CIPHER_CTX_ctrl(
          messages,
          EVP_CTRL_AEAD_GET_TAG,
          Int32(Self.tagByteCount),
          tag.baseAddress
        ) == 1
      else { throw CipherFailure.library("EVP_CipherFinal_ex") }
    }
  }

  /// Decrypts a message into other memory of the same size.
  ///
  /// - Returns: Whether the tag is right. If not, the memory is zero.
  package func open(
    _ message: UnsafeRawBufferPointer,
    nonce: UnsafeRawBufferPointer,
    additional: UnsafeRawBufferPointer,
    tag: UnsafeRawBufferPointer,
    into memory: UnsafeMutableRawBufferPointer
  ) -> Bool {
    lock.withLock { _ in
      do throws(CipherFailure) {
        try unsafe begin(nonce, additional, encrypts: false)
        try unsafe update(message, memory)
        var count: Int32 = 0
        if unsafe EVP_CIPHER_CTX_ctrl(
          messages,
          EVP_CTRL_AEAD_SET_TAG,
          Int32(Self.tagByteCount),
          UnsafeMutableRawPointer(mutating: tag.baseAddress)
        ) == 1, unsafe EVP_CipherFinal_ex(messages, nil, &count) == 1 {
          return true
        }
      } catch {}
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
      return false
    }
  }
}
