import KennelCore

/// Numbers that neither 64 bits nor a double hold, which libbson refuses.
extension JSONText {
  /// The kind in the exact form of a number that no decimal holds either.
  private static let wideNumber = "number"

  /// The same text with decimals in place of such numbers, longs in place of ints that are none, and an
  /// exact form of numbers of more than 34 digits; `nil` if there is none.
  func replacingWideNumbers() -> [UInt8]? {
    var replaced: [UInt8] = []
    var position = 0
    func replace(_ range: Range<Int>, with number: String) {
      replaced += bytes[position..<range.lowerBound]
      position = range.upperBound
      let (name, value) = (MappingName.kind, MappingName.value)
      let form =
        if Int64(number) != nil {
          #"{"$numberLong":"\#(number)"}"#
        } else if Decimal128(number) != nil {
          #"{"$numberDecimal":"\#(number)"}"#
        } else {
          #"{"\#(name)":"\#(Self.wideNumber)","\#(value)":"\#(number)"}"#
        }
      replaced += Array(form.utf8)
    }
    for index in nodes.indices {
      let node = nodes[index]
      switch node.kind {
      case .integer where node.end - node.start >= 19:
        if Int64(text(index)) == nil { replace(node.start..<node.end, with: text(index)) }
      case .number where isBeyondDouble(node):
        replace(node.start..<node.end, with: text(index))
      case .object:
        if let number = wideLong(index) { replace(node.start..<node.end, with: number) }
      case .null, .yes, .no, .integer, .number, .string, .escapedString, .array: break
      }
    }
    guard position > 0 else { return nil }
    return replaced + bytes[position...]
  }

  private func isBeyondDouble(_ node: Node) -> Bool {
    let digits = bytes[node.start..<node.end]
    guard digits.count > 300 || digits.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      return false
    }
    return Double(String(decoding: digits, as: UTF8.self)).map { !$0.isFinite } ?? true
  }

  /// The digits of `{"$numberLong": "…"}` or `{"$numberInt": "…"}` that its type does not hold.
  private func wideLong(_ object: Int) -> String? {
    guard nodes[object].next == object + 3, nodes[object + 2].kind == .string,
      10...11 ~= nodes[object + 1].end - nodes[object + 1].start
    else { return nil }
    let (name, number) = (text(object + 1), text(object + 2))
    let isWide =
      name == "$numberLong" ? Int64(number) == nil : name == "$numberInt" && Int32(number) == nil
    guard isWide else { return nil }
    let digits = number.hasPrefix("-") ? number.dropFirst() : number[...]
    let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    return isNumber ? number : nil
  }

  /// A value that was read from the text with replaced numbers.
  static func restoringWideNumbers(_ value: DocumentValue) -> DocumentValue {
    switch value {
    case .document(let document):
      if document.members.count == 2, document[MappingName.kind] == .string(wideNumber),
        case .string(let text)? = document[MappingName.value]
      {
        return .other(type: "number of more than 34 digits", text: text)
      }
      return .document(restoringWideNumbers(document))
    case .array(let elements): return .array(elements.map(restoringWideNumbers))
    case .null, .bool, .int32, .int64, .double, .decimal128, .string, .date, .objectId, .binary,
      .other:
      return value
    }
  }

  static func restoringWideNumbers(_ document: Document) -> Document {
    Document(document.members.map { .init($0.name, restoringWideNumbers($0.value)) })
  }
}
