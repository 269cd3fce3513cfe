public import Foundation
import KennelCore

/// The values of a property in the objects of a query, with their number, sum, mean and extremes.
///
/// ```swift
/// let query = try box.query { Note.stars > 2 }.build()
/// print(try query.property(Note.stars).average())
/// ```
///
/// Nulls are left out unless they are replaced. The values are in the order of the query.
public final class PropertyQuery<E: EntityInspectable & __EntityRelatable, V: EntityValue>
where E == E.EntityBindingType.EntityType {
  /// The entity.
  public typealias EntityType = E
  /// The type of the values.
  public typealias ValueType = V

  private let query: Query<E>
  private let number: Int
  private var isDistinct = false
  private var isCaseSensitive = true
  private var nullValue: V?

  init(_ query: Query<E>, _ number: Int) {
    self.query = query
    self.number = number
  }

  /// The values, each as the query asks.
  func values() throws -> [V] {
    try query.box.store.read { reader in
      let map = query.box.map
      var values: [V] = []
      var seen: Set<Value> = []
      for key in try query.keys(reader, 0, 0) {
        let object = ObjectIdentity(map.classKey, key)
        let stored = try reader.value(of: object, property: map.columns[number])
        guard
          let value = stored.isNull ? nullValue : V(_storedValue: stored.numberOfDate(for: V.self))
        else {
          continue
        }
        if isDistinct, !seen.insert(distinctKey(value._storedValue)).inserted { continue }
        values.append(value)
      }
      return values
    }
  }

  private func distinctKey(_ value: Value) -> Value {
    if !isCaseSensitive, case .string(let text) = value { return .string(text.lowercased()) }
    return value
  }

  /// Drops repeated values.
  ///
  /// - Returns: The property query.
  @discardableResult
  public func distinct() -> PropertyQuery<E, V> {
    isDistinct = true
    return self
  }

  /// Returns the number of values.
  ///
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  public func count() throws -> Int { try values().count }

  fileprivate func unique() throws -> V? {
    let values = try values()
    guard values.count < 2 else {
      throw ObjectBoxError.nonUniqueResult(
        message: "The query has \(values.count) values, and must have one"
      )
    }
    return values.first
  }
}

extension PropertyQuery where V == String {
  /// Drops repeated texts.
  ///
  /// - Parameter caseSensitiveCompare: Whether texts that differ only in case count as different.
  /// - Returns: The property query.
  @discardableResult
  public func distinct(caseSensitiveCompare: Bool) -> PropertyQuery<E, V> {
    isCaseSensitive = caseSensitiveCompare
    return distinct()
  }

  /// Replaces each null by a text.
  ///
  /// - Returns: The property query.
  @discardableResult
  public func with(nullString: String) -> PropertyQuery<E, V> {
    nullValue = nullString
    return self
  }

  /// Returns the texts.
  public func findStrings() throws -> [String] { try values() }
  /// Returns one of the texts; `nil` if there is none.
  public func findString() throws -> String? { try values().first }
  /// Returns the only text; `nil` if there is none.
  ///
  /// - Throws: ``ObjectBoxError/nonUniqueResult(message:)`` if there are several.
  public func findUniqueString() throws -> String? { try unique() }
}

extension PropertyQuery where V: Numeric & Comparable {
  /// Replaces each null by a number.
  ///
  /// - Returns: The property query.
  @discardableResult
  public func with(nullValue: V) -> PropertyQuery<E, V> {
    self.nullValue = nullValue
    return self
  }

  /// Returns the values.
  public func find() throws -> [V] { try values() }
  /// Returns the only value; `nil` if there is none.
  ///
  /// - Throws: ``ObjectBoxError/nonUniqueResult(message:)`` if there are several.
  public func findUnique() throws -> V? { try unique() }

  /// Returns the greatest value; 0 if there is none.
  public func max() throws -> V { try values().max() ?? 0 }
  /// Returns the least value; 0 if there is none.
  public func min() throws -> V { try values().min() ?? 0 }
}

extension PropertyQuery where V: FixedWidthInteger {
  /// Returns the sum.
  ///
  /// - Throws: ``ObjectBoxError/stdOverflow(message:)`` if it does not fit in `Int64`.
  public func sum() throws -> Int64 {
    guard let sum = Int64(exactly: try values().reduce(0) { $0 + Int128($1) }) else {
      throw ObjectBoxError.stdOverflow(
        message:
          "The sum of \(E.entityInfo.name).\(E.entityInfo.properties[number].name) exceeds 64 bits; "
          + "use average, or sum the values that find returns"
      )
    }
    return sum
  }

  /// Returns the sum.
  ///
  /// - Throws: ``ObjectBoxError/stdOverflow(message:)`` if it does not fit in `Int64`.
  public func sumInt() throws -> Int { Int(try sum()) }

  /// Returns the mean; 0 if there are no values.
  public func average() throws -> Double {
    let values = try values()
    return values.isEmpty ? 0 : values.reduce(0) { $0 + Double($1) } / Double(values.count)
  }

  /// Returns the mean, truncated toward zero; 0 if there are no values.
  public func averageInt() throws -> V {
    let values = try values()
    if values.isEmpty { return 0 }
    return V(truncatingIfNeeded: values.reduce(0) { $0 + Int128($1) } / Int128(values.count))
  }
}

extension PropertyQuery where V: BinaryFloatingPoint {
  /// Returns the sum.
  public func sum() throws -> Double { try values().reduce(0) { $0 + Double($1) } }

  /// Returns the mean; NaN if there are no values.
  public func average() throws -> Double {
    let values = try values()
    return values.reduce(0) { $0 + Double($1) } / Double(values.count)
  }
}

extension PropertyQuery where V == Int {
  /// Returns the values.
  public func findIntegers() throws -> [Int] { try values() }
  /// Returns one of the values; `nil` if there is none.
  public func findInteger() throws -> Int? { try values().first }
}

extension PropertyQuery where V == Int64 {
  /// Returns the values.
  public func findInt64s() throws -> [Int64] { try values() }
  /// Returns one of the values; `nil` if there is none.
  public func findInt64() throws -> Int64? { try values().first }
  /// Returns the only value; `nil` if there is none.
  ///
  /// - Throws: ``ObjectBoxError/nonUniqueResult(message:)`` if there are several.
  public func findUniqueInt64() throws -> Int64? { try unique() }
}

extension Query {
  /// Returns a query for the values of a property.
  ///
  /// - Parameter property: The property.
  /// - Returns: The property query.
  public func property<V: EntityPropertyValue>(
    _ property: Property<E, V, Void>
  ) -> PropertyQuery<E, V.NonNull> {
    PropertyQuery(self, property.number)
  }

  /// Returns a query for the values of a date property, as whole milliseconds since 1970.
  ///
  /// - Parameter property: The property.
  /// - Returns: The property query.
  public func propertyInt64<V: EntityPropertyValue>(
    _ property: Property<E, V, Void>
  ) -> PropertyQuery<E, Int64> where V.NonNull == Date {
    PropertyQuery(self, property.number)
  }
}

extension Value {
  /// A date that is asked for as an integer, in milliseconds since 1970; rounded, because a `Date` of
  /// 10 ms is a fraction that is less.
  fileprivate func numberOfDate<V>(for type: V.Type) -> Value {
    guard case .date(let date) = self, type is Int64.Type else { return self }
    let milliseconds = Int128(date.nanoseconds + 500_000) / 1_000_000
    return .int(Int64(clamping: Int128(date.seconds) * 1000 + milliseconds))
  }
}
