package import KennelPages
import Synchronization

/// A key or a passphrase that somebody has.
package final class EncryptionKey: SlotKey {
  /// A third of a second, and 128 MiB.
  package static let cost = ScryptCost(logN: 17, r: 8, p: 1)

  package let kind: KeySlots.Kind
  package let random: any RandomNumbers
  private let secret: SecretBytes
  /// The keys of slots that were made of a passphrase, by the first bytes of the slot: they take long.
  private let made = Mutex<[[UInt8]: SecretBytes]>([:])

  package init(
    _ kind: KeySlots.Kind,
    _ bytes: some Collection<UInt8>,
    random: any RandomNumbers = SystemRandomNumbers()
  ) {
    self.kind = kind
    self.random = random
    secret = SecretBytes(bytes)
  }

  package func makeSlots(
    for file: FileID
  ) throws(CipherFailure) -> (slots: [UInt8], cipher: any PageCipher) {
    let pageKey = try unsafe SecretBytes(byteCount: 32) { (memory) throws(CipherFailure) in
      try unsafe random.fill(memory)
    }
    let slots = try KeySlots.slot(pageKey, for: file, self)
    return (slots, try EncryptedPages(pageKey, for: file, random: random))
  }

  package func cipher(
    slots: [UInt8],
    for file: FileID
  ) throws(CipherFailure) -> any PageCipher {
    let pageKey = try KeySlots.pageKey(slots, for: file, self).key
    return try EncryptedPages(pageKey, for: file, random: random)
  }

  package func adding(
    _ other: any SlotKey,
    to slots: [UInt8],
    for file: FileID
  ) throws(CipherFailure) -> [UInt8] {
    guard let other = other as? EncryptionKey else { throw .library("a key of another kind") }
    let pageKey = try KeySlots.pageKey(slots, for: file, self).key
    let used = try KeySlots.split(slots)
    guard used.count < KeySlots.limit else {
      throw .unknownSlots("all \(KeySlots.limit) are in use; remove a key first")
    }
    return used.flatMap { $0 } + (try KeySlots.slot(pageKey, for: file, other))
  }

  package func removing(from slots: [UInt8], for file: FileID) throws(CipherFailure) -> [UInt8] {
    let index = try KeySlots.pageKey(slots, for: file, self).index
    var used = try KeySlots.split(slots)
    guard used.count > 1 else {
      throw .unknownSlots("this is the only key, without which nobody could read the file")
    }
    used.remove(at: index)
    return used.flatMap { $0 }
  }

  /// The key of a slot, from its first bytes.
  package func slotKey(head: [UInt8]) throws(CipherFailure) -> SecretBytes {
    let salt = Array(head[4...])
    switch kind {
    case .bytes: return try KeySlots.hkdf(secret, salt: salt)
    case .passphrase:
      if let known = made.withLock({ $0[head] }) { return known }
      let cost = ScryptCost(logN: head[1], r: head[2], p: head[3])
      let key = try KeySlots.scrypt(secret, salt: salt, cost)
      made.withLock { $0[head] = key }
      return key
    }
  }
}
