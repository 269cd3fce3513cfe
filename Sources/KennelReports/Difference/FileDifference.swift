@_spi(Faces) package import KennelCore

/// Compares two files.
///
/// Objects are matched by their primary key if their class has the same one in both files, and by
/// their key otherwise. Embedded objects are compared as parts of their owners. Properties that only
/// one file has are differences of the schema, not of each object.
package struct FileDifference {
  private let old: Snapshot
  private let new: Snapshot
  private let progress: QueryProgress
  private let total: Int
  private var done = 0

  /// Reports what differs: the schema first, then the objects, class by class.
  ///
  /// Linear in the number of objects of both files. It keeps no more than one object of each file
  /// in memory.
  ///
  /// - Parameters:
  ///   - old: The older file.
  ///   - new: The newer file.
  ///   - className: The class to compare; `nil` for all.
  ///   - progress: Receives progress and can cancel.
  ///   - found: Called with each difference.
  /// - Throws: `DatabaseError` if a file is damaged or the work was cancelled, and what `found`
  ///   throws.
  package static func compare(
    _ old: Snapshot,
    _ new: Snapshot,
    class className: String? = nil,
    progress: QueryProgress = .none,
    found: (ReportedChange) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    for change in SchemaDifference.between(old.schema, new.schema, class: className) {
      try found(.schema(change))
    }
    var names = old.schema.classes.map(\.name)
    names += new.schema.classes.map(\.name).filter { old.schema[$0] == nil }
    if let className { names = names.filter { $0.hasSameBytes(as: className) } }
    var difference = FileDifference(old, new, names, progress)
    for name in names {
      try difference.compare(name) { change throws(DatabaseError) in try found(.object(change)) }
    }
  }

  private init(_ old: Snapshot, _ new: Snapshot, _ names: [String], _ progress: QueryProgress) {
    self.old = old
    self.new = new
    self.progress = progress
    total = names.reduce(0) { sum, name in
      sum + (old.schema[name].map { old.count(of: $0.key) } ?? 0)
        + (new.schema[name].map { new.count(of: $0.key) } ?? 0)
    }
  }

  private mutating func compare(
    _ name: String,
    _ found: (ObjectDifference) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let (earlier, later) = (old.schema[name], new.schema[name])
    // What is embedded belongs to its owner.
    if (later ?? earlier)?.isEmbedded == true { return }
    let properties = (earlier?.properties ?? []).compactMap { property in
      later?[property.name].map { (property, $0) }
    }
    let hasSameKey = Self.isSame(earlier?.primaryKey, later?.primaryKey)
    let before = ClassSide(old, earlier, hasKey: hasSameKey)
    let after = ClassSide(new, later, hasKey: hasSameKey)
    if let earlier {
      try old.visitObjects(of: earlier.key, step: step()) { object throws(DatabaseError) in
        guard let other = try after.counterpart(of: object, of: before) else {
          return try found(ObjectDifference(.deleted, object, before.comparison))
        }
        var changes: [ValueChange] = []
        for (property, laterProperty) in properties {
          let value = try before.comparison.value(of: object, property)
          let laterValue = try after.comparison.value(of: other, laterProperty)
          changes += ValueChange.between(value, laterValue, at: property.name)
        }
        if changes.isEmpty { return }
        try found(
          ObjectDifference(.changed, old: object, new: other, changes, named: other, in: new)
        )
      }
      done += old.count(of: earlier.key)
    }
    if let later {
      try new.visitObjects(of: later.key, step: step()) { object throws(DatabaseError) in
        if try before.counterpart(of: object, of: after) == nil {
          try found(ObjectDifference(.created, object, after.comparison))
        }
      }
      done += new.count(of: later.key)
    }
  }

  private static func isSame(_ one: PropertySchema?, _ other: PropertySchema?) -> Bool {
    guard let one, let other else { return false }
    return one.name.hasSameBytes(as: other.name) && one.type.kind == other.type.kind
  }

  private func step() -> QueryProgress.Step { progress.step(after: done, of: total) }
}

/// The objects of a class in one of the files.
private struct ClassSide {
  private let snapshot: Snapshot
  private let classSchema: ClassSchema?
  /// The primary key, where both files have it.
  private let primaryKey: PropertyKey?
  let comparison: ValueComparison

  init(_ snapshot: Snapshot, _ classSchema: ClassSchema?, hasKey: Bool) {
    self.snapshot = snapshot
    self.classSchema = classSchema
    primaryKey = hasKey ? classSchema?.primaryKey?.key : nil
    comparison = ValueComparison(reader: snapshot, includesEmbedded: true)
  }

  /// The object of this file that belongs to one of the other.
  func counterpart(
    of object: ObjectIdentity,
    of other: ClassSide
  ) throws(DatabaseError) -> ObjectIdentity? {
    guard let classSchema else { return nil }
    if let primaryKey = other.primaryKey {
      let value = try other.snapshot.value(of: object, property: primaryKey)
      return try snapshot.find(classSchema.key, primaryKey: value)
    }
    let same = ObjectIdentity(classSchema.key, object.key)
    return try snapshot.contains(same) ? same : nil
  }
}
