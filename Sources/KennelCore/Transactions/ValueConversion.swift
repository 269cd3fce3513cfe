import KennelStorage

/// Converts the values of a property to another type.
///
/// Numbers stay exact, but for fractions, which are rounded to the nearest float or double. A date is the
/// number of its seconds since 1970. Text is what a person would type.
internal struct ValueConversion {
  let target: PropertyType
  /// The class that links of the new type point to.
  let targetClass: ClassKey?

  /// The converted value; `nil` if a part of it cannot be converted.
  func convert(_ value: Value) -> Value? {
    var isWhole = true
    let converted = convert(value) { isWhole = false }
    return isWhole ? converted : nil
  }

  /// The converted value, without the parts that cannot be converted.
  func convertClearing(_ value: Value) -> Value { convert(value) {} }

  private func convert(_ value: Value, _ fail: () -> Void) -> Value {
    switch target.collection {
    case .none: single(value, fail)
    case .list: .list(elements(of: value, fail))
    case .set:
      unique(elements(of: value, fail), fail)
    case .map: map(value, fail)
    }
  }

  private func single(_ value: Value, _ fail: () -> Void) -> Value {
    var value = value
    if target.kind != .mixed, value.isCollection {
      let elements = value.elements
      // Which of several is meant nobody knows, and keys would be lost.
      if elements.count > 1 { fail() }
      if case .map = value, !elements.isEmpty { fail() }
      value = elements.count == 1 ? elements[0].value : .null
    }
    return element(value, fail) ?? target.initialValue
  }

  private func elements(of value: Value, _ fail: () -> Void) -> [Value] {
    if value.isNull { return [] }
    if case .map(let entries) = value, !entries.isEmpty { fail() }
    return value.elements.compactMap { element($0.value, fail) }
  }

  private func unique(_ elements: [Value], _ fail: () -> Void) -> Value {
    let set = Value.set(elements).canonical
    if set.elements.count < elements.count { fail() }
    return set
  }

  private func map(_ value: Value, _ fail: () -> Void) -> Value {
    guard case .map(let entries) = value else {
      let isEmpty = value.isNull || value.isCollection && value.elements.isEmpty
      if !isEmpty { fail() }
      return .map([])
    }
    return .map(
      entries.compactMap { entry in element(entry.value, fail).map { MapEntry(entry.key, $0) } }
    )
  }

  private func element(_ value: Value, _ fail: () -> Void) -> Value? {
    let converted = element(value)
    if converted == nil { fail() }
    return converted
  }

  /// The converted value of a property that is no collection, or of an element; `nil` if there is none.
  private func element(_ value: Value) -> Value? {
    if target.kind == .mixed {
      if case .set = value { return nil }
      return target.collection == .set && value.isCollection ? nil : value
    }
    switch value.shape {
    case .null: return target.isOptional ? .null : nil
    case .link(let object):
      return target.kind == .link && object.classKey == targetClass ? value : nil
    case .scalar(let scalar): return fitted(value, scalar)
    case .list, .set, .map: return nil
    }
  }

  private func fitted(_ value: Value, _ scalar: any ScalarKind) -> Value? {
    let converted: Value? =
      switch (value, target.kind) {
      case (_, value.kind): value
      case (_, .string): .string(scalar.valueText)
      case (.string(let text), _): parsed(text)
      case (.bool(let flag), _) where target.kind.isNumber: number(.int(flag ? 1 : 0))
      case (_, .bool): truth(scalar.number)
      case (.date(let date), _) where target.kind.isNumber:
        date.nanoseconds == 0 ? number(.int(date.seconds)) : nil
      case (.int(let seconds), .date): .date(Timestamp(seconds: seconds))
      case (_, let kind) where kind.isNumber: scalar.number.flatMap(number)
      default: nil
      }
    guard case .int(let number)? = converted else { return converted }
    return target.intRange.contains(number) ? converted : nil
  }

  private func parsed(_ text: String) -> Value? {
    var type = target.element
    type.isOptional = false
    let trimmed = text.drop(while: \.isWhitespace)
    let end = trimmed.lastIndex { !$0.isWhitespace }
    guard let end else { return nil }
    return try? ValueText.parse(String(trimmed[...end]), as: type)
  }

  private func truth(_ number: NumericValue?) -> Value? {
    guard let number, let whole = whole(number), whole == 0 || whole == 1 else { return nil }
    return .bool(whole == 1)
  }

  /// The number as one of the new type; `nil` if that has no such number.
  private func number(_ number: NumericValue) -> Value? {
    switch target.kind {
    case .int: return whole(number).map(Value.int)
    case .decimal128: return number.decimal.map(Value.decimal128)
    case .double:
      if case .int(let whole) = number { return Double(exactly: whole).map(Value.double) }
      let double = number.nearestDouble
      return double.isFinite == isFinite(number) ? .double(double) : nil
    case .float:
      if case .int(let whole) = number { return Float(exactly: whole).map(Value.float) }
      let float = Float(number.nearestDouble)
      return float.isFinite == isFinite(number) ? .float(float) : nil
    default: return nil
    }
  }

  private func isFinite(_ number: NumericValue) -> Bool {
    if case .decimal128(let decimal) = number { return decimal.isFinite }
    return number.nearestDouble.isFinite
  }

  private func whole(_ number: NumericValue) -> Int64? {
    switch number {
    case .int(let whole): return whole
    case .float, .double: return Int64(exactly: number.nearestDouble)
    case .decimal128(let decimal):
      guard let whole = Int64(exactly: decimal.nearestDouble),
        Value.decimal128(Decimal128(whole)).isEquivalent(to: .decimal128(decimal))
      else { return nil }
      return whole
    }
  }
}
