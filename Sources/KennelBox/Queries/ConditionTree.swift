import KennelCore

/// The conditions of a query, with values that can be replaced.
indirect enum ConditionTree: Sendable {
  case all([ConditionTree])
  case any([ConditionTree])
  case test(Test)
  /// Some object that a relation leads to satisfies a condition.
  case link(number: Int, target: EntityInfo, isToMany: Bool, ConditionTree)

  /// A comparison of a property with values.
  struct Test: Sendable {
    let entity: String
    let number: Int
    let comparison: Comparison
    var isCaseSensitive = true
    /// Whether the numbers are unsigned ones of 64 bits, whose bits are stored.
    var isUnsigned = false
    var alias: String?
    var values: [Value] = []

    /// How many values it takes; `nil` for any number.
    var valueCount: Int? { [.isIn, .isNotIn].contains(comparison) ? nil : values.count }
  }

  /// The raw value is its text in descriptions.
  enum Comparison: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between, inRange, inClosedRange, isIn, isNotIn
    case contains, containsElement, startsWith, endsWith
    case isNull, isNotNull
  }

  /// Replaces the values of the first test that a function selects; returns whether there is one.
  mutating func replaceValues(with values: [Value], where selects: (Test) -> Bool) -> Bool {
    switch self {
    case .all(var parts):
      defer { self = .all(parts) }
      return parts.indices.contains { parts[$0].replaceValues(with: values, where: selects) }
    case .any(var parts):
      defer { self = .any(parts) }
      return parts.indices.contains { parts[$0].replaceValues(with: values, where: selects) }
    case .link(let number, let target, let isToMany, var part):
      defer { self = .link(number: number, target: target, isToMany: isToMany, part) }
      return part.replaceValues(with: values, where: selects)
    case .test(var test):
      guard selects(test) else { return false }
      test.values = values
      self = .test(test)
      return true
    }
  }
}

/// Translates conditions into predicates.
struct ConditionTranslator {
  private let info: EntityInfo
  private let schema: ClassSchema
  private let wholeSchema: Schema
  private let variable: String?
  private let path: [Predicate.Step]
  private let depth: Int

  init(
    _ info: EntityInfo,
    in wholeSchema: Schema,
    variable: String? = nil,
    path: [Predicate.Step] = [],
    depth: Int = 0
  ) throws {
    self.info = info
    self.wholeSchema = wholeSchema
    schema = try wholeSchema.require(info.name)
    self.variable = variable
    self.path = path
    self.depth = depth
  }

  func predicate(_ tree: ConditionTree) throws -> Predicate {
    switch tree {
    case .all(let parts):
      return try combined(parts, Predicate.and, whenEmpty: true)
    case .any(let parts):
      return try combined(parts, Predicate.or, whenEmpty: false)
    case .test(let test): return try predicate(test)
    case .link(let number, let target, let isToMany, let part):
      let step = Predicate.Step.property(info.properties[number].name)
      guard isToMany else {
        let inner = try ConditionTranslator(
          target,
          in: wholeSchema,
          variable: variable,
          path: path + [step],
          depth: depth
        )
        let exists = compare([step], .notEqual, .literal(.null))
        return .and([exists, try inner.predicate(part)])
      }
      let name = "target\(depth)"
      let inner = try ConditionTranslator(
        target,
        in: wholeSchema,
        variable: name,
        depth: depth + 1
      )
      let collection = Predicate.Path(path + [step], variable: variable)
      let matches = Predicate.Subquery(collection, variable: name, try inner.predicate(part))
      return .comparison(
        Predicate.Comparison(.subquery(matches), .greater, .literal(.int(0)))
      )
    }
  }

  private func combined(
    _ parts: [ConditionTree],
    _ combine: ([Predicate]) -> Predicate,
    whenEmpty: Bool
  ) throws -> Predicate {
    let predicates = try parts.map(predicate)
    if predicates.isEmpty { return .constant(whenEmpty) }
    return predicates.count == 1 ? predicates[0] : combine(predicates)
  }

  private func compare(
    _ steps: [Predicate.Step],
    _ comparator: Predicate.Comparator,
    _ right: Predicate.Expression,
    isCaseSensitive: Bool = true,
    quantifier: Predicate.Quantifier? = nil
  ) -> Predicate {
    .comparison(
      Predicate.Comparison(
        .path(Predicate.Path(path + steps, variable: variable)),
        comparator,
        right,
        options: isCaseSensitive ? [] : .caseInsensitive,
        quantifier: quantifier
      )
    )
  }

  // MARK: - Tests

  private func predicate(_ test: ConditionTree.Test) throws -> Predicate {
    let property = info.properties[test.number]
    if case .id = property.kind { return try idPredicate(test) }
    let stored = schema[property.name]
    let values = test.values.map { stored?.fitting($0) ?? $0 }
    let steps = [Predicate.Step.property(property.name)]
    if stored?.isCollection == true { return try elementPredicate(test, steps) }
    func compare(_ comparator: Predicate.Comparator, _ value: Value) -> Predicate {
      if test.isUnsigned, let predicate = unsigned(steps, comparator, value) { return predicate }
      return self.compare(steps, comparator, .literal(value), isCaseSensitive: test.isCaseSensitive)
    }
    // A null satisfies no comparison, as in ObjectBox.
    let isThere = compare(.notEqual, .null)
    switch test.comparison {
    case .isNull: return compare(.equal, .null)
    case .isNotNull: return isThere
    case .equal: return compare(.equal, values[0])
    case .notEqual: return .and([isThere, compare(.notEqual, values[0])])
    case .less: return .and([isThere, compare(.less, values[0])])
    case .lessOrEqual: return .and([isThere, compare(.lessOrEqual, values[0])])
    case .greater: return compare(.greater, values[0])
    case .greaterOrEqual: return compare(.greaterOrEqual, values[0])
    case .contains: return compare(.contains, values[0])
    case .startsWith: return compare(.beginsWith, values[0])
    case .endsWith: return compare(.endsWith, values[0])
    case .between, .inClosedRange:
      // Swift may order the bounds of a range of texts in another way than the database: no text is
      // between them then.
      let areSwapped =
        test.comparison == .between
        && values[1].isOrdered(before: values[0], isUnsigned: test.isUnsigned)
      let bounds = areSwapped ? values.reversed() : values
      return .and([
        isThere, compare(.greaterOrEqual, bounds[0]), compare(.lessOrEqual, bounds[1]),
      ])
    case .inRange:
      return .and([isThere, compare(.greaterOrEqual, values[0]), compare(.less, values[1])])
    case .containsElement: return .constant(false)
    case .isIn: return isIn(steps, values, test)
    case .isNotIn: return .and([isThere, .not(isIn(steps, values, test))])
    }
  }

  /// A condition that one of the elements of an array satisfies.
  private func elementPredicate(
    _ test: ConditionTree.Test,
    _ steps: [Predicate.Step]
  ) throws -> Predicate {
    func some(_ comparator: Predicate.Comparator, _ value: Value) -> Predicate {
      compare(
        steps,
        comparator,
        .literal(value),
        isCaseSensitive: test.isCaseSensitive,
        quantifier: .any
      )
    }
    // The array that is `nil` is stored as one null.
    let isNull = some(.equal, .null)
    let comparator: Predicate.Comparator
    switch test.comparison {
    case .isNull: return isNull
    case .isNotNull: return .not(isNull)
    case .less: comparator = .less
    case .lessOrEqual: comparator = .lessOrEqual
    case .greater: comparator = .greater
    case .greaterOrEqual: comparator = .greaterOrEqual
    case .equal, .containsElement: comparator = .equal
    case .notEqual, .between, .inRange, .inClosedRange, .isIn, .isNotIn, .contains, .startsWith,
      .endsWith:
      throw ObjectBoxError.illegalArgument(
        message:
          "\(info.name).\(info.properties[test.number].name) is an array; ask for one element"
      )
    }
    return .and([.not(isNull), some(comparator, test.values[0])])
  }

  /// A comparison of unsigned numbers whose bits are stored: those past the largest signed one are
  /// stored as negative ones, which come last.
  private func unsigned(
    _ steps: [Predicate.Step],
    _ comparator: Predicate.Comparator,
    _ value: Value
  ) -> Predicate? {
    guard case .int(let number) = value else { return nil }
    let holds = compare(steps, comparator, .literal(value))
    let isLarge = compare(steps, .less, .literal(.int(0)))
    let isSmall = compare(steps, .greaterOrEqual, .literal(.int(0)))
    if comparator == .less || comparator == .lessOrEqual {
      return number >= 0 ? .and([isSmall, holds]) : .or([isSmall, holds])
    }
    guard comparator == .greater || comparator == .greaterOrEqual else { return nil }
    return number >= 0 ? .or([isLarge, holds]) : .and([isLarge, holds])
  }

  private func isIn(
    _ steps: [Predicate.Step],
    _ values: [Value],
    _ test: ConditionTree.Test
  ) -> Predicate {
    if values.isEmpty { return .constant(false) }
    let list = values.map { Predicate.Expression.literal($0) }
    return compare(steps, .isIn, .list(list), isCaseSensitive: test.isCaseSensitive)
  }

  /// A condition on the id: the object itself is compared.
  private func idPredicate(_ test: ConditionTree.Test) throws -> Predicate {
    func isOne(of values: [Value]) -> Predicate {
      let objects = values.map { value in
        guard case .int(let number) = value else { return Predicate.constant(false) }
        let key = ObjectKey(rawValue: UInt64(bitPattern: number))
        return compare([], .equal, .literal(.link(ObjectIdentity(schema.key, key))))
      }
      return objects.count == 1 ? objects[0] : objects.isEmpty ? .constant(false) : .or(objects)
    }
    switch test.comparison {
    case .equal, .isIn: return isOne(of: test.values)
    case .notEqual, .isNotIn: return .not(isOne(of: test.values))
    case .isNotNull: return .constant(true)
    case .isNull: return .constant(false)
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .inRange, .inClosedRange,
      .contains, .containsElement, .startsWith, .endsWith:
      throw ObjectBoxError.illegalArgument(
        message:
          "An id can be compared with == and isIn; to go through ids in their order, visit the "
          + "objects of the box"
      )
    }
  }
}

extension PropertySchema {
  /// A value of a query as the property has it: the object of an id.
  fileprivate func fitting(_ value: Value) -> Value {
    guard case .int(let number) = value else { return value }
    guard type.kind == .link, let target else { return value }
    return .link(ObjectIdentity(target, ObjectKey(rawValue: UInt64(bitPattern: number))))
  }
}

extension Value {
  fileprivate func isOrdered(before other: Value, isUnsigned: Bool) -> Bool {
    if isUnsigned, case (.int(let left), .int(let right)) = (self, other) {
      return UInt64(bitPattern: left) < UInt64(bitPattern: right)
    }
    return isOrdered(before: other)
  }
}
