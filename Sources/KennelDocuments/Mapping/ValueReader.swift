@_spi(Faces) import KennelCore

/// Makes values of what documents hold.
struct ValueReader {
  /// How documents spell values.
  enum Form: Int {
    /// As values of BSON's types, or of JSON's.
    case typed
    /// All as text, as in CSV: a string is read as what its property's type says.
    case text
    /// As Kennel's lines do; see ``DocumentFormat``.
    case lines
  }

  var form = Form.typed
  /// How text spells dates and numbers.
  var texts = TextForms()
  /// Whether a link that leads nowhere becomes null, once no more documents come.
  var dropsDanglingLinks = false

  /// Finds the target of a link; `nil` if there is none (yet).
  typealias Resolver = (LinkTarget) throws(ValueProblem) -> ObjectIdentity?

  /// The target of a link, as a document names it.
  struct LinkTarget {
    /// The name of the class, where the document has it.
    var className: String?
    /// The class, where the property has one.
    var classKey: ClassKey?
    /// The primary key of the object, or its key.
    let id: DocumentValue
    /// Whether it is the key also where objects of the class have a primary key.
    var isKey = false
  }

  /// The value of a property that holds no embedded objects; collections as a whole.
  func wholeValue(
    _ value: DocumentValue,
    _ type: PropertyType,
    target: ClassKey?,
    _ resolve: Resolver
  ) throws(ValueProblem) -> Value {
    if form == .text, type.collection != .none {
      var reader = self
      reader.form = .typed
      return try reader.wholeValue(try structured(value), type, target: target, resolve)
    }
    let value = form == .lines ? try parsed(value) : value
    switch type.collection {
    case .none: return try scalar(value, type, target, resolve) ?? .null
    case .list, .set:
      guard case .array(let elements) = value else { throw Self.mismatch("an array", value) }
      let values = try list(elements) { (value) throws(ValueProblem) in
        try scalar(value, type.element, target, resolve)
      }
      guard type.collection == .set else { return .list(values) }
      guard Set(values).count == values.count || dropsDanglingLinks else {
        throw ValueProblem("a member of the set occurs twice")
      }
      return .set(values)
    case .map:
      return .map(
        try map(entries(of: value)) { (value) throws(ValueProblem) in
          try scalar(value, type.element, target, resolve)
        }
      )
    }
  }

  /// The elements of a list; those that are `nil` are left out.
  func list(
    _ elements: [DocumentValue],
    _ read: (DocumentValue) throws(ValueProblem) -> Value?
  ) throws(ValueProblem) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for (position, element) in elements.enumerated() {
      if let value = try inside("[\(position)]", try read(element)) { values.append(value) }
    }
    return values
  }

  /// The entries of a map; those that are `nil` are null.
  func map(
    _ members: [Document.Member],
    _ read: (DocumentValue) throws(ValueProblem) -> Value?
  ) throws(ValueProblem) -> [MapEntry] {
    try members.map { member throws(ValueProblem) in
      let value = try inside(key: member.name, try read(member.value))
      return MapEntry(member.name, value ?? .null)
    }
  }

  /// Parses a cell of CSV that spells a collection or an object.
  func structured(_ value: DocumentValue) throws(ValueProblem) -> DocumentValue {
    guard form == .text, case .string(let text) = value else { return value }
    return try rethrowing(try JSONParser.value(of: Array(text.utf8), .extended, level: 1)) {
      (error: JSONProblem) in ValueProblem("expected JSON, such as [1,2]: \(error.message)")
    }
  }

  /// The entries of a map in the order of their keys' bytes, each key once.
  func entries(of value: DocumentValue) throws(ValueProblem) -> [Document.Member] {
    var entries: [Document.Member] = []
    switch form == .lines ? try parsed(value) : value {
    case .document(let document):
      entries = document.members
      for index in entries.indices where form == .lines {
        guard let key = DocumentFormat.unescaped(entries[index].name) else {
          throw ValueProblem("the key \"\(entries[index].name)\" needs a second \"$\"")
        }
        entries[index].name = key
      }
    case .array(let elements) where form != .lines:
      for element in elements {
        guard case .document(let pair) = element, pair.members.count == 2,
          case .string(let key)? = pair[MappingName.entryKey],
          let value = pair[MappingName.entryValue]
        else { throw Self.mismatch("a document, or an array of {\"k\": …, \"v\": …}", value) }
        entries.append(.init(key, value))
      }
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .binary,
      .array, .other:
      throw Self.mismatch("a document", value)
    }
    entries.sort { $0.name.hasBytes(before: $1.name) }
    for (left, right) in zip(entries, entries.dropFirst())
    where left.name.hasSameBytes(as: right.name) {
      throw ValueProblem("the key \"\(left.name)\" occurs twice")
    }
    return entries
  }

  // MARK: - Single values

  /// The value that a type makes of a document's; `nil` for a link that leads nowhere and is dropped.
  func scalar(
    _ value: DocumentValue,
    _ type: PropertyType,
    _ target: ClassKey?,
    _ resolve: Resolver
  ) throws(ValueProblem) -> Value? {
    if case .null = value { return .null }
    if form == .text, case .string(let text) = value {
      return try fromText(text, type, target, resolve)
    }
    if form == .lines { return try fromLine(value, type, target, resolve) }
    if type.kind == .mixed, let nested = try nested(value, depth: 0, resolve) { return nested }
    if type.kind == .link || type.kind == .mixed,
      let link = Self.link(value, isMixed: type.kind == .mixed, target)
    {
      return try object(link, resolve)
    }
    if type.kind == .date, case .string(let text) = value, let date = texts.date(text) {
      return .date(date)
    }
    return try Self.plain(value, type)
  }

  /// A value that is no link.
  static func plain(_ value: DocumentValue, _ type: PropertyType) throws(ValueProblem) -> Value {
    if case .document(let document) = value, let exact = try exact(document) {
      guard type.kind == .mixed || type.kind == exact.kind else { throw mismatch("\(type)", value) }
      return exact.value
    }
    let result: Value? =
      switch type.kind {
      case .bool: if case .bool(let value) = value { .bool(value) } else { nil }
      case .int: integer(value).map { .int($0) }
      case .float: float(value).map { .float($0) }
      case .double: double(value).map { .double($0) }
      case .decimal128: decimal(value)
      case .string: if case .string(let text) = value { .string(text) } else { nil }
      case .data: data(value) ?? spelled(value, type)
      case .date: if case .date(let date) = value { .date(date) } else { spelled(value, type) }
      case .objectId:
        if case .objectId(let id) = value { .objectId(id) } else { spelled(value, type) }
      case .uuid: uuid(value) ?? spelled(value, type)
      case .mixed: mixed(value)
      case .link: nil
      }
    guard let result else { throw mismatch("\(type.element)", value) }
    return result
  }

  /// Reads a cell of CSV.
  private func fromText(
    _ text: String,
    _ type: PropertyType,
    _ target: ClassKey?,
    _ resolve: Resolver
  ) throws(ValueProblem) -> Value? {
    switch type.kind {
    case .link:
      // A primary key of text is itself; any other is read as the class of the target asks.
      let isReference = text.hasPrefix("{")
      let id = isReference ? try structured(.string(text)) : .string(text)
      let link = Self.link(id, isMixed: isReference, target) ?? LinkTarget(classKey: target, id: id)
      return try object(link, resolve)
    case .mixed where text.hasPrefix("{") || text.hasPrefix("["):
      var reader = self
      reader.form = .typed
      return try reader.scalar(try structured(.string(text)), type, target, resolve)
    case .bool:
      return try Self.parse(text.lowercased(), type)
    case .date:
      if let date = texts.date(text) { return .date(date) }
      return try parse(text, type, orHint: TextForms.dateHint)
    case let kind where kind.isNumber:
      let isComma = !texts.hasDecimalComma && TextForms.withPoint(text) != nil
      let hint = isComma ? "; --decimal-comma reads such numbers" : ""
      return try parse(texts.number(text), type, orHint: hint)
    case _: return try Self.parse(text, type)
    }
  }

  private func parse(
    _ text: String,
    _ type: PropertyType,
    orHint hint: String
  ) throws(ValueProblem) -> Value {
    try rethrowing(try Self.parse(text, type)) { (error: ValueProblem) in
      ValueProblem(error.message + hint)
    }
  }

  static func parse(_ text: String, _ type: PropertyType) throws(ValueProblem) -> Value {
    try rethrowing(try ValueText.parse(text, as: type.element)) { (error: ValueTextError) in
      ValueProblem(error.message)
    }
  }

  private static func link(
    _ value: DocumentValue,
    isMixed: Bool,
    _ target: ClassKey?
  ) -> LinkTarget? {
    if case .document(let document) = value {
      return reference(document).map { LinkTarget(className: $0, classKey: target, id: $1) }
    }
    return isMixed ? nil : LinkTarget(classKey: target, id: value)
  }

  /// The target of a document that is a link; it may name its database as well.
  static func reference(_ document: Document) -> (className: String, id: DocumentValue)? {
    guard (2...3).contains(document.members.count), let id = document[MappingName.referenceID],
      let name = document[MappingName.reference]?.string
    else { return nil }
    return (name, id)
  }

  /// The link to what a document means; `nil` if it leads nowhere and is dropped.
  func object(_ link: LinkTarget, _ resolve: Resolver) throws(ValueProblem) -> Value? {
    if let object = try resolve(link) { return .link(object) }
    if dropsDanglingLinks { return nil }
    throw ValueProblem(Self.missing(link), isForwardLink: true)
  }

  private static func missing(_ link: LinkTarget) -> String {
    if link.isKey, let name = link.className {
      return "there is no object \(name)/\(link.id.briefly)"
    }
    let name = link.className.map { "\($0) " } ?? ""
    return "there is no object \(name)with the key \(link.id.briefly)"
  }

  // MARK: - Numbers and the like

  /// The parts of a document that is the exact form of a single value.
  static func exactForm(_ document: Document) -> (kind: String, text: String)? {
    guard document.members.count == 2, let kind = document[MappingName.kind]?.string,
      let text = document[MappingName.value]?.string
    else { return nil }
    return (kind, text)
  }

  private static func exact(
    _ document: Document
  ) throws(ValueProblem) -> (kind: ValueKind, value: Value)? {
    guard let (name, text) = exactForm(document) else { return nil }
    guard let kind = ValueKind.allCases.first(where: { "\($0)" == name }), kind != .link,
      kind != .mixed
    else { throw ValueProblem("there is no value type \"\(name)\"") }
    return (kind, try parse(text, PropertyType(kind)))
  }

  private static func integer(_ value: DocumentValue) -> Int64? {
    switch value {
    case .int32(let number): Int64(number)
    case .int64(let number): number
    case .double(let number) where number.sign == .minus && number == 0: nil
    case .double(let number): Int64(exactly: number)
    case .decimal128: Int64(digits(value))
    case .null, .bool, .string, .date, .objectId, .binary, .array, .document, .other: nil
    }
  }

  /// A decimal number as text, without zeros behind its point.
  private static func digits(_ value: DocumentValue) -> String {
    guard case .decimal128(let number) = value else { return "" }
    let text = ValueText.describe(.decimal128(number))
    guard let point = text.firstIndex(of: "."), text != "-0" else { return text }
    return text[point...].dropFirst().allSatisfy { $0 == "0" } ? String(text[..<point]) : text
  }

  private static func double(_ value: DocumentValue) -> Double? {
    if case .double(let number) = value { return number }
    return integer(value).flatMap { Double(exactly: $0) }
  }

  private static func float(_ value: DocumentValue) -> Float? {
    if case .double(let number) = value { return Float(narrowing: number) }
    return integer(value).flatMap { Float(exactly: $0) }
  }

  private static func decimal(_ value: DocumentValue) -> Value? {
    switch value {
    case .decimal128(let number): return .decimal128(number)
    case .int32, .int64, .double:
      guard let number = integer(value) else { return nil }
      return spelled(.string(String(number)), .decimal128)
    case .null, .bool, .string, .date, .objectId, .binary, .array, .document, .other:
      return spelled(value, .decimal128)
    }
  }

  private static func data(_ value: DocumentValue) -> Value? {
    if case .binary(0, let bytes) = value { .data(bytes) } else { nil }
  }

  private static func uuid(_ value: DocumentValue) -> Value? {
    guard case .binary(4, let bytes) = value else { return nil }
    return UUIDValue(bytes).map { .uuid($0) }
  }

  private static func spelled(_ value: DocumentValue, _ type: PropertyType) -> Value? {
    guard case .string(let text) = value else { return nil }
    return try? parse(text, PropertyType(type.kind))
  }

  private static func mixed(_ value: DocumentValue) -> Value? {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int32(let number): .int(Int64(number))
    case .int64(let number): .int(number)
    case .double(let number): .double(number)
    case .decimal128(let number): .decimal128(number)
    case .string(let text): .string(text)
    case .date(let date): .date(date)
    case .objectId(let id): .objectId(id)
    case .binary: data(value) ?? uuid(value)
    case .array, .document, .other: nil
    }
  }

  static func mismatch(_ expected: String, _ value: DocumentValue) -> ValueProblem {
    var hint = ""
    if !value.isStorable {
      hint = "; --skip leaves the property out, and one of text or mixed values holds it as text"
    } else if case .string = value, expected.hasPrefix("date") {
      hint = TextForms.dateHint
    }
    return ValueProblem("expected \(expected), found \(value.described)" + hint)
  }
}

extension DocumentValue {
  /// Names a value in an error.
  var described: String {
    switch self {
    case .null: "null"
    case .bool, .int32, .int64, .double, .decimal128: briefly
    case .string: "a string"
    case .date: "a date"
    case .objectId: "an objectId"
    case .binary(let subtype, _): "binary data of subtype \(subtype)"
    case .array: "an array"
    case .document: "a document"
    case .other(JSONParser.deep, _): "deeply nested JSON"
    case .other(JSONParser.number, let text): text.utf8.count < 40 ? text : "a number"
    case .other(let type, _): "a value of type \(type), which no property can hold"
    }
  }

  /// A short text of a value, for an error.
  var briefly: String {
    switch self {
    case .bool(let value): "\(value)"
    case .int32(let number): "\(number)"
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal128(let number): ValueText.describe(.decimal128(number))
    case .string(let text): "\"\(text.prefix(60))\""
    case .objectId(let id): id.description
    case .binary(4, let bytes): UUIDValue(bytes)?.description ?? described
    case .null, .date, .binary, .array, .document, .other: described
    }
  }
}
