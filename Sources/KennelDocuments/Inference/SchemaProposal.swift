public import KennelCore

/// Classes that documents suggest, with the reasons.
public struct SchemaProposal: Sendable {
  /// What was seen of a property.
  public struct Evidence: Sendable, Hashable {
    /// The class.
    public let className: String
    /// The property.
    public let propertyName: String
    /// How often each type occurred, by its BSON name; of a collection, for its elements.
    public let counts: [TypeCount]
    /// How many documents have null.
    public let nullCount: Int
    /// How many documents lack the field.
    public let absentCount: Int
    /// The first values, as short texts.
    public let samples: [String]
    /// Why the property is a link or the primary key; otherwise `nil`.
    public let reason: String?
  }

  /// How often a type occurred.
  public struct TypeCount: Sendable, Hashable {
    /// The BSON name of the type.
    public let type: String
    /// How many values have it.
    public let count: Int
  }

  /// Values that do not fit one type.
  public struct Conflict: Sendable, Hashable {
    /// The class and property, as in `Person.zip`; `nil` where all documents are meant.
    public let path: String?
    /// What differs, and what becomes of it.
    public let message: String
    /// Whether the property becomes `mixed`; otherwise the documents cannot be imported.
    public let isResolved: Bool

    init(_ path: String?, _ message: String, isResolved: Bool = false) {
      self.path = path
      self.message = message
      self.isResolved = isResolved
    }
  }

  /// The classes, embedded ones last.
  public let classes: [ClassDefinition]
  /// How many documents each class was derived from, in the order of ``classes``.
  public let documentCounts: [Int]
  /// What was seen of each property, in the order of ``classes``.
  public let evidence: [Evidence]
  /// The fields whose values differ in type.
  public let conflicts: [Conflict]
  /// What else a person should know.
  public let notes: [String]

  /// Whether objects of these classes can hold the documents.
  public var isAcceptable: Bool { conflicts.allSatisfy(\.isResolved) }

  // MARK: - Text

  /// The proposal for a person to read; names and samples cannot control a terminal.
  public var text: String {
    var text = ""
    for (definition, count) in zip(classes, documentCounts) {
      let kind = definition.isEmbedded ? "embedded class" : "class"
      let plural = count == 1 ? "document" : "documents"
      text += "\(text.isEmpty ? "" : "\n")\(kind) \(Self.shown(definition.name)), "
      text += "\(count) \(plural)\n"
      text += Self.table(
        definition.properties.map { property in
          let found = evidence.first {
            $0.className.hasSameBytes(as: definition.name)
              && $0.propertyName.hasSameBytes(as: property.name)
          }
          return [
            Self.shown(property.name), Self.shown(property.type.description),
            found.map(Self.line) ?? "",
          ]
        }
      )
    }
    text += Self.section(
      "Conflicts",
      conflicts.map { ($0.path.map { "\(Self.shown($0)): " } ?? "") + $0.message }
    )
    text += Self.section("Notes", notes)
    return text
  }

  private static func section(_ title: String, _ lines: [String]) -> String {
    lines.isEmpty ? "" : "\n\(title)\n" + lines.map { "  \($0)\n" }.joined()
  }

  private static func table(_ rows: [[String]]) -> String {
    let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      return "  \(cells.joined(separator: "  "))  \(row[2])\n"
    }.joined()
  }

  /// As in `3 int, 1 null: 7, 12, 13; primary key`.
  private static func line(_ evidence: Evidence) -> String {
    var parts = evidence.counts.map { "\($0.count) \($0.type)" }
    if evidence.nullCount > 0 { parts.append("\(evidence.nullCount) null") }
    if evidence.absentCount > 0 { parts.append("\(evidence.absentCount) absent") }
    var text = parts.joined(separator: ", ")
    if !evidence.samples.isEmpty { text += ": " + evidence.samples.joined(separator: ", ") }
    if let reason = evidence.reason { text += "; " + reason }
    return text
  }

  /// A name as it is, or quoted and escaped where a terminal could obey it or a reader miss it.
  static func shown(_ name: String) -> String {
    var writer = JSONWriter()
    writer.append(quoted: name)
    let quoted = String(decoding: writer.bytes, as: UTF8.self)
    let isPlain = !name.isEmpty && quoted.utf8.count == name.utf8.count + 2
    return isPlain && !name.contains(" ") ? name : quoted
  }
}
