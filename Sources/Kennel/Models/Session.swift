private import Glibc
public import KennelCore
public import Synchronization

/// A snapshot, a write transaction or a draft, which objects are read from.
///
/// Programs do not use it. A session reads through a `DatabaseReader`, which one thread at a time
/// may use. The thread that made the session of a snapshot or write transaction uses the session's
/// own reader; any other thread that reads a snapshot gets its own copy. The reader of a draft is
/// guarded by a lock.
public final class Session: @unchecked Sendable {
  internal enum Kind {
    case snapshot
    case transaction(WriteTransaction)
    case draft(KennelCore.Draft)
    /// A place to put an error that a loop cannot throw.
    case failed(DatabaseError)
  }

  @usableFromInline internal let bindings: Bindings
  internal let kind: Kind
  /// Where the values are, of a draft when it was begun; used by the owner.
  @usableFromInline internal let reader: DatabaseReader
  @usableFromInline internal let transaction: WriteTransaction?
  /// The thread that reads without asking; 0 if every read has to ask.
  @usableFromInline internal let owner: Atomic<UInt>
  private let draftLock = Mutex(())
  private let shared = Mutex(Shared())

  private struct Shared {
    /// The readers of other threads on the same snapshot.
    var others: [UInt: ThreadReader] = [:]
    /// The session that the objects of a transaction are read from after its end.
    var successor: Session?
    var ending: DatabaseError?
  }

  internal init(_ bindings: Bindings, _ reader: DatabaseReader, _ kind: Kind = .snapshot) {
    self.bindings = bindings
    self.reader = reader
    self.kind = kind
    let thread = runningThread()
    switch kind {
    case .snapshot:
      transaction = nil
      owner = Atomic(thread)
    case .transaction(let writer):
      transaction = writer
      owner = Atomic(thread)
    case .draft, .failed:
      transaction = nil
      owner = Atomic(0)
    }
  }

  /// Whether the running thread reads without asking.
  @inlinable
  internal var isOwned: Bool {
    @inline(__always)
    get { owner.load(ordering: .relaxed) == runningThread() }
  }

  /// Runs a body on the reader that the running thread may use.
  @inlinable
  @inline(__always)
  internal func read<Result>(
    _ body: (DatabaseReader) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    if isOwned { return try body(reader) }
    return try readElsewhere(body)
  }

  @usableFromInline
  @inline(never)
  internal func readElsewhere<Result>(
    _ body: (DatabaseReader) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    switch kind {
    case .failed(let error): throw error
    case .snapshot: return try body(readerOfThisThread())
    case .transaction: return try successor().read(body)
    case .draft(let draft):
      return try locked { () throws(DatabaseError) in try body(draft.reader) }
    }
  }

  /// Runs a body while no other thread uses the draft.
  internal func locked<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The closure of a mutex can give back only what no one else refers to.
    var outcome: [Swift.Result<Result, Failure>] = []
    draftLock.withLock { _ in
      do throws(Failure) {
        outcome.append(.success(try body()))
      } catch {
        outcome.append(.failure(error))
      }
    }
    return try outcome[0].get()
  }

  private func readerOfThisThread() -> DatabaseReader {
    let thread = runningThread()
    return shared.withLock { shared in
      if let found = shared.others[thread] { return found.reader }
      let made = ThreadReader(reader: reader.copy())
      shared.others[thread] = made
      return made.reader
    }
  }

  // MARK: - The end of a transaction

  /// Lets the objects of a transaction be read from a snapshot, or be unreadable.
  internal func end(_ error: DatabaseError?) {
    owner.store(0, ordering: .relaxed)
    shared.withLock { shared in
      shared.ending = error ?? Self.committed
    }
  }

  private static let committed = DatabaseError(.closed, "The write transaction is committed")

  /// The session that the objects of a committed transaction are read from.
  private func successor() throws(DatabaseError) -> Session {
    let known = shared.withLock { ($0.successor, $0.ending) }
    if let successor = known.0 { return successor }
    guard let ending = known.1 else {
      throw DatabaseError(
        .busy,
        "The object belongs to a write transaction of another thread; read it after the commit, or "
          + "from a snapshot"
      )
    }
    guard ending == Self.committed else { throw ending }
    let made = Session(bindings, try bindings.database.snapshot())
    return shared.withLock { shared in
      if shared.successor == nil { shared.successor = made }
      return shared.successor ?? made
    }
  }
}

/// A reader that one thread uses.
private struct ThreadReader: @unchecked Sendable {
  let reader: DatabaseReader
}

/// The number of the running thread, which no other living thread has.
///
/// Never inlined: in an asynchronous function the compiler would take the thread before an `await`
/// for the one after it.
@usableFromInline
@inline(never)
internal func runningThread() -> UInt { UInt(pthread_self()) }

/// Where the objects of a model are read from.
///
/// Safe to use: the session keeps the binding.
@safe @usableFromInline
internal struct Scope<M: Model>: Sendable {
  @usableFromInline internal let session: Session
  /// Not counted: an object that passes through a loop is counted once, not twice.
  @usableFromInline internal let unsafeBinding: Unmanaged<Binding<M>>

  @inlinable
  internal init(_ session: Session, _ binding: Binding<M>) {
    self.session = session
    unsafe unsafeBinding = .passUnretained(binding)
  }

  /// Where the objects are read from that a member leads to.
  @inlinable
  internal init(_ session: Session, _ neighbor: Unmanaged<AnyBinding>) {
    self.session = session
    unsafe unsafeBinding = .fromOpaque(neighbor.toOpaque())
  }

  @inlinable internal var binding: Binding<M> { unsafe unsafeBinding.takeUnretainedValue() }

  /// A member of the model.
  @inlinable
  @inline(__always)
  internal func member<Member>(_ path: KeyPath<M, Member>) -> Member {
    unsafe unsafeBinding._withUnsafeGuaranteedRef { $0.member(path) }
  }

  /// Runs a body on a member of the model, which is not counted for it.
  @inlinable
  @inline(__always)
  internal func use<Member: ModelMember, Result>(
    _ path: KeyPath<M, Member>,
    _ body: (Member) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let member = unsafe unsafeBinding._withUnsafeGuaranteedRef { binding in
      unsafe Unmanaged.passUnretained(binding.member(path))
    }
    return try unsafe member._withUnsafeGuaranteedRef {
      (member) -> Swift.Result<Result, DatabaseError> in
      do throws(DatabaseError) { return .success(try body(member)) } catch {
        return .failure(error)
      }
    }.get()
  }

  @inlinable internal var classKey: ClassKey {
    unsafe unsafeBinding._withUnsafeGuaranteedRef { $0.classKey }
  }

  /// The identity of an object of the class.
  @inlinable
  internal func identity(_ key: ObjectKey) -> ObjectIdentity {
    ObjectIdentity(classKey, key)
  }

  /// A scope whose objects throw an error when they are read.
  @usableFromInline
  internal func failing(_ error: DatabaseError) -> Scope<M> {
    Scope(Session(session.bindings, session.reader, .failed(error)), binding)
  }
}

extension Session {
  /// Where the objects of a model are read from.
  @inlinable
  internal func scope<M: Model>(_ type: M.Type) throws(DatabaseError) -> Scope<M> {
    Scope(self, try bindings.binding(type))
  }

  /// Where the objects are read from that a member leads to.
  @inlinable
  @inline(__always)
  internal func target<T: Model>(
    _ type: T.Type,
    _ member: ModelMember
  ) throws(DatabaseError) -> Scope<T> {
    guard let neighbor = unsafe member.neighbor else { return try scope(type) }
    // What a member leads to is said by its type, and found by it when the database is opened.
    return unsafe Scope(self, neighbor)
  }

  internal func isOfSameFile(as other: Session) -> Bool { isOfFile(of: other.bindings) }

  internal func isOfFile(of other: Bindings) -> Bool {
    bindings === other || bindings.database.fileID == other.database.fileID
  }
}
