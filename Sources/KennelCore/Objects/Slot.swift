public import KennelStorage

/// A place in an object for one value: a property, or one element of a collection.
///
/// ```swift
/// let first = Slot(ada, dogs.key, .index(0))
/// if let target = try snapshot.target(of: first) { print(snapshot.describe(target)) }
/// ```
///
/// A slot that holds a link or owns an embedded object is an edge of the graph of objects.
public struct Slot: Hashable, Sendable {
  /// The position in the property.
  ///
  /// ```swift
  /// let second = Slot(ada, dogs.key, .index(1))
  /// try draft.perform(.change(second, .remove))
  /// ```
  public enum Position: Hashable, Sendable {
    /// The value of the property.
    case value
    /// A position in a list, from 0.
    case index(Int)
    /// A member of a set.
    case member(Value)
    /// A key of a map.
    case key(String)
  }

  /// The object.
  public let object: ObjectIdentity
  /// The property.
  public let property: PropertyKey
  /// The position in the property.
  public let position: Position

  /// Creates a slot.
  public init(_ object: ObjectIdentity, _ property: PropertyKey, _ position: Position = .value) {
    self.object = object
    self.property = property
    self.position = position
  }
}

extension Slot.Position {
  /// Returns whether two positions are equal.
  ///
  /// Keys of maps compare by their UTF-8 bytes.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.value, .value): true
    case (.index(let left), .index(let right)): left == right
    case (.member(let left), .member(let right)): left == right
    case (.key(let left), .key(let right)): left.hasSameBytes(as: right)
    case (.value, _), (.index, _), (.member, _), (.key, _): false
    }
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .value: hasher.combine(0)
    case .index(let index): hasher.combine(index)
    case .member(let member): hasher.combine(member)
    case .key(let key): hasher.combine(Array(key.utf8))
    }
  }
}

/// A slot as an edge of the graph.
public typealias Edge = Slot

/// The objects of one class that link to an object through one property.
///
/// ```swift
/// for group in try snapshot.backlinks(to: rex) {
///   print(snapshot.schema[group.origin]?.name ?? "", group.count)
/// }
/// ```
public struct BacklinkGroup: Hashable, Sendable {
  /// The class of the linking objects.
  public let origin: ClassKey
  /// The link property.
  public let property: PropertyKey
  /// The number of links.
  ///
  /// An object that links twice counts twice.
  public let count: Int
}
