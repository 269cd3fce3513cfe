package import KennelCore

/// Something about the objects of a class that a program probably did not mean.
package struct DoctorFinding: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A link leads to an object that does not exist.
    case danglingLink = "dangling-link"
    /// An object has other backlinks than there are links to it.
    case wrongBacklinks = "wrong-backlinks"
    /// Nothing links to an object, though most others of its class are linked to.
    case orphan
    /// A list has the same element twice.
    case duplicateElement = "duplicate-element"
    /// A value is null that may not be.
    case unexpectedNull = "unexpected-null"
    /// The primary key of an object finds another object, or none.
    case wrongPrimaryKey = "wrong-primary-key"
    /// Objects are linked to by each other only.
    case island
  }

  package let kind: Kind
  package let classKey: ClassKey
  package let className: String
  /// The property that it is about, if it is about one.
  package let propertyName: String?
  /// The number of objects.
  package let count: Int
  /// A condition that selects the objects in the query language: all of them, or those of
  /// ``objects``.
  package let query: String?
  /// Whether the query selects all of the objects.
  package let isQueryComplete: Bool
  /// The first of the objects.
  package let objects: [ObjectIdentity]
  /// The finding as a sentence without a period.
  package let message: String
}

/// The first objects of a finding, and how many there are.
struct FoundObjects {
  /// So many objects are kept for each finding.
  static let most = 100

  private(set) var count = 0
  private(set) var first: [ObjectIdentity] = []

  mutating func add(_ object: ObjectIdentity) {
    count += 1
    if first.count < Self.most { first.append(object) }
  }
}

extension DoctorFinding {
  /// - Parameters:
  ///   - kind: The kind.
  ///   - objects: The objects.
  ///   - classSchema: Their class.
  ///   - property: The property that it is about.
  ///   - query: What selects all of them; `nil` to name the first hundred.
  ///   - message: The sentence.
  init(
    _ kind: Kind,
    _ objects: FoundObjects,
    of classSchema: ClassSchema,
    _ property: String? = nil,
    query: String? = nil,
    _ message: String
  ) {
    self.kind = kind
    classKey = classSchema.key
    className = classSchema.name
    propertyName = property
    count = objects.count
    let own = objects.first.filter { $0.classKey == classSchema.key }
    self.query = query ?? QueryText.selecting(own, of: classSchema)
    isQueryComplete = query != nil || own.count == objects.count
    self.objects = objects.first
    self.message = message
  }
}
