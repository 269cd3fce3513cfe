import KennelBrowser
import KennelCore
import KennelDocuments

/// The classes of a database and their links as a diagram, for Graphviz or Mermaid.
///
/// A class lists its values. Links are edges: with a filled diamond where the target is embedded, with
/// `0..1` or `*` for the number of targets, and with the delete rule and the target rule where they are
/// not the usual ones.
struct SchemaDiagram {
  let classes: [ClassSchema]
  let schema: Schema

  private var links: [SchemaGraph.Edge] {
    let keys = Set(classes.map(\.key))
    return SchemaGraph(schema).edges.filter { keys.contains($0.origin.key) }
  }

  /// The property, with its rules.
  private static func label(of link: SchemaGraph.Edge) -> String {
    let property = link.property
    var rules: [String] = []
    if property.deleteRule != .nullify { rules.append("\(property.deleteRule)") }
    if property.targetRule != .nullify { rules.append("target rule \(property.targetRule)") }
    return property.name + (rules.isEmpty ? "" : " (\(rules.joined(separator: ", ")))")
  }

  private func values(of classSchema: ClassSchema) -> [PropertySchema] {
    classSchema.properties.filter { $0.target == nil }
  }

  // MARK: - Graphviz

  /// The diagram in the DOT language.
  var dot: String {
    var lines = ["digraph schema {", "  rankdir=LR;", "  node [shape=record];"]
    for classSchema in classes {
      let values = values(of: classSchema).map { property in
        "\(Self.escaped("\(property.name): \(property.type)", "{}|<> "))\\l"
      }
      let label = "{\(Self.escaped(classSchema.name, "{}|<> "))|\(values.joined())}"
      let style = classSchema.isEmbedded ? ", style=dashed" : ""
      lines.append("  \(Self.quoted(classSchema.name)) [label=\"\(label)\"\(style)];")
    }
    for link in links {
      let tail = link.property.isEmbedded ? ", dir=both, arrowtail=diamond" : ""
      lines.append(
        "  \(Self.quoted(link.origin.name)) -> \(Self.quoted(link.target.name)) "
          + "[label=\(Self.quoted(Self.label(of: link))), headlabel=\"\(link.multiplicity)\"\(tail)];"
      )
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  /// A text in which a backslash stands before quotes and some other characters.
  private static func escaped(_ text: String, _ others: String = "") -> String {
    TerminalText.line(text).map { character in
      "\"\\".contains(character) || others.contains(character) ? "\\\(character)" : "\(character)"
    }.joined()
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  // MARK: - Mermaid

  /// The diagram as a class diagram of Mermaid.
  var mermaid: String {
    var lines = ["classDiagram"]
    for classSchema in classes {
      lines.append("  class \(Self.name(classSchema)) {")
      if classSchema.isEmbedded { lines.append("    <<embedded>>") }
      for property in values(of: classSchema) {
        lines.append("    \(Self.plain("\(property.type) \(property.name)"))")
      }
      lines.append("  }")
    }
    for link in links {
      let arrow = link.property.isEmbedded ? "*--" : "-->"
      lines.append(
        "  \(Self.name(link.origin)) \(arrow) \"\(link.multiplicity)\" \(Self.name(link.target)) : "
          + Self.plain(Self.label(of: link))
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A name that Mermaid takes whatever its characters are.
  private static func name(_ classSchema: ClassSchema) -> String {
    let isPlain = classSchema.name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "_0123456789".unicodeScalars.contains($0))
    }
    return isPlain ? classSchema.name : "`\(plain(classSchema.name))`"
  }

  /// A text without what ends a name or a line there; the brackets of types are tildes.
  private static func plain(_ text: String) -> String {
    let others: [Character: Character] = ["<": "~", ">": "~", "`": "_", "{": "_", "}": "_"]
    return String(TerminalText.line(text).map { others[$0] ?? $0 })
  }
}
