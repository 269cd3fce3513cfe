public import KennelStorage

/// A link property that is followed, or one whose links are followed backwards.
///
/// ```swift
/// let edges = try LinkEdge.parse("dogs", in: snapshot.schema)
/// let objects = try snapshot.closure(of: [ada], along: Set(edges), depth: 2)
/// ```
public struct LinkEdge: Hashable, Sendable {
  /// The class that has the link property.
  public let origin: ClassKey
  /// The link property.
  public let property: PropertyKey
  /// Whether the step is from the target of a link to the object that has it.
  public let isBackward: Bool

  /// Creates an edge.
  public init(_ origin: ClassKey, _ property: PropertyKey, isBackward: Bool = false) {
    self.origin = origin
    self.property = property
    self.isBackward = isBackward
  }

  /// Returns a forward edge for every link property of a schema, except the properties that hold
  /// embedded objects.
  ///
  /// - Parameter schema: The schema.
  /// - Returns: The edges, in the order of the schema.
  public static func all(in schema: Schema) -> [LinkEdge] {
    schema.classes.flatMap { classSchema in
      classSchema.properties.filter { $0.canLink && !$0.isEmbedded }
        .map { LinkEdge(classSchema.key, $0.key) }
    }
  }

  /// Reads the names of edges, separated by commas.
  ///
  /// `dogs` names every link property and every declared backlink called `dogs`; `Person.dogs`
  /// names the link property of `Person`; `@links.Person.dogs` follows that property backwards.
  ///
  /// - Parameters:
  ///   - text: The names.
  ///   - schema: The schema.
  /// - Returns: The edges.
  /// - Throws: `DatabaseError` with a suggestion if there is no such link.
  public static func parse(
    _ text: String,
    in schema: Schema
  ) throws(DatabaseError) -> [LinkEdge] {
    var edges: [LinkEdge] = []
    for part in text.split(separator: ",") {
      var rest = part.drop { $0 == " " }
      while rest.last == " " { rest.removeLast() }
      if rest.isEmpty { continue }
      let name = String(rest)
      let found = named(name, in: schema)
      guard !found.isEmpty else { throw missing(name, schema) }
      edges += found
    }
    return edges
  }

  /// Returns the name that ``parse(_:in:)`` reads.
  ///
  /// - Parameter schema: The schema.
  /// - Returns: The class and the property, such as `Person.dogs`.
  public func name(in schema: Schema) -> String {
    let className = schema[origin]?.name ?? "?"
    let propertyName = schema.property(property, of: origin)?.name ?? "?"
    return "\(isBackward ? "@links." : "")\(className).\(propertyName)"
  }

  private static func named(_ name: String, in schema: Schema) -> [LinkEdge] {
    let forward = all(in: schema)
    let backward = forward.map { LinkEdge($0.origin, $0.property, isBackward: true) }
    let exact = (forward + backward).filter { $0.name(in: schema).hasSameBytes(as: name) }
    if !exact.isEmpty { return exact }
    let links = forward.filter {
      schema.property($0.property, of: $0.origin)?.name.hasSameBytes(as: name) == true
    }
    let backlinks = schema.classes.flatMap(\.backlinks).filter { $0.name.hasSameBytes(as: name) }
    return links + backlinks.map { LinkEdge($0.origin, $0.property, isBackward: true) }
  }

  private static func missing(_ name: String, _ schema: Schema) -> DatabaseError {
    let links = all(in: schema).compactMap { schema.property($0.property, of: $0.origin)?.name }
    let names = links + schema.classes.flatMap(\.backlinks).map(\.name)
    let meant = NearestName.of(name, among: names)
    let suggestion = meant.map { "; did you mean \($0)?" } ?? ""
    let list = links.isEmpty ? "; no class has links" : ""
    return DatabaseError(.noSuchProperty, "There is no link named '\(name)'\(suggestion)\(list)")
  }
}
