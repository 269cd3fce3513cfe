import CRealmSupport
import Foundation
public import KennelCore

/// The shared state of a realm on one thread.
///
/// For internal use.
///
/// It belongs to the thread, queue or actor that the realm was opened on.
public final class RealmContext {
  internal let configuration: Realm.Configuration
  internal let file: OpenFile
  /// Reads the newest commit when the realm was last refreshed, or the write transaction.
  @inline(__always)
  internal final var view: DatabaseReader {
    get { isFrozen ? frozenView : shown }
    set { shown = newValue }
  }
  // Without checks for exclusive access is what is used per property or element that a program reads
  // or writes: they cost more than the access. Safe to use: the context belongs to one thread, a
  // frozen one does not change, and no access contains another.

  /// Reads the same, except on the threads of a frozen realm.
  @safe @exclusivity(unchecked) @usableFromInline internal final var shown: DatabaseReader
  /// The commit that is seen; `nil` in a write transaction.
  internal final var snapshot: Snapshot? { view as? Snapshot }
  /// The write transaction, between `beginWrite` and its end.
  @safe @exclusivity(unchecked) @usableFromInline
  internal final var transaction: WriteTransaction? {
    didSet {
      selfInTransaction = transaction == nil ? nil : self
      writes = transaction == nil ? nil : file.writeLog.begun
      adding.nullByDefault.removeAll(keepingCapacity: true)
    }
  }
  /// The realm itself while a transaction is open: it lives until the commit or the cancellation, even
  /// if nobody else holds it.
  private final var selfInTransaction: RealmContext?
  /// The number of the thread that the realm belongs to, which may be the main thread; 0 for a queue
  /// or an actor.
  @usableFromInline internal final let thread: UInt64
  /// The queue or actor that it belongs to instead.
  internal let home: RealmHome?
  /// The reference to this that does not keep the realm open.
  internal let anchor: ContextAnchor
  /// How often a transaction was cancelled or the realm invalidated: objects that became managed
  /// before may be gone, though their keys may be given out again.
  @safe @exclusivity(unchecked) @usableFromInline internal final var age: UInt64 = 0
  /// By the age that it ended: the first key of each class that a cancelled transaction gave out;
  /// `nil` if the realm was invalidated as a whole.
  private final var endings: [UInt64: [ClassKey: ObjectKey]?] = [:]
  /// Changes whenever what is seen changes.
  @safe @exclusivity(unchecked) @usableFromInline internal final var stamp: UInt64 = 1
  /// Which objects there may be.
  @safe @exclusivity(unchecked) internal final var membership = Membership()
  /// The changes of the transaction; `nil` where nobody observes anything.
  internal final var writes: WriteLog.Writes? {
    didSet { unloggedTransaction = writes == nil ? transaction : nil }
  }
  /// The write transaction, where nobody wants to know what it writes.
  @safe @exclusivity(unchecked) @usableFromInline
  internal private(set) final var unloggedTransaction: WriteTransaction?
  /// Why the transaction cannot be committed: what a method that does not throw met.
  internal final var failure: (any Error)?
  /// Safe to use without checks for exclusive access, as ``shown``.
  @safe @exclusivity(unchecked) internal final var adding = Adding()
  internal var autorefresh = true
  internal var observers = RealmObservers()
  internal var notifier: Notifier { Notifier(context: self) }
  internal var asyncWrites = AsyncWrites()
  internal var asyncWriter: AsyncWriter { AsyncWriter(context: self) }
  /// Makes the realm advance by itself; `nil` on a thread that nothing can be asked to run on.
  internal private(set) var wakeup: RealmWakeup?
  /// Whether it shows one commit for ever, on any thread.
  internal let isFrozen: Bool
  /// The views of a frozen realm, one per thread.
  private let frozenViews: FrozenViews?
  /// The frozen realm of what is seen now, once it was asked for.
  internal var frozen: RealmContext?
  /// Whether anything was read since the realm was opened.
  internal var isRead = false

  internal init(
    _ configuration: Realm.Configuration,
    _ file: OpenFile,
    on home: RealmHome?
  ) throws {
    self.configuration = configuration
    self.file = file
    self.home = home
    thread =
      switch home {
      case nil: kennel_this_thread()
      case .main? where Thread.isMainThread: kennel_this_thread()
      case .main?, .queue?, .actor?: 0
      }
    anchor = ContextAnchor(thread: thread, home: home)
    let snapshot = try file.database.snapshot()
    isFrozen = false
    frozenViews = nil
    shown = snapshot
    anchor.attach(self)
    if let home {
      let wakeup = RealmWakeup(self, home)
      self.wakeup = wakeup
      if !configuration.readOnly { file.broadcast.add(wakeup, file.database) }
    }
  }

  /// Creates a realm that shows a commit for ever, on any thread.
  ///
  /// - Parameters:
  ///   - live: The realm that shows it now.
  ///   - snapshot: A look at the commit that nobody else has.
  internal init(freezing live: RealmContext, at snapshot: Snapshot) {
    configuration = live.configuration
    file = live.file
    home = nil
    thread = 0
    anchor = ContextAnchor(thread: 0, home: nil)
    isFrozen = true
    frozenViews = FrozenViews(snapshot)
    shown = snapshot
    autorefresh = false
    isRead = true
    anchor.attach(self)
  }

  private var frozenView: DatabaseReader { frozenViews?.view ?? shown }

  deinit {
    anchor.end()
  }

  // MARK: - Confinement

  @inline(__always)
  internal func requireConfinement() {
    if thread != kennel_this_thread() { requireSlowly() }
  }

  private func requireSlowly() {
    if isFrozen || anchor.isHere { return }
    throwRealmException(
      "Realm accessed from incorrect thread: a realm and its objects belong to the thread, queue or "
        + "actor on which it was opened. Open another with Realm() here, and pass the object's "
        + "primary key or a ThreadSafeReference"
    )
  }

  // MARK: - Objects

  /// Whether what an accessor stands for is still there.
  internal func isValid(_ object: ObjectBase) -> Bool {
    guard isCurrent(object) else { return false }
    // The reader that each thread has of a frozen realm is kept by nobody else.
    if isFrozen { return attempt { try view.contains(object.identity) } }
    return Borrowed(shown).use { shown in attempt { try shown.contains(object.identity) } }
  }

  /// Whether no cancellation or invalidation since then concerns an object.
  @inline(__always)
  internal func isCurrent(_ object: ObjectBase) -> Bool {
    if object.age == age { return true }
    guard survived(object.identity, since: object.age) else { return false }
    object.age = age
    return true
  }

  internal func survived(_ identity: ObjectIdentity, since start: UInt64) -> Bool {
    for ended in start..<age {
      guard let ending = endings[ended] else { continue }
      guard let first = ending else { return false }
      if let key = first[identity.classKey], identity.key >= key { return false }
    }
    return true
  }

  /// Whether the realm as a whole was invalidated after an age.
  internal func wasInvalidated(since start: UInt64) -> Bool {
    (start..<age).contains { ended in
      if let ending = endings[ended] { ending == nil } else { false }
    }
  }

  internal func noteEnding(_ firstKeys: [ClassKey: ObjectKey]?) {
    endings[age] = .some(firstKeys)
    age += 1
  }

  /// Shows another commit or transaction.
  internal func show(_ reader: DatabaseReader) {
    view = reader
    frozen = nil
    isRead = true
    stamp += 1
    membership.changeAll()
  }

  // MARK: - Values

  internal func requireWritable(_ object: ObjectBase, _ key: PropertyKey) {
    if isFrozen { throwFrozen() }
    guard isValid(object) else { throwDeleted() }
    guard transaction != nil else {
      throwRealmException(
        "Attempting to modify object outside of a write transaction - call beginWrite on a Realm "
          + "instance first, or change it in the body of realm.write { }."
      )
    }
    if key == object.lockedKey {
      throwRealmException(
        "Cannot modify primary key: Primary key can't be changed after an object is inserted."
      )
    }
  }

  internal func throwDeleted() -> Never {
    throwRealmException(
      "Object has been deleted or invalidated. Ask isInvalidated before using an object that may be "
        + "gone"
    )
  }

  internal func throwFrozen() -> Never {
    throwRealmException(
      "Attempting to modify a frozen object - call thaw on the Object instance first."
    )
  }

  // MARK: - Running

  /// Runs a reading body; what it throws stops the program, since the caller cannot be told.
  internal func attempt<Result>(_ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      fail(error)
    }
  }

  @usableFromInline
  internal func fail(_ error: any Error) -> Never {
    if let error = error as? DatabaseError, error.code == .noSuchObject { throwDeleted() }
    throwRealmException("\(error)")
  }

  /// Runs a change; what the world is to blame for makes the transaction fail at its end.
  internal func change(_ body: (WriteTransaction) throws -> Void) {
    guard let transaction else {
      throwRealmException(
        "Cannot modify managed objects outside of a write transaction: call beginWrite first, or "
          + "change them in the body of realm.write { }"
      )
    }
    stamp += 1
    do {
      try body(transaction)
    } catch let error as DatabaseError {
      note(error)
    } catch {
      fail(error)
    }
  }

  /// Keeps an error of the world for the end of the transaction; a mistake stops the program.
  @usableFromInline
  internal func note(_ error: DatabaseError) {
    let codes: [DatabaseError.Code] = [.deletionDenied, .damaged, .diskFull, .fileReplaced, .busy]
    guard codes.contains(error.code) else { fail(error) }
    if failure == nil { failure = error }
  }

  internal func requireTransaction() {
    requireConfinement()
    guard transaction != nil else {
      throwRealmException(
        "Can only add, remove, or create objects in a Realm in a write transaction - call beginWrite "
          + "on a Realm instance first, or do it in the body of realm.write { }."
      )
    }
  }

  internal func sharesFile(with other: RealmContext) -> Bool {
    file.database === other.file.database
      || file.database.fileID == other.file.database.fileID && file.path == other.file.path
  }
}

/// Tells whether there may be other objects of a class than before.
internal struct Membership {
  /// Changes whenever the objects of all classes may be others: at commits and deletions.
  private var structure: UInt64 = 1
  /// By class number: changes whenever an object of the class is made.
  private var creations: [UInt64] = []

  /// A number that changes whenever there may be other objects of a class.
  func version(of classKey: ClassKey) -> UInt64 {
    let number = Int(classKey.rawValue)
    return structure &+ (number < creations.count ? creations[number] : 0)
  }

  /// Notes that there is another object of a class.
  mutating func noteCreation(of classKey: ClassKey) {
    let number = Int(classKey.rawValue)
    while creations.count <= number { creations.append(0) }
    creations[number] &+= 1
  }

  /// Notes that there may be other objects of all classes.
  mutating func changeAll() { structure &+= 1 << 32 }
}
