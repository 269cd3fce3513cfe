/// The id of an object: its key in the database, from 1; 0 for an object that was never put.
///
/// ```swift
/// let id: Id = try box.put(note)
/// print(try box.get(id)?.title ?? "none")
/// ```
public typealias Id = UInt64

/// A type that serves as an id.
///
/// ```swift
/// func number(of id: some IdBase) -> UInt64 { id.value }
/// print(number(of: EntityId<Note>(7)))
/// ```
public protocol IdBase: Hashable, Sendable {
  /// The id; 0 for an object that was never put.
  var value: Id { get }

  /// Creates an id from a number.
  init(_ value: Id)
}

/// A type that serves as an id and does not name the entity.
///
/// ```swift
/// let ids: [Int] = [1, 2]
/// print(try box.get(ids).count)
/// ```
public protocol UntypedIdBase: IdBase {}

/// The id of an object of an entity.
///
/// ```swift
/// final class Reminder: Entity {
///   var id: EntityId<Reminder> = 0
///   var text = ""
/// }
/// ```
public struct EntityId<E>: IdBase, ExpressibleByIntegerLiteral {
  /// The id; 0 for an object that was never put.
  public let value: Id

  /// Creates an id from a number.
  public init(_ value: Id) { self.value = value }

  /// Creates an id from a literal.
  public init(integerLiteral value: Id) { self.value = value }

  /// Whether the object was never put.
  public var needsIdGeneration: Bool { value == 0 }
}

extension EntityId: Comparable {
  /// Whether an id is less than another.
  public static func < (left: EntityId, right: EntityId) -> Bool { left.value < right.value }
}

extension EntityId: CustomStringConvertible {
  /// The entity and the id, such as `EntityId<Note>(7)`.
  public var description: String { "EntityId<\(E.self)>(\(value))" }
}

extension EntityId: Codable {
  /// Decodes the number of an id.
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Id.self)
  }

  /// Encodes the number of the id.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension UntypedIdBase where Self: FixedWidthInteger {
  /// The id; 0 for a number that is no id.
  public var value: Id { Id(exactly: self) ?? 0 }
}

extension UInt64: UntypedIdBase {
  /// The id itself.
  public var value: Id { self }
}
extension Int64: UntypedIdBase {}
extension UInt: UntypedIdBase {}
extension Int: UntypedIdBase {}
extension UInt32: UntypedIdBase {}
extension Int32: UntypedIdBase {}
