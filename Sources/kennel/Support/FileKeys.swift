import Glibc
import KennelCore
import KennelDocuments
import KennelEncryption
import KennelRealmFile
import KennelReports
import Synchronization

/// Where the keys of encrypted files come from: a file, the environment, or the terminal; never an argument,
/// which everybody on the machine can read.
enum FileKeys {
  static let variableName = "KENNEL_KEY"

  private struct State {
    /// The file that an option names.
    var file: String?
    /// The key that was given.
    var key: Database.Key?
    /// The keys that were typed, by their files: a command that opens a file twice asks once.
    var typed: [String: Database.Key] = [:]
  }

  private static let state = Mutex(State())

  /// Takes the key of all files that the command opens from a file.
  static func take(from file: String?) {
    state.withLock { $0.file = file ?? $0.file }
  }

  static var isFileGiven: Bool { state.withLock { $0.file != nil } }

  /// The key of an encrypted database; `nil` for one that is not encrypted.
  static func key(of path: String) throws -> Database.Key? {
    guard Database.isEncrypted(path) else { return nil }
    CoreDumps.forbid()
    let place = realPath(path)
    if let key = try given() ?? state.withLock({ $0.typed[place] }) { return key }
    let name = TerminalText.line(path)
    guard let answer = try TerminalQuestion.askForSecret("Key or passphrase of \(name): ") else {
      throw CommandError(
        "Cannot open \(path): it is encrypted; give its key with --key-file FILE or in "
          + "$\(variableName)"
      )
    }
    let key = try GivenKey(typed: answer).key()
    try requireRight(key, path)
    state.withLock { $0.typed[place] = key }
    return key
  }

  /// Throws if a key is wrong; what else may be wrong with the file is found by who opens it.
  private static func requireRight(_ key: Database.Key, _ path: String) throws {
    do throws(DatabaseError) {
      let configuration = Database.Configuration(
        access: .readOnly,
        createsIfMissing: false,
        key: key
      )
      _ = try Database.open(path, configuration: configuration)
    } catch {
      if error.code == .wrongKey { throw error }
    }
  }

  /// The key for a database that is made or encrypted: the one that was given, or a passphrase that is typed twice.
  static func newKey(of path: String, from file: String? = nil) throws -> Database.Key {
    CoreDumps.forbid()
    if let file { return try GivenKey(file: file).key() }
    if let key = try given() { return key }
    return try typedKey(of: path)
  }

  /// A new passphrase, typed twice.
  static func typedKey(of path: String) throws -> Database.Key {
    let name = TerminalText.line(path)
    guard let first = try TerminalQuestion.askForSecret("New passphrase of \(name): ") else {
      throw CommandError(
        "Cannot encrypt \(path): there is no passphrase; give a key in a file or in $\(variableName)"
      )
    }
    guard try TerminalQuestion.askForSecret("Once more: ") == first else {
      throw CommandError("Cannot encrypt \(path): the two passphrases differ; nothing was changed")
    }
    return try GivenKey(typed: first).key()
  }

  /// The key that was given before the file is looked at; `nil` if none was.
  private static func given() throws -> Database.Key? {
    if let key = state.withLock({ $0.key }) { return key }
    guard let key = try secret()?.key() else { return nil }
    state.withLock { $0.key = key }
    return key
  }

  private static func secret() throws -> GivenKey? {
    if let file = state.withLock({ $0.file }) { return try GivenKey(file: file) }
    guard let text = variable(variableName), !text.isEmpty else { return nil }
    return GivenKey(typed: Array(text.utf8))
  }

  // MARK: - Realm files

  /// The key of a `.realm` file that was given before the file is looked at; `nil` if none was.
  static func realmKey() throws -> RealmEncryptionKey? {
    guard let secret = try secret() else { return nil }
    guard let key = RealmEncryptionKey(bytes: secret.bytes) else {
      throw CommandError(
        "Cannot use the key in \(secret.origin): a .realm file takes 64 bytes or 128 hexadecimal digits"
      )
    }
    return key
  }

  /// Asks for the key of a `.realm` file on the terminal; `nil` where there is none, or no answer.
  static func askForRealmKey(of path: String) throws -> RealmEncryptionKey? {
    let name = TerminalText.line(path)
    let answer = try TerminalQuestion.askForSecret(
      "\(name) may be encrypted. Its key, 128 hexadecimal digits: "
    )
    guard let answer else { return nil }
    guard let key = RealmEncryptionKey(bytes: GivenKey(typed: answer).bytes) else {
      throw CommandError("Cannot use this key: expected 128 hexadecimal digits")
    }
    return key
  }

  /// The database key that has the bytes of a `.realm` file's.
  static func key(like key: RealmEncryptionKey) throws -> Database.Key {
    try Database.Key(bytes: key.bytes)
  }
}

/// A key or a passphrase as somebody gave it.
private struct GivenKey {
  let bytes: [UInt8]
  let isPassphrase: Bool
  /// Where it is from, for messages.
  let origin: String

  /// Hexadecimal digits of a key, or a passphrase.
  init(typed text: [UInt8], origin: String = "$\(FileKeys.variableName)") {
    let digits = text.filter { !" \t\r\n".utf8.contains($0) }
    let spelled = "hex:" + String(decoding: digits, as: UTF8.self)
    let key = [64, 128].contains(digits.count) ? try? [UInt8].parse(spelled) : nil
    self.init(bytes: key ?? text, isPassphrase: key == nil, origin: origin)
  }

  /// The bytes of a key, its hexadecimal digits, or a line with a passphrase.
  init(file: String) throws {
    let contents = try FileInput(file).readAll()
    Self.warnIfShared(file)
    guard [32, 64].contains(contents.count), !Self.isText(contents) else {
      let line = contents.last == UInt8(ascii: "\n") ? contents.dropLast() : contents[...]
      guard Self.isText(Array(line)), !line.isEmpty else {
        throw CommandError(
          "Cannot use the key in \(file): expected 32 or 64 bytes, their hexadecimal digits, or a line "
            + "with a passphrase, found \(counted(contents.count, "byte"))"
        )
      }
      self.init(typed: Array(line), origin: file)
      return
    }
    self.init(bytes: contents, isPassphrase: false, origin: file)
  }

  private init(bytes: [UInt8], isPassphrase: Bool, origin: String) {
    self.bytes = bytes
    self.isPassphrase = isPassphrase
    self.origin = origin
  }

  func key() throws -> Database.Key {
    isPassphrase
      ? try Database.Key(passphrase: String(decoding: bytes, as: UTF8.self))
      : try Database.Key(bytes: bytes)
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private static func warnIfShared(_ file: String) {
    guard let status = status(of: file), status.isFile, status.st_mode & 0o077 != 0 else { return }
    printNote(
      "Others on this machine may read the key in \(file); 'chmod 600 \(file)' keeps it yours"
    )
  }
}
