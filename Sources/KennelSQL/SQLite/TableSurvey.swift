internal import KennelCore

/// The types of the values that a column has, row by row.
///
/// SQLite stores any value in any column, whatever the column declares, except in strict tables.
struct ColumnSurvey {
  /// The whole numbers that a column of numbers stores for a floating point number, and gives back as
  /// such, are at most so large.
  private static let largestExact: Int64 = 1 << 50

  private let mayBeBool: Bool
  private var mayBeDate: Bool
  private var nullCount = 0
  private var intCount = 0
  private var realCount = 0
  private var textCount = 0
  /// Blobs, and texts that are none.
  private var dataCount = 0
  private var areBits = true
  private var areExact = true
  private var dateForm: DateForm?
  private let declaredType: String
  /// Whether it is the primary key of its table.
  private let isKey: Bool

  init(_ column: CatalogColumn, isKey: Bool) {
    self.isKey = isKey
    declaredType = column.declaredType.foldedSQLName
    mayBeBool = declaredType.contains("bool")
    mayBeDate = declaredType.contains("date") || declaredType.contains("time")
  }

  private var valueCount: Int { intCount + realCount + textCount + dataCount }

  /// The result.
  var evidence: ColumnEvidence {
    ColumnEvidence(
      form: form,
      valueCount: valueCount,
      nullCount: nullCount,
      areInts: intCount == valueCount,
      fits: fits
    )
  }

  /// Notes the value of a row.
  mutating func note(_ row: SQLiteStatement, _ column: Int) {
    switch row.storage(column) {
    case .null: nullCount += 1
    case .integer:
      intCount += 1
      let number = row.integer(column)
      if number & ~1 != 0 {
        areBits = false
        if number.magnitude > Self.largestExact { areExact = false }
      }
    case .real: realCount += 1
    case .blob: dataCount += 1
    case .text:
      guard row.isValidText(column) else {
        dataCount += 1
        return
      }
      textCount += 1
      if mayBeDate { noteDate(row, column) }
    }
  }

  private mutating func noteDate(_ row: SQLiteStatement, _ column: Int) {
    guard let form = row.withText(column, { DateForm.read($0)?.form }),
      form == dateForm ?? form
    else {
      mayBeDate = false
      return
    }
    dateForm = form
  }

  /// The type that holds all values, each so that it is written again as it was.
  private var form: ColumnContents {
    guard valueCount > 0 else { return declaredForm }
    switch valueCount {
    case intCount:
      if mayBeBool, areBits { return .bool }
      // A price is no other kind of value while all prices are whole.
      return !isKey && areExact && isNumeric && declaredForm == .double ? .double : .int
    case realCount: return .double
    case textCount:
      if mayBeDate, let dateForm { return .date(dateForm) }
      return .string
    case dataCount: return .data
    case intCount + realCount where areExact && isNumeric: return .double
    default: return .mixed
    }
  }

  /// Whether a type that the column had before still holds all values.
  private func fits(_ form: ColumnContents) -> Bool {
    if valueCount == 0 { return true }
    switch form {
    case .mixed: return true
    case .int: return intCount == valueCount
    case .bool: return intCount == valueCount && areBits
    case .double:
      return intCount + realCount == valueCount && (intCount == 0 || areExact && isNumeric)
    case .string: return textCount == valueCount
    case .data: return dataCount == valueCount
    case .date(let form): return textCount == valueCount && mayBeDate && form == dateForm
    // SQLite has no such values.
    case .float, .uuid, .decimal128: return false
    }
  }

  /// The type that the declaration of a column without values says.
  private var declaredForm: ColumnContents {
    if mayBeBool { return .bool }
    if declaredType.contains("int") { return .int }
    if ["char", "clob", "text", "date", "time"].contains(where: declaredType.contains) {
      return .string
    }
    if declaredType.contains("blob") { return .data }
    return declaredType.isEmpty ? .mixed : .double
  }

  /// Whether SQLite makes a whole number of a floating point number that is one, and stores other
  /// numbers as they are: such a column gives back what it is given as floating point numbers.
  private var isNumeric: Bool {
    if declaredType.contains("int") { return true }
    let others = ["char", "clob", "text", "blob", "real", "floa", "doub"]
    // A strict table leaves what is in a column of any type as it is.
    return !["", "any"].contains(declaredType) && !others.contains(where: declaredType.contains)
  }
}

/// The rows of a table, one after another.
struct TableSurvey {
  private var columns: [ColumnSurvey]
  private var rowCount = 0
  private var numbers = RowNumbers()

  init(_ table: CatalogTable) {
    columns = table.columns.map { ColumnSurvey($0, isKey: table.isPrimaryKey($0.name)) }
  }

  /// Notes a row; its number comes before the columns, where rows have numbers.
  mutating func note(_ row: SQLiteStatement, isNumbered: Bool) {
    if isNumbered {
      let number = row.integer(0)
      if numbers.count == 0 { numbers.first = number }
      if numbers.count == 0 || number >> 8 != numbers.last >> 8 { numbers.groupCount += 1 }
      numbers.last = number
      numbers.count += 1
    }
    rowCount += 1
    let offset = isNumbered ? 1 : 0
    for index in columns.indices { columns[index].note(row, index + offset) }
  }

  /// The result.
  var evidence: TableEvidence {
    TableEvidence(rowCount: rowCount, columns: columns.map(\.evidence), numbers: numbers)
  }
}
