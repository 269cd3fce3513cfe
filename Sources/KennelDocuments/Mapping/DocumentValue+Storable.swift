import KennelCore

/// Values of types that no property has, which become text where a property takes text.
extension DocumentValue {
  /// Whether properties hold the value and all that is inside it.
  var isStorable: Bool {
    switch self {
    case .array(let elements): elements.allSatisfy(\.isStorable)
    case .document(let document): document.members.allSatisfy(\.value.isStorable)
    // What Kennel's lines keep as text is JSON.
    case .other(JSONParser.number, _), .other(JSONParser.deep, _): true
    case .binary, .other: DocumentKind(self) != .other
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId: true
    }
  }

  /// The name of the type of a value that no property holds; `nil` of all others.
  var unstorableType: String? {
    guard DocumentKind(self) == .other else { return nil }
    switch self {
    case .other(let type, _): return type
    case .binary(let subtype, _): return "binData of subtype \(subtype)"
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .array,
      .document:
      return nil
    }
  }

  /// The value for a property: what no property holds is text where the property takes text.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - count: Counts what became text.
  /// - Returns: The value.
  /// - Throws: ``ValueProblem`` if a value has no Extended JSON.
  func storable(
    in property: PropertyPlan,
    _ count: inout Int
  ) throws(ValueProblem) -> DocumentValue {
    // What embedded objects hold is asked of their own properties.
    guard !property.isEmbedded, !isStorable else { return self }
    let kind = property.type.kind
    return kind == .string || kind == .mixed ? try storable(&count) : self
  }

  /// The value with its Extended JSON as a string in place of what no property holds.
  ///
  /// - Parameter count: Counts what became text.
  /// - Returns: The value.
  /// - Throws: ``ValueProblem`` if a value has no Extended JSON.
  func storable(_ count: inout Int) throws(ValueProblem) -> DocumentValue {
    switch self {
    case .array(let elements):
      var values: [DocumentValue] = []
      for element in elements { values.append(try element.storable(&count)) }
      return .array(values)
    case .document(let document):
      var members: [Document.Member] = []
      for member in document.members {
        members.append(.init(member.name, try member.value.storable(&count)))
      }
      return .document(Document(members))
    case .other(_, let text):
      count += 1
      return .string(text)
    case .binary where DocumentKind(self) == .other:
      count += 1
      var json = ExtendedJSON(isRelaxed: false)
      return .string(try json.text(of: self))
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .binary:
      return self
    }
  }
}
