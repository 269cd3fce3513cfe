import KennelStorage
import Synchronization

/// An operation of a draft with everything needed to restore it in another process.
///
/// ```swift
/// try journal.keep(draft.records, number: 1)
/// ```
///
/// A record includes the values that the operation was based on, which reveal conflicts with later
/// commits. The record of a deletion includes the confirmed blast radius.
public struct DraftRecord: Hashable, Sendable {
  /// The number of the operation in its draft, from 1.
  public let number: Int
  /// The number of the first operation of a group that a person sees and undoes as one.
  ///
  /// ``Draft/undo()`` itself undoes one operation.
  public var step: Int
  /// The operation.
  public internal(set) var operation: Draft.Operation
  internal var seen: Precondition
  internal let created: ObjectIdentity?
  internal var confirmed: BlastRadius
  /// The number of the newest commit when it was made; 0 where that is not known.
  internal let commit: Int
  /// Equal for equal contents, so that they need not be compared.
  internal let stamp: DraftStamp

  internal init(_ entry: DraftEntry) {
    number = entry.id
    step = entry.id
    operation = entry.operation
    seen = entry.seen
    created = entry.created
    confirmed = entry.confirmed
    commit = entry.commit
    stamp = entry.stamp
  }

  /// Whether a journal that has one of them has the other.
  internal func isKept(as other: DraftRecord) -> Bool {
    step == other.step && (stamp == other.stamp || self == other)
  }

  /// Returns whether the records have the same number, step and operation, and the operations saw
  /// and did the same.
  public static func == (left: DraftRecord, right: DraftRecord) -> Bool {
    left.number == right.number && left.step == right.step && left.operation == right.operation
      && left.seen == right.seen && left.created == right.created
      && left.confirmed == right.confirmed
  }

  /// Hashes the number and the operation.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(operation)
  }
}

/// Tells an operation of a draft, as it is at one moment, from all others of this process.
internal struct DraftStamp: Hashable, Sendable {
  private static let last = Atomic<UInt64>(0)
  private let number = last.wrappingAdd(1, ordering: .relaxed).newValue
}

extension Draft {
  /// The operations in order, for saving.
  ///
  /// Linear in the number of operations. Values are not copied.
  public var records: [DraftRecord] { entries.map(DraftRecord.init) }

  /// The number of the next operation.
  public var nextNumber: Int { nextID }

  /// Restores saved operations into this draft, which must be empty.
  ///
  /// Operations that later commits contradict are in ``conflicts``. Each operation can be undone.
  /// The operations are performed again.
  ///
  /// - Parameters:
  ///   - records: The operations.
  ///   - progress: Receives progress and can cancel.
  /// - Throws: `DatabaseError` if the file is damaged or `progress` cancelled it. The draft is empty
  ///   then.
  public func restore(
    _ records: [DraftRecord],
    progress: QueryProgress? = nil
  ) throws(DatabaseError) {
    guard isEmpty else { callerMistake("Cannot restore operations into a draft that is not empty") }
    try replay(records.map(DraftEntry.init), onto: base, progress: progress)
    // What is held back makes no object yet; its key is given to no other one meanwhile.
    reader.view.objects.reserveProvisionalKeys(records.compactMap(\.created))
    nextID = max(nextID, (records.map(\.number).max() ?? 0) + 1)
    undoSteps = entries.map(DraftStep.perform)
    redoSteps = []
  }
}

extension [DraftRecord] {
  /// The number of objects that these operations deleted when they were made.
  public var deletionCount: Int { reduce(0) { $0 + $1.confirmed.deletionCount } }

  /// The number of changes that a commit would make.
  ///
  /// Several values set for one property count once, and not at all if the last value equals the
  /// value before the first change. An object that is created counts once with all its values and
  /// embedded objects; each object that is deleted by itself, not through a rule, counts
  /// once.
  public var changeCount: Int { countedChanges }
}

/// What is counted of an operation.
internal protocol CountedOperation {
  var operation: Draft.Operation { get }
  var seen: Precondition { get }
  var created: ObjectIdentity? { get }
}

extension DraftRecord: CountedOperation {}
extension DraftEntry: CountedOperation {}

extension Array where Element: CountedOperation {
  /// See ``changeCount``.
  internal var countedChanges: Int {
    var created: Set<ObjectIdentity> = []
    // The first and the last operation at each place.
    var places: [Slot: (first: Int, last: Int)] = [:]
    places.reserveCapacity(self.count)
    var count = 0
    // An entry is large: a loop over them would copy each as a whole.
    for index in indices {
      let operation = self[index].operation
      switch operation {
      case .create: count += 1
      case .delete(let objects): count += objects.count
      case .schema: count += 1
      case .change(let slot, _):
        if !created.isEmpty, created.contains(slot.object) { break }
        if let place = operation.settingSlot {
          places[place, default: (index, index)].last = index
        } else {
          count += 1
        }
      }
      if let object = self[index].created { created.insert(object) }
    }
    return count + places.values.count { self[$0.first].seen.shownValue != self[$0.last].leftValue }
  }
}

extension CountedOperation {
  /// The value in its place when it is done.
  fileprivate var leftValue: Value? { created.map(Value.link) ?? operation.shownValue }
}
