import KennelStorage
import KennelTestSupport
import Testing

struct ValueComparisonTests {
  /// Each group comes before the next; its members are the same member of a set.
  private static let ascending: [[Value]] = [
    [.null], [.bool(false)], [.bool(true)],
    [.double(.nan), .float(-.nan), .double(Double(bitPattern: 0xFFF0_0000_0000_0001))],
    [.double(-.infinity), .float(-.infinity)], [.double(-1e300)], [.int(.min), .double(-0x1p63)],
    [.int(-1)], [.double(-0.5)], [.double(-.leastNonzeroMagnitude)],
    [.int(0), .double(0), .double(-0.0), .float(-0.0), .decimal128(Decimal128(0))],
    [decimal("0.1")], [.double(0.1)], [.float(0.1)],
    [.int(1), .double(1), decimal("1.00")],
    [.double(9_007_199_254_740_992), .int(9_007_199_254_740_992)],
    [.int(9_007_199_254_740_993), decimal("9007199254740993")], [decimal("9007199254740993.5")],
    [.int(.max)], [.double(0x1p63), decimal("9223372036854775808")], [decimal("1E+400")],
    [.double(.infinity)], [.string("")], [.string("a")], [.string("a\0")], [.string("ab")],
    [.string("e\u{301}")], [.string("z")], [.string("é")], [.data([])], [.data([0])],
    [.data([255])],
    [.date(Timestamp(seconds: -1))], [.date(Timestamp(seconds: 0))],
    [.objectId(ObjectId(high: 1, low: 2))], [.objectId(ObjectId(high: 2, low: 1))],
    [.uuid(UUIDValue(high: 1, low: 2))], [.uuid(UUIDValue(high: 2, low: 1))], [link(1, 9)],
    [link(2, 1)],
    [.list([])], [.list([.int(1)])], [.list([.int(1), .null])], [.set([.int(0)])],
    [.map([MapEntry("a", .int(2))])], [.map([MapEntry("b", .int(1))])],
  ]

  private static func decimal(_ text: String) -> Value {
    Decimal128(text).map(Value.decimal128) ?? .null
  }

  private static func link(_ classKey: UInt16, _ key: UInt64) -> Value {
    .link(ObjectIdentity(ClassKey(rawValue: classKey), ObjectKey(rawValue: key)))
  }

  @Test func `all values have one order`() {
    let values = Self.ascending.enumerated().flatMap { group in
      group.element.map { (group.offset, $0) }
    }
    for (group, left) in values {
      for (other, right) in values {
        #expect(left.isOrdered(before: right) == (group < other), "\(left) \(right)")
        #expect(left.isEquivalent(to: right) == (group == other), "\(left) \(right)")
      }
    }
  }

  @Test func `queries compare what can be compared`() {
    #expect(Value.null.compare(.null) == 0)
    #expect(Value.null.compare(.int(0)) == nil)
    #expect(Value.int(0).compare(.null) == nil)
    #expect(Value.int(2).compare(.double(1.5)).map { $0 > 0 } == true)
    #expect(Value.int(2).compare(.string("2")) == nil)
    #expect(Value.string("b").compare(.string("a")).map { $0 > 0 } == true)
    #expect(Value.double(-0.0).compare(.float(0)) == 0)
    #expect(Value.double(.nan).compare(.double(.nan)) == 0)
    #expect(Value.list([.int(1)]).compare(.list([.int(1)])) == 0)
    #expect(Value.list([.int(1)]).compare(.list([.int(2)])) == nil)
  }

  @Test func `index keys sort as the values do`() throws {
    var random = SeededGenerator(seed: 5)
    let scalars = Self.ascending.flatMap(\.self).filter { $0.order(.list([])) < 0 }
    let long = (0..<30).map { _ in
      Value.string(
        String(repeating: "a", count: 380) + random.text()
      )
    }
    let kinds = ValueKind.allCases.filter { $0 != .mixed }
    let values =
      scalars + long + (0..<400).map { _ in random.value(kinds[random.below(kinds.count)]) }
    let classKey = ClassKey(rawValue: 258)
    let property = PropertyKey(rawValue: 7)
    for left in values {
      let leftKey = IndexKey.prefix(classKey, property, left)
      #expect(IndexKey.entry(classKey, property, left, ObjectKey(rawValue: 1)).bytes.count <= 511)
      for right in values {
        let rightKey = IndexKey.prefix(classKey, property, right)
        let order = left.order(right)
        if order < 0 {
          #expect(
            !rightKey.bytes.lexicographicallyPrecedes(leftKey.bytes),
            "\(left) \(right)"
          )
          let isKept = leftKey.bytes != rightKey.bytes || !leftKey.isExact || !rightKey.isExact
          #expect(isKept, "\(left) \(right)")
        } else if order == 0 {
          #expect(leftKey.bytes == rightKey.bytes, "\(left) \(right)")
        }
      }
    }
  }

  @Test func `long strings with the same beginning differ in their index keys`() {
    let beginning = String(repeating: "x", count: 500)
    let keys = ["", "a", "b", "aa"].map {
      IndexKey.prefix(ClassKey(rawValue: 1), PropertyKey(rawValue: 1), .string(beginning + $0))
    }
    #expect(Set(keys).count == 4)
    #expect(keys.allSatisfy { !$0.isExact })
  }

  @Test func `an index entry lies in its property's range and names its object`() {
    let classKey = ClassKey(rawValue: 0xFF)
    let property = PropertyKey(rawValue: 0xFFF)
    let range = IndexKey.range(classKey, property)
    let entry = IndexKey.entry(
      classKey,
      property,
      .string("Ada"),
      ObjectKey(rawValue: 0x1234_5678_9ABC)
    )
    #expect(!entry.bytes.lexicographicallyPrecedes(range.lower))
    #expect(entry.bytes.lexicographicallyPrecedes(range.upper))
    let found = entry.bytes.withRawBytes { IndexKey.objectKey(of: $0) }
    #expect(found == ObjectKey(rawValue: 0x1234_5678_9ABC))
    #expect(IndexKey.upperBound(of: [1, 255, 255]) == [2])
    let other = IndexKey.entry(
      classKey,
      PropertyKey(rawValue: 0x1000),
      .null,
      ObjectKey(rawValue: 1)
    )
    #expect(!other.bytes.lexicographicallyPrecedes(range.upper))
  }
}
