// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
import KennelCore

/// A type of map keys: strings.
public protocol _MapKey: Hashable {
  /// Creates a key from text.
  init(_mapKey text: String)
  /// The text.
  var _mapKey: String { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension String: _MapKey {
  public init(_mapKey text: String) { self = text }
  public var _mapKey: String { self }
}

/// A key of a map and its value.
///
/// ```swift
/// for entry in fleet.crew { print("\(entry.key): \(entry.value)") }
/// ```
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: Hashable {
  /// The key.
  public var key: Key
  /// The value.
  public var value: Value
}

/// A collection of values under keys of text.
///
/// ```swift
/// try realm.write {
///   fleet.crew["pilot"] = 1
///   fleet.crew["cook", default: 0] += 1
/// }
/// print(fleet.crew.keys, fleet.crew["cook"] ?? 0)
/// ```
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: CollectionHost, ThreadConfined {
  /// The entries while the map is unmanaged.
  @MadeLater internal var unmanaged: [Key: Value] = [:]

  /// Makes an empty, unmanaged map.
  public required override init() { super.init() }

  /// Makes an unmanaged map of entries.
  internal init(unmanaged entries: [Key: Value]) {
    super.init()
    for key in entries.keys { requireKey(key._mapKey) }
    unmanaged = entries
  }

  // MARK: - Reading

  /// The number of entries.
  public var count: Int { place?.count ?? unmanaged.count }

  /// Whether the map is empty.
  public var isEmpty: Bool { count == 0 }

  internal var entries: [(key: Key, value: Value)] {
    guard let place else { return unmanaged.map { ($0.key, $0.value) } }
    guard case .map(let entries) = place.value else { return [] }
    return entries.map { entry in
      (Key(_mapKey: entry.key), place.decode(entry.value, at: .key(entry.key)))
    }
  }

  /// The keys.
  public var keys: [Key] {
    guard let place else { return Array(unmanaged.keys) }
    guard case .map(let entries) = place.value else { return [] }
    return entries.map { Key(_mapKey: $0.key) }
  }

  /// The values.
  public var values: [Value] { entries.map(\.value) }

  /// Accesses the value under a key; setting `nil` removes the entry.
  public subscript(key: Key) -> Value? {
    @inlinable
    get {
      // Which types these are is known when the call is compiled.
      if Value.self == AnyRealmValue.self, Key.self == String.self,
        let found = unchangedValue(known(key, as: String.self))
      {
        return known(found, as: Value?.self)
      }
      return value(under: key)
    }
    set {
      if let newValue {
        updateValue(newValue, forKey: key)
      } else {
        removeObject(for: key)
      }
    }
  }

  @usableFromInline
  internal func value(under key: Key) -> Value? {
    if let recorder { return Value._record(recorder) }
    guard let place else { return unmanaged[key] }
    let step = NestedStep.key(key._mapKey)
    return place.element(step).map { place.decode($0, at: step) }
  }

  /// Accesses the value under a key, or a default if there is none.
  public subscript(key: Key, default defaultValue: @autoclosure () -> Value) -> Value {
    get { self[key] ?? defaultValue() }
    set { updateValue(newValue, forKey: key) }
  }

  /// Returns the value under a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; `nil` if there is none.
  public func object(forKey key: Key) -> Value? { self[key] }

  /// Returns whether an entry satisfies a condition.
  ///
  /// - Parameter predicate: The condition.
  /// - Returns: Whether there is one.
  /// - Throws: What the condition throws.
  public func contains(
    where predicate: (_ key: Key, _ value: Value) throws -> Bool
  ) rethrows -> Bool {
    try entries.contains { try predicate($0.key, $0.value) }
  }

  // MARK: - Writing

  /// Sets the value under a key.
  ///
  /// - Parameters:
  ///   - value: The value. An unmanaged object is added to the realm of the map.
  ///   - key: The key.
  public func updateValue(_ value: Value, forKey key: Key) {
    requireKey(key._mapKey)
    guard let place = writable() else {
      unmanaged[key] = value
      return
    }
    if let embedded = value._embedded {
      place.context.adder.place(embedded, at: place.slot(.key(key._mapKey)))
      place.note(.entry(key._mapKey))
      return
    }
    let stored = value._encode(place.context)
    place.setEntry(key._mapKey, stored)
  }

  private func requireKey(_ key: String) {
    if key.utf8.first == UInt8(ascii: "$") || key.utf8.contains(UInt8(ascii: ".")) {
      throwRealmException(
        "Invalid key for Map: '\(key)' must not contain '.' or begin with '$'"
      )
    }
  }

  /// Removes the entry of a key, if there is one.
  ///
  /// - Parameter key: The key.
  public func removeObject(for key: Key) {
    guard let place = writable() else {
      unmanaged[key] = nil
      return
    }
    place.setEntry(key._mapKey, nil)
  }

  /// Removes all entries.
  public func removeAll() {
    guard let place = writable() else {
      unmanaged.removeAll()
      return
    }
    place.note(.assign)
    place.setAll(.map([]))
  }

  /// Sets entries.
  ///
  /// - Parameters:
  ///   - sequence: The entries.
  ///   - combine: Combines the existing and the new value.
  /// - Throws: What `combine` throws.
  public func merge<S: Sequence>(
    _ sequence: S,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S.Element == (key: Key, value: Value) {
    for (key, value) in Array(sequence) {
      updateValue(try self[key].map { try combine($0, value) } ?? value, forKey: key)
    }
  }

  /// Sets entries.
  ///
  /// - Parameters:
  ///   - sequence: The entries.
  ///   - combine: Combines the existing and the new value.
  /// - Throws: What `combine` throws.
  public func merge<S: Sequence>(
    _ sequence: S,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S.Element == SingleMapEntry<Key, Value> {
    for entry in Array(sequence) {
      let value = try self[entry.key].map { try combine($0, entry.value) } ?? entry.value
      updateValue(value, forKey: entry.key)
    }
  }
}

extension Map: Sequence {
  /// Returns an iterator over the current entries.
  public func makeIterator() -> IndexingIterator<[SingleMapEntry<Key, Value>]> {
    entries.map { SingleMapEntry(key: $0.key, value: $0.value) }.makeIterator()
  }

  /// Returns the entries as pairs.
  ///
  /// - Returns: The pairs.
  public func asKeyValueSequence() -> [(key: Key, value: Value)] { entries }
}

extension Map: Equatable {
  /// Returns whether both are the same map of the same object, or unmanaged with equal entries.
  public static func == (left: Map, right: Map) -> Bool {
    left === right
      || ManagedPlace.areSame(left.place, right.place)
        ?? (left.count == right.count && left.entries.allSatisfy { right[$0.key] == $0.value })
  }
}

extension Map {
  /// Returns the result of `==`.
  ///
  /// - Parameter object: Another map. Anything else is unequal.
  /// - Returns: Whether they are equal.
  public func isEqual(_ object: Any?) -> Bool { (object as? Map).map { self == $0 } ?? false }
}

extension Map: ExpressibleByDictionaryLiteral {
  /// Creates an unmanaged map of entries.
  public convenience init(dictionaryLiteral elements: (Key, Value)...) {
    self.init()
    for (key, value) in elements { unmanaged[key] = value }
  }
}

extension Map: ExchangeableCollection {
  var contents: [(key: Key, value: Value)] { entries }
  func removeUnmanaged() { unmanaged = [:] }

  func makeLater(_ contents: @escaping () -> [(key: Key, value: Value)]) {
    _unmanaged.make = { Dictionary(contents().map { ($0.key, $0.value) }) { first, _ in first } }
  }

  func add(_ contents: [(key: Key, value: Value)]) {
    for (key, value) in contents { updateValue(value, forKey: key) }
  }
}

/// A map whose types are known at run time only.
internal protocol AnyMap {
  var anyEntries: [(String, Any?)] { get }
}

extension Map: AnyMap {
  var anyEntries: [(String, Any?)] { entries.map { ($0.key._mapKey, $0.value) } }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Map: _StoredCollection {
  public typealias PersistedType = Map
  public static var _shape: PropertyShape { Value._shape.collected(as: .map) }
}

extension Map: DeleteRuleProperty where Value: DeleteRuleProperty {}

extension Map: Decodable where Key: Decodable, Value: Decodable {
  /// Creates an unmanaged map from a decoder.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: What the values throw.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    let entries = try decoder.singleValueContainer().decode([String: Value].self)
    for (key, value) in entries { unmanaged[Key(_mapKey: key)] = value }
  }
}

extension Map: Encodable where Key: Encodable, Value: Encodable {
  /// Encodes the entries.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: What the values throw.
  public func encode(to encoder: any Encoder) throws {
    let pairs = entries.map { ($0.key._mapKey, $0.value) }
    var container = encoder.singleValueContainer()
    try container.encode(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
  }
}
