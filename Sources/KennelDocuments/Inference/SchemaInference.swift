public import KennelCore

/// Proposes classes for documents.
///
/// Documents are added one at a time and not kept. The inference keeps counts of the types of each
/// field and hashes of values that may be links: about 100 MB at most.
///
/// ```swift
/// let inference = SchemaInference()
/// for document in documents { inference.add(document, to: "Person") }
/// print(inference.proposal().text)
/// ```
///
/// - A field is optional if it is null or absent in a document.
/// - BSON's `int` and `long` together become a 64-bit `int`. Whole numbers and doubles become
///   `double` if every whole number is exact as a double. Whole numbers and decimals become
///   `decimal128`.
/// - Other mixtures of types become `mixed` and are reported as a conflict. This includes scalars
///   beside arrays or objects, the elements of arrays that hold arrays, and the elements of arrays
///   that hold objects beside null.
/// - An object becomes an embedded class. It becomes a map if no name is in more than half of the
///   objects, there are eight names or more, and all values have one type.
/// - `_id` is the primary key. Without `_id`, `id` is the primary key if every document has it and
///   no value repeats.
/// - A field is a link if each value is the primary key of an object of one class. Whole numbers
///   match by accident, so their field must also be named like a link: `dog`, `dogId`, `owner_id`.
/// - References (`{"$ref": "Dog", "$id": …}`) are links to the classes that they name.
/// - Text that spells dates in every document becomes a date, but for `_id`, `id` and links.
/// - Values that no property holds, such as regular expressions, become text.
/// - A name that no property can have is replaced; see ``SchemaProposal/rules``.
public final class SchemaInference {
  /// The field that is a class's primary key first of all.
  static let identifier = "_id"
  /// How many properties a class can have.
  private static let mostProperties = 4094
  /// How many names a nested object can have before they are taken for the keys of a map.
  private static let mostNames = 512
  /// How many fields there can be altogether.
  private static let mostFields = 50_000
  /// How deep documents may be nested.
  private static let deepest = 100
  /// The documents of one class.
  struct Collection {
    let name: String
    let evidence: FieldEvidence
  }

  private let isStrict: Bool
  let texts: TextForms
  /// The classes that links may lead to beside those of the documents.
  private let known: [String]
  private var notes: [String] = []
  /// The names that were changed or left out before the documents came.
  private var renamed: [String] = []
  private var skipped: [String] = []
  /// How many hashes there may be.
  private let mostHashes: Int
  private var links: [DeclaredLink] = []
  private(set) var collections: [Collection] = []
  private var positions: [ExactName: Int] = [:]
  private var fieldCount = 0
  private var hashCount = 0
  /// Reasons why the proposal is of no use.
  private var obstacles: [String] = []

  /// Creates an inference without documents.
  ///
  /// - Parameters:
  ///   - strict: Whether a field with several types is refused instead of becoming `mixed`, and one
  ///     with values that no property holds instead of holding text.
  ///   - texts: How text spells dates and numbers.
  ///   - schema: The classes that there are: a reference (`$ref`) to one of them is a link.
  ///   - rememberedValues: The most values that are remembered to find links, up to 22 bytes each.
  ///     Beyond that, the fields with the most values are not proposed as links.
  public init(
    strict: Bool = false,
    texts: TextForms = TextForms(),
    extending schema: Schema = Schema(),
    rememberedValues: Int = 1 << 22
  ) {
    isStrict = strict
    self.texts = texts
    known = schema.classes.filter { !$0.isEmbedded }.map(\.name)
    mostHashes = rememberedValues
  }

  /// Adds a document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - className: The class of its object.
  public func add(_ document: Document, to className: String) {
    let evidence = collection(className).evidence
    evidence.note(.document(document), texts)
    add(document, to: evidence, path: className, depth: 0)
  }

  /// Adds a class without documents.
  ///
  /// - Parameter className: The name of the class.
  public func add(class className: String) {
    _ = collection(className)
  }

  /// Declares a link, regardless of its values.
  ///
  /// - Parameter link: A link such as `Person.dogs=Dog`; see ``JSONSchemaReader/add(link:)``.
  /// - Throws: ``JSONSchemaError`` if the text has another form.
  public func add(link: String) throws(JSONSchemaError) {
    links.append(try DeclaredLink(option: link))
  }

  /// Returns the proposed classes.
  public func proposal() -> SchemaProposal {
    var resolver = InferenceResolver(
      collections: collections,
      links: links,
      known: known,
      isStrict: isStrict
    )
    resolver.resolve()
    resolver.notes += notes
    resolver.renamed += renamed
    resolver.skipped = skipped
    for obstacle in obstacles { resolver.conflicts.append(.init(nil, obstacle)) }
    return resolver.proposal
  }

  private func collection(_ name: String) -> Collection {
    if let position = positions[ExactName(name)] { return collections[position] }
    let collection = Collection(name: name, evidence: FieldEvidence())
    positions[ExactName(name)] = collections.count
    collections.append(collection)
    return collection
  }

  // MARK: - Documents

  private func add(_ document: Document, to evidence: FieldEvidence, path: String, depth: Int) {
    guard depth < Self.deepest else {
      return refuse("documents of \(path) are nested deeper than \(Self.deepest) levels")
    }
    let isTop = depth == 0
    for member in document.members {
      if let values = evidence.values {
        add(member.value, to: values, path: path, depth: depth)
        continue
      }
      let most = isTop ? Self.mostProperties : Self.mostNames
      if let field = evidence.field(member.name, most: most, make: makeField) {
        add(member.value, to: field, path: path, depth: depth)
      } else if !isTop, evidence.fields.count >= most {
        evidence.mergeFields()
        fieldCount = collections.reduce(0) { $0 + $1.evidence.fieldCount }
        hashCount = collections.reduce(0) { $0 + $1.evidence.hashCount }
        if let values = evidence.values {
          add(member.value, to: values, path: path, depth: depth)
        }
      } else {
        let limit = isTop && evidence.fields.count >= most ? most : Self.mostFields
        refuse("documents of \(path) have more than \(limit) different fields")
      }
    }
  }

  private func makeField() -> FieldEvidence? {
    guard fieldCount < Self.mostFields else { return nil }
    fieldCount += 1
    return FieldEvidence()
  }

  func addNote(_ note: String) {
    notes.append(note)
  }

  func addChanges(_ changes: FieldChanges) {
    renamed = changes.renamed.keys.sorted()
    skipped = changes.skipped.keys.sorted()
  }

  private func refuse(_ obstacle: String) {
    if !obstacles.contains(obstacle) { obstacles.append(obstacle) }
  }

  private func add(_ value: DocumentValue, to evidence: FieldEvidence, path: String, depth: Int) {
    evidence.note(value, texts)
    switch value {
    case .document(let document):
      add(document, to: evidence, path: path, depth: depth + 1)
    case .array(let elements):
      guard depth < Self.deepest else {
        return refuse("documents of \(path) are nested deeper than \(Self.deepest) levels")
      }
      let inner = evidence.elements ?? FieldEvidence()
      evidence.elements = inner
      for element in elements { add(element, to: inner, path: path, depth: depth + 1) }
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .binary,
      .other:
      identify(value, in: evidence)
    }
  }

  // MARK: - Values that may be links

  private func identify(_ value: DocumentValue, in evidence: FieldEvidence) {
    guard evidence.identifiers != nil, let hash = value.identifierHash,
      evidence.identifiers?.insert(hash).inserted == true
    else { return }
    hashCount += 1
    if hashCount > mostHashes { hashCount = collections.reduce(0) { $0 + $1.evidence.hashCount } }
    while hashCount > mostHashes, forgetIdentifiers() {}
  }

  /// Forgets the values of the field that has most of them, primary keys last.
  private func forgetIdentifiers() -> Bool {
    var keys: [FieldEvidence] = []
    var others: [FieldEvidence] = []
    for collection in collections {
      collection.evidence.visit(isTop: true) { name, evidence, isTop in
        guard evidence.identifiers?.isEmpty == false else { return }
        if isTop, name == Self.identifier { keys.append(evidence) } else { others.append(evidence) }
      }
    }
    let kinds = Set(keys.map(\.identifierKind))
    let unlike = others.filter { !kinds.contains($0.identifierKind) }
    let candidates = unlike.isEmpty ? (others.isEmpty ? keys : others) : unlike
    func count(_ evidence: FieldEvidence) -> Int { evidence.identifiers?.count ?? 0 }
    guard let largest = candidates.max(by: { count($0) < count($1) }) else { return false }
    hashCount -= count(largest)
    largest.identifiers = nil
    largest.isOverwhelmed = true
    return true
  }
}

extension FieldEvidence {
  /// How many values there are of each type that no property holds, here and inside.
  var unstorableInside: [String: Int] {
    var found = unstorable
    visit(isTop: false) { _, evidence, _ in found.merge(evidence.unstorable, uniquingKeysWith: +) }
    return found
  }

  /// How many fields there are inside.
  var fieldCount: Int {
    fields.reduce(0) { $0 + 1 + $1.evidence.fieldCount } + (elements?.fieldCount ?? 0)
      + (values?.fieldCount ?? 0)
  }

  /// How many hashes there are inside.
  var hashCount: Int {
    var count = 0
    visit(isTop: false) { _, evidence, _ in count += evidence.identifiers?.count ?? 0 }
    return count
  }

  /// Goes through all that is inside.
  func visit(isTop: Bool, _ body: (String, FieldEvidence, Bool) -> Void) {
    for field in fields {
      body(field.name, field.evidence, isTop)
      field.evidence.visit(isTop: false, body)
    }
    for inner in [elements, values].compactMap(\.self) {
      body("", inner, false)
      inner.visit(isTop: false, body)
    }
  }
}

extension DocumentValue {
  /// A hash of a value that can be a primary key.
  fileprivate var identifierHash: Int? {
    var hasher = Hasher()
    switch self {
    case .int32(let number): hasher.combine(Int64(number))
    case .int64(let number): hasher.combine(number)
    case .string(let string): hasher.combine(Array(string.utf8))
    case .objectId(let id): hasher.combine(id)
    case .binary(_, let bytes): hasher.combine(bytes)
    case .null, .bool, .double, .decimal128, .date, .array, .document, .other: return nil
    }
    return hasher.finalize()
  }
}
