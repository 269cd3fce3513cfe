// swift-format-ignore-file: NoLeadingUnderscores

@_spi(Faces) public import KennelCore

extension Int: Summable {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Int? {
    if case .int(let number) = value { Int(exactly: number) } else { nil }
  }
}
extension Int64: Summable {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Int64? { Int64(value) }
}
extension Double: Summable {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Double? { value.asDouble }
}
extension Float: Summable {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Float? { value.asDouble.map { Float($0) } }
}
extension Decimal128: Summable {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Decimal128? { Decimal128(value) }
}
extension Int8: Summable {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Int8? { Int64(value).flatMap { Int8(exactly: $0) } }
}
extension Int16: Summable {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Int16? { Int64(value).flatMap { Int16(exactly: $0) } }
}
extension Int32: Summable {
  /// Converts the value of an aggregate to a sum of this type.
  public static func _sum(_ value: Value) -> Int32? { Int64(value).flatMap { Int32(exactly: $0) } }
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
    try aggregate(.average, path).asDouble
  }

  /// The smallest value of a property; `nil` if there is none.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func min<V: Ordered & Scalar>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> V? {
    V.Stored(try aggregate(.min, path)).flatMap(V._scalar)
  }

  /// The greatest value of a property; `nil` if there is none.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func max<V: Ordered & Scalar>(
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> V? {
    V.Stored(try aggregate(.max, path)).flatMap(V._scalar)
  }

  /// The smallest value of an optional property; `nil` if there is none.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func min<V: Ordered & Scalar>(
    _ path: KeyPath<Query<M>, Operand<V?>>
  ) throws(DatabaseError) -> V? {
    V.Stored(try aggregate(.min, path)).flatMap(V._scalar)
  }

  /// The greatest value of an optional property; `nil` if there is none.
  ///
  /// - Parameter path: The property; nulls are left out.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` as ``count`` does.
  public func max<V: Ordered & Scalar>(
    _ path: KeyPath<Query<M>, Operand<V?>>
  ) throws(DatabaseError) -> V? {
    V.Stored(try aggregate(.max, path)).flatMap(V._scalar)
  }

  private func aggregate<V>(
    _ aggregate: Predicate.Aggregate,
    _ path: KeyPath<Query<M>, Operand<V>>
  ) throws(DatabaseError) -> Value {
    let all = ObjectGroups(all: Objects(scope.classKey, try keys()))
    return try scope.aggregate(aggregate, path, of: all)[0]
  }
}
