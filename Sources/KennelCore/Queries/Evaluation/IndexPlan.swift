internal import KennelStorage

/// Finds the objects that an index says a condition can hold for.
///
/// It may find too many, never too few: each object found is asked the whole condition again.
struct IndexPlan {
  let view: StoreView
  let schema: ClassSchema

  /// With more objects than this the clusters are walked instead.
  ///
  /// An entry of an index and the object that it leads to take about 150 ns, an object of a walk 0.5
  /// where numbers are compared, 3 to 10 where other values are.
  private func limit(_ property: PropertySchema) -> Int {
    let count = view.objects.count(of: schema.key)
    return 256 + count / (ColumnType(property.type).form == .words ? 200 : 32)
  }

  /// The keys, ascending and each once; `nil` if no index helps.
  func candidates(_ condition: ResolvedPredicate) throws(StorageError) -> [ObjectKey]? {
    switch condition {
    case .comparison(let comparison): return try candidates(comparison)
    case .and(let parts):
      // One index suffices; the shortest list of the parts would cost reading all of them.
      for part in parts {
        if let found = try candidates(part) { return found }
      }
      return nil
    case .or(let parts):
      var all: Set<ObjectKey> = []
      for part in parts {
        guard let found = try candidates(part) else { return nil }
        all.formUnion(found)
        guard all.count <= 256 + view.objects.count(of: schema.key) / 32 else { return nil }
      }
      return all.sorted()
    case .constant, .not: return nil
    }
  }

  private func candidates(
    _ comparison: ResolvedPredicate.Comparison
  ) throws(StorageError) -> [ObjectKey]? {
    guard comparison.options.isEmpty, comparison.quantifier == .any,
      case .path(let path) = comparison.left, path.variable == nil, path.aggregate == nil,
      path.hops.count == 1, case .property(let property) = path.hops[0],
      property.isIndexed || property.isPrimaryKey, !property.isCollection
    else { return nil }
    guard let values = comparison.right.literals,
      values.allSatisfy({ Self.isIndexed($0, property.type.kind) })
    else { return nil }
    switch comparison.comparator.form {
    case .equality where values.count <= 1000: return try equal(to: values, property)
    case .below: return try range(property, nil, values[0])
    case .above: return try range(property, values[0], nil)
    case .between: return try range(property, values[0], values[1])
    case .text where comparison.comparator == .beginsWith:
      return try beginning(with: values[0], property)
    case .equality, .difference, .text, .expression, .area: return nil
    }
  }

  /// Whether an index of a kind of property finds every value that is equal to this one.
  private static func isIndexed(_ value: Value, _ kind: ValueKind) -> Bool {
    if value.isNull || value.isCollection { return false }
    guard let number = value.number else { return true }
    return switch number {
    case .decimal128: kind == .decimal128
    case .int, .float, .double: kind != .decimal128 && kind != .mixed
    }
  }

  private func equal(
    to values: [Value],
    _ property: PropertySchema
  ) throws(StorageError) -> [ObjectKey]? {
    var all: Set<ObjectKey> = []
    for value in values {
      let prefix = IndexKey.prefix(schema.key, property.key, value).bytes
      let upper = IndexKey.upperBound(of: prefix)
      guard let found = try find(property, from: prefix, to: upper) else { return nil }
      all.formUnion(found)
    }
    return all.sorted()
  }

  private func range(
    _ property: PropertySchema,
    _ lower: Value?,
    _ upper: Value?
  ) throws(StorageError) -> [ObjectKey]? {
    let whole = IndexKey.range(schema.key, property.key)
    let first = lower.map { IndexKey.prefix(schema.key, property.key, $0) }
    let last = upper.map { IndexKey.prefix(schema.key, property.key, $0) }
    // Values that an index holds in part only are not in order there.
    guard first?.isExact != false, last?.isExact != false else { return nil }
    let end = last.map { IndexKey.upperBound(of: $0.bytes) } ?? whole.upper
    return try find(property, from: first?.bytes ?? whole.lower, to: end)
  }

  private func beginning(
    with value: Value,
    _ property: PropertySchema
  ) throws(StorageError) -> [ObjectKey]? {
    guard case .string(let text) = value, !text.isEmpty, text.utf8.count < 100 else { return nil }
    let prefix = IndexKey.prefix(schema.key, property.key, value)
    // The two bytes that end a text are not part of a longer one.
    let start = Array(prefix.bytes.dropLast(2))
    return try find(property, from: start, to: IndexKey.upperBound(of: start))
  }

  private func find(
    _ property: PropertySchema,
    from lower: [UInt8],
    to upper: [UInt8]
  ) throws(StorageError) -> [ObjectKey]? {
    try view.indexes.findRange(from: lower, to: upper, limit: limit(property))
      .map { Set($0).sorted() }
  }
}
