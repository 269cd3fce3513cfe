// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// Uncommitted changes that hold no lock, to be reviewed, undone and committed.
///
/// ```swift
/// let draft = try database.draft()
/// try draft.edit(rex) { $0.name = "Max" }
/// try draft.undo()
/// try draft.edit(rex) { $0.age = 5 }
/// for change in draft.changes { print(change) }
/// if case .conflicts(let conflicts) = try draft.commit() {
///   for conflict in conflicts { print(conflict.message) }
/// }
/// ```
///
/// It is changed with the same methods as a write transaction (``Writing``). Others may commit
/// meanwhile. A change that contradicts another commit becomes a ``Conflict``; it is neither lost nor
/// applied. Objects of the draft show its changes.
public final class Draft: Writing {
  private let core: KennelCore.Draft
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let _session: Session

  internal init(_ core: KennelCore.Draft, _ bindings: Bindings) {
    self.core = core
    _session = Session(bindings, core.reader, .draft(core))
  }

  /// Whether there is nothing to commit.
  public var isEmpty: Bool { _session.locked { core.isEmpty } }

  /// Runs a body while no thread reads an object of the draft, and shows the result.
  private func locked<Result>(
    _ body: (KennelCore.Draft) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try _session.locked { () throws(DatabaseError) in try body(core) }
  }

  // MARK: - Review

  /// A part of an object that a draft changes.
  ///
  /// ```swift
  /// try draft.edit(rex) { $0.name = "Max" }
  /// for change in draft.changes where change.property == "name" {
  ///   print(change)
  ///   try draft.drop(change)
  /// }
  /// ```
  public struct Change: Hashable, Sendable, Identifiable, CustomStringConvertible {
    /// How a draft changes a part.
    ///
    /// ```swift
    /// let created = draft.changes.filter { $0.kind == .created }
    /// print(created.count)
    /// ```
    public enum Kind: Hashable, Sendable {
      /// The object is created.
      case created
      /// The object is deleted.
      case deleted
      /// A property, or an element of a collection, is changed.
      case changed
    }

    /// The number of the change in the draft.
    public let id: Int
    /// The class and the key of the object, such as `Dog/3`.
    public let object: String
    /// How the part is changed.
    public let kind: Kind
    /// The property in the file; `nil` if the object is created or deleted.
    public let property: String?
    /// The value before; `nil` if there was none.
    public let old: Value?
    /// The value after; `nil` if there is none.
    public let new: Value?
    /// Whether another commit contradicts it.
    public let isConflicting: Bool

    /// The change as a line of text.
    public var description: String {
      switch kind {
      case .created: "create \(object)"
      case .deleted: "delete \(object)"
      case .changed: "\(object).\(property ?? "?"): \(Self.text(old)) → \(Self.text(new))"
      }
    }

    fileprivate static func text(_ value: Value?) -> String {
      value.map(ValueText.describe) ?? "nothing"
    }
  }

  /// The changes of the draft, in the order of the first change of each object.
  ///
  /// Several values set for one property are one change.
  public var changes: [Change] { _session.locked { listChanges() } }

  private func listChanges() -> [Change] {
    let reader = core.reader
    return core.changes.flatMap(\.items).map { item in
      let kind: Change.Kind =
        switch item.kind {
        case .created: .created
        case .deleted: .deleted
        case .value, .inserted, .replaced, .removed, .moved, .memberInserted, .memberRemoved:
          .changed
        }
      let property = item.property.flatMap {
        reader.schema.property($0, of: item.object.classKey)?.name
      }
      return Change(
        id: item.id,
        object: reader.describe(item.object),
        kind: kind,
        property: property,
        old: item.old,
        new: item.new,
        isConflicting: item.isConflicting
      )
    }
  }

  /// Everything that the deletions of the draft delete or change; `nil` if it deletes nothing.
  ///
  /// - Throws: `DatabaseError` if the file is damaged.
  public var blastRadius: BlastRadius? {
    get throws(DatabaseError) {
      try _session.locked { () throws(DatabaseError) in
        guard let plan = core.deletionPlan else { return nil }
        return try BlastRadius(plan, core.base)
      }
    }
  }

  /// Takes a change out, with those that depend on it.
  ///
  /// - Parameter change: One of ``changes``.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func drop(_ change: Change) throws(DatabaseError) {
    try locked { (draft) throws(DatabaseError) in try draft.drop([change.id]) }
  }

  /// Undoes the last operation: one value that was set, one object that was created, or all that
  /// one call of `delete` or `drop` did.
  ///
  /// - Returns: What was undone, as a sentence; `nil` if there was nothing.
  /// - Throws: `DatabaseError` if the file is damaged.
  @discardableResult
  public func undo() throws(DatabaseError) -> String? {
    try locked { (draft) throws(DatabaseError) in try draft.undo() }
  }

  /// Redoes the operation that was undone last.
  ///
  /// - Returns: What was done, as a sentence; `nil` if there was nothing.
  /// - Throws: `DatabaseError` if the file is damaged.
  @discardableResult
  public func redo() throws(DatabaseError) -> String? {
    try locked { (draft) throws(DatabaseError) in try draft.redo() }
  }

  /// Discards all changes.
  ///
  /// - Throws: `DatabaseError` if the file is damaged.
  public func discard() throws(DatabaseError) {
    try locked { (draft) throws(DatabaseError) in draft.discard() }
  }

  // MARK: - Other commits

  /// A change of a draft that another commit contradicts.
  ///
  /// ```swift
  /// for conflict in draft.conflicts {
  ///   print(conflict.message)
  ///   try draft.resolve(conflict, with: conflict.canKeepMine ? .mine : .theirs)
  /// }
  /// ```
  public struct Conflict: Hashable, Sendable, Identifiable, CustomStringConvertible {
    /// How a conflict is resolved.
    ///
    /// ```swift
    /// for conflict in draft.conflicts { try draft.resolve(conflict, with: .theirs) }
    /// ```
    public enum Resolution: Hashable, Sendable {
      /// The change goes on top of the other commit.
      case mine
      /// The change is dropped.
      case theirs
    }

    /// The number of the change in the draft.
    public let id: Int
    /// The class and the key of the object, such as `Dog/3`.
    public let object: String
    /// The property in the file; `nil` if the conflict is about the object as a whole.
    public let property: String?
    /// A sentence that says what happened.
    public let message: String
    /// The value that the draft saw; `nil` if there was none.
    public let base: Value?
    /// The value of the draft; `nil` if there is none.
    public let mine: Value?
    /// The value of the other commit; `nil` if there is none.
    public let theirs: Value?
    /// Whether the change can still be made.
    public let canKeepMine: Bool

    fileprivate init(_ conflict: KennelCore.Conflict, _ reader: DatabaseReader) {
      id = conflict.id
      object = conflict.object.map(reader.describe) ?? "a new object"
      property = conflict.property.flatMap { key in
        conflict.object.flatMap { reader.schema.property(key, of: $0.classKey)?.name }
      }
      message = conflict.message
      base = conflict.base
      mine = conflict.mine
      theirs = conflict.theirs
      canKeepMine = conflict.canKeepMine
    }

    /// The conflict as a line of text.
    public var description: String {
      let place = property.map { "\(object).\($0)" } ?? object
      return "\(place): \(message) (base \(Change.text(base)), mine \(Change.text(mine)), "
        + "theirs \(Change.text(theirs)))"
    }
  }

  /// The changes that other commits contradict; to be resolved before the draft is committed.
  public var conflicts: [Conflict] {
    _session.locked { core.conflicts.map { Conflict($0, core.reader) } }
  }

  /// Resolves a conflict.
  ///
  /// - Parameters:
  ///   - conflict: One of ``conflicts``.
  ///   - resolution: What to keep.
  /// - Throws: `DatabaseError` if the file is damaged.
  public func resolve(
    _ conflict: Conflict,
    with resolution: Conflict.Resolution
  ) throws(DatabaseError) {
    try locked { (draft) throws(DatabaseError) in
      switch resolution {
      case .mine: try draft.resolve(conflict.id, with: .mine)
      case .theirs: try draft.resolve(conflict.id, with: .theirs)
      }
    }
  }

  /// Bases the draft on the newest commit.
  ///
  /// - Returns: Whether there was a newer one.
  /// - Throws: `DatabaseError` if the file is damaged or was replaced.
  @discardableResult
  public func refresh() throws(DatabaseError) -> Bool {
    try locked { (draft) throws(DatabaseError) in try draft.refresh() }
  }

  // MARK: - Committing

  /// The outcome of committing a draft.
  ///
  /// ```swift
  /// switch try draft.commit() {
  /// case .committed(let commit): print("commit \(commit.number)")
  /// case .conflicts(let conflicts): print(conflicts.map(\.message))
  /// case .deletionsGrew(let radius): print(radius)
  /// }
  /// ```
  public enum Outcome: Sendable {
    /// The changes are stored, or there were none.
    case committed(Commit)
    /// Changes contradict other commits; nothing is stored.
    case conflicts([Conflict])
    /// The deletions would now delete more objects or cut more links than when they were added to
    /// the draft, or than was confirmed; nothing is stored.
    case deletionsGrew(BlastRadius)
  }

  /// A commit of a draft.
  ///
  /// ```swift
  /// let max = try draft.create(Dog.self) { $0.name = "Max" }
  /// if case .committed(let commit) = try draft.commit() {
  ///   print(commit.number, try commit.object(max).name)
  /// }
  /// ```
  public struct Commit: Sendable {
    /// The number of the commit.
    public let number: Int
    fileprivate let identities: [ObjectIdentity: ObjectIdentity]
    fileprivate let session: Session
    /// The session that the objects of the draft are read from.
    fileprivate let draft: Session

    /// An object of the draft in a snapshot after the commit.
    ///
    /// - Parameter object: An object of the draft, including one that the draft created.
    /// - Returns: The object, read from a snapshot taken after the commit, which may show later
    ///   commits, too.
    public func object<M: Model>(_ object: Object<M>) -> Object<M> {
      let identity =
        object.belongs(to: draft) ? identities[object.identity] ?? object.identity : object.identity
      return Object(Scope(session, object.scope.binding), identity.key)
    }
  }

  /// Commits all changes, or none.
  ///
  /// If the outcome is `committed`, the draft is empty and based on the commit; for a draft without
  /// changes, nothing is committed, and the number is that of the commit that the draft is based
  /// on.
  ///
  /// - Parameter confirming: The blast radius that a person confirmed. If it is `nil`, each deletion is
  ///   compared with the blast radius that it had when it was made. If the deletions would now delete
  ///   more or cut more links, the outcome is `deletionsGrew`.
  /// - Returns: The outcome.
  /// - Throws: `DatabaseError` if the disk is full, the file is damaged or was replaced, or with code
  ///   `nestedWrite` if the thread is in a write transaction of the file. Nothing is stored then.
  public func commit(confirming: BlastRadius? = nil) throws(DatabaseError) -> Outcome {
    let outcome = try locked { (draft) throws(DatabaseError) in
      try draft.commit(confirming: confirming?.core)
    }
    switch outcome {
    case .committed(let number, let identities):
      return .committed(try commit(number, identities))
    case .nothingIncluded: return .committed(try commit(core.base.commitNumber, [:]))
    case .conflicts(let conflicts):
      return .conflicts(_session.locked { conflicts.map { Conflict($0, core.reader) } })
    case .deletionsGrew(let radius):
      return .deletionsGrew(try BlastRadius(radius, core.base))
    }
  }

  private func commit(
    _ number: Int,
    _ identities: [ObjectIdentity: ObjectIdentity]
  ) throws(DatabaseError) -> Commit {
    Commit(
      number: number,
      identities: identities,
      session: Session(_session.bindings, try core.database.snapshot()),
      draft: _session
    )
  }
}

extension Database {
  /// Begins a draft on the newest commit.
  ///
  /// - Returns: The draft.
  /// - Throws: `DatabaseError` if the file may not be written, is damaged or was replaced.
  public func draft() throws(DatabaseError) -> Draft { Draft(try core.makeDraft(), bindings) }
}
