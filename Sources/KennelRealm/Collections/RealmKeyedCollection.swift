// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation

/// A collection of values under keys: a map.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// How many entries there are.
  var count: Int { get }
  /// The keys.
  var keys: [Key] { get }
  /// The values.
  var values: [Value] { get }
  /// The value under a key; setting `nil` removes the entry.
  subscript(key: Key) -> Value? { get set }

  /// Sets the value under a key.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes the entry of a key; nothing happens where there is none.
  func removeObject(for key: Key)
  /// Removes every entry.
  func removeAll()
  /// Whether an entry fulfils a condition.
  func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool

  /// The value under a key.
  func value(forKey key: String) -> Any?
  /// The value at the end of a path that begins with a key.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets the value under a key; `nil` removes the entry.
  func setValue(_ value: Any?, forKey key: String)

  /// The values for which a predicate holds, live.
  func filter(_ predicate: NSPredicate) -> Results<Value>
  /// The values in the order of a property, live.
  func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>
  /// The values in the order of several properties, live.
  func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
  where S.Iterator.Element == SortDescriptor
}

extension Map: RealmKeyedCollection {}
