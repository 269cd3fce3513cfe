// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// An iterator over a list, set or inverse relationship, as of its first element.
public struct ElementIterator<Element: RealmCollectionValue>: IteratorProtocol {
  // No more than six properties: the compiler asks the type of anything larger for how to copy and
  // destroy it.
  /// What hands objects out; `nil` for other elements, and at the end.
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
    self.init(ValueWalk<Element>(context, found))
  }

  internal init(_ elements: [Element]) {
    self.init(ElementWalk(elements))
  }

  private init(_ walk: ElementWalk<Element>) {
    if Element._isObject {
      self.init(ElementHost(walk), PositionWalk(walk.count))
    } else {
      self.init(rest: walk)
    }
  }

  /// Returns the next element.
  @inlinable
  public mutating func next() -> Element? {
    guard Element._isObject else { return nextValue() }
    guard let host else { return nil }
    if position == limit {
      guard prepareNext(host) else {
        self.host = nil
        giveBack(&keptHost)
        return nil
      }
    }
    let key = keys.key(position)
    position &+= 1
    // Not as an owned object, but as one that is somebody else's: what is not done to the reference
    // need not be undone.
    return unsafeBitCast(host._withUnsafeGuaranteedRef { $0.aim(key) }, to: Element.self)
  }

  /// Gets the next keys; false where there are none.
  @inlinable
  @inline(__always)
  internal mutating func prepareNext(_ host: Unmanaged<AccessorHost>) -> Bool {
    if let quickRest = rest.map(Unmanaged.passUnretained) {
      limit &+= quickRest._withUnsafeGuaranteedRef { $0.goOn(&keys, position) }
    } else if position == 0 {
      limit = host._withUnsafeGuaranteedRef { $0.begin(&keys, &rest) }
    }
    return position < limit
  }

  @inline(never)
  @usableFromInline
  internal mutating func nextValue() -> Element? {
    guard let rest else { return nil }
    defer { position += 1 }
    return unsafeDowncast(rest, to: ElementWalk<Element>.self).element(at: position)
  }
}
