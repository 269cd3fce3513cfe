import Foundation
import KennelCore
import KennelEncryption

/// The keys of encrypted realms.
enum RealmKey {
  /// The key of 64 bytes; `nil` if there is none.
  static func key(_ bytes: Data?) throws -> Database.Key? {
    guard let bytes else { return nil }
    guard bytes.count == 64 else {
      throwRealmException("Encryption key must be exactly 64 bytes long")
    }
    return try Database.Key(bytes: bytes)
  }
}
