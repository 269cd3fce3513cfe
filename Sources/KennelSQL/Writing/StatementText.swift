internal import KennelCore

/// The text of a statement while it is written, and the values of its parameters.
struct StatementText {
  let dialect: SQLDialect
  /// Whether values are written as literals, for a person to read, and not as parameters.
  let hasLiterals: Bool
  private(set) var text = ""
  private(set) var values: [Value] = []

  init(_ dialect: SQLDialect, hasLiterals: Bool = false) {
    self.dialect = dialect
    self.hasLiterals = hasLiterals
  }

  static func += (statement: inout StatementText, words: String) { statement.text += words }

  /// Adds a value, as a parameter or a literal.
  mutating func add(_ value: Value) {
    if hasLiterals {
      text += dialect.literal(value)
    } else {
      values.append(value)
      text += dialect.parameter(values.count)
    }
  }

  /// Adds the condition that a column is a value, to the last bit where the engine can tell.
  mutating func addEquality(_ column: String, _ value: Value) {
    if value.isNull {
      text += column
      text += " IS NULL"
      return
    }
    // What was read as bytes may be stored as a text that is none.
    let isCast = dialect == .sqlite && value.kind == .data
    if isCast { text += "CAST(" }
    text += column
    text += isCast ? " AS BLOB) = " : " = "
    add(value)
    // Whatever the column takes for equal.
    if dialect == .sqlite, value.kind == .string { text += " COLLATE BINARY" }
  }
}
