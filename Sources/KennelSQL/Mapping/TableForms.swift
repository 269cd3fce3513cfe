internal import KennelCore

/// The part of a table's class that its values decide, and not the catalog.
///
/// It is kept with a copy, so that the rows of its objects are known without reading all values again.
package struct TableForms: Hashable, Sendable {
  let table: String
  /// Whether the numbers of its rows are the keys of the objects.
  let keepsNumbers: Bool
  let columns: [Form]

  /// The part of a property that the values of its column decide.
  struct Form: Hashable {
    let contents: ColumnContents
    let hasNull: Bool
  }

  /// - Parameters:
  ///   - table: The table.
  ///   - evidence: Its values.
  ///   - former: What was decided before, which stays as long as it fits.
  init(_ table: CatalogTable, _ evidence: TableEvidence, former: TableForms? = nil) {
    self.table = table.name
    keepsNumbers =
      table.rowNumber != nil && evidence.numbers.areNear && former?.keepsNumbers ?? true
    let former = former.flatMap { $0.columns.count == evidence.columns.count ? $0 : nil }
    columns = evidence.columns.enumerated().map { index, column in
      let before = former?.columns[index]
      let stays = before.map { column.fits($0.contents) } ?? false
      return Form(
        contents: before.flatMap { stays ? $0.contents : nil } ?? column.form,
        hasNull: column.nullCount > 0 || before?.hasNull ?? false
      )
    }
  }

  // MARK: - Text

  /// A line of text.
  package var text: String {
    let name = table.utf8.map { String($0, radix: 16) }.joined(separator: ".")
    let fields = columns.map { $0.contents.text + ($0.hasNull ? "?" : "") }
    return ([name, keepsNumbers ? "numbers" : "order"] + fields).joined(separator: " ")
  }

  /// Reads a line; `nil` for another text.
  package init?(_ text: String) {
    let fields = text.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count >= 2, ["numbers", "order"].contains(fields[1]) else { return nil }
    let bytes = fields[0].split(separator: ".").map { UInt8($0, radix: 16) }
    guard !bytes.contains(nil) else { return nil }
    table = String(decoding: bytes.compactMap(\.self), as: UTF8.self)
    keepsNumbers = fields[1] == "numbers"
    var columns: [Form] = []
    for field in fields.dropFirst(2) {
      let hasNull = field.hasSuffix("?")
      guard let contents = ColumnContents(hasNull ? field.dropLast() : field) else { return nil }
      columns.append(Form(contents: contents, hasNull: hasNull))
    }
    self.columns = columns
  }
}

extension ColumnContents {
  /// The name of the type; that of dates is followed by the parts of their form.
  fileprivate var text: String {
    guard case .date(let form) = self else { return "\(type)" }
    return "date:\(form.separator ?? 0):\(form.fractionDigits):\(form.hasZone ? 1 : 0)"
  }

  fileprivate init?(_ text: Substring) {
    let simple: [ColumnContents] = [
      .int, .float, .double, .string, .data, .uuid, .decimal128, .bool, .mixed,
    ]
    if let known = simple.first(where: { $0.text == text }) {
      self = known
      return
    }
    let parts = text.split(separator: ":")
    guard parts.count == 4, parts[0] == "date", let separator = UInt8(parts[1]),
      [0, UInt8(ascii: " "), UInt8(ascii: "T")].contains(separator), let digits = Int(parts[2]),
      (0...9).contains(digits)
    else { return nil }
    var form = DateForm()
    form.separator = separator == 0 ? nil : separator
    form.fractionDigits = digits
    form.hasZone = parts[3] == "1"
    self = .date(form)
  }
}
