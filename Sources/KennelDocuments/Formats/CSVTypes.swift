import KennelCore

/// Finds what the columns of CSV hold, so that classes can be inferred from it.
///
/// Cells are text. A column whose cells all spell numbers, dates or the like holds these; one whose
/// cells differ holds strings.
struct CSVTypes {
  private enum Kind {
    case int
    case double
    case bool
    case date
    case objectId
    case uuid
    case string

    /// What a column holds with cells of both kinds.
    func joined(with other: Kind) -> Kind {
      if self == other { return self }
      let areNumbers = (self == .int || self == .double) && (other == .int || other == .double)
      return areNumbers ? .double : .string
    }
  }

  private var kinds: [[String]: Kind] = [:]

  /// Takes a line into account.
  mutating func add(_ document: Document, at path: [String] = []) {
    for member in document.members {
      let path = path + [member.name]
      switch member.value {
      case .document(let inner): add(inner, at: path)
      case .string(let text):
        let kind = Self.kind(of: text)
        kinds[path] = kinds[path].map { $0.joined(with: kind) } ?? kind
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
          return .init(member.name, Self.value(text, kinds[path] ?? .string))
        case .null, .bool, .int32, .int64, .double, .decimal128, .date, .objectId, .binary, .array,
          .other:
          return member
        }
      }
    )
  }

  private static func kind(of text: String) -> Kind {
    // Zeros in front are kept: they are no number's but a code's.
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isCode =
      digits.utf8.first == UInt8(ascii: "0")
      && digits.utf8.dropFirst().first
        .map { $0 >= 0x30 && $0 <= 0x39 } ?? false
    if !isCode, Int64(text) != nil, !text.hasPrefix("+") { return .int }
    if !isCode, let first = digits.utf8.first, first >= 0x30, first <= 0x39,
      (try? ValueReader.parse(text, .double)) != nil
    {
      return .double
    }
    if ["true", "false"].contains(text.lowercased()) { return .bool }
    if ObjectId(text) != nil { return .objectId }
    if UUIDValue(text) != nil { return .uuid }
    if text.utf8.contains(UInt8(ascii: "T")), (try? ValueReader.parse(text, .date)) != nil {
      return .date
    }
    return .string
  }

  private static func value(_ text: String, _ kind: Kind) -> DocumentValue {
    let value: DocumentValue? =
      switch kind {
      case .int: Int64(text).map { .int64($0) }
      case .double: Double(text).map { .double($0) }
      case .bool: .bool(text.lowercased() == "true")
      case .objectId: ObjectId(text).map { .objectId($0) }
      case .uuid: UUIDValue(text).map { .binary(subtype: 4, $0.bytes) }
      case .date:
        if case .date(let date)? = try? ValueReader.parse(text, .date) { .date(date) } else { nil }
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
        types[ExactName(item.className), default: CSVTypes()].add(item.document)
      } else {
        add(item.document, to: item.className)
      }
    }
    guard hasText else { return }
    let lines = try reader()
    while let item = try lines.read() {
      count += 1
      if count & 1023 == 0 { progress() }
      guard item.isText, let types = types[ExactName(item.className)] else { continue }
      add(types.typed(item.document), to: item.className)
    }
  }
}
