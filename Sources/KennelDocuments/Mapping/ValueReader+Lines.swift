@_spi(Faces) import KennelCore

/// Values as Kennel's lines spell them.
extension ValueReader {
  /// The kinds of the values that lines wrap in an object of one member.
  private static let wrappers = Dictionary(
    uniqueKeysWithValues: ValueKind.scalars.map { ("$\($0)", $0) }
  )

  /// Whether strings spell the values of a kind.
  private static func isSpelled(_ kind: ValueKind) -> Bool {
    kind.scalar != nil && ![.bool, .int, .string].contains(kind)
  }

  /// A value that was nested too deep to be read with its line.
  func parsed(_ value: DocumentValue) throws(ValueProblem) -> DocumentValue {
    guard case .other(JSONParser.deep, let text) = value else { return value }
    return try rethrowing(try JSONParser.value(of: Array(text.utf8), .lines)) {
      (error: JSONProblem) in ValueProblem(error.message)
    }
  }

  /// The value that a type makes of a line's; `nil` for a link that leads nowhere and is dropped.
  func fromLine(
    _ value: DocumentValue,
    _ type: PropertyType,
    _ target: ClassKey?,
    _ resolve: Resolver
  ) throws(ValueProblem) -> Value? {
    if type.kind == .mixed, let nested = try nested(value, depth: 0, resolve) { return nested }
    switch value {
    case .document(let document):
      if let wrapper = DocumentFormat.wrapper(document) {
        return try wrapped(wrapper, type, target, resolve)
      }
    case .other(JSONParser.number, let text): return try number(text, type.kind)
    case .string(let text) where Self.isSpelled(type.kind):
      return try Self.parse(text, PropertyType(type.kind))
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .binary,
      .array, .other:
      if type.kind != .link { return try Self.plain(value, type) }
    }
    throw Self.mismatch("\(type.element)", value)
  }

  /// A link or a value with the name of its kind: an object of one member.
  private func wrapped(
    _ wrapper: Document.Member,
    _ type: PropertyType,
    _ target: ClassKey?,
    _ resolve: Resolver
  ) throws(ValueProblem) -> Value? {
    let isMixed = type.kind == .mixed
    if wrapper.name == DocumentFormat.link, isMixed || type.kind == .link {
      guard case .string(let text) = wrapper.value else {
        throw Self.mismatch("\"Class/key\" after \"$ref\"", wrapper.value)
      }
      guard let (name, key) = DocumentFormat.object(text) else {
        throw ValueProblem("\"\(text.prefix(100))\" does not name an object as in \"Dog/7\"")
      }
      let id = DocumentValue.int64(Int64(key))
      return try object(LinkTarget(className: name, classKey: target, id: id, isKey: true), resolve)
    }
    guard let kind = Self.wrappers[wrapper.name], isMixed || kind == type.kind else {
      throw ValueProblem("expected \(type.element), found an object with \"\(wrapper.name)\"")
    }
    switch wrapper.value {
    case .document, .null: throw Self.mismatch("a value after \"\(wrapper.name)\"", wrapper.value)
    case .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .binary, .array,
      .other:
      return try fromLine(wrapper.value, PropertyType(kind), nil, resolve)
    }
  }

  /// A number that has a fraction or more than 64 bits.
  private func number(_ text: String, _ kind: ValueKind) throws(ValueProblem) -> Value {
    switch kind {
    case .decimal128: return try Self.parse(text, .decimal128)
    case .float:
      guard let number = Float(text), number.isFinite else { break }
      return .float(number)
    case .mixed where text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 >= 0x30 && $0 <= 0x39 }:
      return try self.number(text, .int)
    case .double, .mixed:
      guard let number = Double(text), number.isFinite else { break }
      return .double(number)
    case .int:
      guard let number = Int64(text) else { break }
      return .int(number)
    case _: break
    }
    throw Self.mismatch("\(PropertyType(kind))", .other(type: JSONParser.number, text: text))
  }
}
