import KennelDocuments
import KennelRealmFile
import KennelReports

/// Where the key of an encrypted `.realm` file comes from: a file, the environment, or the terminal.
enum RealmKeys {
  static let variableName = "KENNEL_REALM_KEY"

  /// The key that was given before the file is looked at; `nil` if none was.
  static func given(in keyFile: String?) throws -> RealmEncryptionKey? {
    if let path = keyFile {
      let bytes = try FileInput(path).readAll()
      guard let key = key(bytes) else {
        throw CommandError(
          "Cannot use the key in \(path): expected 64 bytes or 128 hexadecimal digits, found "
            + counted(bytes.count, "byte")
        )
      }
      return key
    }
    guard let text = variable(variableName), !text.isEmpty else { return nil }
    guard let key = RealmEncryptionKey(hex: text) else {
      throw CommandError("Cannot use the key in $\(variableName): expected 128 hexadecimal digits")
    }
    return key
  }

  private static func key(_ bytes: [UInt8]) -> RealmEncryptionKey? {
    if let key = RealmEncryptionKey(bytes: bytes) { return key }
    let text = String(decoding: bytes, as: UTF8.self)
    return RealmEncryptionKey(hex: text.filter { !$0.isWhitespace })
  }

  /// Asks for the key on the terminal; `nil` where there is none, or no answer.
  static func ask(for path: String) throws -> RealmEncryptionKey? {
    let name = TerminalText.line(path)
    let answer = try TerminalQuestion.askForSecret(
      "\(name) may be encrypted. Its key, 128 hexadecimal digits: "
    )
    guard let answer, !answer.isEmpty else { return nil }
    guard let key = key(answer) else {
      throw CommandError("Cannot use this key: expected 128 hexadecimal digits")
    }
    return key
  }
}
