import KennelStorage

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
  internal let request: DraftRequest

  internal init(_ entry: DraftEntry) {
    self.init(number: entry.id, step: entry.id, entry.request)
  }

  internal init(number: Int, step: Int, _ request: DraftRequest) {
    self.number = number
    self.step = step
    self.request = request
  }

  /// The operation.
  public var operation: Draft.Operation { request.operation }
  internal var seen: Precondition { request.seen }
  internal var created: ObjectIdentity? { request.created }
  internal var confirmed: BlastRadius { request.confirmed }

  /// Returns whether the records have the same number, step and operation, and the operations saw
  /// and did the same.
  public static func == (left: DraftRecord, right: DraftRecord) -> Bool {
    left.number == right.number && left.step == right.step
      && left.request.isEqual(to: right.request)
  }

  /// Hashes the number and the operation.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(operation)
  }
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

  /// Takes what is done already out of operations that were just restored, such as the deletion of an
  /// object that is gone.
  @_spi(Faces) public func leaveOutWhatIsDone() {
    entries.removeAll { !$0.isHeld && $0.performed == nil }
    for index in entries.indices {
      guard case .delete? = entries[index].performed, let alive = entries[index].performed else {
        continue
      }
      entries[index].take(entries[index].request.changed(operation: alive))
    }
    undoSteps = entries.map(DraftStep.perform)
  }
}

extension [DraftRecord] {
  /// The number of objects that these operations deleted when they were made.
  public var deletionCount: Int { reduce(0) { $0 + $1.confirmed.deletionCount } }
}
