import KennelValues
import Testing

@Suite struct `Decimal numbers calculate` {
  private func number(_ text: String) throws -> Decimal128 { try #require(Decimal128(text)) }

  @Test(arguments: [
    ("0.1", "0.2", "0.3"), ("1", "-1", "0"),
    ("1E+40", "1", "1.000000000000000000000000000000000E+40"),
    ("9999999999999999999999999999999999", "1", "1.000000000000000000000000000000000E+34"),
    ("9999999999999999999999999999999999", "0.5", "1.000000000000000000000000000000000E+34"),
    ("9999999999999999999999999999999998", "0.5", "9999999999999999999999999999999998"),
    ("1000000000000000000000000000000000", "-1E-40", "1000000000000000000000000000000000"),
    ("0", "1E+6111", "1.000000000000000000000000000000000E+6111"),
    ("9.999999999999999999999999999999999E+6144", "1E+6144", "Infinity"),
    ("1.50", "2", "3.50"), ("Infinity", "-1", "Infinity"), ("Infinity", "-Infinity", "NaN"),
    ("NaN", "1", "NaN"), ("-3", "1.25", "-1.75"), ("1", "-3", "-2"),
  ])
  func `by adding`(left: String, right: String, sum: String) throws {
    let (left, right, sum) = (try number(left), try number(right), try number(sum))
    #expect(left.adding(right).compare(sum) == 0, "\(left.adding(right))")
    #expect(right.adding(left).compare(sum) == 0)
    #expect(left.negated.adding(right.negated).compare(sum.isNaN ? sum : sum.negated) == 0)
  }

  @Test(arguments: [
    ("1.5", "2", "3.0"), ("-0.1", "0.1", "-0.01"), ("0", "Infinity", "NaN"),
    ("-2", "Infinity", "-Infinity"),
    (
      "9999999999999999999999999999999999", "9999999999999999999999999999999999",
      "9.999999999999999999999999999999998E+67"
    ),
    ("1E+6000", "1E+6000", "Infinity"), ("1E-6000", "1E-6000", "0"),
  ])
  func `by multiplying`(left: String, right: String, product: String) throws {
    let made = try number(left).multiplied(by: number(right))
    #expect(made.compare(try number(product)) == 0, "\(made)")
    #expect(try number(right).multiplied(by: number(left)) == made)
  }

  @Test(arguments: [
    ("6", "2", "3"), ("1", "3", "0.3333333333333333333333333333333333"),
    ("2", "3", "0.6666666666666666666666666666666667"), ("1", "0", "Infinity"),
    ("-1", "0", "-Infinity"), ("0", "0", "NaN"), ("1", "Infinity", "0"), ("1", "8", "0.125"),
    ("1E-6176", "2", "0"), ("3E-6176", "2", "2E-6176"),
  ])
  func `by dividing`(left: String, right: String, quotient: String) throws {
    let made = try number(left).divided(by: number(right))
    #expect(made.compare(try number(quotient)) == 0, "\(made)")
  }

  @Test func `as whole numbers do`() throws {
    var state: UInt64 = 3
    for _ in 0..<2_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let left = Int64(truncatingIfNeeded: state >> 3) % 1_000_003
      let right = Int64(truncatingIfNeeded: state >> 33) % 70_001
      let (a, b) = (Decimal128(left), Decimal128(right))
      #expect(a.adding(b).compare(left + right) == 0)
      #expect(a.multiplied(by: b).compare(left * right) == 0)
      if right != 0 {
        #expect(a.multiplied(by: b).divided(by: b).compare(a) == 0)
      }
    }
  }
}
