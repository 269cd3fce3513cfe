public import KennelCore

/// The elements of results, one after the other, as they were when it was made.
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

  /// Objects that a host hands out; the caller fills in which, and what comes after them.
  @inlinable
  internal init(_ host: __owned AccessorHost) {
    self.host = Unmanaged.passUnretained(host)
    keptHost = host
  }

  private init(_ host: AccessorHost, _ rest: IteratorRest) {
    self.init(host)
    self.rest = rest
  }

  private init(rest: IteratorRest) {
    host = nil
    keptHost = nil
    self.rest = rest
  }

  internal init(_ context: RealmContext, _ found: ResultsSource.Found) {
    if case .objects(let classKey, let keys) = found {
      let host = ContextHost(context)
      host.prepare(context, classKey, for: Element.self)
      if host.isWalkable {
        self.init(host, KeyWalk(keys))
        return
      }
    }
    self.init(rest: ValueWalk<Element>(context, found))
  }

  internal init(_ elements: [Element]) {
    self.init(rest: ElementWalk(elements))
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
