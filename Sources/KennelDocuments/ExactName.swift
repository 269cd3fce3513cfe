import KennelCore

/// A name that is the same as another only where its bytes are.
///
/// As a key, a `String` would be found by any other that looks the same: é in one character and é
/// in two.
struct ExactName: Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: Self, right: Self) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  /// Names with the same bytes have the same hash; some others do too.
  func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

extension Set<ExactName> {
  /// Adds a name, with a number behind it where it is there already.
  mutating func add(unlike stem: String) -> String {
    var name = stem
    var number = 2
    while !insert(ExactName(name)).inserted {
      name = "\(stem)\(number)"
      number += 1
    }
    return name
  }
}

extension String {
  /// The text with `%` and two hexadecimal digits for each byte that is not plain.
  func percentEscaped(isPlain: (UInt8) -> Bool) -> String {
    utf8.reduce(into: "") { text, byte in
      if isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
