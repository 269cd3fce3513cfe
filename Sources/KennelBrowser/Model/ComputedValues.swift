internal import KennelCore

/// The value of a computed column.
enum ComputedValue {
  case value(Value)
  /// It is made of more values than are read while a key waits.
  case tooMany
  /// The path does not fit the class any more, or cannot be read.
  case missing
}

/// Caches the values of computed columns as long as the data stays the same.
///
/// The same cells are drawn at each key: their paths are checked once, and what is made of many values
/// is computed once.
struct ComputedValues {
  /// The cells of more objects than these are computed anew.
  private static let mostObjects = 10_000

  private var generation = -1
  /// The path of each text.
  fileprivate var paths: [ClassKey: [String: ValuePath?]] = [:]
  /// The value of each text.
  fileprivate var cells: [ObjectIdentity: [String: ComputedValue]] = [:]

  /// Forgets what may have changed since an earlier generation of the data.
  fileprivate mutating func begin(_ generation: Int) {
    if self.generation != generation { self = ComputedValues() }
    if cells.count >= Self.mostObjects { cells = [:] }
    self.generation = generation
  }
}

extension BrowserModel {
  /// A cell that is made of more values shows that they are too many.
  private static let mostValues = 1_000

  /// The path of a computed column; `nil` where it does not fit the class.
  func path(_ text: String, of classKey: ClassKey) -> ValuePath? {
    computedValues.begin(generation)
    if let known = computedValues.paths[classKey]?[text] { return known }
    let path = Column.path(text, classKey, schema)
    computedValues.paths[classKey, default: [:]][text] = .some(path)
    return path
  }

  /// The value of a computed column.
  func computed(_ text: String, of object: ObjectIdentity) -> ComputedValue {
    guard let path = path(text, of: object.classKey) else { return .missing }
    // A single value may be long, and is read as fast again.
    guard path.path.aggregate != nil else { return value(of: object, at: path, limit: .max) }
    if let known = computedValues.cells[object]?[text] { return known }
    let value = value(of: object, at: path, limit: Self.mostValues)
    computedValues.cells[object, default: [:]][text] = value
    return value
  }
}
