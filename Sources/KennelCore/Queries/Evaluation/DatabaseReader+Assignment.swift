public import KennelStorage

extension DatabaseReader {
  /// Returns what an assignment gives for an object, as a value of the property's type.
  ///
  /// Reads the values that the expression names.
  ///
  /// - Parameters:
  ///   - assignment: The assignment.
  ///   - object: An object of its class.
  /// - Returns: The value, which fits the property. It is not checked whether another object has
  ///   the same primary key.
  /// - Throws: `DatabaseError` if the value does not fit the property, a number overflows, the object
  ///   does not exist, or the file is damaged.
  public final func value(
    of assignment: Assignment,
    for object: ObjectIdentity
  ) throws(DatabaseError) -> Value {
    let property = try existing(object, assignment.property)
    let schema = try classSchema(object.classKey)
    let calculation = Calculation(
      interpreter: Interpreter(view: view, links: links),
      object: object
    )
    let value = try calculation.value(of: assignment.expression)
    let fitted = try Arithmetic.fitted(value, to: property.type)
    try ValueCheck(schema: view.schema, className: schema.name, property: property).check(fitted)
    return fitted
  }
}

/// Computes expressions for one object.
private struct Calculation {
  let interpreter: Interpreter
  let object: ObjectIdentity

  func value(of expression: ValueExpression) throws(DatabaseError) -> Value {
    switch expression {
    case .literal(let value): return value
    case .path(let path):
      let values = try storing(interpreter.values(path, Interpreter.Scope(object: object)))
      return values.first ?? .null
    case .negated(let part):
      return try Arithmetic.negated(try value(of: part))
    case .arithmetic(let sign, let left, let right):
      return try Arithmetic.apply(sign, try value(of: left), try value(of: right))
    case .call(let function, let arguments):
      var texts: [String] = []
      for argument in arguments {
        switch try value(of: argument) {
        case .null: return .null
        case .string(let text): texts.append(text)
        case let other:
          throw Arithmetic.error("\(function.form) takes texts, and \(other.kindName) is none")
        }
      }
      return .string(try apply(function, texts))
    }
  }

  private func apply(
    _ function: Assignment.Function,
    _ texts: [String]
  ) throws(DatabaseError) -> String {
    switch function {
    case .upper: return texts[0].uppercased()
    case .lower: return texts[0].lowercased()
    case .trim:
      let start = texts[0].drop(while: \.isWhitespace)
      let end = start.lastIndex { !$0.isWhitespace }
      return end.map { String(start[...$0]) } ?? ""
    case .replace:
      guard !texts[1].isEmpty else { throw Arithmetic.error("replace needs a text to look for") }
      return texts[0].replacing(texts[1], with: texts[2])
    case .now: throw Arithmetic.error("now() takes no texts")
    }
  }
}

/// Exact arithmetic on values.
private enum Arithmetic {
  static func error(_ message: String) -> DatabaseError { DatabaseError(.wrongType, message) }

  /// Two values joined by an operator; null if one of them is.
  static func apply(
    _ sign: ValueExpression.Operator,
    _ left: Value,
    _ right: Value
  ) throws(DatabaseError) -> Value {
    if left.isNull || right.isNull { return .null }
    if case .string(let one) = left, case .string(let other) = right, sign == .add {
      return .string(one + other)
    }
    guard let one = left.number, let other = right.number else {
      throw mismatch(sign, left, right)
    }
    switch (one, other) {
    case (.int(let one), .int(let other)): return try whole(sign, one, other)
    case (.decimal128, _), (_, .decimal128):
      guard let one = one.decimal, let other = other.decimal else {
        throw mismatch(sign, left, right)
      }
      return try decimal(sign, one, other)
    case (.int, _), (.float, _), (.double, _):
      return try fraction(sign, try double(one), try double(other))
    }
  }

  /// The value with the other sign, also of zero; null of null.
  static func negated(_ value: Value) throws(DatabaseError) -> Value {
    switch value.number {
    case .float(let number): return .double(-Double(number))
    case .double(let number): return .double(-number)
    case .decimal128(let number): return .decimal128(number.negated)
    case .int, nil: return try apply(.subtract, .int(0), value)
    }
  }

  private static func mismatch(
    _ sign: ValueExpression.Operator,
    _ left: Value,
    _ right: Value
  ) -> DatabaseError {
    error("'\(sign.rawValue)' does not take a \(left.kindName) and a \(right.kindName)")
  }

  private static func whole(
    _ sign: ValueExpression.Operator,
    _ left: Int64,
    _ right: Int64
  ) throws(DatabaseError) -> Value {
    let result: (partialValue: Int64, overflow: Bool)
    switch sign {
    case .add: result = left.addingReportingOverflow(right)
    case .subtract: result = left.subtractingReportingOverflow(right)
    case .multiply: result = left.multipliedReportingOverflow(by: right)
    case .divide:
      guard right != 0 else { throw error("\(left) / 0 has no value") }
      // What does not divide is a fraction.
      guard right == -1 || left % right == 0 else {
        return try apply(sign, .double(exact(left)), .double(exact(right)))
      }
      result = left.dividedReportingOverflow(by: right)
    }
    guard !result.overflow else {
      throw DatabaseError(.outOfRange, "\(left) \(sign.rawValue) \(right) does not fit 64 bits")
    }
    return .int(result.partialValue)
  }

  private static func exact(_ number: Int64) throws(DatabaseError) -> Double {
    guard let double = Double(exactly: number) else {
      throw DatabaseError(.outOfRange, "\(number) cannot be kept exactly as a double")
    }
    return double
  }

  private static func fraction(
    _ sign: ValueExpression.Operator,
    _ left: Double,
    _ right: Double
  ) throws(DatabaseError) -> Value {
    let result =
      switch sign {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      }
    guard result.isFinite || !left.isFinite || !right.isFinite else {
      throw DatabaseError(.outOfRange, "\(left) \(sign.rawValue) \(right) has no finite value")
    }
    return .double(result)
  }

  private static func decimal(
    _ sign: ValueExpression.Operator,
    _ left: Decimal128,
    _ right: Decimal128
  ) throws(DatabaseError) -> Value {
    let result =
      switch sign {
      case .add: left.adding(right)
      case .subtract: left.adding(right.negated)
      case .multiply: left.multiplied(by: right)
      case .divide: left.divided(by: right)
      }
    guard result.isFinite || !left.isFinite || !right.isFinite else {
      throw DatabaseError(.outOfRange, "\(left) \(sign.rawValue) \(right) has no finite value")
    }
    return .decimal128(result)
  }

  private static func double(_ number: NumericValue) throws(DatabaseError) -> Double {
    if case .int(let number) = number { try exact(number) } else { number.nearestDouble }
  }

  /// A number as one of another type, where that is the same number; any other value as it is.
  static func fitted(_ value: Value, to type: PropertyType) throws(DatabaseError) -> Value {
    guard let number = value.number else { return value }
    switch (number, type.kind) {
    case (.double(let number), .int):
      guard let whole = Int64(exactly: number) else {
        throw DatabaseError(.outOfRange, "\(number) is not a whole number of 64 bits")
      }
      return .int(whole)
    case (.int(let number), .double): return .double(try exact(number))
    case (.int(let number), .float):
      guard let float = Float(exactly: number) else {
        throw DatabaseError(.outOfRange, "\(number) cannot be kept exactly as a float")
      }
      return .float(float)
    case (.float(let number), .double): return .double(Double(number))
    case (.double(let number), .float):
      let float = Float(number)
      guard float.isFinite || !number.isFinite else {
        throw DatabaseError(.outOfRange, "\(number) is too large for a float")
      }
      return .float(float)
    case (.int, .decimal128), (.float, .decimal128), (.double, .decimal128):
      return number.decimal.map(Value.decimal128) ?? value
    case (.int, _), (.float, _), (.double, _), (.decimal128, _): return value
    }
  }
}
