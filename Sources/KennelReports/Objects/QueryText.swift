package import KennelCore

/// Writes queries in the query language.
package enum QueryText {
  /// A condition that selects objects of a class; `nil` if there are none.
  static func selecting(_ objects: [ObjectIdentity], of classSchema: ClassSchema) -> String? {
    let name = classSchema.name
    let isPlain = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
        || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }
    let prefix = isPlain && !name.isEmpty ? name : "#\(classSchema.key.rawValue)"
    let texts = objects.map { "object(\(prefix)/\($0.key.rawValue))" }
    guard let text = texts.first else { return nil }
    return texts.count == 1 ? "SELF == \(text)" : "SELF IN {\(texts.joined(separator: ", "))}"
  }

  /// The comparison of a path with a value.
  package static func compare(
    _ path: Predicate.Path,
    _ comparator: Predicate.Comparator,
    _ value: Value
  ) -> String {
    Predicate.comparison(.init(.path(path), comparator, .literal(value))).description
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
