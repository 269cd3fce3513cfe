package import KennelCore
internal import KennelReports

/// The classes of a file and the links between them, as lines of text.
///
/// Each class is followed by its links and by the links that lead to it. What an embedded object links
/// to stands below the link that owns it.
///
/// ```text
/// Person  13 objects
///   id, name, birthdate
///   dog      0..1  → Dog
///   dogs     *     → Dog
///   address  0..1  ◆ Address {}, delete rule cascade
///     city   0..1  → City
///   clubs    *     ← DogClub.members
/// ```
package struct SchemaGraph {
  /// A link property of a class.
  package struct Edge {
    package let origin: ClassSchema
    package let property: PropertySchema
    package let target: ClassSchema

    package var multiplicity: String { property.isCollection ? "*" : "0..1" }
  }

  package struct Line {
    package enum Kind: Hashable {
      /// A class.
      case title
      /// The properties that are no links.
      case values
      /// A link of the class, or of an object that it owns.
      case link
      /// A link that leads to the class.
      case backlink
    }

    package let kind: Kind
    /// The class in whose part of the diagram the line stands.
    package let classKey: ClassKey
    package internal(set) var text: String
    /// The first columns, until they are as wide as they must be.
    var name = ""
    var multiplicity = ""
    /// The class at the other end of a link.
    package var other: ClassKey?
    /// The property of a link, with its class, which tells the line from others.
    package var edge: (origin: ClassKey, property: PropertyKey)?
  }

  private let schema: Schema
  private let declarations: Declarations
  package let edges: [Edge]

  package init(_ schema: Schema, _ declarations: Declarations = Declarations()) {
    self.schema = schema
    self.declarations = declarations
    edges = schema.classes.flatMap { origin in
      origin.properties.compactMap { property in
        property.target.flatMap { schema[$0] }
          .map { Edge(origin: origin, property: property, target: $0) }
      }
    }
  }

  // MARK: - Lines

  /// Whether each property that is no link has a line of its own.
  package enum Detail {
    case names
    case types
  }

  /// The lines of a class.
  ///
  /// - Parameters:
  ///   - classSchema: The class.
  ///   - count: How many objects it has.
  ///   - detail: What is said of the properties that are no links.
  /// - Returns: The lines, the class itself first.
  package func lines(of classSchema: ClassSchema, count: Int, _ detail: Detail) -> [Line] {
    let key = classSchema.key
    let kind = classSchema.isEmbedded ? " {}" : ""
    var lines = [
      Line(
        kind: .title,
        classKey: key,
        text: ([classSchema.name + kind + "  " + counted(count, "object")]
          + declarations.traits(of: key))
          .joined(separator: ", ")
      )
    ]
    var entries = values(of: classSchema, detail)
    var shown: Set<ClassKey> = []
    entries += links(of: classSchema, in: key, depth: 0, shown: &shown)
    entries += backlinks(to: classSchema)
    let width = entries.map { TextWidth.width(of: $0.name, upTo: Self.widestName) }.max() ?? 0
    let hasLinks = entries.contains { $0.kind != .values }
    for var entry in entries {
      var text = "  \(entry.text)"
      if !entry.name.isEmpty || entry.kind != .values {
        text = "  \(TextWidth.pad(entry.name, to: width))  "
        if hasLinks { text += TextWidth.pad(entry.multiplicity, to: 4) + "  " }
        text += entry.text
      }
      entry.text = text
      lines.append(entry)
    }
    return lines
  }

  private static let widestName = 32

  private func values(of classSchema: ClassSchema, _ detail: Detail) -> [Line] {
    let values = classSchema.properties.filter { $0.target == nil }
    switch detail {
    case .names:
      let names = values.map(\.name).joined(separator: ", ")
      return names.isEmpty ? [] : [Line(kind: .values, classKey: classSchema.key, text: names)]
    case .types:
      return values.flatMap { property in
        let text = "\(property.type)\(traits(of: property, in: classSchema))"
        let line = Line(kind: .values, classKey: classSchema.key, text: text, name: property.name)
        return [line] + remarks(on: property, of: classSchema, in: classSchema.key)
      }
    }
  }

  /// The links of a class, each that owns objects followed by theirs, once for each of their classes.
  ///
  /// - Parameters:
  ///   - classSchema: The class.
  ///   - classKey: The class in whose part of the diagram the lines stand.
  ///   - depth: How many owners are above it.
  ///   - shown: The classes whose links are above.
  /// - Returns: The lines.
  private func links(
    of classSchema: ClassSchema,
    in classKey: ClassKey,
    depth: Int,
    shown: inout Set<ClassKey>
  ) -> [Line] {
    shown.insert(classSchema.key)
    var entries: [Line] = []
    for edge in edges where edge.origin.key == classSchema.key {
      let isOwner = edge.property.isEmbedded
      let isShown = shown.contains(edge.target.key)
      entries.append(
        Line(
          kind: .link,
          classKey: classKey,
          text: "\(isOwner ? "◆" : "→") \(name(edge.target))"
            + (isShown && isOwner ? " (as above)" : "")
            + traits(of: edge.property, in: classSchema),
          name: String(repeating: "  ", count: depth) + edge.property.name,
          multiplicity: edge.multiplicity,
          other: edge.target.key,
          edge: (edge.origin.key, edge.property.key)
        )
      )
      entries += remarks(on: edge.property, of: classSchema, in: classKey)
      guard isOwner, !isShown else { continue }
      entries += links(of: edge.target, in: classKey, depth: depth + 1, shown: &shown)
    }
    return entries
  }

  private func backlinks(to classSchema: ClassSchema) -> [Line] {
    edges.filter { $0.target.key == classSchema.key }.map { edge in
      let declared = classSchema.backlinks.first {
        $0.origin == edge.origin.key && $0.property == edge.property.key
      }
      return Line(
        kind: .backlink,
        classKey: classSchema.key,
        text: "\(edge.property.isEmbedded ? "◇" : "←") \(name(edge.origin)).\(edge.property.name)",
        name: declared?.name ?? "",
        // An embedded object has one owner.
        multiplicity: edge.property.isEmbedded ? "1" : "*",
        other: edge.origin.key,
        edge: (edge.origin.key, edge.property.key)
      )
    }
  }

  private func name(_ classSchema: ClassSchema) -> String {
    classSchema.name + (classSchema.isEmbedded ? " {}" : "")
  }

  /// The sentences below a property.
  private func remarks(
    on property: PropertySchema,
    of classSchema: ClassSchema,
    in classKey: ClassKey
  ) -> [Line] {
    declarations.notes(on: property.key, of: classSchema.key).remarks.map {
      Line(kind: .values, classKey: classKey, text: "  ! \($0)")
    }
  }

  private func traits(of property: PropertySchema, in classSchema: ClassSchema) -> String {
    var traits = property.keyTraits
    if property.target != nil {
      switch property.type.collection {
      case .set: traits.append("set")
      case .map: traits.append("map")
      case .list, .none: break
      }
    }
    if property.deleteRule != .nullify { traits.append("delete rule \(property.deleteRule)") }
    if property.targetRule != .nullify { traits.append("target rule \(property.targetRule)") }
    traits += declarations.notes(on: property.key, of: classSchema.key).traits
    return traits.map { ", \($0)" }.joined()
  }
}
