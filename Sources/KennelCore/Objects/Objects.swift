public import KennelStorage

/// Objects of one class, in the order in which they were found.
///
/// ```swift
/// let dogs = try snapshot.objects(of: dog.key)
/// for dog in dogs { print(try snapshot.displayName(of: dog)) }
/// ```
///
/// They take eight bytes each, because their class is stored once.
public struct Objects: RandomAccessCollection, Hashable, Sendable {
  /// The class of the objects.
  public let classKey: ClassKey
  /// The keys of the objects.
  public let keys: [ObjectKey]

  /// Creates a collection of objects.
  ///
  /// - Parameters:
  ///   - classKey: The class of the objects.
  ///   - keys: Their keys.
  @inlinable
  public init(_ classKey: ClassKey, _ keys: [ObjectKey]) {
    self.classKey = classKey
    self.keys = keys
  }

  /// The position of the first object: 0.
  @inlinable public var startIndex: Int { 0 }
  /// The number of objects.
  @inlinable public var endIndex: Int { keys.count }

  /// Returns the object at a position.
  @inlinable
  public subscript(position: Int) -> ObjectIdentity { ObjectIdentity(classKey, keys[position]) }
}
