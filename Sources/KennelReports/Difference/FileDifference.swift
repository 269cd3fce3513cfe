package import KennelCore

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
    let match = ClassMatch(earlier, later)
    let before = ValueComparison(reader: old, includesEmbedded: true)
    let after = ValueComparison(reader: new, includesEmbedded: true)
    if let earlier {
      try old.forEachObject(of: earlier.key, step: step()) { object throws(DatabaseError) in
        guard let other = try match.later(object, old, new) else {
          return try found(ObjectDifference(.deleted, object, before))
        }
        var changes: [ValueChange] = []
        for (property, laterProperty) in match.properties {
          let value = try before.value(of: object, property)
          let laterValue = try after.value(of: other, laterProperty)
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
      try new.forEachObject(of: later.key, step: step()) { object throws(DatabaseError) in
        if try match.earlier(object, old, new) == nil {
          try found(ObjectDifference(.created, object, after))
        }
      }
      done += new.count(of: later.key)
    }
  }

  private func step() -> (Int) throws(DatabaseError) -> Void {
    let (progress, done, total) = (progress, done, total)
    return { count throws(DatabaseError) in try progress.show(done + count, of: total) }
  }
}

/// Which objects and properties of a class belong together in two files.
private struct ClassMatch {
  private let earlier: ClassSchema?
  private let later: ClassSchema?
  private let primaryKeys: (earlier: PropertyKey, later: PropertyKey)?
  /// The properties that both have.
  let properties: [(PropertySchema, PropertySchema)]

  init(_ earlier: ClassSchema?, _ later: ClassSchema?) {
    self.earlier = earlier
    self.later = later
    properties = (earlier?.properties ?? []).compactMap { property in
      later?[property.name].map { (property, $0) }
    }
    if let one = earlier?.primaryKey, let other = later?.primaryKey,
      one.name.hasSameBytes(as: other.name), one.type.kind == other.type.kind
    {
      primaryKeys = (one.key, other.key)
    } else {
      primaryKeys = nil
    }
  }

  /// The object of the newer file that belongs to one of the older.
  func later(
    _ object: ObjectIdentity,
    _ old: Snapshot,
    _ new: Snapshot
  ) throws(DatabaseError) -> ObjectIdentity? {
    guard let later else { return nil }
    return try Self.find(object, in: old, primaryKeys?.earlier, later.key, in: new)
  }

  /// The object of the older file that belongs to one of the newer.
  func earlier(
    _ object: ObjectIdentity,
    _ old: Snapshot,
    _ new: Snapshot
  ) throws(DatabaseError) -> ObjectIdentity? {
    guard let earlier else { return nil }
    return try Self.find(object, in: new, primaryKeys?.later, earlier.key, in: old)
  }

  private static func find(
    _ object: ObjectIdentity,
    in own: Snapshot,
    _ primaryKey: PropertyKey?,
    _ classKey: ClassKey,
    in other: Snapshot
  ) throws(DatabaseError) -> ObjectIdentity? {
    if let primaryKey {
      return try other.find(classKey, primaryKey: try own.value(of: object, property: primaryKey))
    }
    let same = ObjectIdentity(classKey, object.key)
    return try other.contains(same) ? same : nil
  }
}
