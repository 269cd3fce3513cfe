internal import KennelCore

/// A scalar being typed where it stands.
struct CellEditor {
  enum Purpose: Hashable {
    /// The value of a property or of an element.
    case replace
    /// A new element of a list or a new member of a set.
    case add
    /// The key of a new entry of a map.
    case entryKey
    /// The primary key of an object to be created, copied from another where there is one.
    case newObject(copyOf: ObjectIdentity?)
  }

  var purpose: Purpose
  /// The property, and the element where it is one.
  var spot: Spot
  /// The type of what is typed.
  var type: PropertyType
  var line: LineEditor
  /// Whether nothing was typed yet over a null.
  var isNull: Bool
  /// What was there.
  var original: Value
  var label: String
  var problem: String?

  init(
    _ purpose: Purpose,
    spot: Spot,
    type: PropertyType,
    original: Value,
    label: String,
    text: String? = nil
  ) {
    self.purpose = purpose
    self.spot = spot
    self.type = type
    self.original = original
    self.label = label
    isNull = original.isNull && text == nil && purpose == .replace
    line = LineEditor(text ?? (original.isNull ? "" : ScalarText.text(of: original)))
  }

  /// What the text says, if it says anything that the type takes.
  var value: Result<Value, ValidationError> {
    isNull ? .success(.null) : ScalarText.parse(line.text, as: type)
  }

  /// Says what is wrong while it is being typed.
  mutating func check() {
    if case .failure(let refusal) = value, !line.text.isEmpty {
      problem = refusal.message
    } else {
      problem = nil
    }
  }
}
