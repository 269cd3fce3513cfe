import KennelCore

/// Makes documents of objects.
struct DocumentsFromObjects {
  private let reader: DatabaseReader
  private let schema: Schema
  private let options: DocumentOptions
  private let dialect: DocumentDialect
  private var plans: [ClassKey: DocumentPlan] = [:]
  /// The primary keys of classes that links lead to.
  private var keyPlans: [ClassKey: PropertyPlan] = [:]
  /// The class of the object before, which is that of the next one mostly.
  private var current: DocumentPlan?

  init(_ reader: DatabaseReader, _ options: DocumentOptions, for dialect: DocumentDialect) {
    self.reader = reader
    self.options = options
    self.dialect = dialect
    schema = reader.schema
  }

  /// The document of an object that is not embedded.
  mutating func document(of object: ObjectIdentity) throws -> Document {
    do throws(ValueProblem) {
      let plan: DocumentPlan
      if let current, current.schema.key == object.classKey {
        plan = current
      } else {
        plan = try self.plan(of: object.classKey)
        current = plan
      }
      let key = plan.keyMember.map { Document.Member($0, .int64(Int64(object.key.rawValue))) }
      var members = try members(of: object, plan, beginning: key, depth: 0)
      if plan.repeatsPrimaryKey, let key = plan.primaryKey {
        let value = members.first { $0.name.hasSameBytes(as: key.name) }?.value ?? .null
        members.insert(.init(MappingName.id, value), at: 0)
      }
      return Document(members)
    } catch {
      throw problem(error, of: object)
    }
  }

  /// A problem with the object that it is about.
  func problem(_ problem: ValueProblem, of object: ObjectIdentity) -> DocumentError {
    let path = reader.describe(object) + problem.path
    return DocumentError(path: path, problem.message, cause: problem.cause)
  }

  // MARK: - Plans

  private mutating func plan(of classKey: ClassKey) throws(ValueProblem) -> DocumentPlan {
    if let plan = plans[classKey] { return plan }
    guard let schema = schema[classKey] else {
      throw ValueProblem("there is no class with key \(classKey.rawValue)")
    }
    for property in schema.properties where !dialect.canBeName(property.name) {
      throw ValueProblem(
        "Extended JSON cannot hold the property \(schema.name).\(property.name), whose name begins "
          + "with \"$\"; export as jsonl or bson"
      )
    }
    let plan = DocumentPlan(schema)
    plans[classKey] = plan
    return plan
  }

  // MARK: - Objects

  private mutating func members(
    of object: ObjectIdentity,
    _ plan: DocumentPlan,
    beginning first: Document.Member? = nil,
    depth: Int
  ) throws(ValueProblem) -> [Document.Member] {
    guard depth <= DocumentLimits.depth else { throw DocumentLimits.isTooDeep }
    var members: [Document.Member] = []
    members.reserveCapacity(plan.properties.count + 1)
    if let first { members.append(first) }
    for property in plan.properties {
      let value = try inside(".\(property.name)", try value(property, of: object, depth: depth))
      if let value { members.append(Document.Member(property.name, value)) }
    }
    return members
  }

  /// The value of a property as a whole; `nil` if its member is left out.
  private mutating func value(
    _ property: PropertyPlan,
    of object: ObjectIdentity,
    depth: Int
  ) throws(ValueProblem) -> DocumentValue? {
    let collection = property.type.collection
    if collection != .none { try requireRoom(property, of: object) }
    var value = try stored(try reader.value(of: object, property: property.key))
    if let targets = options.linkTargets, property.canLink {
      value = value.linking(to: targets, isMany: collection != .none)
    }
    if value.isNull, property.isNullByDefault { return nil }
    return try scalar(value, property, depth: depth, isNested: collection == .none)
  }

  /// Refuses a collection before it is read that cannot become a document for its size.
  private func requireRoom(
    _ property: PropertyPlan,
    of object: ObjectIdentity
  ) throws(ValueProblem) {
    let count = try stored(try reader.elementCount(of: object, property: property.key))
    // An element takes three bytes at least: its type, a digit of its name, and the name's end.
    guard count <= DocumentLimits.bsonByteCount / 3 else {
      throw ValueProblem(
        "\(count) elements are more than a document of \(DocumentLimits.bsonByteCount) bytes, "
          + "MongoDB's limit, can hold; export it as jsonl"
      )
    }
  }

  private mutating func array(
    _ elements: [Value],
    _ property: PropertyPlan,
    depth: Int
  ) throws(ValueProblem) -> [DocumentValue] {
    var values: [DocumentValue] = []
    values.reserveCapacity(elements.count)
    for (position, element) in elements.enumerated() {
      values.append(try inside("[\(position)]", try scalar(element, property, depth: depth)))
    }
    return values
  }

  /// The entries of a map property, or of a map in a mixed value, which has to say so where it could
  /// be taken for something else.
  private mutating func map(
    _ entries: [MapEntry],
    _ property: PropertyPlan,
    depth: Int,
    isNested: Bool
  ) throws(ValueProblem) -> DocumentValue {
    var members: [Document.Member] = []
    members.reserveCapacity(entries.count)
    for entry in entries {
      let value = try inside(key: entry.key, try scalar(entry.value, property, depth: depth))
      members.append(.init(entry.key, value))
    }
    let document = Document(members)
    if members.allSatisfy({ dialect.canBeName($0.name) }), !(isNested && document.isAmbiguousMap) {
      return .document(document)
    }
    let pairs = DocumentValue.array(
      members.map { member in
        .document([
          MappingName.entryKey: .string(member.name), MappingName.entryValue: member.value,
        ])
      }
    )
    guard isNested else { return pairs }
    return .document([MappingName.kind: .string(MappingName.map), MappingName.value: pairs])
  }

  // MARK: - Values

  private mutating func scalar(
    _ value: Value,
    _ property: PropertyPlan,
    depth: Int,
    isNested: Bool = true
  ) throws(ValueProblem) -> DocumentValue {
    let kind = property.type.kind
    switch value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let number):
      return kind == .int && property.type.bitWidth <= 32
        ? .int32(Int32(truncatingIfNeeded: number)) : .int64(number)
    case .float(let number):
      if kind == .mixed { return .exact(value) }
      return double(number.widened, value)
    case .double(let number): return double(number, value)
    case .string(let text): return .string(text)
    case .data(let bytes): return .binary(subtype: 0, bytes)
    case .date(let date): return self.date(date)
    case .objectId(let id): return .objectId(id)
    case .uuid(let id): return .binary(subtype: 4, id.bytes)
    case .decimal128(let number):
      let isExact = dialect == .bson || ExtendedJSON.hasText(number)
      return isExact ? .decimal128(number) : .exact(value)
    case .link(let target):
      if property.isEmbedded { return try embedded(target, depth: depth) }
      return try link(target, isMixed: kind == .mixed)
    case .list(let elements), .set(let elements):
      if isNested { try requireRoom(depth) }
      return .array(try array(elements, property, depth: depth + 1))
    case .map(let entries):
      if isNested { try requireRoom(depth) }
      return try map(entries, property, depth: depth + 1, isNested: isNested)
    }
  }

  private func requireRoom(_ depth: Int) throws(ValueProblem) {
    guard depth < DocumentLimits.depth else { throw DocumentLimits.isTooDeep }
  }

  private func double(_ number: Double, _ value: Value) -> DocumentValue {
    let isExact = dialect == .bson || !number.isNaN || number.bitPattern == Double.nan.bitPattern
    return isExact ? .double(number) : .exact(value)
  }

  private func date(_ date: Timestamp) -> DocumentValue {
    if date.milliseconds != nil { return .date(date) }
    if options.roundsDates, let milliseconds = date.flooredMilliseconds {
      return .date(Timestamp(milliseconds: milliseconds))
    }
    return .exact(.date(date))
  }

  private mutating func embedded(
    _ object: ObjectIdentity,
    depth: Int
  ) throws(ValueProblem) -> DocumentValue {
    let plan = try plan(of: object.classKey)
    return .document(Document(try members(of: object, plan, depth: depth + 1)))
  }

  private mutating func link(
    _ target: ObjectIdentity,
    isMixed: Bool
  ) throws(ValueProblem) -> DocumentValue {
    let classSchema = schema[target.classKey]
    var id = DocumentValue.int64(Int64(target.key.rawValue))
    if let key = classSchema?.primaryKey {
      let value = try stored(try reader.value(of: target, property: key.key))
      let plan = keyPlans[target.classKey] ?? PropertyPlan(key)
      keyPlans[target.classKey] = plan
      id = try scalar(value, plan, depth: 0)
    }
    if !isMixed, id != .null { return id }
    return .document([
      MappingName.reference: .string(classSchema?.name ?? ""), MappingName.referenceID: id,
    ])
  }
}

extension Float {
  /// The same number as a double, the bits of a NaN kept, which a conversion may change.
  var widened: Double {
    guard isNaN else { return Double(self) }
    let sign = UInt64(bitPattern >> 31) << 63
    return Double(bitPattern: sign | 0x7FF0_0000_0000_0000 | UInt64(significandBitPattern) << 29)
  }

  /// The same number as a double has; `nil` if a float is another one.
  init?(narrowing number: Double) {
    guard number.isNaN else {
      let float = Float(number)
      guard Double(float) == number, float.sign == number.sign else { return nil }
      self = float
      return
    }
    let payload = number.significandBitPattern
    guard payload & 0x1FFF_FFFF == 0 else { return nil }
    let sign = UInt32(truncatingIfNeeded: number.bitPattern >> 63) << 31
    self.init(bitPattern: sign | 0x7F80_0000 | UInt32(truncatingIfNeeded: payload >> 29))
  }
}

extension UUIDValue {
  /// The 16 bytes.
  var bytes: [UInt8] {
    (0..<16).map { position in
      let word = position < 8 ? high : low
      return UInt8(truncatingIfNeeded: word >> UInt64(56 - position % 8 * 8))
    }
  }

  /// Creates an identifier of 16 bytes; `nil` for another number of them.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    func word(_ range: Range<Int>) -> UInt64 {
      bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(high: word(0..<8), low: word(8..<16))
  }
}
