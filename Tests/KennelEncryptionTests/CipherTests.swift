import COpenSSL
import Foundation
import KennelEncryption
import KennelPages
import Testing

/// Bytes from hexadecimal digits.
private func bytes(_ digits: String) -> [UInt8] {
  let digits = Array(digits.filter { !$0.isWhitespace })
  return stride(from: 0, to: digits.count, by: 2).map {
    UInt8(String(digits[$0..<$0 + 2]), radix: 16) ?? 0
  }
}

/// A message with its tag behind it.
private func sealed(
  key: [UInt8],
  nonce: [UInt8],
  _ message: [UInt8],
  additional: [UInt8]
) throws -> [UInt8] {
  let cipher = try XAES(SecretBytes(key))
  var result = message + [UInt8](repeating: 0, count: XAES.tagByteCount)
  try unsafe result.withUnsafeMutableBytes { result in
    try unsafe nonce.withUnsafeBytes { nonce in
      try unsafe additional.withUnsafeBytes { additional in
        try unsafe cipher.seal(
          UnsafeMutableRawBufferPointer(rebasing: result[..<message.count]),
          nonce: nonce,
          additional: additional,
          tag: UnsafeMutableRawBufferPointer(rebasing: result[message.count...])
        )
      }
    }
  }
  return result
}

@Suite("The cipher")
struct CipherTests {
  /// The published vectors of XAES-256-GCM.
  @Test func `gives what its specification does`() throws {
    let nonce = Array("ABCDEFGHIJKLMNOPQRSTUVWX".utf8)
    let message = Array("XAES-256-GCM".utf8)
    let first = try sealed(
      key: Array(repeating: 1, count: 32),
      nonce: nonce,
      message,
      additional: []
    )
    #expect(first == bytes("ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271"))
    let second = try sealed(
      key: Array(repeating: 3, count: 32),
      nonce: nonce,
      message,
      additional: Array("c2sp.org/XAES-256-GCM".utf8)
    )
    #expect(second == bytes("986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d"))
  }

  /// The accumulated vector: messages from one SHAKE-128, their ciphertexts into another.
  @Test func `gives what its specification does for 10,000 messages`() throws {
    func shake(_ input: [UInt8], _ count: Int) -> [UInt8] {
      var output = [UInt8](repeating: 0, count: count)
      let context = unsafe EVP_MD_CTX_new()
      defer { unsafe EVP_MD_CTX_free(context) }
      unsafe EVP_DigestInit_ex(context, EVP_shake128(), nil)
      unsafe EVP_DigestUpdate(context, input, input.count)
      unsafe EVP_DigestFinalXOF(context, &output, count)
      return output
    }
    // At most 568 bytes a message.
    let random = shake([], 10_000 * 568)
    var place = 0
    func take(_ count: Int) -> [UInt8] {
      place += count
      return Array(random[place - count..<place])
    }
    var all: [UInt8] = []
    for _ in 0..<10_000 {
      let (key, nonce) = (take(32), take(24))
      let message = take(Int(take(1)[0]))
      let additional = take(Int(take(1)[0]))
      all += try sealed(key: key, nonce: nonce, message, additional: additional)
    }
    let wanted = bytes("e6b9edf2df6cec60c8cbd864e2211b597fb69a529160cd040d56c0c210081939")
    #expect(shake(all, 32) == wanted)
  }

  /// RFC 5869, A.1, and RFC 7914, 12: their first 32 bytes.
  @Test func `derives keys as the standards do`() throws {
    let input = SecretBytes(Array(repeating: 0x0B, count: 22))
    let derived = try KeySlots.hkdf(
      input,
      salt: Array(0...12),
      info: Array(0xF0...0xF9)
    )
    let wanted = bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")
    #expect(unsafe derived.withBytes { unsafe Array($0) } == wanted)
    for (passphrase, salt, cost, wanted) in [
      (
        "", "", ScryptCost(logN: 4, r: 1, p: 1),
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
      ),
      (
        "password", "NaCl", ScryptCost(logN: 10, r: 8, p: 16),
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
      ),
      (
        "pleaseletmein", "SodiumChloride", ScryptCost(logN: 14, r: 8, p: 1),
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
      ),
    ] {
      let secret = SecretBytes(Array(passphrase.utf8))
      let made = try KeySlots.scrypt(secret, salt: Array(salt.utf8), cost)
      #expect(unsafe made.withBytes { unsafe Array($0) } == bytes(wanted))
    }
  }

  @Test func `a file cannot ask for more time or memory than a person has`() {
    for cost in [
      ScryptCost(logN: 30, r: 8, p: 1), ScryptCost(logN: 20, r: 8, p: 1),
      ScryptCost(logN: 17, r: 8, p: 200), ScryptCost(logN: 0, r: 8, p: 1),
      ScryptCost(logN: 17, r: 0, p: 1), ScryptCost(logN: 255, r: 255, p: 255),
    ] {
      #expect(!cost.isPossible)
    }
    #expect(EncryptionKey.cost.isPossible)
  }

  @Test func `a unit opens in its place, at its commit, in its file, and nowhere else`() throws {
    let file = FileID(high: 1, low: 2)
    let key = SecretBytes(Array(repeating: 9, count: 32))
    let pages = try EncryptedPages(key, for: file, random: SystemRandomNumbers())
    let other = try EncryptedPages(
      key,
      for: FileID(high: 1, low: 3),
      random: SystemRandomNumbers()
    )
    let contents = (0..<4096).map { UInt8(truncatingIfNeeded: $0) }
    let place = UnitPlace(number: 7, commit: 3)
    var unit = contents
    try unsafe unit.withUnsafeMutableBytes { try unsafe pages.seal($0, at: place) }
    func open(_ cipher: EncryptedPages, _ unit: [UInt8], _ place: UnitPlace) -> [UInt8]? {
      var memory = [UInt8](repeating: 1, count: unit.count)
      let isOpen = unsafe memory.withUnsafeMutableBytes { memory in
        unsafe unit.withUnsafeBytes { unsafe cipher.open($0, at: place, into: memory) }
      }
      if !isOpen { #expect(memory.allSatisfy { $0 == 0 }) }
      return isOpen ? memory : nil
    }
    #expect(open(pages, unit, place) == contents[..<4048] + Array(repeating: 0, count: 48))
    #expect(open(other, unit, place) == nil)
    #expect(open(pages, unit, UnitPlace(number: 8, commit: 3)) == nil)
    #expect(open(pages, unit, UnitPlace(number: 7, commit: 4)) == nil)
    for byte in 0..<4096 where !(4048..<4056).contains(byte) {
      var changed = unit
      changed[byte] ^= 1
      #expect(open(pages, changed, place) == nil, "byte \(byte)")
    }
  }
}
