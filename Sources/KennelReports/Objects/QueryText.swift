package import KennelCore

/// Writes queries in the query language.
package enum QueryText {
  /// So many objects are named in one query.
  private static let mostObjects = 100

  /// What selects these objects of a class; no more than the first hundred.
  package static func selecting(_ objects: [ObjectIdentity], in schema: Schema) -> String? {
    guard let first = objects.first else { return nil }
    let texts = objects.prefix(mostObjects).map { literal($0, in: schema) }
    guard let text = texts.first, objects.count > 1 else {
      return "SELF == \(literal(first, in: schema))"
    }
    return texts.count == 1 ? "SELF == \(text)" : "SELF IN {\(texts.joined(separator: ", "))}"
  }

  /// An object as queries write it.
  private static func literal(_ object: ObjectIdentity, in schema: Schema) -> String {
    let name = schema[object.classKey]?.name ?? ""
    let isPlain = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
        || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }
    let isName = isPlain && !name.isEmpty
    return "object(\(isName ? name : "#\(object.classKey.rawValue)")/\(object.key.rawValue))"
  }

  /// The comparison of a path with a value.
  package static func compare(
    _ path: Predicate.Path,
    _ comparator: Predicate.Comparator,
    _ value: Value
  ) -> String {
    Predicate.comparison(.init(.path(path), comparator, .literal(value))).description
  }

  /// The condition that the value at a path lies in a range.
  package static func range(_ path: String, _ bin: Distribution.Bin) -> String {
    func literal(_ value: Value) -> String { "\(Predicate.Expression.literal(value))" }
    if bin.lower == bin.upper { return "\(path) == \(literal(bin.lower))" }
    let comparator = bin.includesUpper ? "<=" : "<"
    return "\(path) >= \(literal(bin.lower)) AND \(path) \(comparator) \(literal(bin.upper))"
  }

  /// The number of links from a property to an object, as a path.
  package static func linkCount(from link: LinkProperty) -> Predicate.Path {
    Predicate.Path(
      [.links(origin: link.origin.name, property: link.property.name)],
      aggregate: .count
    )
  }

  /// The number of elements of a property, as a path.
  package static func elementCount(of property: PropertySchema) -> Predicate.Path {
    Predicate.Path([.property(property.name)], aggregate: .count)
  }
}
