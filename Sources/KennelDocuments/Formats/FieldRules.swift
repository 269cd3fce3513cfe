import KennelCore

/// Which members and classes of documents get other names, and which are left out.
///
/// ```swift
/// var rules = FieldRules()
/// try rules.rename("@id=id")
/// rules.skip("Person.@type")
/// let reader = DocumentReader([people], rules: rules)
/// ```
///
/// A rule names a member wherever it stands (`city`), or by a part of its path (`address.city`,
/// `Person.address.city`); it names a class by the whole name. The first rule that fits counts.
public struct FieldRules: Sendable {
  fileprivate struct Rule {
    /// The text of the rule, or the exact path from the class on.
    enum Place {
      case text(String)
      case path([String])
    }

    let place: Place
    /// The new name; `nil` for what is left out.
    let name: String?
  }

  enum Change {
    case renamed(String)
    case skipped
  }

  private var rules: [Rule] = []

  /// Creates rules that change nothing.
  public init() {}

  /// Whether nothing changes.
  public var isEmpty: Bool { rules.isEmpty }

  /// Adds a new name.
  ///
  /// - Parameter option: The old name and the new one, as in `@id=id`; the last `=` separates them.
  ///   An old name of no characters is that of a CSV column without a name.
  /// - Throws: ``DocumentError`` if the text has another form, or no property can have the new name.
  public mutating func rename(_ option: String) throws(DocumentError) {
    guard let sign = option.lastIndex(of: "=") else {
      throw DocumentError("'\(option)' gives no new name: write FROM=TO, as in @id=id")
    }
    let name = String(option[option.index(after: sign)...])
    if let problem = ClassDefinition.problem(ofName: name) {
      throw DocumentError("'\(name)' cannot be a name: \(problem)")
    }
    rules.append(Rule(place: .text(String(option[..<sign])), name: name))
  }

  /// Adds a name that is left out.
  ///
  /// - Parameter name: The name; of no characters for CSV columns without a name.
  public mutating func skip(_ name: String) {
    rules.append(Rule(place: .text(name), name: nil))
  }

  /// Adds rules that count where none of these does.
  public mutating func append(_ other: FieldRules) {
    rules += other.rules
  }

  /// Returns the class of the documents of a class; `nil` where they are left out.
  public func className(_ name: String) -> String? {
    switch rules.isEmpty ? nil : change(at: [name]) {
    case nil: name
    case .renamed(let new): new
    case .skipped: nil
    }
  }

  mutating func rename(_ path: [String], to name: String) {
    rules.append(Rule(place: .path(path), name: name))
  }

  /// Finds the change of a member, or of a class, by its path from the class on.
  func change(at path: [String]) -> Change? {
    guard let rule = rules.first(where: { $0.fits(path) }) else { return nil }
    return rule.name.map(Change.renamed) ?? .skipped
  }

  /// Ends a sentence about a name that no property has.
  static func hint(for name: String) -> String {
    "--skip \(word(name)) leaves it out, --rename \(word(name + "=NAME")) gives it another name, "
      + "--ignore-unknown leaves out all such members"
  }

  /// A name as a word of a command line.
  static func word(_ name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte != UInt8(ascii: "$") && (JSONPlace.isWordByte(byte) || "@.-:=".utf8.contains(byte))
      }
    return isPlain ? name : "'" + name.replacing("'", with: "'\\''") + "'"
  }
}

extension FieldRules.Rule {
  fileprivate func fits(_ path: [String]) -> Bool {
    switch place {
    case .path(let wanted):
      return path.count == wanted.count && zip(path, wanted).allSatisfy { $0.hasSameBytes(as: $1) }
    case .text(let text):
      return path.indices.contains { path[$0...].joined(separator: ".").hasSameBytes(as: text) }
    }
  }
}

/// Applies rules to documents and counts what was changed.
final class FieldChanges {
  let rules: FieldRules
  /// How often each member or class was left out, by class and path.
  private(set) var skipped: [String: Int] = [:]
  /// How often each got another name, as in `Person.@id to id`.
  private(set) var renamed: [String: Int] = [:]

  init(_ rules: FieldRules) {
    self.rules = rules
  }

  func note(_ path: [String], to name: String) {
    let shown = SchemaProposal.shown
    renamed["\(path.map(shown).joined(separator: ".")) to \(shown(name))", default: 0] += 1
  }

  func noteSkipped(_ path: [String]) {
    skipped[path.map(SchemaProposal.shown).joined(separator: "."), default: 0] += 1
  }

  /// The document with the names that the rules give its members.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - path: Its class, and the names that lead to it.
  /// - Returns: The document.
  func applied(to document: Document, at path: [String]) -> Document {
    var members: [Document.Member] = []
    members.reserveCapacity(document.members.count)
    for member in document.members {
      let inner = path + [member.name]
      var name = member.name
      switch rules.change(at: inner) {
      case .skipped:
        noteSkipped(inner)
        continue
      case .renamed(let new):
        note(inner, to: new)
        name = new
      case nil: break
      }
      members.append(.init(name, applied(to: member.value, at: inner)))
    }
    if ValueReader.reference(document) != nil {
      for index in members.indices where members[index].name == MappingName.reference {
        guard let target = members[index].value.string else { continue }
        members[index].value = .string(rules.className(target) ?? target)
      }
    }
    return Document(members)
  }

  private func applied(to value: DocumentValue, at path: [String]) -> DocumentValue {
    switch value {
    case .document(let document): .document(applied(to: document, at: path))
    case .array(let elements): .array(elements.map { applied(to: $0, at: path) })
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .binary,
      .other:
      value
    }
  }
}
