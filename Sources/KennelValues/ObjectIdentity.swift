/// A class of a file, numbered from 0 in the order of definition.
///
/// ```swift
/// let dogs = try snapshot.schema.require("Dog").key
/// print(snapshot.count(of: dogs))
/// ```
///
/// Keys are never reused: a class that a migration deletes leaves a gap.
public struct ClassKey: Hashable, Comparable, Sendable {
  /// The number, at most 4,094.
  public let rawValue: UInt16

  /// Makes a key from its number.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Classes in the order of their definition.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A property of a class: the number of its column, never reused.
///
/// ```swift
/// let age = try dog.require("age").key
/// try database.write { transaction in try transaction.set(rex, property: age, to: .int(4)) }
/// ```
public struct PropertyKey: Hashable, Comparable, Sendable {
  /// The number, at most 4,093.
  public let rawValue: UInt16

  /// Makes a key from its number.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Orders by number.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// An object of a class: a number from 1 upward.
///
/// A new object gets a key that no object ever had, unless a program requests the key of a deleted
/// object.
///
/// ```swift
/// let max = try draft.create(dog.key, [:])
/// print(rex.key.rawValue, max.key.isProvisional)
/// ```
///
/// A key whose bit 47 is set is *provisional*: it names an object that a draft created and
/// that no commit has numbered yet.
public struct ObjectKey: Hashable, Comparable, Sendable {
  /// The number, below 2^48.
  public let rawValue: UInt64

  /// Makes a key from its number.
  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The first provisional number.
  public static let firstProvisional: UInt64 = 1 << 47

  /// The exclusive upper bound of keys: 2^48.
  public static let limit: UInt64 = 1 << 48

  /// Whether a draft made this object and no commit has numbered it yet.
  @inlinable
  public var isProvisional: Bool { rawValue >= Self.firstProvisional }

  /// The cluster that holds the object: 256 neighbours share one.
  @inlinable
  package var cluster: UInt64 { rawValue &>> 8 }

  /// The place of the object in its cluster.
  @inlinable
  package var place: Int { Int(truncatingIfNeeded: rawValue & 255) }

  /// The key of a place in a cluster.
  @inlinable
  package init(cluster: UInt64, place: Int) {
    rawValue = cluster &<< 8 | UInt64(truncatingIfNeeded: place)
  }

  /// Orders by number, which is the order of creation unless a program chose the keys.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The identity of an object: its class and its key.
///
/// ```swift
/// let rex = ObjectIdentity(dog.key, ObjectKey(rawValue: 1))
/// print(snapshot.describe(rex))
/// ```
///
/// An identity stays true whatever is sorted, inserted or deleted around the object. It is
/// written `Class/key`, as in `Dog/42`, wherever a person reads it.
public struct ObjectIdentity: Hashable, Comparable, Sendable {
  /// The class.
  public let classKey: ClassKey
  /// The key within the class.
  public let key: ObjectKey

  /// Makes an identity from its parts.
  @inlinable
  public init(_ classKey: ClassKey, _ key: ObjectKey) {
    self.classKey = classKey
    self.key = key
  }

  /// By class, then by key.
  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.classKey == right.classKey ? left.key < right.key : left.classKey < right.classKey
  }
}
