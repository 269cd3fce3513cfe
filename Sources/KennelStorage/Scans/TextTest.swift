internal import Glibc
import KennelPages

/// A question about the bytes of a text, or of data.
package struct TextTest: Sendable {
  /// A question about texts; the bytes are folded already.
  package enum Question: Sendable {
    case equal([UInt8])
    case oneOf(Set<[UInt8]>)
    /// Between two bounds in the order of bytes; each may be left out, or be excluded.
    case within(lower: Bound?, upper: Bound?)
    case contains([UInt8])
    case starts([UInt8])
    case ends([UInt8])
    case like(TextPattern)
    case matches(any TextExpression)
  }

  /// An end of a range of bytes.
  package struct Bound: Sendable {
    package let bytes: [UInt8]
    package let isIncluded: Bool

    package init(_ bytes: [UInt8], isIncluded: Bool) {
      self.bytes = bytes
      self.isIncluded = isIncluded
    }
  }

  package let question: Question
  package let folding: TextFolding
  /// Whether the answer is turned around.
  package let isNegated: Bool
  /// The answer for null, after turning.
  package let answerForNull: Bool

  package init(
    _ question: Question,
    folding: TextFolding = [],
    isNegated: Bool = false,
    answerForNull: Bool
  ) {
    self.question = question
    self.folding = folding
    self.isNegated = isNegated
    self.answerForNull = answerForNull
  }

  /// The answer for bytes that are not null.
  ///
  /// - Throws: `StorageError` if a regular expression takes too many steps.
  package func holds(for bytes: StoredBytes) throws(StorageError) -> Bool {
    if case .matches(let expression) = question {
      guard let matches = expression.matches(bytes) else { throw .tooManySteps }
      return matches != isNegated
    }
    if folding.isEmpty { return matches(bytes) != isNegated }
    return folding.fold(bytes).withRawBytes(matches) != isNegated
  }

  func holds(for bytes: [UInt8]) throws(StorageError) -> Bool {
    try bytes.withRawBytes { (bytes) throws(StorageError) in try holds(for: bytes) }
  }

  package func holds(for value: Value) throws(StorageError) -> Bool {
    switch value {
    case .string(let text): try holds(for: Array(text.utf8))
    case .data(let bytes): try holds(for: bytes)
    case _: answerForNull
    }
  }

  private func matches(_ bytes: StoredBytes) -> Bool {
    switch question {
    case .equal(let wanted):
      return bytes.count == wanted.count && Self.starts(bytes, wanted)
    case .oneOf(let wanted): return wanted.contains(Array(bytes))
    case .contains(let wanted): return Self.find(wanted, in: bytes)
    case .starts(let wanted): return Self.starts(bytes, wanted)
    case .ends(let wanted):
      return Self.starts(bytes.slice(max(0, bytes.count - wanted.count)..<bytes.count), wanted)
    case .like(let pattern): return pattern.matches(bytes)
    // Asked for by ``holds(for:)``.
    case .matches: return false
    case .within(let lower, let upper):
      if let lower {
        let order = Self.compare(bytes, lower.bytes)
        if order < 0 || order == 0 && !lower.isIncluded { return false }
      }
      if let upper {
        let order = Self.compare(bytes, upper.bytes)
        if order > 0 || order == 0 && !upper.isIncluded { return false }
      }
      return true
    }
  }

  private static func starts(_ bytes: StoredBytes, _ wanted: [UInt8]) -> Bool {
    bytes.count >= wanted.count
      && compare(bytes.slice(0..<wanted.count), wanted) == 0
  }

  private static func find(_ wanted: [UInt8], in bytes: StoredBytes) -> Bool {
    guard let start = unsafe bytes.start, let first = wanted.first else { return wanted.isEmpty }
    return unsafe wanted.withUnsafeBytes { wanted in
      guard let pattern = wanted.baseAddress else { return true }
      var position = 0
      var rest = bytes.count - wanted.count + 1
      while rest > 0, let found = unsafe memchr(start + position, Int32(first), rest) {
        let candidate = UnsafeRawPointer(found)
        if unsafe memcmp(candidate, pattern, wanted.count) == 0 { return true }
        position = unsafe candidate - start + 1
        rest = bytes.count - wanted.count + 1 - position
      }
      return false
    }
  }

  private static func compare(_ bytes: StoredBytes, _ other: [UInt8]) -> Int {
    other.withRawBytes { ByteOrder.compare(bytes, $0) }
  }
}

/// A pattern in which `*` is any text and `?` any one character, a Unicode scalar; a backslash
/// takes the meaning from what follows.
package struct TextPattern: Sendable {
  private enum Part: Equatable {
    case byte(UInt8)
    case anyCharacter
    case anyText
  }

  private let parts: [Part]

  /// Reads a pattern, which must be folded as the texts will be.
  package init(_ bytes: [UInt8]) {
    var parts: [Part] = []
    var isEscaped = false
    for byte in bytes {
      switch byte {
      case _ where isEscaped:
        parts.append(.byte(byte))
        isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "*"): if parts.last != .anyText { parts.append(.anyText) }
      case UInt8(ascii: "?"): parts.append(.anyCharacter)
      default: parts.append(.byte(byte))
      }
    }
    if isEscaped { parts.append(.byte(UInt8(ascii: "\\"))) }
    self.parts = parts
  }

  /// Whether a text matches as a whole.
  ///
  /// Only the last `*` is ever tried again further on: a match of the parts before it stays
  /// good. So the time is at most text times pattern.
  package func matches(_ bytes: StoredBytes) -> Bool {
    var position = 0
    var part = 0
    var retry: (part: Int, position: Int)?
    while position < bytes.count {
      if part < parts.count {
        switch parts[part] {
        case .anyText:
          retry = (part, position)
          part += 1
          continue
        case .anyCharacter:
          position = Self.end(ofCharacterAt: position, bytes)
          part += 1
          continue
        case .byte(let byte) where byte == bytes[position]:
          position += 1
          part += 1
          continue
        case .byte: break
        }
      }
      guard let last = retry else { return false }
      position = Self.end(ofCharacterAt: last.position, bytes)
      retry = (last.part, position)
      part = last.part + 1
    }
    return parts[part...].allSatisfy { $0 == .anyText }
  }

  private static func end(ofCharacterAt position: Int, _ bytes: StoredBytes) -> Int {
    var end = position + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
