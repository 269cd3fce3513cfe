import KennelTestSupport
import KennelValues
import Testing

struct ValueTextTests {
  @Test(arguments: ValueKind.allCases)
  func `what is written is read as the same value`(kind: ValueKind) throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let value = random.value(kind)
      if case .link(let identity) = value, identity.key.rawValue == 0 { continue }
      let type = PropertyType(kind)
      let text = ValueText.describe(value, as: type)
      #expect(try ValueText.parse(text, as: type) == value, "\(text)")
      let mixed = ValueText.describeMixed(value)
      #expect(try ValueText.parse(mixed, as: .mixed) == value, "\(mixed)")
    }
  }

  @Test(arguments: [
    ("1969-12-31T23:59:59.5Z", -1, 500_000_000), ("2024-05-01", 1_714_521_600, 0),
    ("2024-02-29T12:30:15Z", 1_709_209_815, 0), ("2024-05-01T02:00:00+02:00", 1_714_521_600, 0),
    ("2024-04-30T22:00:00-0200", 1_714_521_600, 0), ("0000-01-01", -62_167_219_200, 0),
    ("-0044-03-15", -63_549_360_000, 0), ("+12345-06-07T08:09:10Z", 327_416_976_550, 0),
    ("@5", 5, 0), ("@-9223372036854775808.000000001", Int64.min, 1),
    ("2024-05-01T00:00:00.1234567890Z", 1_714_521_600, 123_456_789),
    ("2024-05-01 00:00", 1_714_521_600, 0),
  ])
  func `dates are read`(text: String, seconds: Int64, nanoseconds: UInt32) throws {
    let expected = try #require(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    #expect(try ValueText.parse(text, as: .date) == .date(expected))
  }

  @Test func `dates are written`() {
    #expect(Timestamp(seconds: 0).description == "1970-01-01T00:00:00Z")
    #expect(
      Timestamp(seconds: -1, nanoseconds: 500_000_000)?.description == "1969-12-31T23:59:59.5Z"
    )
    #expect(Timestamp(seconds: -63_549_360_000).description == "-0044-03-15T00:00:00Z")
    #expect(Timestamp(seconds: 253_402_300_800).description == "+10000-01-01T00:00:00Z")
    #expect(
      Timestamp(seconds: .max, nanoseconds: 1)?.description == "@9223372036854775807.000000001"
    )
    #expect(Timestamp(seconds: .min).description == "@-9223372036854775808")
  }

  @Test func `days of eight centuries follow each other`() throws {
    var previous = Timestamp(seconds: -86_400 * 200_000).description
    for day in -199_999..<100_000 where day % 97 == 0 || day % 365 == 0 {
      let timestamp = Timestamp(seconds: Int64(day) * 86_400)
      let text = timestamp.description
      #expect(text > previous)
      #expect(Timestamp(text) == timestamp)
      previous = text
    }
  }

  @Test(arguments: [
    "2023-02-29", "2024-13-01", "2024-00-01", "2024-05-32", "2024-05-01T24:00:00Z", "2024-5-1",
    "2024-05-01T12:60:00Z", "2024-05-01T12:00:60Z", "2024-05-01T12:00:00.1234567891Z",
    "12345-01-01",
    "2024-05-01Z ", "2024-05-01T", "2024-05-01T12:00:00+25:00", "@", "@1.5", "+1234567-01-01", "",
  ])
  func `what is no date is refused`(text: String) {
    #expect(throws: ValueTextError.self) { try ValueText.parse(text, as: .date) }
  }

  @Test(arguments: [
    ("128", "int8"), ("-129", "int8"), ("32768", "int16"), ("2147483648", "int32"),
    ("9223372036854775808", "int"), ("1.0", "int"), ("1 ", "int"), ("", "int"), ("0x10", "int"),
    ("null", "int"), ("True", "bool"), ("1", "bool"), ("1e999", "double"), ("1e39", "float"),
    ("1e-400", "double"), ("9007199254740993", "double"), ("16777217", "float"),
    ("1.5.5", "double"),
    ("1.5x", "double"), (" 1", "double"), ("0x1p3", "double"), ("nan(0)", "double"),
    ("1_000", "double"),
    ("nan(0x0)", "double"), ("nan(0x10000000000000)", "double"), ("hex:0", "data"),
    ("hex:0g", "data"),
    ("0aff", "data"), ("base64:Cv8", "data"), ("base64:Cv9=", "data"), ("base64:====", "data"),
    ("123", "objectId"), ("123e4567e89b12d3a456426614174000", "uuid"), ("1.2.3", "decimal128"),
    ("abc", "mixed"), ("\"a", "mixed"), ("int(5", "mixed"), ("string(a)", "mixed"),
    ("0/0", "link<Dog>"),
    ("[1]", "list<int>"),
  ])
  func `what does not fit is refused with a reason`(text: String, type: String) throws {
    let type = try #require(PropertyType(type))
    let error = #expect(throws: ValueTextError.self) { try ValueText.parse(text, as: type) }
    #expect(error?.message.hasPrefix("Expected ") == true)
  }

  @Test(arguments: [
    ("127", "int8", Value.int(127)), ("+5", "int", .int(5)), ("null", "int?", .null),
    ("null", "string?", .string("null")), ("null", "mixed", .null), ("1e2", "double", .double(100)),
    ("0.1", "float", .float(0.1)), ("-inf", "double", .double(-.infinity)),
    ("nan", "float", .float(.nan)),
    ("hex:0AFf", "data", .data([10, 255])), ("base64:Cv8=", "data", .data([10, 255])),
    ("hex:", "data", .data([])),
    ("5", "mixed", .int(5)), ("5.0", "mixed", .double(5)), ("\"5\"", "mixed", .string("5")),
    ("float(5)", "mixed", .float(5)), ("\"\\u00e9\\n\"", "mixed", .string("\u{e9}\n")),
    ("16777216", "float", .float(16_777_216)),
    ("\"\u{301}x\"", "mixed", .string("\u{301}x")), ("\"\u{200D}\"", "mixed", .string("\u{200D}")),
  ])
  func `what fits is read`(text: String, type: String, expected: Value) throws {
    let type = try #require(PropertyType(type))
    #expect(try ValueText.parse(text, as: type) == expected)
  }

  @Test func `messages name the range`() {
    let error = #expect(throws: ValueTextError.self) {
      try ValueText.parse("300", as: .int(bitWidth: 8))
    }
    #expect(error?.message == "Expected a whole number from -128 to 127")
  }

  @Test func `collections are shown with their kinds`() {
    let list = Value.list([.int(1), .string("a\"b"), .null, .double(2)])
    #expect(ValueText.describe(list) == #"[1, "a\"b", null, 2.0]"#)
    #expect(ValueText.describe(.map([MapEntry("k", .bool(true))])) == #"{"k": true}"#)
  }
}
