/// A letter with its combining marks, in one cell or in a wide cell and its right half.
///
/// It holds no string, since a large screen has ten thousand, which are made and compared for each
/// key.
package struct Glyph: Hashable, Sendable {
  /// More marks than a terminal shows are left out.
  static let mostMarks = 4

  /// 0 where there is nothing.
  private let letter: UInt32
  /// 0 behind the last one.
  private var marks = SIMD4<UInt32>()
  private let columns: Int8

  static let space = Glyph(" ", width: 1)
  static let rightHalf = Glyph()

  private init() {
    letter = 0
    columns = 0
  }

  init(_ letter: Unicode.Scalar, width: Int) {
    self.letter = letter.value
    columns = Int8(width)
  }

  /// How many columns it takes: 1, 2, or 0 in the right half of a wide one.
  package var width: Int { Int(columns) }

  mutating func add(_ mark: Unicode.Scalar) {
    for index in 0..<Self.mostMarks where marks[index] == 0 {
      marks[index] = mark.value
      return
    }
  }

  /// The letter, and behind it its marks; `nil` behind the last one.
  package func scalar(at index: Int) -> Unicode.Scalar? {
    guard index <= Self.mostMarks else { return nil }
    let value = index == 0 ? letter : marks[index - 1]
    return value == 0 ? nil : Unicode.Scalar(value)
  }

  package var text: String {
    var text = String.UnicodeScalarView()
    while let scalar = scalar(at: text.count) { text.append(scalar) }
    return String(text)
  }
}
