@_spi(Faces) import KennelCore

/// Links that wait for their targets, with what their documents say of them.
///
/// A few are kept in memory, more in a temporary file.
final class PendingLinks {
  /// The value of a property with such links.
  struct Link {
    var place: ObjectsFromDocuments.Place
    let path: String
    let object: ObjectIdentity
    let property: PropertyKey
    let form: ValueReader.Form
    var value: DocumentValue
  }

  private let bytes = TemporaryBytes()
  // A property is part of a document, or of a line, that was not too long.
  private let encoder = BSONEncoder(limit: Int(Int32.max))
  private var buffer: [UInt8] = []

  /// Keeps a link.
  func append(_ link: Link) throws(ValueProblem) {
    let document: Document = [
      "file": link.place.file.map { .string($0) } ?? .null,
      "document": .int64(Int64(link.place.document)),
      "line": link.place.line.map { .int64(Int64($0)) } ?? .null,
      "path": .string(link.path),
      "class": .int64(Int64(link.object.classKey.rawValue)),
      "key": .int64(Int64(link.object.key.rawValue)),
      "property": .int64(Int64(link.property.rawValue)),
      "form": .int64(Int64(link.form.rawValue)),
      // Lines may have names and numbers that BSON has not.
      "value": link.form == .lines
        ? .string((["v": link.value] as Document).jsonLine) : link.value,
    ]
    buffer.removeAll(keepingCapacity: true)
    try encoder.encode(document, into: &buffer)
    try rethrowing(try bytes.append(buffer)) { (error: DocumentError) in
      ValueProblem(error.message)
    }
  }

  /// Calls a body with each link that is kept.
  func read(_ body: (Link) throws -> Void) throws {
    let documents = BSONReader(ByteStream([], try bytes.reader()), limit: Int(Int32.max))
    while let document = try documents.document() {
      guard let link = Link(document) else { continue }
      try body(link)
    }
  }
}

extension PendingLinks.Link {
  fileprivate init?(_ document: Document) {
    let members = document.members
    guard members.count == 9,
      case .int64(let document) = members[1].value,
      case .string(let path) = members[3].value,
      case .int64(let classKey) = members[4].value,
      case .int64(let key) = members[5].value,
      case .int64(let property) = members[6].value,
      case .int64(let number) = members[7].value, let form = ValueReader.Form(rawValue: Int(number))
    else { return nil }
    place = ObjectsFromDocuments.Place(document: Int(document))
    if case .string(let name) = members[0].value { place.file = name }
    if case .int64(let line) = members[2].value { place.line = Int(line) }
    self.path = path
    object = ObjectIdentity(
      ClassKey(rawValue: UInt16(truncatingIfNeeded: classKey)),
      ObjectKey(rawValue: UInt64(key))
    )
    self.property = PropertyKey(rawValue: UInt16(truncatingIfNeeded: property))
    self.form = form
    value = members[8].value
    guard form == .lines else { return }
    guard case .string(let line) = value,
      case .document(let whole)? = try? JSONParser.value(of: Array(line.utf8), .lines),
      let first = whole.members.first
    else { return nil }
    value = first.value
  }
}

/// Links that lead nowhere: all of them counted, the first ones kept.
struct DanglingLinks {
  private static let limit = 20
  private(set) var count = 0
  private var first: [DocumentError] = []

  mutating func add(_ link: DocumentError) {
    count += 1
    if first.count < Self.limit { first.append(link) }
  }

  /// The error where they are refused; `nil` if there is none.
  var error: DocumentError? {
    guard count > 0 else { return nil }
    if count == 1, let only = first.first {
      return DocumentError(
        file: only.file,
        document: only.document,
        line: only.line,
        path: only.path,
        only.message + "; --dangling null drops such links"
      )
    }
    let rest = count > first.count ? "\n  and \(count - first.count) more" : ""
    return DocumentError(
      "\(count) properties link to objects that do not exist; --dangling null drops such links\n  "
        + first.map(\.description).joined(separator: "\n  ") + rest
    )
  }
}
