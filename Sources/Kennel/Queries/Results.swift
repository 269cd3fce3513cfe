/// The objects of a class that a query finds.
///
/// The query begins with all objects of the class, the targets of a list or the backlinks of an
/// object, and can be filtered, sorted and limited.
///
/// ```swift
/// let snapshot = try database.snapshot()
/// let young = try snapshot.objects(Dog.self).filter { $0.age < 5 }.sorted(by: \.name)
/// for dog in young.limit(10) { print(try dog.name) }
/// print(try young.count, try young.first?.name ?? "none", try young.average(\.age) ?? 0)
/// ```
///
/// Each access runs the query again; nothing is cached. A loop cannot throw: if the query fails,
/// the loop gets one object, and reading its properties throws the error.
public struct Results<M: Model>: Sendable {
  @usableFromInline internal let scope: Scope<M>
  @usableFromInline internal let query: ObjectQuery

  @inlinable
  internal init(_ scope: Scope<M>, _ query: ObjectQuery) {
    self.scope = scope
    self.query = query
  }

  @inlinable
  internal init(_ scope: Scope<M>, _ source: ObjectQuery.Source) {
    self.init(scope, ObjectQuery(scope.classKey, source))
  }
}
