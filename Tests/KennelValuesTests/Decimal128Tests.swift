import KennelTestSupport
import KennelValues
import Testing

struct Decimal128Tests {
  @Test(arguments: [
    ("0", "0"), ("-0", "-0"), ("1.50", "1.50"), ("-1E+5", "-1E+5"), ("1e5", "1E+5"),
    ("0.000001", "0.000001"), ("0.0000001", "1E-7"), ("123.456e-2", "1.23456"),
    ("+7", "7"), (".5", "0.5"), ("5.", "5"), ("inf", "Infinity"), ("-Infinity", "-Infinity"),
    ("NaN", "NaN"), ("-nan12", "-NaN12"), ("sNaN5", "sNaN5"), ("0E+10", "0E+10"),
    ("9999999999999999999999999999999999", "9999999999999999999999999999999999"),
    ("99999999999999999999999999999999990", "9.999999999999999999999999999999999E+34"),
    ("1E+6144", "1.000000000000000000000000000000000E+6144"), ("1E-6176", "1E-6176"),
    ("10E-6177", "1E-6176"), ("0E-9999", "0E-6176"),
  ])
  func `decimals are read and written as the standard says`(text: String, expected: String) {
    #expect(Decimal128(text)?.description == expected)
  }

  @Test(arguments: [
    "", "-", ".", "e5", "1e", "1e+", "1.2.3", " 1", "1 ", "1_0",
    "12345678901234567890123456789012345",
    "1E+6145", "1E-6177", "0x1", "nan(1)", "--1", "1E99999999999999999999",
  ])
  func `what is no exact decimal is refused`(text: String) {
    #expect(Decimal128(text) == nil)
  }

  @Test func `known bits`() {
    #expect(Decimal128("1")?.high == 0x3040_0000_0000_0000)
    #expect(Decimal128("1")?.low == 1)
    #expect(Decimal128("-1.5")?.high == 0xB03E_0000_0000_0000)
    #expect(Decimal128("-1.5")?.low == 15)
    #expect(Decimal128("Infinity")?.high == 0x7800_0000_0000_0000)
    #expect(Decimal128("NaN")?.high == 0x7C00_0000_0000_0000)
    #expect(Decimal128(-7) == Decimal128("-7"))
  }

  @Test func `ascending decimals compare so, and with ints and doubles`() throws {
    let texts = [
      "NaN", "-Infinity", "-9E+6144", "-1E+400", "-12.5", "-12", "-1E-400", "0", "1E-6176",
      "1E-400",
      "0.1", "0.10000000000000000555", "0.5", "1", "9007199254740993", "1E+16",
      "9223372036854775807",
      "9223372036854775808", "1.7976931348623157E+308", "1E+6144", "Infinity",
    ]
    let decimals = try texts.map { try #require(Decimal128($0)) }
    for (position, left) in decimals.enumerated() {
      for (other, right) in decimals.enumerated() {
        let expected = position < other ? -1 : position > other ? 1 : 0
        #expect(left.compare(right) == expected, "\(left) \(right)")
      }
    }
    #expect(Decimal128("0.1")?.compare(0.1) == -1)
    #expect(Decimal128("0.1000000000000000055511151231257828")?.compare(0.1) == 1)
    #expect(Decimal128("0.5")?.compare(0.5) == 0)
    #expect(Decimal128("5E-324")?.compare(Double.leastNonzeroMagnitude) == 1)
    #expect(Decimal128("4.9E-324")?.compare(Double.leastNonzeroMagnitude) == -1)
    #expect(Decimal128("9007199254740993")?.compare(9007199254740992.0) == 1)
    #expect(Decimal128("1E+400")?.compare(Double.infinity) == -1)
    #expect(Decimal128("-0")?.compare(0.0) == 0)
    #expect(Decimal128("-2")?.compare(-1.5) == -1)
    #expect(Decimal128("NaN")?.compare(Double.nan) == 0)
    #expect(Decimal128("1.00")?.compare(Int64(1)) == 0)
    #expect(Decimal128("9223372036854775808")?.compare(Int64.max) == 1)
  }

  @Test func `random decimals come back from their text`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let digits = String(
        (0..<(1 + random.below(34))).map { _ in Character("\(random.below(10))") }
      )
      let text = "\(digits)E\(random.below(12_000) - 6100)"
      guard let decimal = Decimal128(text) else { continue }
      #expect(Decimal128(decimal.description) == decimal, "\(text)")
    }
  }
}
