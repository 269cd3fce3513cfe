@_spi(Faces) import KennelCore

/// A column of CSV: the object's key, or a property, of an embedded object too.
struct CSVColumn {
  /// The names of the members that lead to the value.
  let path: [String]
  /// The type of the value.
  let type: PropertyType
  let isEmbedded: Bool
  /// The path to the value, where that is none of the object's own properties.
  var computed: ValuePath?

  /// The name in the header.
  var name: String { path.joined(separator: ".") }

  /// The columns of a class: embedded objects become columns of their own, unless their class holds
  /// itself.
  static func all(of classSchema: ClassSchema, in schema: Schema) -> [CSVColumn] {
    var columns: [CSVColumn] = []
    if let name = classSchema.keyMember {
      columns.append(CSVColumn(path: [name], type: .int, isEmbedded: false))
    }
    // What is still to be done, last first, with the classes around it.
    var open = classSchema.properties.reversed().map { ([String](), $0, [classSchema.key]) }
    while let (path, property, owners) = open.popLast() {
      let path = path + [property.name]
      guard property.isEmbedded, !property.isCollection, let target = property.target,
        let embedded = schema[target], !owners.contains(target), !embedded.holdsItself(in: schema),
        !embedded.properties.isEmpty
      else {
        columns.append(CSVColumn(path: path, type: property.type, isEmbedded: property.isEmbedded))
        continue
      }
      open += embedded.properties.reversed().map { (path, $0, owners + [target]) }
    }
    return columns
  }

  /// The columns that were chosen, after the key; those of an embedded object belong to its property.
  ///
  /// - Parameters:
  ///   - paths: The columns, in the query language.
  ///   - classSchema: The class.
  ///   - schema: The schema.
  /// - Returns: The columns.
  /// - Throws: `DocumentError` if one of them is no path to a value of the class.
  static func chosen(
    _ paths: [String],
    of classSchema: ClassSchema,
    in schema: Schema
  ) throws(DocumentError) -> [CSVColumn] {
    let all = all(of: classSchema, in: schema)
    let key = classSchema.keyMember
    var columns = all.filter { $0.path.first == key && key != nil }
    for text in paths {
      let property = classSchema.properties.first {
        "\(Predicate.Path([.property($0.name)], aggregate: nil))" == text
      }
      if let property {
        columns += all.filter { $0.path.first == property.name && $0.path.first != key }
        continue
      }
      let path = try rethrowing(
        try ValuePath(text, of: classSchema.key, in: schema, allowsLinks: true)
      ) { (error: PredicateError) in DocumentError("\(text): \(error.message)") }
      let type = PropertyType(path.kind).optional
      columns.append(CSVColumn(path: [text], type: type, isEmbedded: false, computed: path))
    }
    return columns
  }

  /// The value of the column in an object's document; `nil` if it has none.
  func value(in document: Document) -> DocumentValue? {
    var document = document
    for name in path.dropLast() {
      guard case .document(let inner)? = document[name] else { return nil }
      document = inner
    }
    return path.last.flatMap { document[$0] }
  }
}

extension ClassSchema {
  /// Whether embedded to-one objects of the class lead to objects of the class again.
  fileprivate func holdsItself(in schema: Schema) -> Bool {
    var seen: Set<ClassKey> = []
    var open = [key]
    while let next = open.popLast() {
      for property in schema[next]?.properties ?? [] where property.isEmbedded {
        guard !property.isCollection, let target = property.target else { continue }
        if target == key { return true }
        if seen.insert(target).inserted { open.append(target) }
      }
    }
    return false
  }
}
