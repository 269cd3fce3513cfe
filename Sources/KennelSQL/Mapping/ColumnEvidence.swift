package import KennelCore

/// How the values of a column become those of a property.
package enum ColumnContents: Hashable, Sendable {
  case int, float, double, string, data, uuid, decimal128
  /// Whole numbers 0 and 1 of a column that is declared as a truth value.
  case bool
  /// Points in time, or texts of a column that is declared as a date or time.
  case date(DateForm)
  /// Values of several types, each as it is.
  case mixed

  /// The type of the property.
  package var type: PropertyType {
    switch self {
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .uuid: .uuid
    case .decimal128: .decimal128
    case .bool: .bool
    case .date: .date
    case .mixed: .mixed
    }
  }
}

/// The values that a column has.
struct ColumnEvidence {
  /// The type that holds all values, each so that it is written again as it was.
  var form: ColumnContents
  /// How many values are not null.
  var valueCount: Int
  var nullCount = 0

  /// Whether every value that is not null is a whole number.
  var areInts: Bool
  /// Whether a type that the column had before still holds all values.
  var fits: (ColumnContents) -> Bool
}

/// The rows of a table.
struct TableEvidence {
  var rowCount = 0
  var columns: [ColumnEvidence]
  var numbers = RowNumbers()
}

/// The numbers of the rows of a table.
struct RowNumbers {
  var count = 0
  var first: Int64 = .max
  var last: Int64 = 0
  /// How many groups of 256 neighbours have any; more where nobody has counted them.
  var groupCount = 0

  /// How many groups there are from the first number to the last.
  var span: Int { first <= last ? Int(clamping: last >> 8 &- first >> 8) + 1 : 0 }

  /// Whether they can be keys: 256 neighbours are stored together, and objects that have none take
  /// much room.
  var areNear: Bool {
    count == 0 || first > 0 && last < 1 << 40 && groupCount <= 4_096 + count / 16
  }
}
