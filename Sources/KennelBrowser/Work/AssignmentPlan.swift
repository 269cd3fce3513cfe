internal import KennelCore
internal import KennelReports

/// The changes of an assignment, computed before a person agrees.
struct AssignmentPlan: Sendable {
  /// An object whose value would change.
  struct Change: Sendable, Equatable {
    var key: ObjectKey
    var new: Value
  }

  /// More than these are better changed by a program than by hand.
  static let mostChanges = 100_000
  /// So many bytes of texts and data are kept at most.
  private static let mostBytes = 64_000_000
  private static let mostShown = 200
  private static let batch = 1_024

  let assignment: Assignment
  private(set) var changes: [Change] = []
  /// How many objects would change; one more than ``mostChanges`` where it is any number above.
  var changeCount: Int { changes.count }
  /// The values that the first changes replace.
  private(set) var olds: [Value] = []
  /// How many objects have the value already.
  private(set) var unchangedCount = 0
  /// The bytes of the texts and data that are kept.
  private var byteCount = 0
  /// Why nothing can be changed, as a sentence without a period; the first reason.
  private(set) var problem: String?

  /// Whether it changes the same objects from and to the same values, as far as they are shown.
  func isLike(_ other: AssignmentPlan) -> Bool {
    changes == other.changes && olds == other.olds
  }

  /// Whether it cannot be done, so that the other objects need not be looked at.
  private var isDecided: Bool { problem != nil || changes.count > Self.mostChanges }

  /// Computes the value of each object.
  ///
  /// - Parameters:
  ///   - assignment: The assignment.
  ///   - keys: The objects; `nil` for those that its own predicate names, or all of the class if it has
  ///     none.
  ///   - snapshot: The snapshot.
  ///   - context: Tells when to stop, and is told how far it is.
  /// - Throws: `DatabaseError` if the file is damaged.
  init(
    _ assignment: Assignment,
    for keys: [ObjectKey]?,
    _ snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) {
    self.assignment = assignment
    var keys = keys
    if keys == nil, let predicate = assignment.predicate {
      let progress = QueryProgress(of: context)
      keys = try snapshot.objects(of: assignment.classKey, where: predicate, progress: progress)
        .keys
    }
    var batches = KeyBatches(assignment.classKey, keys, in: snapshot, size: Self.batch)
    let property = snapshot.schema.property(assignment.property, of: assignment.classKey)
    var given: Set<Value>? = property?.isPrimaryKey == true ? [] : nil
    while !context.isCancelled, !isDecided, let batch = try batches.next() {
      for key in batch where !isDecided { try examine(key, &given, snapshot) }
      context.report(progress: batches.progress)
    }
  }

  private mutating func examine(
    _ key: ObjectKey,
    _ given: inout Set<Value>?,
    _ snapshot: Snapshot
  ) throws(DatabaseError) {
    let object = ObjectIdentity(assignment.classKey, key)
    let new: Value
    do throws(DatabaseError) {
      new = try snapshot.value(of: assignment, for: object)
    } catch {
      if error.code == .noSuchObject { return }
      guard [.wrongType, .outOfRange, .ownership].contains(error.code) else { throw error }
      problem = "\(snapshot.describe(object)): \(error.message)"
      return
    }
    let old = try snapshot.value(of: object, property: assignment.property)
    if old == new {
      unchangedCount += 1
      return
    }
    if let other = try owner(of: new, otherThan: object, &given, snapshot) {
      problem = "\(snapshot.describe(object)): the key \(ScalarText.text(of: new)) is \(other)"
      return
    }
    changes.append(Change(key: key, new: new))
    byteCount += ValueStatistics.size(new)
    if olds.count < Self.mostShown {
      olds.append(old)
      byteCount += ValueStatistics.size(old)
    }
    if byteCount > Self.mostBytes {
      let most = DataKind.size(Self.mostBytes)
      problem = "The values are longer than \(most) together; where … chooses fewer objects"
    }
  }

  /// Who has a primary key already, as the end of a sentence; `nil` also for any other value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - object: The object that gets it.
  ///   - given: The primary keys that the objects before it got; `nil` where it is no primary key.
  ///   - snapshot: The snapshot.
  /// - Returns: The end of a sentence.
  /// - Throws: `DatabaseError` if the file is damaged.
  private func owner(
    of value: Value,
    otherThan object: ObjectIdentity,
    _ given: inout Set<Value>?,
    _ snapshot: Snapshot
  ) throws(DatabaseError) -> String? {
    guard let inserted = given?.insert(value).inserted else { return nil }
    if !inserted { return "given to two objects" }
    guard let other = try snapshot.find(object.classKey, primaryKey: value), other != object else {
      return nil
    }
    return "that of \(snapshot.describe(other))"
  }
}
