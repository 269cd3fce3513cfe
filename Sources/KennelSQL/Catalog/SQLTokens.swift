/// The words of an SQL text: names without their quotes, and all else as it stands.
///
/// It knows as much of SQL as hides a word: quotes, brackets and comments.
struct SQLTokens {
  /// A word, a quoted name or text, or a character of its own.
  struct Token: Hashable {
    let text: String
    /// Whether it stands in quotes or brackets, so that it is no keyword.
    let isQuoted: Bool

    /// Whether it is a name or a number.
    var isWord: Bool { text.utf8.first.map(SQLTokens.isWord) ?? false }

    func isKeyword(_ word: String) -> Bool { !isQuoted && text.isSQLName(word) }
  }

  private(set) var tokens: [Token] = []
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    while position < bytes.count { readToken() }
  }

  private mutating func readToken() {
    let start = position
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): readQuoted(until: byte)
    case UInt8(ascii: "["): readQuoted(until: UInt8(ascii: "]"))
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"):
      while let next, next != 10 { position += 1 }
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      position += 1
      while let next {
        position += 1
        if next == UInt8(ascii: "*"), self.next == UInt8(ascii: "/") { break }
      }
      position += 1
    case 9...13, 32: break
    case let byte where Self.isWord(byte):
      while let next, Self.isWord(next) { position += 1 }
      add(bytes[start..<position], isQuoted: false)
    default: add([byte], isQuoted: false)
    }
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func readQuoted(until mark: UInt8) {
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      if byte == mark {
        // A doubled mark stands for one, except for brackets.
        guard mark != UInt8(ascii: "]"), next == mark else { break }
        position += 1
      }
      content.append(byte)
    }
    add(content, isQuoted: true)
  }

  private mutating func add(_ bytes: some Collection<UInt8>, isQuoted: Bool) {
    tokens.append(Token(text: String(decoding: bytes, as: UTF8.self), isQuoted: isQuoted))
  }

  fileprivate static func isWord(_ byte: UInt8) -> Bool {
    let scalar = Unicode.Scalar(byte)
    return !scalar.isASCII || scalar.properties.isAlphabetic
      || "0123456789_$".unicodeScalars.contains(scalar)
  }
}

extension SQLTokens {
  /// The names of the foreign keys that the text of a table declares, and whether they are deferred.
  ///
  /// SQLite tells neither. Each foreign key has one keyword `REFERENCES`, which can be nothing else.
  var foreignKeys: [(name: String?, isDeferred: Bool)] {
    var found: [(name: String?, isDeferred: Bool)] = []
    for (index, token) in tokens.enumerated() {
      if token.isKeyword("REFERENCES") {
        found.append((name(before: index), false))
      } else if token.isKeyword("DEFERRABLE"), !found.isEmpty {
        let isNegated = index > 0 && tokens[index - 1].isKeyword("NOT")
        let rest = tokens.dropFirst(index + 1)
        let isInitial =
          rest.first?.isKeyword("INITIALLY") == true
          && rest.dropFirst().first?.isKeyword("DEFERRED") == true
        found[found.count - 1].isDeferred = !isNegated && isInitial
      }
    }
    return found
  }

  /// The name of the constraint of a `REFERENCES`: before it, or before the `FOREIGN KEY (…)` that it
  /// belongs to.
  private func name(before index: Int) -> String? {
    var start = index
    if let open = opening(before: index), open >= 2, tokens[open - 1].isKeyword("KEY"),
      tokens[open - 2].isKeyword("FOREIGN")
    {
      start = open - 2
    }
    guard start >= 2, tokens[start - 2].isKeyword("CONSTRAINT") else { return nil }
    return tokens[start - 1].text
  }

  /// Where the parentheses open that end before an index.
  private func opening(before index: Int) -> Int? {
    var depth = 0
    for position in stride(from: index - 1, through: 0, by: -1) where !tokens[position].isQuoted {
      if tokens[position].text == ")" { depth += 1 }
      if tokens[position].text == "(" { depth -= 1 }
      if depth == 0 { return tokens[position].text == "(" ? position : nil }
    }
    return nil
  }
}
