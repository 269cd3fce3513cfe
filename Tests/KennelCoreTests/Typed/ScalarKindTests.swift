import KennelCore
import KennelTestSupport
import Testing

@Suite struct `Each kind of scalar` {
  private static let types: [any ScalarPropertyValue.Type] = [
    Bool.self, Int64.self, Float.self, Double.self, String.self, [UInt8].self, Timestamp.self,
    ObjectId.self, UUIDValue.self, Decimal128.self,
  ]

  @Test func `is the type of a property`() throws {
    #expect(Self.types.map { $0.kind } == EveryKind.scalars)
    try withTemporaryDatabase { database in
      let object = try EveryKind.make(in: database, isFilled: false)
      try database.write { transaction in
        for type in Self.types { try set(type, object, in: transaction) }
        for type in Self.types { try expect(type, object, in: transaction) }
      }
      let snapshot = try database.snapshot()
      for type in Self.types { try expect(type, object, in: snapshot) }
      try EveryKind.expectFilled(object, in: snapshot)
    }
  }

  private func set<V: ScalarPropertyValue>(
    _ type: V.Type,
    _ object: ObjectIdentity,
    in transaction: WriteTransaction
  ) throws {
    let property = try transaction.schema.property("\(V.kind)", of: "Specimen", as: V.self)
    #expect(try transaction[object, property].value == V.initial.value, "\(V.self)")
    #expect(PropertyType(V.kind).initialValue == V.initial.value, "\(V.self)")
    try transaction.set(object, property: property, to: try #require(V(EveryKind.value(V.kind))))
  }

  private func expect<V: ScalarPropertyValue>(
    _ type: V.Type,
    _ object: ObjectIdentity,
    in reader: DatabaseReader
  ) throws {
    let value = EveryKind.value(V.kind)
    let property = try reader.schema.property("\(V.kind)", of: "Specimen", as: V.self)
    #expect(try reader[object, property].value == value, "\(V.self)")
    let optional = try reader.schema.property("\(V.kind)", of: "Specimen", as: V?.self)
    #expect(try reader[object, optional]?.value == value, "\(V.self)")
  }

  /// Programs name the type, so they use the subscript and `set` of its storage form.
  @Test func `is read and set in the form that it is stored in`() throws {
    try withTemporaryDatabase { database in
      let object = try EveryKind.make(in: database, isFilled: false)
      try database.write { transaction in
        try expectWord(Bool.self, object, in: transaction)
        try expectWord(Int64.self, object, in: transaction)
        try expectWord(Float.self, object, in: transaction)
        try expectWord(Double.self, object, in: transaction)
        try expectPair(Timestamp.self, object, in: transaction)
        try expectPair(ObjectId.self, object, in: transaction)
        try expectPair(UUIDValue.self, object, in: transaction)
        try expectPair(Decimal128.self, object, in: transaction)
      }
    }
  }

  @Test(arguments: ValueKind.scalars)
  func `is the type of properties`(kind: ValueKind) throws {
    #expect(try #require(kind.propertyType).kind == kind)
    #expect(kind.scalar?.kind == kind)
  }

  private func expectWord<V: ScalarPropertyValue & WordValue>(
    _ type: V.Type,
    _ object: ObjectIdentity,
    in transaction: WriteTransaction
  ) throws {
    let value = try #require(V(EveryKind.value(V.kind)))
    let property = try transaction.schema.property("\(V.kind)", of: "Specimen", as: V.self)
    let optional = try transaction.schema.property("\(V.kind)", of: "Specimen", as: V?.self)
    try transaction.set(object, property: property, to: value)
    #expect(try transaction.value(of: object, property: property.key) == value.value, "\(V.self)")
    #expect(try transaction[object, property].value == value.value, "\(V.self)")
    #expect(try transaction[object, optional]?.value == value.value, "\(V.self)")
    #expect(throws: DatabaseError.self, "\(V.self)") {
      try transaction.set(object, property: optional, to: nil)
    }
    try transaction.set(object, property: optional, to: V.initial)
    #expect(
      try transaction.value(of: object, property: property.key) == V.initial.value,
      "\(V.self)"
    )
  }

  private func expectPair<V: ScalarPropertyValue & PairValue>(
    _ type: V.Type,
    _ object: ObjectIdentity,
    in transaction: WriteTransaction
  ) throws {
    let value = try #require(V(EveryKind.value(V.kind)))
    let property = try transaction.schema.property("\(V.kind)", of: "Specimen", as: V.self)
    let optional = try transaction.schema.property("\(V.kind)", of: "Specimen", as: V?.self)
    try transaction.set(object, property: property, to: value)
    #expect(try transaction.value(of: object, property: property.key) == value.value, "\(V.self)")
    #expect(try transaction[object, property].value == value.value, "\(V.self)")
    #expect(try transaction[object, optional]?.value == value.value, "\(V.self)")
    #expect(throws: DatabaseError.self, "\(V.self)") {
      try transaction.set(object, property: optional, to: nil)
    }
    try transaction.set(object, property: optional, to: V.initial)
    #expect(
      try transaction.value(of: object, property: property.key) == V.initial.value,
      "\(V.self)"
    )
  }

  @Test(arguments: EveryKind.scalars)
  func `has a text`(kind: ValueKind) throws {
    let value = EveryKind.value(kind)
    #expect(value.kind == kind)
    #expect(try ValueText.parse(ValueText.describe(value), as: PropertyType(kind)) == value)
  }
}
