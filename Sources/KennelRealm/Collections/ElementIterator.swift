// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// The elements of a list, set or inverse relationship, one after the other, as they were when it was
/// made.
public struct ElementIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// What hands objects out; `nil` for other elements.
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

  /// The next element.
  @inlinable
  public mutating func next() -> Element? {
    guard Element._isObject else { return nextValue() }
    if position == count {
      guard let rest, rest.advance(&keys, &position, &count, &taken) else { return nil }
    }
    guard let host else { return nil }
    let key = keys[position]
    position &+= 1
    // Not as an owned object, but as one that is somebody else's: what is not done to the reference
    // need not be undone.
    return unsafeBitCast(host._withUnsafeGuaranteedRef { $0.aim(key) }, to: Element.self)
  }

  @inline(never)
  @usableFromInline
  internal mutating func nextValue() -> Element? {
    guard let rest else { return nil }
    defer { position += 1 }
    return unsafeDowncast(rest, to: ElementWalk<Element>.self).element(at: position)
  }
}
