@_spi(Faces) import KennelCore

/// The later elements of a walk; it has no position of its own, so that copies of an iterator go on
/// independently.
@usableFromInline
internal class IteratorRest {
  /// Gives the next objects and says how many; less than eight only where there are no more.
  ///
  /// `taken` says how many came before, `last` which came last.
  func refill(_ keys: inout [8 of ObjectKey], _ taken: Int, _ last: ObjectKey) -> Int { 0 }

  /// Gives the next objects after `taken` of them, of which `keys` has the last eight.
  @inline(never)
  @usableFromInline
  internal final func goOn(_ keys: inout KeyBatch, _ taken: Int) -> Int {
    // A batch that is not full is the last.
    if taken & 7 != 0 { return 0 }
    return keys.fill { keys in
      refill(&keys, taken, taken == 0 ? ObjectKey(rawValue: 0) : keys[7])
    }
  }
}

/// Objects of which a list was made.
internal final class KeyWalk: IteratorRest {
  private let all: [ObjectKey]

  init(_ keys: [ObjectKey]) {
    all = keys
  }

  /// The first of some objects, and what gives the rest.
  static func begin(
    _ all: [ObjectKey],
    _ keys: inout KeyBatch,
    _ rest: inout IteratorRest?
  ) -> Int {
    if all.isEmpty { return 0 }
    let walk = KeyWalk(all)
    rest = walk
    return walk.goOn(&keys, 0)
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
  private let reader: DatabaseReader
  private let classKey: ClassKey

  init(_ context: RealmContext, _ reader: DatabaseReader, _ classKey: ClassKey) {
    self.context = context
    self.reader = reader
    self.classKey = classKey
  }

  override func refill(_ keys: inout [8 of ObjectKey], _ taken: Int, _ last: ObjectKey) -> Int {
    do throws(DatabaseError) {
      let next = ObjectKey(rawValue: last.rawValue + 1)
      return try reader.copyKeys(of: classKey, from: next, into: &keys)
    } catch {
      context.stop(error)
    }
  }
}

/// The positions of elements that a ``ElementHost`` hands out.
internal final class PositionWalk: IteratorRest {
  private let all: Int

  init(_ count: Int) {
    all = count
  }

  override func refill(_ keys: inout [8 of ObjectKey], _ taken: Int, _ last: ObjectKey) -> Int {
    let count = min(all - taken, 8)
    for index in 0..<count { keys[index] = ObjectKey(rawValue: UInt64(taken + index)) }
    return count
  }
}

/// Elements of any type.
internal class ElementWalk<Element>: IteratorRest {
  private let elements: [Element]

  var count: Int { elements.count }

  init(_ elements: [Element]) {
    self.elements = elements
  }

  func element(at position: Int) -> Element? {
    position < elements.count ? elements[position] : nil
  }
}

/// Stored values.
internal final class ValueWalk<Element: RealmCollectionValue>: ElementWalk<Element> {
  private let context: RealmContext
  private let found: ResultsSource.Found

  init(_ context: RealmContext, _ found: ResultsSource.Found) {
    self.context = context
    self.found = found
    super.init([])
  }

  override var count: Int { found.count }

  override func element(at position: Int) -> Element? {
    position < found.count ? Element._decode(found.value(position), context) : nil
  }
}

/// A host of its own for what is no collection's.
internal final class ContextHost: AccessorHost {
  private let context: RealmContext

  init(_ context: RealmContext) {
    self.context = context
    super.init(level: 0)
  }
}

/// A host of objects that are there, or that anything else is known of than their keys.
internal final class ElementHost<Element>: AccessorHost {
  private let walk: ElementWalk<Element>

  init(_ walk: ElementWalk<Element>) {
    self.walk = walk
    super.init(level: 0)
  }

  /// The key is a position.
  override func makeObject(_ key: ObjectKey) -> ObjectBase {
    guard let object = walk.element(at: Int(key.rawValue)) as? ObjectBase else {
      throwRealmException("The element is no object")
    }
    return object
  }
}
