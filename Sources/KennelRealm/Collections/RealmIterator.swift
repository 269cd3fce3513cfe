public import KennelCore

/// An iterator over results, as of its creation.
public struct RealmIterator<Element: RealmCollectionValue>: IteratorProtocol {
  // No more than six properties: the compiler asks the type of anything larger for how to copy and
  // destroy it.
  /// What hands objects out whose class in Swift is exactly `Element`; `nil` for other elements.
  @usableFromInline internal var host: Unmanaged<AccessorHost>?
  /// The same, with a reference.
  @usableFromInline internal var keptHost: AccessorHost?
  /// The objects from `position` up to `limit`, each at its position modulo 8.
  @usableFromInline internal var keys: KeyBatch
  @usableFromInline internal var position: Int
  @usableFromInline internal var limit: Int
  /// What comes after them; all elements where there is no host.
  @usableFromInline internal var rest: IteratorRest?

  /// Objects that a host hands out: those of `rest`, or those that the host begins with.
  @inlinable
  @inline(__always)
  internal init(_ host: __owned AccessorHost, _ rest: __owned IteratorRest?) {
    self.host = Unmanaged.passUnretained(host)
    keptHost = host
    keys = KeyBatch()
    position = 0
    limit = 0
    self.rest = rest
  }

  private init(rest: IteratorRest) {
    host = nil
    keptHost = nil
    keys = KeyBatch()
    position = 0
    limit = 0
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

  /// Returns the next element.
  @inlinable
  public mutating func next() -> Element? {
    guard let host else { return nextValue() }
    if position == limit {
      guard let quickRest = rest.map(Unmanaged.passUnretained) else { return nil }
      limit &+= quickRest._withUnsafeGuaranteedRef { $0.goOn(&keys, position) }
      guard position < limit else {
        self.rest = nil
        return nil
      }
    }
    let key = keys.key(position)
    position &+= 1
    return unsafeBitCast(host._withUnsafeGuaranteedRef { $0.object(key) }, to: Element.self)
  }

  @inline(never)
  @usableFromInline
  internal mutating func nextValue() -> Element? {
    guard let rest else { return nil }
    defer { position += 1 }
    return unsafeDowncast(rest, to: ElementWalk<Element>.self).element(at: position)
  }
}

/// The name of ``RealmIterator`` in generic code for Realm.
public typealias RLMIterator = RealmIterator
