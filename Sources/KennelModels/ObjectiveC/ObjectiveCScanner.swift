import SwiftScanning

/// A piece of Objective-C source text.
struct ObjectiveCToken: Hashable {
  enum Kind: Hashable {
    case word
    /// `@interface` and the like.
    case directive
    /// A string with or without `@`; the text is its content, escapes as written.
    case string
    case number
    case punctuation
    case comment
  }

  let kind: Kind
  let text: String
  /// From 1.
  let line: Int

  func `is`(_ texts: String...) -> Bool {
    kind != .string && kind != .comment && texts.contains(text)
  }
}

/// Splits Objective-C source text into tokens and skips preprocessor lines.
struct ObjectiveCScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var startsLine = true
  private var tokens: [ObjectiveCToken] = []

  /// The tokens of a text, comments included.
  static func tokens(of text: String) -> [ObjectiveCToken] {
    var scanner = ObjectiveCScanner(bytes: Array(text.utf8))
    while scanner.position < scanner.bytes.count { scanner.step() }
    return scanner.tokens
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func add(_ kind: ObjectiveCToken.Kind, _ range: Range<Int>, to end: Int) {
    let text = String(decoding: bytes[range], as: UTF8.self)
    tokens.append(ObjectiveCToken(kind: kind, text: text, line: line))
    line += bytes[position..<end].count { $0 == Byte.newline }
    position = end
    startsLine = false
  }

  private mutating func step() {
    let (current, next) = (bytes[position], byte(position + 1))
    if current == Byte.newline {
      line += 1
      position += 1
      startsLine = true
    } else if current.isBlank {
      position += 1
    } else if current == Byte.numberSign, startsLine {
      skipPreprocessorLine()
    } else if current == Byte.slash, next == Byte.slash {
      let end = end(from: position) { $0 != Byte.newline && $0 != Byte.carriageReturn }
      add(.comment, position..<end, to: end)
    } else if current == Byte.slash, next == Byte.asterisk {
      var end = position + 2
      while end < bytes.count, !(bytes[end] == Byte.asterisk && byte(end + 1) == Byte.slash) {
        end += 1
      }
      end = min(end + 2, bytes.count)
      add(.comment, position..<end, to: end)
    } else if current == Byte.quote || current == Byte.at && next == Byte.quote {
      scanString(from: current == Byte.at ? position + 2 : position + 1)
    } else if current == Byte.at, next.isWordByte, !next.isDigit {
      let end = end(from: position + 1, while: \.isWordByte)
      add(.directive, position..<end, to: end)
    } else if current.isDigit {
      let end = end(from: position) { $0.isWordByte || $0 == Byte.dot }
      add(.number, position..<end, to: end)
    } else if current.isWordByte {
      let end = end(from: position, while: \.isWordByte)
      add(.word, position..<end, to: end)
    } else {
      add(.punctuation, position..<position + 1, to: position + 1)
    }
  }

  private func end(from start: Int, while condition: (UInt8) -> Bool) -> Int {
    var end = start
    while end < bytes.count, condition(bytes[end]) { end += 1 }
    return end
  }

  private mutating func scanString(from start: Int) {
    var end = start
    while end < bytes.count, bytes[end] != Byte.quote, bytes[end] != Byte.newline {
      end += bytes[end] == Byte.backslash ? 2 : 1
    }
    end = min(end, bytes.count)
    add(.string, start..<end, to: byte(end) == Byte.quote ? end + 1 : end)
  }

  private mutating func skipPreprocessorLine() {
    while position < bytes.count, bytes[position] != Byte.newline {
      if bytes[position] == Byte.backslash, byte(position + 1) == Byte.newline {
        line += 1
        position += 1
      }
      position += 1
    }
  }
}
