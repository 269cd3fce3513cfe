// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation

/// A collection of values under keys: a map.
///
/// ```swift
/// func sum<M: RealmKeyedCollection>(of map: M) -> Int where M.Value == Int {
///   map.values.reduce(0, +)
/// }
/// print(sum(of: fleet.crew))
/// ```
public protocol RealmKeyedCollection: Sequence, CustomStringConvertible, _QueryCollection
where _QueryElement == Value {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// The keys.
  var keys: [Key] { get }
  /// The values.
  var values: [Value] { get }
  /// Accesses the value under a key; setting `nil` removes the entry.
  subscript(key: Key) -> Value? { get set }

  /// Sets the value under a key.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes the entry of a key, if there is one.
  func removeObject(for key: Key)
  /// Removes all entries.
  func removeAll()
  /// Returns whether an entry satisfies a condition.
  func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool

  /// Returns the value under a key.
  func value(forKey key: String) -> Any?
  /// Returns the value of a key path that begins with a key of the map.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets the value under a key; `nil` removes the entry.
  func setValue(_ value: Any?, forKey key: String)

  /// Returns the values that match a predicate; live.
  func filter(_ predicate: NSPredicate) -> Results<Value>
  /// Returns the values sorted by a property; live.
  func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>
  /// Returns the values sorted by several properties; live.
  func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
  where S.Iterator.Element == SortDescriptor
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Map: RealmKeyedCollection {
  public typealias _QueryElement = Value
  public var _queryElements: [Value] { values }
}
