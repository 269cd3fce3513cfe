public import KennelCore

/// Proposed classes with their evidence.
///
/// ```swift
/// let proposal = inference.proposal()
/// for conflict in proposal.conflicts { print(conflict.path ?? "", conflict.message) }
/// if proposal.isAcceptable { print(proposal.classes.map(\.name)) }
/// ```
public struct SchemaProposal: Sendable {
  /// The evidence for a property.
  ///
  /// ```swift
  /// for found in proposal.evidence {
  ///   print(found.className, found.propertyName, found.absentCount, found.samples)
  /// }
  /// ```
  public struct Evidence: Sendable, Hashable {
    /// The class.
    public let className: String
    /// The property.
    public let propertyName: String
    /// The number of values of each BSON type; for a collection, of its elements.
    public let counts: [TypeCount]
    /// The number of documents with null.
    public let nullCount: Int
    /// The number of documents without the field.
    public let absentCount: Int
    /// The first values, abbreviated.
    public let samples: [String]
    /// Why the property is a link or the primary key; `nil` if it is neither.
    public let reason: String?
  }

  /// The number of values of a type.
  ///
  /// ```swift
  /// let zip = proposal.evidence.first { $0.propertyName == "zip" }
  /// for found in zip?.counts ?? [] { print("\(found.count) of type \(found.type)") }
  /// ```
  public struct TypeCount: Sendable, Hashable {
    /// The BSON name of the type.
    public let type: String
    /// The number of values.
    public let count: Int
  }

  /// A field whose values have several types, or another reason why documents cannot be imported as
  /// they are.
  ///
  /// ```swift
  /// for conflict in proposal.conflicts where conflict.isResolved {
  ///   print("\(conflict.path ?? "") becomes mixed: \(conflict.message)")
  /// }
  /// ```
  public struct Conflict: Sendable, Hashable {
    /// The class and property, such as `Person.zip`; `nil` for all documents.
    public let path: String?
    /// The types, and the type of the property.
    public let message: String
    /// Whether the property becomes `mixed`.
    ///
    /// If not, the documents cannot be imported.
    public let isResolved: Bool

    init(_ path: String?, _ message: String, isResolved: Bool = false) {
      self.path = path
      self.message = message
      self.isResolved = isResolved
    }
  }

  /// The classes, embedded ones last.
  public let classes: [ClassDefinition]
  /// The number of documents of each class, in the order of ``classes``.
  public let documentCounts: [Int]
  /// The evidence for each property, in the order of ``classes``.
  public let evidence: [Evidence]
  /// The fields whose values have several types, and other reasons why documents cannot be imported
  /// as they are.
  public let conflicts: [Conflict]
  /// Further remarks for a person.
  public let notes: [String]
  /// The names that classes and properties get because theirs cannot be; an import needs them, too.
  public let rules: FieldRules
  /// The old and the new names, as in `Person.@id to id`, also of what the reader renamed.
  public let renamed: [String]
  /// The names that the reader left out.
  public let skipped: [String]

  /// Whether objects of these classes can hold the documents.
  public var isAcceptable: Bool { conflicts.allSatisfy(\.isResolved) }

  // MARK: - Text

  /// The proposal as text.
  ///
  /// Hidden characters in names and samples are escaped.
  public var text: String {
    var text = ""
    for (definition, count) in zip(classes, documentCounts) {
      let kind = definition.isEmbedded ? "embedded class" : "class"
      let plural = count == 1 ? "document" : "documents"
      text += "\(text.isEmpty ? "" : "\n")\(kind) \(Self.shown(definition.name)), "
      text += "\(count) \(plural)\n"
      text += TerminalText.aligned(
        definition.properties.map { property in
          let found = evidence.first {
            $0.className.hasSameBytes(as: definition.name)
              && $0.propertyName.hasSameBytes(as: property.name)
          }
          return [
            "  " + Self.shown(property.name), Self.shown(property.type.description),
            found.map(Self.line) ?? "",
          ]
        }
      )
    }
    text += Self.section(
      "Conflicts",
      conflicts.map { ($0.path.map { "\(Self.shown($0)): " } ?? "") + $0.message }
    )
    text += Self.section("Renamed", renamed)
    text += Self.section("Left out", skipped)
    text += Self.section("Notes", notes)
    return text
  }

  private static func section(_ title: String, _ lines: [String]) -> String {
    lines.isEmpty ? "" : "\n\(title)\n" + lines.map { "  \($0)\n" }.joined()
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
    let quoted = JSONWriter.quoted(name)
    let isPlain = !name.isEmpty && quoted.utf8.count == name.utf8.count + 2
    return isPlain && !name.contains(" ") ? name : quoted
  }
}
