import KennelCore

/// Finds what the columns of CSV hold, so that classes can be inferred from it.
///
/// Cells are text. A column whose cells all spell numbers, dates or the like holds these; one whose
/// cells differ holds strings.
struct CSVTypes {
  private enum Kind {
    case int
    /// A whole number that a double does not hold.
    case wideInt
    case double
    case decimal
    case bool
    case date
    case objectId
    case uuid
    case string

    /// The kind of a column with cells of both kinds.
    func joined(with other: Kind) -> Kind {
      if self == other { return self }
      let both: Set = [self, other]
      if both == [.int, .wideInt] { return .wideInt }
      if both == [.int, .double] { return .double }
      return both.isSubset(of: [.int, .wideInt, .double, .decimal]) ? .decimal : .string
    }
  }

  /// An option that would read a column of text.
  private enum Hint {
    case decimalComma
    case date(separator: Character)

    init?(_ text: String) {
      let parts = text.split(omittingEmptySubsequences: false) { "./-".contains($0) }
      let isDate =
        parts.count == 3 && parts[2].utf8.count == 4
        && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(DateFormat.isDigit) }
        && parts[0].utf8.count <= 2 && parts[1].utf8.count <= 2
      if isDate, let separator = text.first(where: { "./-".contains($0) }) {
        self = .date(separator: separator)
      } else if TextForms.withPoint(text) != nil {
        self = .decimalComma
      } else {
        return nil
      }
    }

    var sentence: String {
      switch self {
      case .decimalComma: "text that looks like numbers; --decimal-comma reads them"
      case .date("."): "text that looks like dates; --date-format %d.%m.%Y reads them"
      case .date(let separator):
        "text that looks like dates; --date-format %d\(separator)%m\(separator)%Y or "
          + "%m\(separator)%d\(separator)%Y reads them"
      }
    }
  }

  private let texts: TextForms
  private var kinds: [[String]: Kind] = [:]
  /// The options that would read the cells of columns; an empty sentence for a cell that none reads.
  private var hints: [[String]: Set<String>] = [:]

  init(_ texts: TextForms) {
    self.texts = texts
  }

  /// Notes about columns of text that an option would read.
  func notes(of className: String) -> [String] {
    hints.compactMap { path, hints in
      guard kinds[path] == .string, hints.count == 1, let hint = hints.first, !hint.isEmpty else {
        return nil
      }
      return "\(SchemaProposal.shown(([className] + path).joined(separator: "."))): \(hint)"
    }.sorted()
  }

  /// Takes a line into account.
  mutating func add(_ document: Document, at path: [String] = []) {
    for member in document.members {
      let path = path + [member.name]
      switch member.value {
      case .document(let inner): add(inner, at: path)
      case .string(let text):
        let kind = kind(of: text)
        kinds[path] = kinds[path].map { $0.joined(with: kind) } ?? kind
        if hints[path]?.contains("") ?? false { continue }
        hints[path, default: []].insert(Hint(text)?.sentence ?? "")
      case .null, .bool, .int32, .int64, .double, .decimal128, .date, .objectId, .binary, .array,
        .other:
        break
      }
    }
  }

  /// The line with values instead of text.
  func typed(_ document: Document, at path: [String] = []) -> Document {
    Document(
      document.members.map { member in
        let path = path + [member.name]
        switch member.value {
        case .document(let inner):
          return .init(member.name, .document(typed(inner, at: path)))
        case .string(let text):
          return .init(member.name, value(text, kinds[path] ?? .string))
        case .null, .bool, .int32, .int64, .double, .decimal128, .date, .objectId, .binary, .array,
          .other:
          return member
        }
      }
    )
  }

  private func kind(of text: String) -> Kind {
    let number = texts.number(text)
    // Zeros in front are kept: they are no number's but a code's.
    let digits = number.hasPrefix("-") ? number.dropFirst() : number[...]
    let isCode =
      digits.utf8.first == UInt8(ascii: "0")
      && digits.utf8.dropFirst().first
        .map { $0 >= 0x30 && $0 <= 0x39 } ?? false
    if !isCode, let first = digits.utf8.first, DateFormat.isDigit(first) {
      if let whole = Int64(number) {
        return Int64(exactly: Double(whole)) == whole ? .int : .wideInt
      }
      if (try? ValueReader.parse(number, .double)) != nil,
        !digits.utf8.allSatisfy(DateFormat.isDigit)
      {
        return .double
      }
      if Decimal128(number) != nil { return .decimal }
    }
    if ["true", "false"].contains(text.lowercased()) { return .bool }
    if ObjectId(text) != nil { return .objectId }
    if UUIDValue(text) != nil { return .uuid }
    return texts.date(text) != nil ? .date : .string
  }

  private func value(_ text: String, _ kind: Kind) -> DocumentValue {
    let number = texts.number(text)
    let value: DocumentValue? =
      switch kind {
      case .int, .wideInt: Int64(number).map { .int64($0) }
      case .double: Double(number).map { .double($0) }
      case .decimal: Decimal128(number).map { .decimal128($0) }
      case .bool: .bool(text.lowercased() == "true")
      case .objectId: ObjectId(text).map { .objectId($0) }
      case .uuid: UUIDValue(text).map { .binary(subtype: 4, $0.bytes) }
      case .date: texts.date(text).map { .date($0) }
      case .string: nil
      }
    return value ?? .string(text)
  }
}

extension SchemaInference {
  /// Adds the documents of files.
  ///
  /// - Parameters:
  ///   - reader: Returns a new reader of the files; called once, and twice for CSV, whose column
  ///     types are determined first.
  ///   - progress: Called periodically.
  /// - Throws: ``DocumentError`` if the bytes are invalid, and what opening and reading throw.
  public func add(
    from reader: () throws -> DocumentReader,
    progress: () -> Void = {}
  ) throws {
    var types: [ExactName: CSVTypes] = [:]
    var hasText = false
    var count = 0
    let documents = try reader()
    while let item = try documents.read() {
      count += 1
      if count & 1023 == 0 { progress() }
      if item.isText {
        hasText = true
        types[ExactName(item.className), default: CSVTypes(texts)].add(item.document)
      } else {
        add(item.document, to: item.className)
      }
    }
    addChanges(documents.changes)
    guard hasText else { return }
    for (name, types) in types { for note in types.notes(of: name.text) { addNote(note) } }
    let lines = try reader()
    while let item = try lines.read() {
      count += 1
      if count & 1023 == 0 { progress() }
      guard item.isText, let types = types[ExactName(item.className)] else { continue }
      add(types.typed(item.document), to: item.className)
    }
  }
}
