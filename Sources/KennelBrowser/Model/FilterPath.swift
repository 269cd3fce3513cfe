@_spi(Faces) internal import KennelCore

/// The type of a path in a filter, as far as it is written.
struct FilterPath {
  /// The kind of its values.
  let kind: ValueKind
  /// The class of the objects that it leads to; `nil` where it leads to values.
  var classKey: ClassKey?
  /// Whether it leads through a collection or a backlink to any number of values.
  var isMany = false
  var isOptional = false
  /// The collection that it ends in.
  var collection = CollectionKind.none
  /// Whether its values are the names of kinds, as `@type` of a mixed value is.
  var isKind = false
  /// The property at its end, and the class whose it is.
  var property: (owner: ClassKey, schema: PropertySchema)?

  /// The object that the filter looks at.
  static func object(_ classKey: ClassKey) -> FilterPath {
    FilterPath(kind: .link, classKey: classKey)
  }

  /// The objects of a class that link here.
  static func origins(_ classKey: ClassKey) -> FilterPath {
    FilterPath(kind: .link, classKey: classKey, isMany: true)
  }

  static let number = FilterPath(kind: .int)

  /// The path with another step; `nil` where its class has nothing of this name.
  func step(_ name: String, in schema: Schema) -> FilterPath? {
    guard let owner = classKey, let known = schema[owner] else { return nil }
    if let property = known[name] {
      return FilterPath(
        kind: property.type.kind,
        classKey: property.target,
        isMany: isMany || property.isCollection,
        isOptional: isOptional || property.type.isOptional,
        collection: property.type.collection,
        property: (owner, property)
      )
    }
    return known.backlinks.first { $0.name == name }.map { .origins($0.origin) }
  }

  /// The path with an aggregate at its end.
  func aggregated(_ name: String) -> FilterPath {
    if kind == .mixed, name.lowercased() == "type" {
      return FilterPath(kind: .string, isMany: isMany, isKind: true)
    }
    guard let aggregate = Predicate.Aggregate(named: name) else { return .number }
    return FilterPath(kind: aggregate.result(of: kind), isOptional: aggregate.value(of: []).isNull)
  }

  /// One value of the collection at the end of the path.
  var element: FilterPath {
    FilterPath(kind: kind, classKey: classKey, isOptional: true, property: property)
  }
}
