import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// A value of a property and how a document writes it.
private struct Form: CustomTestStringConvertible, Sendable {
  let type: PropertyType
  let value: Value
  let json: String

  init(_ type: PropertyType, _ value: Value, _ json: String) {
    self.type = type
    self.value = value
    self.json = json
  }

  var testDescription: String { "\(type): \(json)" }
}

private func date(_ seconds: Int64, _ nanoseconds: UInt32 = 0) -> Value {
  .date(Timestamp(seconds: seconds, nanoseconds: nanoseconds) ?? Timestamp(seconds: 0))
}

private let forms = [
  Form(.string.optional, .null, "null"),
  Form(.string.optional, .string(""), #""""#),
  Form(
    .string,
    .string("a\"\\\n\r\t\u{1b}[1m\u{7f}\u{9b}"),
    #""a\"\\\n\r\t\u001b[1m\u007f\u009b""#
  ),
  Form(.string, .string("\u{0}\u{2028}\u{202e}\u{feff}"), #""\u0000\u2028\u202e\ufeff""#),
  Form(.string, .string("é e\u{301} 日本 👩‍👧 â"), "\"é e\u{301} 日本 👩‍👧 â\""),
  Form(.bool, .bool(true), "true"),
  Form(.int, .int(.max), "9223372036854775807"),
  Form(.int, .int(.min), "-9223372036854775808"),
  Form(.double, .double(0.1), "0.1"),
  Form(.double, .double(1), "1.0"),
  Form(.double, .double(.leastNonzeroMagnitude), "5e-324"),
  Form(.double, .double(-0.0), #""-0.0""#),
  Form(.double, .double(.infinity), #""inf""#),
  Form(.double, .double(Double(bitPattern: 0xFFF8_0000_DEAD_BEEF)), #""-nan(0x80000deadbeef)""#),
  Form(.float, .float(0.1), "0.1"),
  Form(.float, .float(-.infinity), #""-inf""#),
  Form(.date, date(-1, 500_000_000), #""1969-12-31T23:59:59.5Z""#),
  Form(.date, date(0, 1), #""1970-01-01T00:00:00.000000001Z""#),
  Form(.data, .data([0, 255]), #""hex:00ff""#),
  Form(.data, .data([]), #""hex:""#),
  Form(.objectId, .objectId(ObjectId(high: 1, low: 2)), #""000000000000000100000002""#),
  Form(
    .uuid,
    .uuid(UUIDValue(high: 0x0123_4567_89AB_CDEF, low: 1)),
    #""01234567-89ab-cdef-0000-000000000001""#
  ),
  Form(.mixed, .int(1), "1"),
  Form(.mixed, .double(1), #"{"$double":"1.0"}"#),
  Form(.mixed, .double(1.5), "1.5"),
  Form(.mixed, .double(.nan), #"{"$double":"nan"}"#),
  Form(.mixed, .float(1.5), #"{"$float":"1.5"}"#),
  Form(.mixed, .string("1"), #""1""#),
  Form(.mixed, .null, "null"),
  Form(.mixed, .bool(false), "false"),
  Form(.mixed, .data([1]), #"{"$data":"hex:01"}"#),
  Form(.mixed, date(1), #"{"$date":"1970-01-01T00:00:01Z"}"#),
  Form(
    .mixed,
    .objectId(ObjectId(high: 0, low: 1)),
    #"{"$objectId":"000000000000000000000001"}"#
  ),
  Form(
    .mixed,
    .uuid(UUIDValue(high: 0, low: 1)),
    #"{"$uuid":"00000000-0000-0000-0000-000000000001"}"#
  ),
  Form(
    .mixed,
    .decimal128(Decimal128(high: 0x303E_0000_0000_0000, low: 15)),
    #"{"$decimal128":"1.5"}"#
  ),
  Form(
    .decimal128,
    .decimal128(Decimal128(high: 0x303C_0000_0000_0000, low: 150)),
    #""1.50""#
  ),
  Form(.list(.string.optional), .list([.null, .string(""), .null]), #"[null,"",null]"#),
  Form(.map(.int), .map([MapEntry("", .int(1)), MapEntry("a", .int(2))]), #"{"":1,"a":2}"#),
]

@Suite struct `A value in a document` {
  @Test(arguments: forms)
  private func `has one form and comes back to the last bit`(_ form: Form) throws {
    let text = try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition("A", properties: [PropertyDefinition("a", form.type)])
        ])
        let schema = try #require(transaction.schema["A"])
        let property = try #require(schema["a"])
        _ = try transaction.create(schema.key, [property.key: form.value])
      }
      return try KennelDocumentsTests.text(of: database)
    }
    #expect(text.hasSuffix("{\"$object\":\"A/1\",\"a\":\(form.json)}\n"))
    try withTemporaryDatabase { database in
      try read(text, into: database)
      #expect(try database.snapshot().value("A/1", "a") == form.value)
    }
  }

  @Test(arguments: [
    ("double", "1", Value.double(1)),
    ("double", "1E2", .double(100)),
    ("double", "-0.0", .double(-0.0)),
    ("double", #"{"$double":"-0.0"}"#, .double(-0.0)),
    ("float", "16777216", .float(16_777_216)),
    ("mixed", #"{"$int":7}"#, .int(7)),
    ("mixed", #"{"$string":"x"}"#, .string("x")),
    ("mixed", "1e0", .double(1)),
    ("string", #""\ud83d\udc15\/""#, .string("🐕/")),
  ])
  func `may be written in other ways`(_ type: String, _ json: String, _ value: Value) throws {
    try withTemporaryDatabase { database in
      let text = document(
        #"{"$class":"A"}"#,
        #"{"$property":"a","type":"\#(type)"}"#,
        #"{"$object":"A/1","a":\#(json)}"#
      )
      try read(text, into: database)
      #expect(try database.snapshot().value("A/1", "a") == value)
    }
  }
}
