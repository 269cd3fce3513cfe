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
