import KennelCore

/// The elements of a collection of a realm, one after the other, as they were when it was made.
public struct RealmIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// Objects whose class in Swift is exactly `Element`; found without anything generic.
  @usableFromInline internal let walk: ObjectWalk?
  private let context: RealmContext?
  private let found: ResultsSource.Found
  private let unmanaged: [Element]
  private var position = 0

  internal init(_ context: RealmContext, _ found: ResultsSource.Found) {
    if case .objects(let classKey, let keys) = found, let type = Element.self as? ObjectBase.Type,
      context.file.binding(classKey)?.model.objectClass == type
    {
      walk = ObjectWalk(context, classKey, keys, type)
      self.found = .values([])
    } else {
      walk = nil
      self.found = found
    }
    self.context = context
    unmanaged = []
  }

  internal init(_ elements: [Element]) {
    walk = nil
    context = nil
    found = .values([])
    unmanaged = elements
  }

  /// The next element.
  @inlinable
  public mutating func next() -> Element? {
    guard let walk else { return nextValue() }
    guard let object = walk.next() else { return nil }
    return unsafeBitCast(object, to: Element.self)
  }

  @usableFromInline
  internal mutating func nextValue() -> Element? {
    defer { position += 1 }
    guard let context else { return position < unmanaged.count ? unmanaged[position] : nil }
    return position < found.count ? Element._decode(found.value(position), context) : nil
  }
}

/// An iterator of a collection, as generic code written for Realm names it.
public typealias RLMIterator = RealmIterator

/// Objects of one class, one after the other.
@usableFromInline
internal final class ObjectWalk {
  private let context: RealmContext
  private let classKey: ClassKey
  private let keys: [ObjectKey]
  private let objectClass: ObjectBase.Type
  @exclusivity(unchecked) private var position = 0

  init(
    _ context: RealmContext,
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ objectClass: ObjectBase.Type
  ) {
    self.context = context
    self.classKey = classKey
    self.keys = keys
    self.objectClass = objectClass
  }

  @usableFromInline
  func next() -> ObjectBase? {
    guard position < keys.count else { return nil }
    defer { position &+= 1 }
    return context.accessor(ObjectIdentity(classKey, keys[position]), as: objectClass)
  }
}
