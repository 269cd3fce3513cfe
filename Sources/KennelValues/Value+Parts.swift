extension Value {
  /// The object keys of a list or set of links.
  package var linkedKeys: [UInt64] {
    (listed ?? []).compactMap { element in
      if case .link(let link) = element { link.key.rawValue } else { nil }
    }
  }

  /// The bytes of text or data; `nil` for every other value.
  public var textByteCount: Int? {
    if case .string(let text) = self { return text.utf8.count }
    if case .data(let bytes) = self { return bytes.count }
    return nil
  }

  /// About how many bytes the value takes.
  package var roughByteCount: Int {
    switch shape {
    case .list(let values), .set(let values):
      values.reduce(0) { $0 + 16 + $1.roughByteCount }
    case .map(let entries):
      entries.reduce(0) { $0 + 32 + $1.key.utf8.count + $1.value.roughByteCount }
    case .null, .scalar, .link: textByteCount ?? 0
    }
  }

  /// The first `limit` bytes of text or data, or elements of a collection.
  package func prefix(_ limit: Int) -> Value {
    if case .string(let text) = self {
      return .string(Array(text.utf8.prefix(limit)).wholeCharacters)
    }
    if case .data(let bytes) = self { return .data(Array(bytes.prefix(limit))) }
    return switch shape {
    case .list(let elements): .list(Array(elements.prefix(limit)))
    case .set(let members): .set(Array(members.prefix(limit)))
    case .map(let entries): .map(Array(entries.prefix(limit)))
    case .null, .scalar, .link: self
    }
  }
}

extension [UInt8] {
  /// The text of these bytes without a last scalar that was cut.
  package var wholeCharacters: String {
    var end = count
    var steps = 0
    while end > 0, steps < 4, self[end - 1] & 0xC0 == 0x80 {
      end -= 1
      steps += 1
    }
    if end > 0, self[end - 1] >= 0xC0 {
      let length = self[end - 1] >= 0xF0 ? 4 : self[end - 1] >= 0xE0 ? 3 : 2
      end = end - 1 + length <= count ? count : end - 1
    } else {
      end = count
    }
    return String(decoding: self[..<end], as: UTF8.self)
  }
}
