// swift-format-ignore-file: NoLeadingUnderscores

@_spi(Faces) public import KennelCore

extension Summable where Self: FixedWidthInteger {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Self? {
    Int64(value).flatMap { Self(exactly: $0) }
  }
}

extension Summable where Self: BinaryFloatingPoint {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Self? {
    (value.number?.nearestDouble).map { Self($0) }
  }
}

extension Int: Summable {}
extension Int8: Summable {}
extension Int16: Summable {}
extension Int32: Summable {}
extension Int64: Summable {}
extension Float: Summable {}
extension Double: Summable {}
extension Decimal128: Summable {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Decimal128? { Decimal128(value) }
}
extension Optional: Summable where Wrapped: Summable & OptionalElement {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Self? { Wrapped._sum(value).map { .some($0) } }
}

extension Results {
  /// The sum of a property; 0 if there is no value.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The sum.
  /// - Throws: `DatabaseError` with code `outOfRange` if the sum does not fit the type, or as ``count``
  ///   does.
  public func sum<V: Summable>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> V {
    guard let sum = V._sum(try aggregate(.sum, path)) else { throw scope.tooLarge(path) }
    return sum
  }

  /// The mean of a property; `nil` if there is no value.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The mean.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func average<V: Summable>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> Double? {
    try aggregate(.average, path).number?.nearestDouble
  }

  /// The smallest value of a property; `nil` if there is none.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func min<V: Ordered>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> V.Compared? {
    V.Compared._scalar(of: try aggregate(.min, path))
  }

  /// The greatest value of a property; `nil` if there is none.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func max<V: Ordered>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> V.Compared? {
    V.Compared._scalar(of: try aggregate(.max, path))
  }

  private func aggregate<V>(
    _ aggregate: Predicate.Aggregate,
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> Value {
    let all = ObjectGroups(all: Objects(scope.classKey, try keys()))
    return try scope.aggregate(aggregate, path, of: all)[0]
  }
}
