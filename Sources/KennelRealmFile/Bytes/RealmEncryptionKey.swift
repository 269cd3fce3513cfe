import COpenSSL

/// The key of an encrypted Realm file: 32 bytes that decrypt and 32 that authenticate.
///
/// The bytes are overwritten when the last copy of the key is released. The bytes or digits that
/// it was made from are the caller's to overwrite.
public struct RealmEncryptionKey: Sendable, CustomStringConvertible {
  /// The number of bytes of a key.
  public static let byteCount = 64

  private let secret: Secret

  /// Makes a key from its bytes; `nil` if they are not 64.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    secret = Secret(bytes)
  }

  /// Makes a key from 128 hexadecimal digits; `nil` for anything else.
  public init?(hex: some StringProtocol) {
    let digits = hex.utf8
    guard digits.count == 2 * Self.byteCount else { return nil }
    let secret = Secret(CollectionOfOne(0))
    var high: UInt8 = 0
    for (index, digit) in digits.enumerated() {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue.map({ UInt8($0) }) else {
        return nil
      }
      if index % 2 == 0 { high = value } else { unsafe secret.bytes[index / 2] = high << 4 | value }
    }
    self.secret = secret
  }

  /// A text without the key, so that no message shows it.
  public var description: String { "an encryption key" }

  /// The bytes, for a database that is encrypted with them.
  public var bytes: [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: secret.bytes, count: Self.byteCount))
  }

  /// Lends the bytes to `body`.
  func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    unsafe body(UnsafePointer(secret.bytes))
  }
}

/// The bytes of a key, which nobody changes after its initializer.
@safe private final class Secret: @unchecked Sendable {
  let bytes: UnsafeMutablePointer<UInt8>

  init(_ source: some Collection<UInt8>) {
    unsafe bytes = .allocate(capacity: RealmEncryptionKey.byteCount)
    unsafe bytes.initialize(repeating: 0, count: RealmEncryptionKey.byteCount)
    for (index, byte) in source.enumerated() { unsafe bytes[index] = byte }
  }

  deinit {
    unsafe OPENSSL_cleanse(bytes, RealmEncryptionKey.byteCount)
    unsafe bytes.deallocate()
  }
}
