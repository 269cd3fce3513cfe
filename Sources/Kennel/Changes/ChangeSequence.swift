internal import KennelCore

/// The changes of successive commits, of this process and of others.
///
/// ```swift
/// for try await change in try database.changes(of: Dog.self) {
///   print(change.created.count)
///   break
/// }
/// ```
///
/// The sequence reports the commits after its creation. Commits that arrive faster than the loop
/// runs are reported as one change; the newest is never missed. The sequence ends when its task is
/// cancelled; a sequence of the changes of one object also ends when that object is deleted. It can
/// be iterated once.
public struct ChangeSequence<Element: Sendable>: AsyncSequence, Sendable {
  internal let database: Database
  internal let start: KennelCore.Snapshot
  internal let signals: AsyncStream<Void>
  internal let observation: KennelCore.Database.Observation
  /// Makes an element of a step; `nil` if it changes nothing here.
  internal let element: @Sendable (Step) throws -> Element?
  /// Whether nothing follows an element.
  internal let isLast: @Sendable (Element) -> Bool

  /// Waits for commits.
  ///
  /// ```swift
  /// var changes = try database.changes(of: Dog.self).makeAsyncIterator()
  /// if let first = try await changes.next() { print(first.created.count) }
  /// ```
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: ChangeSequence
    private var signals: AsyncStream<Void>.Iterator
    private var known: KennelCore.Snapshot
    private var isOver = false

    fileprivate init(_ sequence: ChangeSequence) {
      self.sequence = sequence
      signals = sequence.signals.makeAsyncIterator()
      known = sequence.start
    }

    /// The next changes; `nil` at the end.
    ///
    /// - Throws: `DatabaseError` if the file is damaged or was replaced.
    public mutating func next() async throws -> Element? {
      while !isOver {
        if let element = try elementOfNewCommits() { return element }
        if await signals.next() == nil { isOver = true }
      }
      return nil
    }

    private mutating func elementOfNewCommits() throws -> Element? {
      let database = sequence.database
      guard database.core.commitNumber != known.commitNumber else { return nil }
      let newest = try database.core.snapshot()
      guard newest.commitNumber != known.commitNumber else { return nil }
      let changes = try database.core.changes(from: known, to: newest)
      // What is compared later is not what the program reads on its threads.
      let step = Step(
        old: Session(database.bindings, known.copy()),
        new: Session(database.bindings, newest.copy()),
        changes: changes
      )
      known = newest
      guard let element = try sequence.element(step) else { return nil }
      isOver = sequence.isLast(element)
      return element
    }
  }

  /// Begins to wait for commits.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension Database {
  /// The changes that commits make to the objects of a model.
  ///
  /// - Parameter model: A model of the database.
  /// - Returns: The changes, as an asynchronous sequence.
  /// - Throws: `DatabaseError` if the database was opened without the model, or the file is damaged or
  ///   was replaced.
  public func changes<M: Model>(
    of model: M.Type
  ) throws(DatabaseError) -> ChangeSequence<Changes<M>> {
    let binding = try bindings.binding(model)
    return try sequence { step in
      let changes = Changes(
        created: step.objects(step.changes.created, step.new, binding),
        deleted: step.objects(step.changes.deleted, step.old, binding),
        changed: step.changed(binding),
        commitNumber: step.changes.toCommit
      )
      return changes.isEmpty ? nil : changes
    }
  }

  /// The changes that commits make to an object; its deletion is the last change.
  ///
  /// - Parameter object: The object, which must not be one that a draft created.
  /// - Returns: The changes, as an asynchronous sequence.
  /// - Throws: `DatabaseError` if the object is of another database or was created by a draft, or the
  ///   file is damaged or was replaced.
  public func changes<M: Model>(
    of object: Object<M>
  ) throws(DatabaseError) -> ChangeSequence<ObjectChange<M>> {
    guard !object.key.isProvisional, object.scope.session.isOfFile(of: bindings) else {
      throw Session.foreign
    }
    let identity = object.identity
    let binding = try bindings.binding(M.self)
    return try sequence { step in
      if step.changes.deleted.contains(identity) {
        return ObjectChange(
          old: Object(Scope(step.old, binding), identity.key),
          new: Object(Scope(step.new, binding), identity.key),
          properties: [],
          isDeleted: true
        )
      }
      return step.changes.changed.first { $0.object == identity }.map { step.change($0, binding) }
    } isLast: { (change: ObjectChange<M>) in
      change.isDeleted
    }
  }

  /// The changes that commits make to the results of a query: objects that enter or leave them, and
  /// objects among them that change.
  ///
  /// For each commit, or for several that arrive together, the query is evaluated on the snapshots
  /// before and after.
  ///
  /// - Parameter results: The results.
  /// - Returns: The changes, as an asynchronous sequence.
  /// - Throws: `DatabaseError` if the results are of another database, or the file is damaged or was
  ///   replaced. The iterator throws if the condition compares a property with a value of another type.
  public func changes<M: Model>(
    of results: Results<M>
  ) throws(DatabaseError) -> ChangeSequence<Changes<M>> {
    guard results.scope.session.isOfFile(of: bindings) else { throw Session.foreign }
    let binding = try bindings.binding(M.self)
    return try sequence { step in
      let before = try Set(results.moved(to: step.old).found())
      let now = try results.moved(to: step.new).found()
      let after = Set(now)
      let changes = Changes(
        created: now.filter { !before.contains($0) },
        deleted: before.subtracting(after).sorted { $0.objectKey < $1.objectKey },
        changed: step.changed(binding).filter {
          before.contains($0.object) && after.contains($0.object)
        },
        commitNumber: step.changes.toCommit
      )
      return changes.isEmpty ? nil : changes
    }
  }

  private func sequence<Element: Sendable>(
    _ element: @escaping @Sendable (Step) throws -> Element?,
    isLast: @escaping @Sendable (Element) -> Bool = { _ in false }
  ) throws(DatabaseError) -> ChangeSequence<Element> {
    let start = try core.snapshot()
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let observation = try core.observeCommits { continuation.yield() }
    return ChangeSequence(
      database: self,
      start: start,
      signals: signals,
      observation: observation,
      element: element,
      isLast: isLast
    )
  }
}

extension Results {
  /// The same results, found in another snapshot.
  internal func moved(to session: Session) -> Results {
    Results(Scope(session, scope.binding), query)
  }
}
