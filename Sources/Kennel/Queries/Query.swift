internal import KennelCore
import Synchronization

/// An object as the condition of a query sees it: its properties have the names that the model
/// declares.
///
/// ```swift
/// let snapshot = try database.snapshot()
/// let hers = try snapshot.objects(Dog.self).filter {
///   $0.age < 5 && $0.owners.contains { $0.name == "Ada" }
/// }
/// print(try hers.count)
/// ```
@dynamicMemberLookup
public struct Query<M: Model>: Sendable {
  internal let path: QueryPath

  /// A property.
  public subscript<V: Storable>(dynamicMember path: KeyPath<M, Property<V>>) -> Operand<V> {
    Operand(self.path.step(to: path))
  }

  /// The objects that link here.
  public subscript<Origin: Model>(
    dynamicMember path: KeyPath<M, Backlinks<Origin>>
  ) -> Operand<[Object<Origin>]> {
    Operand(self.path.step(to: path))
  }

  /// The object itself, to compare it with another.
  public var itself: Operand<Object<M>?> { Operand(path) }
}

/// A property of the objects of a query, or what is computed from it.
///
/// ```swift
/// let snapshot = try database.snapshot()
/// let people = try snapshot.objects(Person.self)
/// print(try people.filter { $0.name.hasPrefix("A") || $0.dogs.count > 2 }.count)
/// print(try people.filter { $0.favourite.name == "Rex" }.count)
/// ```
///
/// It can be compared with a value of its type and with another operand. A path through a null link
/// is null. `==`, `!=` and `isIn` treat null as a value that equals only null. Any other comparison
/// with null is false.
@dynamicMemberLookup
public struct Operand<V: Storable>: Sendable {
  internal let path: QueryPath
  /// The subquery whose objects are counted, instead of the values of the path.
  private let counted: Predicate.Subquery?

  internal init(_ path: QueryPath, _ counted: Predicate.Subquery? = nil) {
    self.path = path
    self.counted = counted
  }

  internal var expression: Predicate.Expression {
    counted.map { .subquery($0) } ?? .path(path.path)
  }

  /// The path, or why objects cannot be sorted or grouped by it.
  internal func single() throws(DatabaseError) -> Predicate.Path {
    if counted == nil { return path.path }
    throw DatabaseError(
      .invalidPredicate,
      "Objects cannot be sorted or grouped by a count with a condition; use a count without one"
    )
  }

  /// A property of the target of a link.
  public subscript<T: Model, W: Storable>(
    dynamicMember path: KeyPath<T, Property<W>>
  ) -> Operand<W> where V == Object<T>? {
    Operand<W>(self.path.step(to: path))
  }

  /// The objects that link to the target of a link.
  public subscript<T: Model, Origin: Model>(
    dynamicMember path: KeyPath<T, Backlinks<Origin>>
  ) -> Operand<[Object<Origin>]> where V == Object<T>? {
    Operand<[Object<Origin>]>(self.path.step(to: path))
  }
}

/// A condition of a query; `&&`, `||` and `!` combine conditions.
///
/// ```swift
/// func isYoung(_ dog: Query<Dog>) -> Condition { dog.age < 5 }
/// print(try database.snapshot().objects(Dog.self).filter { !isYoung($0) }.count)
/// ```
public struct Condition: Sendable, CustomStringConvertible {
  internal let predicate: Predicate

  internal init(_ predicate: Predicate) { self.predicate = predicate }

  /// The condition as text in the query language, which ``Results/filter(_:_:)`` accepts.
  public var description: String { predicate.description }

  /// Both.
  public static func && (left: Condition, right: Condition) -> Condition {
    switch (left.predicate, right.predicate) {
    case (.and(let parts), .and(let others)): Condition(.and(parts + others))
    case (.and(let parts), let other): Condition(.and(parts + [other]))
    case (let part, let other): Condition(.and([part, other]))
    }
  }

  /// One or both.
  public static func || (left: Condition, right: Condition) -> Condition {
    switch (left.predicate, right.predicate) {
    case (.or(let parts), let other): Condition(.or(parts + [other]))
    case (let part, let other): Condition(.or([part, other]))
    }
  }

  /// Not.
  public static prefix func ! (condition: Condition) -> Condition {
    Condition(.not(condition.predicate))
  }
}

/// The session that a query is for, and the first value that does not belong to it.
internal final class QueryContext: Sendable {
  let session: Session
  private let found = Mutex<DatabaseError?>(nil)

  init(_ session: Session) { self.session = session }

  /// The error of a value of another database.
  var failure: DatabaseError? { found.withLock { $0 } }

  /// Notes it where a value is of another database: a condition cannot throw.
  func require(_ belongs: (Session) -> Bool) {
    if !belongs(session) { found.withLock { $0 = Session.foreign } }
  }
}

/// The way from an object of a query to a value.
internal struct QueryPath: Sendable {
  let context: QueryContext
  var path: Predicate.Path
  /// How many conditions are around this one, which names their variables.
  var depth = 0

  init(_ context: QueryContext, _ path: Predicate.Path = .itself, depth: Int = 0) {
    self.context = context
    self.path = path
    self.depth = depth
  }

  private var bindings: Bindings { context.session.bindings }

  /// The path with a step to a member; a model that is not open leads to a name that no class has.
  func step<T: Model, Member: ModelMember>(to member: KeyPath<T, Member>) -> QueryPath {
    let name = try? bindings.binding(T.self).member(member).name
    return with { $0.steps.append(.property(name ?? "\(T.className) is not open")) }
  }

  func with(_ change: (inout Predicate.Path) -> Void) -> QueryPath {
    var copy = self
    change(&copy.path)
    return copy
  }
}
