public import KennelCore

/// Objects of a class: all, those of a list, or those that link to an object; filtered, sorted and cut
/// as asked for.
///
/// ```swift
/// let snapshot = try database.snapshot()
/// let young = try snapshot.objects(Dog.self).filter { $0.age < 5 }.sorted(by: \.name)
/// for dog in young.limit(10) { print(try dog.name) }
/// print(try young.count, try young.first?.name ?? "none", try young.average(\.age) ?? 0)
/// ```
///
/// They are found each time when they are asked for, and nothing is kept of them. A loop cannot throw:
/// if the file is damaged, it gets one object whose properties throw the error.
public struct Results<M: Model>: Sendable {
  /// Where the objects are taken from.
  @usableFromInline
  internal enum Source: Sendable {
    case all
    /// The targets of a list.
    case targets(ObjectIdentity, KennelCore.Property<[ObjectIdentity]>)
    /// The objects that link to an object through a property of the class.
    case origins(ObjectIdentity, PropertyKey)
    /// Those of other results, which a limit cut.
    indirect case limited(Results)
  }

  @usableFromInline internal let scope: Scope<M>
  @usableFromInline internal let source: Source
  internal var predicate: Predicate?
  internal var sort: [SortKey] = []
  /// How many of them are taken at most.
  internal var most: Int?

  @inlinable
  internal init(_ scope: Scope<M>, _ source: Source) {
    self.scope = scope
    self.source = source
  }
}
