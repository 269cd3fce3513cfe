package import KennelCore
package import Testing

/// A class with a property of each kind of scalar, for the tests that hold what a new kind has to be
/// added to.
package enum EveryKind {
  /// The kinds of scalars: a mixed value is one of them, and a link is none.
  package static let scalars = ValueKind.allCases.filter { $0 != .mixed && $0 != .link }

  /// The class; each property has the name of its kind.
  package static let definition = ClassDefinition(
    "Specimen",
    properties: [PropertyDefinition("id", .int, isPrimaryKey: true)]
      + scalars.map { PropertyDefinition("\($0)", PropertyType($0)) }
      + [PropertyDefinition("mixed", .mixed)]
  )

  /// A value of a kind that is not what a new object has.
  package static func value(_ kind: ValueKind) -> Value {
    switch kind {
    case .bool: .bool(true)
    case .int: .int(-7)
    case .float: .float(1.5)
    case .double: .double(-0.25)
    case .string: .string("Größe")
    case .data: .data([0, 255])
    case .date: .date(Timestamp(seconds: 1_714_521_600))
    case .objectId: .objectId(ObjectId(high: 0x507f_1f77_bcf8_6cd7, low: 0x9943_9011))
    case .uuid: .uuid(UUIDValue(high: 0x123e_4567_e89b_12d3, low: 0xa456_4266_1417_4000))
    case .decimal128: .decimal128(Decimal128(42))
    case .mixed, .link: .null
    }
  }

  /// Makes an object of the class, with a value of each kind or with what a new object has.
  @discardableResult
  package static func make(in database: Database, isFilled: Bool = true) throws -> ObjectIdentity {
    try database.write { transaction in
      try transaction.define([definition])
      let schema = try #require(transaction.schema[definition.name])
      var values: [PropertyKey: Value] = [try #require(schema["id"]).key: .int(1)]
      for kind in scalars where isFilled {
        values[try #require(schema["\(kind)"]).key] = value(kind)
      }
      return try transaction.create(schema.key, values)
    }
  }

  /// Expects a value of each kind in an object of the class.
  package static func expectFilled(
    _ object: ObjectIdentity,
    in reader: DatabaseReader,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let schema = try #require(reader.schema[object.classKey], sourceLocation: sourceLocation)
    for kind in scalars {
      let property = try #require(schema["\(kind)"], sourceLocation: sourceLocation)
      let found = try reader.value(of: object, property: property.key)
      #expect(found == value(kind), "\(kind)", sourceLocation: sourceLocation)
    }
  }
}
