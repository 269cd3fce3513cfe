public import KennelCore

/// The elements of a collection of a realm, one after the other, as they were when it was made.
public struct RealmIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// What hands objects out whose class in Swift is exactly `Element`; `nil` for other elements.
  @usableFromInline internal let host: Unmanaged<AccessorHost>?
  /// The same, with a reference.
  @usableFromInline internal let keptHost: AccessorHost?
  /// The next objects, from `position` to `count`.
  @usableFromInline internal var keys = [8 of ObjectKey](repeating: ObjectKey(rawValue: 0))
  @usableFromInline internal var position = 0
  @usableFromInline internal var count = 0
  /// How many objects came before `keys`.
  @usableFromInline internal var taken = 0
  /// What comes after them; all elements where there is no host.
  @usableFromInline internal var rest: IteratorRest?

  /// Objects that a host hands out; the caller fills the rest in.
  @inlinable
  internal init(_ host: __owned AccessorHost) {
    self.host = Unmanaged.passUnretained(host)
    keptHost = host
  }

  internal init(_ context: RealmContext, _ found: ResultsSource.Found) {
    if case .objects(let classKey, let keys) = found {
      let host = ContextHost(context)
      host.prepare(context, classKey, for: Element.self)
      if host.isWalkable {
        self.host = Unmanaged.passUnretained(host)
        keptHost = host
        rest = KeyWalk(keys)
        return
      }
    }
    host = nil
    keptHost = nil
    rest = ValueWalk<Element>(context, found)
  }

  internal init(_ elements: [Element]) {
    host = nil
    keptHost = nil
    rest = ElementWalk(elements)
  }

  /// The next element.
  @inlinable
  public mutating func next() -> Element? {
    if position < count, let host {
      let key = keys[position]
      position &+= 1
      return unsafeBitCast(
        host._withUnsafeGuaranteedRef { $0.object(key) },
        to: Element.self
      )
    }
    guard let rest else { return nil }
    return next(of: rest)
  }

  @inline(never)
  @usableFromInline
  internal mutating func next(of rest: IteratorRest) -> Element? {
    guard let host else {
      defer { position += 1 }
      return unsafeDowncast(rest, to: ElementWalk<Element>.self).element(at: position)
    }
    let last = count == 0 ? ObjectKey(rawValue: 0) : keys[count - 1]
    taken += count
    count = rest.refill(&keys, taken, last)
    position = 1
    if count == 0 {
      self.rest = nil
      return nil
    }
    return unsafeBitCast(
      host._withUnsafeGuaranteedRef { $0.object(keys[0]) },
      to: Element.self
    )
  }
}

/// An iterator of a collection, as generic code written for Realm names it.
public typealias RLMIterator = RealmIterator

/// A host of its own for what is no collection's.
private final class ContextHost: AccessorHost {
  private let context: RealmContext

  init(_ context: RealmContext) {
    self.context = context
    super.init(level: 0)
  }
}

/// The later elements of a walk; it has no position of its own, so that copies of an iterator go on
/// independently.
@usableFromInline
internal class IteratorRest {
  /// Gives the next objects, up to eight, and says how many; 0 when there are none.
  ///
  /// `taken` says how many came before, `last` which came last.
  func refill(_ keys: inout [8 of ObjectKey], _ taken: Int, _ last: ObjectKey) -> Int { 0 }
}

/// Objects of which a list was made.
internal final class KeyWalk: IteratorRest {
  private let all: [ObjectKey]

  init(_ keys: [ObjectKey]) {
    all = keys
  }

  override func refill(_ keys: inout [8 of ObjectKey], _ taken: Int, _ last: ObjectKey) -> Int {
    let count = min(all.count - taken, 8)
    for index in 0..<count { keys[index] = all[taken + index] }
    return count
  }
}

/// All objects of a class as a snapshot has them, in the order of their creation.
internal final class ClassWalk: IteratorRest {
  private let context: RealmContext
  private let snapshot: Snapshot
  private let classKey: ClassKey
  /// Some of the objects, and how many of them were given.
  private var some: [ObjectKey] = []
  private var position = 0

  init(_ context: RealmContext, _ snapshot: Snapshot, _ classKey: ClassKey) {
    self.context = context
    self.snapshot = snapshot
    self.classKey = classKey
  }

  override func refill(_ keys: inout [8 of ObjectKey], _ taken: Int, _ last: ObjectKey) -> Int {
    if position == some.count || position == 0 || some[position - 1] != last {
      let next = ObjectKey(rawValue: last.rawValue + 1)
      some = context.attempt { try snapshot.keys(of: classKey, from: next, limit: 256) }
      position = 0
    }
    let count = min(some.count - position, 8)
    for index in 0..<count { keys[index] = some[position + index] }
    position += count
    return count
  }
}

/// Elements of any type.
internal class ElementWalk<Element>: IteratorRest {
  private let elements: [Element]

  init(_ elements: [Element]) {
    self.elements = elements
  }

  func element(at position: Int) -> Element? {
    position < elements.count ? elements[position] : nil
  }
}

/// Stored values.
private final class ValueWalk<Element: RealmCollectionValue>: ElementWalk<Element> {
  private let context: RealmContext
  private let found: ResultsSource.Found

  init(_ context: RealmContext, _ found: ResultsSource.Found) {
    self.context = context
    self.found = found
    super.init([])
  }

  override func element(at position: Int) -> Element? {
    position < found.count ? Element._decode(found.value(position), context) : nil
  }
}
