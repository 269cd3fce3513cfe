import KennelCore
import KennelTestSupport
import Testing

@Suite("The value at a path")
struct ValuePathTests {
  @Test func `is not asked for of an object that does not exist`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    try kennels.database.write { transaction in _ = try transaction.delete([kennels.max]) }
    let snapshot = try kennels.database.snapshot()
    let path = try ValuePath("name", of: kennels.dog.key, in: snapshot.schema)
    #expect(try snapshot.value(of: kennels.rex, at: path) == .string("Rex"))
    let error = #expect(throws: DatabaseError.self) {
      try snapshot.value(of: kennels.max, at: path)
    }
    #expect(error?.code == .noSuchObject)
  }
}

@Suite("A negated number")
struct NegationTests {
  @Test func `keeps the sign of zero`() throws {
    try withTemporaryDatabase { database in
      let schema = try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Number",
            properties: [
              PropertyDefinition("double", .double), PropertyDefinition("decimal", .decimal128),
            ]
          )
        ])
        return transaction.schema
      }
      let number = try #require(schema["Number"])
      let object = try database.write { transaction in
        try transaction.create(
          number.key,
          [try #require(number["decimal"]).key: .decimal128(Decimal128(0))]
        )
      }
      let snapshot = try database.snapshot()
      func value(_ text: String) throws -> Value {
        try snapshot.value(
          of: try Assignment.parse(text, for: number.key, in: schema),
          for: object
        )
      }
      guard case .double(let zero) = try value("double = -double"),
        case .decimal128(let decimal) = try value("decimal = -decimal")
      else { return #expect(Bool(false)) }
      #expect(zero.sign == .minus && zero == 0)
      #expect(decimal.description.hasPrefix("-0"))
      #expect(try value("double = -(1.5)") == .double(-1.5))
      #expect(try value("decimal = decimal - 2") == .decimal128(Decimal128(-2)))
    }
  }
}
