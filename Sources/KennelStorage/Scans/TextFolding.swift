@_spi(_Unicode) internal import Swift

/// Differences that two texts may have and still be the same: upper and lower case, diacritics.
package struct TextFolding: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Upper and lower case are the same.
  package static let caseInsensitive = TextFolding(rawValue: 1)
  /// Letters with and without diacritics are the same.
  package static let diacriticInsensitive = TextFolding(rawValue: 2)

  /// A text whose UTF-8 bytes are those of every text that is the same.
  package func fold(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { unsafe fold(StoredBytes(UnsafeRawBufferPointer($0))) }
  }

  /// The folded bytes of a text in UTF-8.
  package func fold(_ bytes: StoredBytes) -> [UInt8] {
    unsafe withFolded(bytes, Array.init)
      ?? foldUnicode(String(decoding: bytes.buffer, as: UTF8.self))
  }

  /// Runs a body with the folded bytes, which lie where the bytes do; `nil` where folding may change how
  /// many there are: where some are not ASCII.
  func withFolded<Result>(_ bytes: StoredBytes, _ body: (StoredBytes) -> Result) -> Result? {
    if isEmpty { return body(bytes) }
    guard unsafe bytes.buffer.reduce(0, |) < 0x80 else { return nil }
    guard contains(.caseInsensitive) else { return body(bytes) }
    return unsafe bytes.buffer.map { Self.lowercased($0) }.withRawBytes(body)
  }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 65 < 26 ? byte | 32 : byte
  }

  private func foldUnicode(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    if contains(.diacriticInsensitive) {
      // Decomposed, a diacritic is a scalar of its own that combines with the one before it.
      for scalar in text._nfd
      where scalar.properties.canonicalCombiningClass == .notReordered {
        append(scalar, to: &result)
      }
    } else {
      for scalar in text.unicodeScalars { append(scalar, to: &result) }
    }
    return result
  }

  private func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
    guard contains(.caseInsensitive) else {
      result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return
    }
    switch scalar {
    // The sigma at the end of a word is the same letter.
    case "ς": result.append(contentsOf: "σ".utf8)
    case "ẞ": result.append(contentsOf: "ß".utf8)
    default: result.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    }
  }
}
