import KennelStorage

/// An operation of a draft with what it saw and did.
///
/// A draft of many operations is copied more often than it is looked into: what is large is shared by all
/// copies of an entry.
internal struct DraftEntry {
  let id: Int
  private(set) var request: DraftRequest
  /// `nil` if it is held back or was not performed yet.
  private var effect: DraftEffect?
  /// Whether it is not in force because it conflicts.
  var isHeld = false
  /// Whether a person decided that it goes on top of what another commit did.
  var isForced = false

  init(id: Int, _ request: DraftRequest) {
    self.id = id
    self.request = request
  }

  init(_ record: DraftRecord) {
    self.init(id: record.number, record.request)
  }

  /// The requested operation, at the position where its element is now.
  var operation: Draft.Operation { request.operation }
  var seen: Precondition { request.seen }
  var created: ObjectIdentity? { request.created }
  /// The consequences that a person has confirmed.
  var confirmed: BlastRadius { request.confirmed }

  /// The part of it that was done; `nil` if it is held back or there was nothing left to do.
  var performed: Draft.Operation? { effect?.operation }
  var edits: [Edit] { effect?.outcome.edits ?? [] }
  /// The consequences when it was performed last.
  var plan: BlastRadius { effect?.outcome.plan ?? BlastRadius() }
  /// Its effect when it was performed last, if it changes the schema.
  var schemaPlan: SchemaPlan? { effect?.outcome.schemaPlan }

  /// Takes another request in place of the one before.
  mutating func take(_ request: DraftRequest) {
    self.request = request
  }

  /// Takes what an operation did, which is the requested one or what was left of it to do.
  mutating func take(_ operation: Draft.Operation, _ outcome: Workspace.Outcome) {
    effect = DraftEffect(operation, outcome)
  }

  /// Forgets what it did, before it is performed again.
  mutating func forgetEffect() {
    effect = nil
    isHeld = false
  }
}

/// What an operation was asked to do and what it saw: what a journal keeps of it.
///
/// Another one for each change, so that what is the same object need not be compared.
internal final class DraftRequest: Sendable {
  let operation: Draft.Operation
  let seen: Precondition
  let created: ObjectIdentity?
  let confirmed: BlastRadius
  /// The number of the newest commit when it was made; 0 where that is not known.
  let commit: Int

  init(
    _ operation: Draft.Operation,
    seen: Precondition,
    created: ObjectIdentity?,
    confirmed: BlastRadius,
    commit: Int
  ) {
    self.operation = operation
    self.seen = seen
    self.created = created
    self.confirmed = confirmed
    self.commit = commit
  }

  /// The same request but for what is given.
  func changed(
    operation: Draft.Operation? = nil,
    seen: Precondition? = nil,
    created: ObjectIdentity? = nil,
    confirmed: BlastRadius? = nil
  ) -> DraftRequest {
    DraftRequest(
      operation ?? self.operation,
      seen: seen ?? self.seen,
      created: created ?? self.created,
      confirmed: confirmed ?? self.confirmed,
      commit: commit
    )
  }

  /// Whether another one asks for the same and saw the same.
  func isEqual(to other: DraftRequest) -> Bool {
    self === other
      || operation == other.operation && seen == other.seen && created == other.created
        && confirmed == other.confirmed
  }
}

/// What an operation did when it was performed.
private final class DraftEffect: Sendable {
  let operation: Draft.Operation
  let outcome: Workspace.Outcome

  init(_ operation: Draft.Operation, _ outcome: Workspace.Outcome) {
    self.operation = operation
    self.outcome = outcome
  }
}
