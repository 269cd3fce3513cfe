import Foundation
@_spi(Faces) import KennelCore

/// The source, predicate and order of results.
///
/// For internal use.
///
/// The source is a class, a collection or an inverse relationship. The query runs when the elements
/// are used, and again when the realm has changed.
public final class ResultsSource: AccessorHost {
  internal enum Base {
    /// All objects of a class.
    case all(ClassKey)
    /// The elements of a list or set, or the values of a map.
    case collection(ManagedPlace)
    /// The objects that link to an object.
    case origins(LinkOrigin, to: ObjectIdentity, age: UInt64)
  }

  /// The result of a query.
  internal enum Found {
    case objects(ClassKey, [ObjectKey])
    case values([StoredValue])

    var count: Int {
      switch self {
      case .objects(_, let keys): keys.count
      case .values(let values): values.count
      }
    }

    /// The object at a position; `nil` if there is none, or a value.
    func key(at position: Int) -> ObjectKey? {
      guard case .objects(_, let keys) = self, keys.indices.contains(position) else { return nil }
      return keys[position]
    }

    /// The elements at positions.
    func at(_ positions: [Int]) -> Found {
      switch self {
      case .objects(let classKey, let keys): .objects(classKey, positions.map { keys[$0] })
      case .values(let values): .values(positions.map { values[$0] })
      }
    }

    func value(_ position: Int) -> StoredValue {
      switch self {
      case .objects(let classKey, let keys): .link(ObjectIdentity(classKey, keys[position]))
      case .values(let values): values[position]
      }
    }
  }

  /// An operation on the filtered elements.
  internal enum Descriptor {
    case sort([SortKey])
    case distinct([StoredPredicate.Path])

    var isSort: Bool { if case .sort = self { true } else { false } }
  }

  internal let context: RealmContext
  internal let base: Base
  internal var filters: [StoredPredicate] = []
  internal var descriptors: [Descriptor] = []
  /// The age of the realm when the results were created.
  private let age: UInt64
  /// The result of a query, and the state of the realm that it is of.
  private struct Evaluation {
    let found: Found
    let count: Int
    /// The class, if these are all objects of it.
    let whole: ClassKey?
    let stamp: UInt64
  }

  /// The latest result.
  ///
  /// Safe to use without checks for exclusive access, as the properties of ``AccessorHost``.
  @safe @exclusivity(unchecked) private var evaluated: Evaluation?
  /// Guards the result in a frozen realm, which several threads may read at once.
  private let lock: NSRecursiveLock?

  internal init(_ context: RealmContext, _ base: Base) {
    self.context = context
    self.base = base
    age = context.age
    lock = context.isFrozen ? NSRecursiveLock() : nil
    super.init()
  }

  /// A copy with a change.
  internal func changed(_ change: (ResultsSource) -> Void) -> ResultsSource {
    let copy = ResultsSource(context, base)
    copy.filters = filters
    copy.descriptors = descriptors
    change(copy)
    return copy
  }

  // MARK: - Elements

  internal var isInvalidated: Bool {
    context.requireConfinement()
    switch base {
    case .all: return context.wasInvalidated(since: age)
    case .collection(let place): return !place.isValid
    case .origins(_, let target, let age):
      return !context.isCurrent(target, age)
        || !context.attempt { try context.view.contains(target) }
    }
  }

  internal var count: Int {
    context.requireConfinement()
    if case .all(let classKey) = base, descriptors.allSatisfy(\.isSort), lock == nil, !isFresh {
      requireValid()
      if filters.isEmpty { return context.view.count(of: classKey) }
      return context.attempt { try context.view.count(of: classKey, where: predicate) }
    }
    return elements().count
  }

  internal func value(_ position: Int) -> StoredValue {
    let elements = elements()
    requirePosition(position, below: elements.count)
    return elements.value(position)
  }

  internal func elements() -> Found {
    context.requireConfinement()
    lock?.lock()
    defer { lock?.unlock() }
    if let evaluated, isFresh { return evaluated.found }
    requireValid()
    let elements = context.attempt { try evaluate() }
    let (whole, stamp) = (wholeClass, currentStamp)
    evaluated = Evaluation(found: elements, count: elements.count, whole: whole, stamp: stamp)
    return elements
  }

  /// The class, if these are all objects of it in the order of their creation.
  private var wholeClass: ClassKey? {
    guard case .all(let classKey) = base, filters.isEmpty, descriptors.isEmpty else { return nil }
    return classKey
  }

  // MARK: - Objects

  /// Prepares to return objects, if their class in Swift is exactly the wanted one.
  internal func prepare(for type: Any.Type) {
    guard !isWalkable, !context.isFrozen else { return }
    if let wholeClass {
      prepare(context, wholeClass, for: type)
    } else if case .objects(let classKey, _) = elements() {
      prepare(context, classKey, for: type)
    }
  }

  /// The first keys of an iteration, and the function that returns the rest.
  internal override func begin(
    _ keys: inout ObjectWalk.Keys,
    _ rest: inout [ObjectWalk.Rest]
  ) -> Int {
    context.requireConfinement()
    beginWalk()
    guard let wholeClass, context.transaction == nil, !isFresh else {
      guard case .objects(_, let all) = elements() else { return 0 }
      return ObjectWalk.begin(all, &keys, &rest)
    }
    requireValid()
    let (context, snapshot) = (context, context.view)
    func copy(_ keys: inout ObjectWalk.Keys, _ start: Int) -> Int {
      context.attempt { () throws(DatabaseError) in
        let first = ObjectKey(rawValue: start == 0 ? 1 : keys[7].rawValue + 1)
        return try snapshot.copyKeys(of: wholeClass, from: first, into: &keys)
      }
    }
    rest = [copy]
    return copy(&keys, 0)
  }

  /// The element at a position, as an object; `nil` if there is none.
  @usableFromInline
  internal func element(at position: Int) -> ObjectBase? {
    context.requireConfinement()
    if !isFresh { _ = elements() }
    return evaluated?.found.key(at: position).map { object($0) }
  }

  private var currentStamp: UInt64 {
    wholeClass.map { context.membership.version(of: $0) } ?? context.stamp
  }

  private var isFresh: Bool {
    // Field by field, which copies none of what was found.
    guard let whole = evaluated?.whole else { return evaluated?.stamp == context.stamp }
    // Rules and owners may have deleted some. What a frozen realm shows has as many on any thread.
    return evaluated?.stamp == context.membership.version(of: whole)
      && evaluated?.count == Borrowed(context.shown).use { $0.count(of: whole) }
  }

  private func requireValid() {
    if case .all = base, context.wasInvalidated(since: age) {
      throwRealmException("Access to invalidated Results objects: their realm was invalidated")
    }
  }

  /// The filters as one predicate.
  internal var predicate: StoredPredicate? {
    filters.count > 1 ? .and(filters) : filters.first
  }

  /// The class of the elements; `nil` for values.
  internal var classKey: ClassKey? {
    switch base {
    case .all(let classKey): classKey
    case .origins(let origin, _, _): origin.classKey
    case .collection(let place):
      context.view.schema[place.identity.classKey]?[place.key]?.target
    }
  }

  /// The name of that class in the file.
  internal var className: String? { classKey.flatMap { context.view.schema[$0]?.name } }

  private func evaluate() throws -> Found {
    switch base {
    case .all(let classKey):
      var rest = descriptors[...]
      var sorts: [SortKey] = []
      if case .sort(let keys)? = rest.first {
        sorts = keys
        rest = rest.dropFirst()
      }
      let keys = try context.view.objects(of: classKey, where: predicate, sort: sorts).keys
      return try ResultsOrder(source: self).apply(rest, to: .objects(classKey, keys))
    case .origins(let origin, let target, _):
      guard try context.view.contains(target) else { return .objects(origin.classKey, []) }
      let keys = try context.view.origins(
        of: origin.classKey,
        property: origin.property,
        to: target,
        in: 0..<Int.max
      ).keys
      return try ResultsOrder(source: self).apply(to: .objects(origin.classKey, keys))
    case .collection(let place):
      return try ResultsOrder(source: self).apply(to: place.isValid ? place.found : .values([]))
    }
  }
}
