package import KennelCore

/// An object that was created, deleted or changed.
package struct ObjectDifference: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case created, deleted, changed

    /// The character before its line.
    package var sign: String {
      switch self {
      case .created: "+"
      case .deleted: "-"
      case .changed: "~"
      }
    }
  }

  package let kind: Kind
  package let name: ObjectName
  /// The name that a person reads, such as `Rex`.
  package let displayName: String
  /// The object in the older file or snapshot; `nil` for one that was created.
  package let old: ObjectIdentity?
  /// The object in the newer one; `nil` for one that was deleted.
  package let new: ObjectIdentity?
  /// The differences: of an object that was created or deleted, every value that is not empty.
  package let values: [ValueChange]

  /// As in `Dog/42 Rex`.
  package var text: String {
    let text = name.text
    let isNamed = !displayName.isEmpty && !text.hasSuffix(displayName)
    return isNamed && displayName != "\(name.className)/\(name.key.rawValue)"
      ? "\(text) \(displayName)" : text
  }

  /// The values as lines: `age: 3 → 4`, or `age: 3` of an object that was created or deleted.
  package var valueTexts: [String] {
    values.map { value in
      kind == .changed ? value.text : "\(value.path): \((value.new ?? value.old ?? .null).text)"
    }
  }

  /// A class or a property that differs, as a sentence without a period, such as
  /// `Dog.age: int → string`.
  package struct OfSchema: Hashable, Sendable {
    package let className: String
    /// `nil` for the class itself.
    package let propertyName: String?
    /// The old type; `nil` if it was not there.
    package let old: String?
    /// The new type; `nil` if it is not there any more.
    package let new: String?

    package var text: String {
      let name = propertyName.map { "\(className).\($0)" } ?? "class \(className)"
      return differenceText(name, old, new)
    }
  }
}

/// A line of a report of changes.
package enum ReportedChange: Sendable {
  case schema(ObjectDifference.OfSchema)
  case object(ObjectDifference)
}

extension ObjectDifference {
  /// An object that is only in one of two files or snapshots.
  init(
    _ kind: Kind,
    _ object: ObjectIdentity,
    _ comparison: ValueComparison
  ) throws(DatabaseError) {
    let isNew = kind == .created
    let members = try comparison.members(of: object).filter { !$0.value.isEmpty }
    let values = members.map { member in
      let value = member.value
      return ValueChange(path: member.name, old: isNew ? nil : value, new: isNew ? value : nil)
    }
    let (old, new): (ObjectIdentity?, ObjectIdentity?) = isNew ? (nil, object) : (object, nil)
    try self.init(kind, old: old, new: new, values, named: object, in: comparison.reader)
  }

  /// - Parameters:
  ///   - kind: What happened.
  ///   - old: The object in the older file or snapshot.
  ///   - new: The object in the newer one.
  ///   - values: What differs.
  ///   - object: The one of them that gives the change its name.
  ///   - reader: Where that one is.
  /// - Throws: `DatabaseError` if the file is damaged.
  init(
    _ kind: Kind,
    old: ObjectIdentity?,
    new: ObjectIdentity?,
    _ values: [ValueChange],
    named object: ObjectIdentity,
    in reader: DatabaseReader
  ) throws(DatabaseError) {
    self.kind = kind
    self.old = old
    self.new = new
    self.values = values
    name = try ObjectName(of: object, in: reader)
    displayName = try reader.displayName(of: object, limit: 60)
  }
}
