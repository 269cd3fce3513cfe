import KennelCore

extension JSONText {
  /// The value of a node, a collection as a whole.
  ///
  /// `resolve` finds the object that a document calls by a name.
  func wholeValue(
    _ node: Int,
    as type: PropertyType,
    resolve: (String) throws(ValueProblem) -> ObjectIdentity
  ) throws(ValueProblem) -> Value {
    let kind = self[node].kind
    switch type.collection {
    case .none: return try value(node, as: type, depth: 0, resolve: resolve)
    case .map:
      guard kind == .object else {
        throw ValueProblem("expected an object, found \(described(node))")
      }
      return .map(try entries(node, as: type.element, depth: 0, resolve: resolve))
    case .list, .set:
      guard kind == .array else {
        throw ValueProblem("expected an array, found \(described(node))")
      }
      let values = try list(node, as: type.element, depth: 0, resolve: resolve)
      guard type.collection == .set else { return .list(values) }
      guard Set(values).count == values.count else {
        throw ValueProblem("a member of the set occurs twice")
      }
      return .set(values)
    }
  }

  private func list(
    _ node: Int,
    as type: PropertyType,
    depth: Int,
    resolve: (String) throws(ValueProblem) -> ObjectIdentity
  ) throws(ValueProblem) -> [Value] {
    var values: [Value] = []
    for element in elements(node) {
      do throws(ValueProblem) {
        values.append(try value(element, as: type, depth: depth, resolve: resolve))
      } catch {
        throw error.inside("[\(values.count)]")
      }
    }
    return values
  }

  private func entries(
    _ node: Int,
    as type: PropertyType,
    depth: Int,
    resolve: (String) throws(ValueProblem) -> ObjectIdentity
  ) throws(ValueProblem) -> [MapEntry] {
    var entries: [MapEntry] = []
    for member in keys(node) {
      guard let key = DocumentFormat.unescaped(try checkedString(member)) else {
        throw ValueProblem("the key \"\(try checkedString(member))\" needs a second \"$\"")
      }
      do throws(ValueProblem) {
        entries.append(
          MapEntry(key, try value(member + 1, as: type, depth: depth, resolve: resolve))
        )
      } catch {
        throw error.inside("[\"\(key)\"]")
      }
    }
    entries.sort { $0.key.hasBytes(before: $1.key) }
    for (left, right) in zip(entries, entries.dropFirst())
    where left.key.hasSameBytes(as: right.key) {
      throw ValueProblem("the key \"\(left.key)\" occurs twice")
    }
    return entries
  }

  /// The value of a node, as the type of a property or of its elements asks for it.
  ///
  /// `resolve` finds the object that a document calls by a name; `depth` is in how many lists and maps
  /// of a mixed value the node is.
  private func value(
    _ node: Int,
    as type: PropertyType,
    depth: Int,
    resolve: (String) throws(ValueProblem) -> ObjectIdentity
  ) throws(ValueProblem) -> Value {
    let kind = self[node].kind
    if kind == .null { return .null }
    if type.kind == .mixed, kind == .array || kind == .object && !isWrapper(node) {
      return try nested(node, depth: depth + 1, resolve: resolve)
    }
    if kind == .object { return try wrapped(node, as: type, resolve: resolve) }
    switch type.kind {
    case .bool where kind == .yes || kind == .no: return .bool(kind == .yes)
    case .int where kind == .integer: return .int(try integer(node))
    case .float where kind == .integer || kind == .number: return .float(try float(text(node)))
    case .double where kind == .integer || kind == .number: return .double(try double(text(node)))
    case .decimal128 where kind == .integer || kind == .number:
      return try parse(text(node), as: .decimal128)
    case .string where kind.isString: return .string(try checkedString(node))
    case .float, .double, .data, .date, .objectId, .uuid, .decimal128:
      if kind.isString { return try parse(try checkedString(node), as: PropertyType(type.kind)) }
    case .mixed: return try mixed(node)
    case .bool, .int, .string, .link: break
    }
    throw ValueProblem("expected \(type.element), found \(described(node))")
  }

  /// A string that is valid text.
  func checkedString(_ node: Int) throws(ValueProblem) -> String {
    guard let string = string(node) else {
      throw ValueProblem("the string is not valid Unicode")
    }
    return string
  }

  /// What a node is, for an error.
  func described(_ node: Int) -> String {
    switch self[node].kind {
    case .null: "null"
    case .yes, .no: text(node)
    case .integer, .number: self[node].end - self[node].start < 40 ? text(node) : "a number"
    case .string, .escapedString: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  private func mixed(_ node: Int) throws(ValueProblem) -> Value {
    switch self[node].kind {
    case .yes: .bool(true)
    case .no: .bool(false)
    case .integer: .int(try integer(node))
    case .number: .double(try double(text(node)))
    case .string, .escapedString: .string(try checkedString(node))
    case .null, .array, .object:
      throw ValueProblem("expected a mixed value, found \(described(node))")
    }
  }

  /// A list or a map in a mixed value.
  private func nested(
    _ node: Int,
    depth: Int,
    resolve: (String) throws(ValueProblem) -> ObjectIdentity
  ) throws(ValueProblem) -> Value {
    guard depth <= Value.deepestNesting else {
      throw ValueProblem(
        "lists and maps in a mixed value may be nested \(Value.deepestNesting) deep, not deeper"
      )
    }
    return self[node].kind == .array
      ? .list(try list(node, as: .mixed, depth: depth, resolve: resolve))
      : .map(try entries(node, as: .mixed, depth: depth, resolve: resolve))
  }

  /// Whether an object has one member, whose name is a word of the format and not the key of a map.
  private func isWrapper(_ node: Int) -> Bool {
    guard let key = keys(node).first(where: { _ in true }), self[key + 1].next == self[node].next,
      let name = string(key)
    else { return false }
    return DocumentFormat.unescaped(name) == nil
  }

  /// A link or a value with the name of its kind: an object of one member.
  private func wrapped(
    _ node: Int,
    as type: PropertyType,
    resolve: (String) throws(ValueProblem) -> ObjectIdentity
  ) throws(ValueProblem) -> Value {
    let members = keys(node)
    guard let key = members.first(where: { _ in true }), self[key + 1].next == self[node].next,
      let name = string(key)
    else { throw ValueProblem("expected \(type.element), found an object") }
    let isMixed = type.kind == .mixed
    if name == DocumentFormat.link, isMixed || type.kind == .link {
      guard self[key + 1].kind.isString else {
        throw ValueProblem("expected \"Class/key\" after \"$ref\", found \(described(key + 1))")
      }
      return .link(try resolve(try checkedString(key + 1)))
    }
    guard name.utf8.first == UInt8(ascii: "$"),
      let kind = Self.wrappers["\(name.dropFirst())"], isMixed || kind == type.kind
    else { throw ValueProblem("expected \(type.element), found an object with \"\(name)\"") }
    if self[key + 1].kind == .object || self[key + 1].kind == .null {
      throw ValueProblem("expected a value after \"\(name)\", found \(described(key + 1))")
    }
    return try value(key + 1, as: PropertyType(kind), depth: 0, resolve: resolve)
  }

  private static let wrappers: [String: ValueKind] = [
    "bool": .bool, "int": .int, "float": .float, "double": .double, "string": .string,
    "data": .data, "date": .date, "objectId": .objectId, "uuid": .uuid, "decimal128": .decimal128,
  ]

  private func integer(_ node: Int) throws(ValueProblem) -> Int64 {
    guard let value = Int64(text(node)) else {
      throw ValueProblem("\(described(node)) is outside the range of 64 bits")
    }
    return value
  }

  private func double(_ text: String) throws(ValueProblem) -> Double {
    guard let value = Double(text), value.isFinite, !Self.isRounded(text, to: Int64(exactly: value))
    else { throw ValueProblem("\(text) is not exactly a double") }
    return value
  }

  private func float(_ text: String) throws(ValueProblem) -> Float {
    guard let value = Float(text), value.isFinite, !Self.isRounded(text, to: Int64(exactly: value))
    else { throw ValueProblem("\(text) is not exactly a float") }
    return value
  }

  /// Whether digits without a fraction spell another number than the one they became.
  private static func isRounded(_ text: String, to value: Int64?) -> Bool {
    guard let spelled = Int64(text) else { return false }
    return spelled != value
  }

  private func parse(_ text: String, as type: PropertyType) throws(ValueProblem) -> Value {
    do throws(ValueTextError) {
      return try ValueText.parse(text, as: type)
    } catch {
      throw ValueProblem(error.message)
    }
  }
}

extension JSONText.Kind {
  var isString: Bool { self == .string || self == .escapedString }
}
