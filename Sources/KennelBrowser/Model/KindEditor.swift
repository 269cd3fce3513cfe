internal import KennelCore

/// How the values of a kind are typed, chosen and looked for.
struct KindEditor {
  /// The key that chooses the kind for a mixed value, where it is not mixed itself.
  let letter: Character
  /// The place in the menu of kinds.
  let place: Int
  /// The form in which a value is typed.
  let form: String
  /// The letters that values are shown with; `nil` where a search looks into the values.
  let letters: Set<UInt8>?
  /// Whether values are soon read from many objects, and are shown as what is read.
  let isColumn: Bool

  private init(
    _ letter: Character,
    _ place: Int,
    _ form: String,
    letters: String? = nil,
    isColumn: Bool = false
  ) {
    self.letter = letter
    self.place = place
    self.form = form
    self.letters = letters.map { Set($0.utf8) }
    self.isColumn = isColumn
  }

  init(_ kind: ValueKind) {
    let digits = "-0123456789"
    let number = digits + "+.abcdefinotuxy()"
    let hexadecimal = digits + "abcdefhx:"
    self =
      switch kind {
      case .string: KindEditor("s", 0, "a text")
      case .int: KindEditor("i", 1, "a whole number", letters: digits, isColumn: true)
      case .double:
        KindEditor("d", 2, "a number, such as 2.5, 1e-9, -inf or nan", letters: number)
      case .float:
        KindEditor(
          "f",
          3,
          "a number that 32 bits can hold, such as 2.5, -inf or nan",
          letters: number
        )
      case .bool: KindEditor("b", 4, "true or false", letters: "truefalse", isColumn: true)
      case .date:
        KindEditor(
          "t",
          5,
          "a date such as 2024-05-01, \(RelativeDate.forms) or 2024-05-01T12:30:00.5Z",
          letters: digits + "+:.tz",
          isColumn: true
        )
      case .data:
        KindEditor("x", 6, "bytes such as hex:0aff or base64:Cv8=", letters: hexadecimal)
      case .objectId:
        KindEditor("o", 7, "24 hexadecimal digits", letters: hexadecimal, isColumn: true)
      case .uuid:
        KindEditor("u", 8, "8-4-4-4-12 hexadecimal digits", letters: hexadecimal, isColumn: true)
      case .decimal128:
        KindEditor("m", 9, "a decimal number of at most 34 digits", letters: number)
      case .link: KindEditor("l", 10, "an object")
      case .mixed: KindEditor("?", 11, "a value such as 5, \"text\", [1, 2] or {\"key\": 1}")
      }
  }

  /// The kinds that a mixed value can have, in the order of their menu.
  static let choices = ValueKind.allCases.filter { $0 != .mixed }
    .sorted { KindEditor($0).place < KindEditor($1).place }
}
