import KennelCore

/// The kind of a value of a document.
enum DocumentKind: Int, CaseIterable {
  case null
  case bool
  case int32
  case int64
  case double
  case decimal128
  case string
  case date
  case objectId
  case uuid
  case binary
  case document
  case array
  /// A link as `{"$ref": "Dog", "$id": …}`.
  case reference
  /// A value that no property holds.
  case other

  init(_ value: DocumentValue) {
    switch value {
    case .null: self = .null
    case .bool: self = .bool
    case .int32: self = .int32
    case .int64: self = .int64
    case .double: self = .double
    case .decimal128: self = .decimal128
    case .string: self = .string
    case .date: self = .date
    case .objectId: self = .objectId
    case .binary(subtype: 4, let bytes) where bytes.count == 16: self = .uuid
    case .binary(subtype: 0, _): self = .binary
    case .binary: self = .other
    case .document(let document):
      self = ValueReader.reference(document) != nil ? .reference : .document
    case .array: self = .array
    case .other: self = .other
    }
  }

  /// The name of the type in BSON.
  var name: String {
    switch self {
    case .int32: "int"
    case .int64: "long"
    case .decimal128: "decimal"
    case .binary: "binData"
    case .document: "object"
    case .reference: "DBRef"
    case .other: "value of another type"
    case .null, .bool, .double, .string, .date, .objectId, .uuid, .array: "\(self)"
    }
  }

  var isWhole: Bool { self == .int32 || self == .int64 }

  /// The kind of a property that holds such values, as text if there is no other way; `nil` if none
  /// does alone.
  var valueKind: ValueKind? {
    switch self {
    case .bool: .bool
    case .int32, .int64: .int
    case .double: .double
    case .decimal128: .decimal128
    case .string, .other: .string
    case .date: .date
    case .objectId: .objectId
    case .uuid: .uuid
    case .binary: .data
    case .null, .document, .array, .reference: nil
    }
  }
}

/// Counts the values that documents have in one place: a field, an element, a value of a map.
final class FieldEvidence {
  struct Field {
    let name: String
    let evidence: FieldEvidence
  }

  /// How many values there were, null among them.
  private(set) var total = 0
  /// How many values of each kind there were.
  private(set) var counts = Array(repeating: 0, count: DocumentKind.allCases.count)
  /// The first values, shortened.
  private(set) var samples: [String] = []
  /// Whether every whole number is one that a `double` holds.
  private(set) var areExactDoubles = true
  /// Whether every string spells a date.
  private(set) var areDates = true
  /// How many values there were of each type that no property holds.
  private(set) var unstorable: [String: Int] = [:]
  /// The classes that references name.
  private(set) var targets: Set<ExactName> = []

  /// The fields of nested documents, in the order of their first appearance.
  private(set) var fields: [Field] = []
  private var positions: [ExactName: Int] = [:]
  /// The elements of arrays.
  var elements: FieldEvidence?
  /// The values of nested documents, whatever their names, once there are too many names.
  var values: FieldEvidence?

  /// The different values, while they may be primary keys of a class.
  var identifiers: Set<Int>? = []
  /// The kind of those values.
  private(set) var identifierKind: ValueKind?
  /// Whether the values were forgotten because they were too many.
  var isOverwhelmed = false

  static let mostSamples = 3
  /// Among how many values samples are looked for.
  private static let firstValues = 100

  subscript(kind: DocumentKind) -> Int { counts[kind.rawValue] }

  var kinds: [DocumentKind] { DocumentKind.allCases.filter { $0 != .null && self[$0] > 0 } }

  /// Notes a value, but for what is inside it.
  func note(_ value: DocumentValue, _ texts: TextForms) {
    let kind = DocumentKind(value)
    total += 1
    counts[kind.rawValue] += 1
    switch value {
    case .int64(let number):
      if Int64(exactly: Double(number)) != number { areExactDoubles = false }
    case .string(let text):
      if areDates { areDates = texts.date(text) != nil }
    case .document(let document) where kind == .reference:
      if let name = document[MappingName.reference]?.string { targets.insert(ExactName(name)) }
    case .null, .bool, .int32, .double, .decimal128, .date, .objectId, .binary, .array, .document,
      .other:
      if let type = value.unstorableType { unstorable[type, default: 0] += 1 }
    }
    if samples.count < Self.mostSamples, total <= Self.firstValues,
      let text = Self.sample(of: value), !samples.contains(text)
    {
      samples.append(text)
    }
    if kind != .null { narrowIdentifiers(kind, value) }
  }

  /// Takes references for the objects that they are written as.
  func takeReferencesForObjects() {
    counts[DocumentKind.document.rawValue] += self[.reference]
    counts[DocumentKind.reference.rawValue] = 0
  }

  /// Stops looking for links where a value cannot be a primary key.
  private func narrowIdentifiers(_ kind: DocumentKind, _ value: DocumentValue) {
    guard kind != .other, let valueKind = kind.valueKind, valueKind.canBePrimaryKey,
      identifierKind ?? valueKind == valueKind, (value.string?.utf8.count ?? 0) <= 200
    else {
      identifiers = nil
      return
    }
    identifierKind = valueKind
  }

  /// The field of a name; `nil` if it is new and there are as many as there may be.
  func field(_ name: String, most: Int, make: () -> FieldEvidence?) -> FieldEvidence? {
    if let position = positions[ExactName(name)] { return fields[position].evidence }
    guard fields.count < most, let evidence = make() else { return nil }
    positions[ExactName(name)] = fields.count
    fields.append(Field(name: name, evidence: evidence))
    return evidence
  }

  /// Turns fields into values whose names do not matter.
  func mergeFields() {
    values = mergedFields
    fields = []
    positions = [:]
  }

  /// The evidence of all fields together.
  var mergedFields: FieldEvidence {
    let merged = FieldEvidence()
    for field in fields { merged.add(field.evidence) }
    if let values { merged.add(values) }
    return merged
  }

  /// Adds what was noted in another place.
  private func add(_ other: FieldEvidence) {
    total += other.total
    for index in counts.indices { counts[index] += other.counts[index] }
    samples += other.samples.prefix(max(Self.mostSamples - samples.count, 0))
    areExactDoubles = areExactDoubles && other.areExactDoubles
    areDates = areDates && other.areDates
    unstorable.merge(other.unstorable, uniquingKeysWith: +)
    targets.formUnion(other.targets)
    isOverwhelmed = isOverwhelmed || other.isOverwhelmed
    if identifierKind ?? other.identifierKind == other.identifierKind
      || other.identifierKind == nil,
      var union = identifiers, let added = other.identifiers
    {
      union.formUnion(added)
      identifiers = union
      identifierKind = identifierKind ?? other.identifierKind
    } else {
      identifiers = nil
    }
    for field in other.fields {
      guard let mine = self.field(field.name, most: .max, make: FieldEvidence.init) else {
        continue
      }
      mine.add(field.evidence)
    }
    elements = Self.sum(elements, other.elements)
    values = Self.sum(values, other.values)
  }

  private static func sum(_ left: FieldEvidence?, _ right: FieldEvidence?) -> FieldEvidence? {
    guard let right else { return left }
    let sum = left ?? FieldEvidence()
    sum.add(right)
    return sum
  }

  // MARK: - Samples

  private static let longestSample = 24

  private static func sample(of value: DocumentValue) -> String? {
    switch value {
    case .null, .document, .array, .other: return nil
    case .string(let string):
      let start = string.unicodeScalars.prefix(longestSample)
      let isWhole = string.unicodeScalars.count == start.count
      return JSONWriter.quoted(String(start)) + (isWhole ? "" : "…")
    case .bool, .int32, .int64, .decimal128, .objectId: return value.briefly
    case .double(let number): return ValueText.describe(.double(number))
    case .date(let date): return ValueText.describe(.date(date))
    case .binary(_, let bytes): return "\(bytes.count) bytes"
    }
  }
}
