// swift-format-ignore-file: NeverForceUnwrap
// A property that a table of questions names and the classes do not have should stop the test.

import KennelCore
import Testing

/// What queries find, against the same questions asked of plain values.
struct QueryTests {
  typealias Question = @Sendable (QueryTwin.Object) -> Bool

  private static func small(_ value: Double?, _ limit: Double) -> Bool {
    value.map { $0.isNaN || $0 < limit } ?? false
  }

  /// Predicates about people, and what they mean.
  static let questions: [(String, Question)] = [
    ("TRUEPREDICATE", { _ in true }), ("FALSEPREDICATE", { _ in false }),
    ("age == 5", { $0.int("age") == 5 }), ("age != 5", { $0.int("age") != 5 }),
    ("age < 5", { $0.int("age")! < 5 }), ("age <= 5", { $0.int("age")! <= 5 }),
    ("age > 5", { $0.int("age")! > 5 }), ("age >= 5", { $0.int("age")! >= 5 }),
    ("age > 4.5", { $0.int("age")! > 4 }), ("age == 4.5", { _ in false }),
    ("age < 1e30", { _ in true }), ("age > -inf", { _ in true }), ("age > nan", { _ in true }),
    ("age == 9223372036854775807", { $0.int("age") == .max }),
    ("age < 9223372036854775808", { _ in true }), ("age < decimal(5)", { $0.int("age")! < 5 }),
    ("5 < age", { $0.int("age")! > 5 }), ("NOT age > 5", { $0.int("age")! <= 5 }),
    ("age IN {5, 7.0, 8.5}", { [5, 7].contains($0.int("age")!) }), ("age IN {}", { _ in false }),
    (
      "age IN {99, 5, 98, 7, 97, 96, 95, 94, 93, 92}", { [5, 7].contains($0.int("age")!) }
    ),
    ("NOT age IN {99, 5, 98, 7, 97, 96, 95, 94, 93, 92}", { ![5, 7].contains($0.int("age")!) }),
    ("age BETWEEN {0, 7}", { (0...7).contains($0.int("age")!) }),
    ("age BETWEEN {7, 0}", { _ in false }), ("age == null", { _ in false }),
    ("height == null", { $0["height"] == .null }), ("height != null", { $0["height"] != .null }),
    ("height == 0", { $0.double("height") == 0 }), ("height == -0.0", { $0.double("height") == 0 }),
    ("height < 1.7", { small($0.double("height"), 1.7) }),
    ("NOT height < 1.7", { !small($0.double("height"), 1.7) }),
    ("height == nan", { $0.double("height")?.isNaN == true }),
    ("height != 1.75", { $0.double("height") != 1.75 }),
    ("height > 2", { $0.double("height").map { $0 > 2 } ?? false }),
    ("height IN {null, 2.5}", { $0["height"] == .null || $0.double("height") == 2.5 }),
    ("weight == 0.1", { $0["weight"] == .float(0.1) }),
    ("weight < 0", { $0["weight"] == .float(-1) }),
    ("isGood", { $0["isGood"] == .bool(true) }),
    ("isGood != true", { $0["isGood"] == .bool(false) }),
    ("isGood == 0 OR age == 5", { $0["isGood"] == .bool(false) || $0.int("age") == 5 }),
    (
      "born < T0:0",
      {
        if case .date(let date) = $0["born"] { date.seconds < 0 } else { false }
      }
    ),
    (
      "born >= date(1969-12-31T23:59:59.5Z)",
      {
        if case .date(let date) = $0["born"] {
          date >= Timestamp(seconds: -1, nanoseconds: 500_000_000)!
        } else {
          false
        }
      }
    ),
    (
      "born == null OR born IN {T1:0, T2:500000000}",
      {
        if case .date(let date) = $0["born"] {
          date == Timestamp(seconds: 1) || date == Timestamp(seconds: 2, nanoseconds: 500_000_000)
        } else {
          true
        }
      }
    ),
    (
      "born BETWEEN {T-1:0, T0:500000000}",
      {
        if case .date(let date) = $0["born"] {
          date.seconds == -1 || date.seconds == 0
        } else {
          false
        }
      }
    ),
    ("born != T0:0", { $0["born"] != .date(Timestamp(seconds: 0)) }),
    (
      "token > uuid(80000000-0000-0000-0000-000000000000)",
      {
        if case .uuid(let id) = $0["token"] { id.high != 0 && id.low > 0 } else { false }
      }
    ),
    (
      "token == '00000000-0000-0000-0000-000000000001'",
      {
        $0["token"] == .uuid(UUIDValue(high: 0, low: 1))
      }
    ),
    ("price > 1.5", { $0["price"].compare(.double(1.5))! > 0 }),
    ("price == decimal(2.00)", { $0["price"].compare(.int(2)) == 0 }),
    ("photo == data(ff)", { $0["photo"] == .data([255]) }),
    ("photo CONTAINS data(ffff)", { $0["photo"] == .data([255, 255]) }),
    ("photo == data()", { $0["photo"] == .data([]) }),
    ("anything == 3", { $0["anything"] == .int(3) || $0["anything"] == .double(3) }),
    ("anything == 'x'", { $0["anything"] == .string("x") }),
    ("anything != 'x'", { $0["anything"] != .string("x") }),
    ("anything == null", { $0["anything"] == .null }),
    ("anything < 3", { ["float", "decimal128"].contains($0["anything"].kindName) }),
    ("anything CONTAINS 'x'", { $0["anything"] == .string("x") }),
    ("anything", { $0["anything"] == .bool(true) }),
    // Text.
    ("name == 'Rex'", { $0.string("name")!.hasSameBytes(as: "Rex") }),
    ("name != 'Rex'", { !$0.string("name")!.hasSameBytes(as: "Rex") }),
    ("name ==[c] 'REX'", { $0.string("name")!.lowercased() == "rex" }),
    ("name == 'Élan'", { $0.string("name")!.hasSameBytes(as: "Élan") }),
    ("name ==[d] 'Elan'", { $0.string("name")! == "Élan" }),
    ("name ==[cd] 'elan'", { $0.string("name")!.lowercased() == "élan" }),
    (
      "name IN[c] {'REX', 'BELLO'}", { ["rex", "bello"].contains($0.string("name")!.lowercased()) }
    ),
    ("name BEGINSWITH 'Re'", { $0.string("name")!.utf8.starts(with: "Re".utf8) }),
    ("name ENDSWITH 'x'", { $0.string("name")!.utf8.last == UInt8(ascii: "x") }),
    ("name CONTAINS 'e'", { $0.string("name")!.utf8.contains(UInt8(ascii: "e")) }),
    ("name CONTAINS ''", { _ in true }),
    ("name CONTAINS[cd] 'osa'", { $0.string("name") == "Ōsaka" }),
    ("name LIKE 'R*'", { $0.string("name")!.hasPrefix("R") }),
    ("name LIKE '??'", { $0.string("name") == "日本" }),
    (#"name LIKE 'a\*?'"#, { $0.string("name") == "a*b" }),
    ("name == ''", { $0.string("name") == "" }),
    ("name < 'Rex'", { $0.string("name")!.hasBytes(before: "Rex") }),
    ("name >= 'Rex'", { !$0.string("name")!.hasBytes(before: "Rex") }),
    ("nick == null", { $0["nick"] == .null }), ("nick != 'Rex'", { $0["nick"] != .string("Rex") }),
    ("NOT nick BEGINSWITH 'R'", { !($0.string("nick")?.hasPrefix("R") ?? false) }),
    ("nick IN {null, 'Rex'}", { $0["nick"] == .null || $0["nick"] == .string("Rex") }),
    (
      "nick < name",
      {
        $0.string("nick").map { [name = $0.string("name")!] in $0.hasBytes(before: name) } ?? false
      }
    ),
    ("nick == name", { $0["nick"] == $0["name"] }),
    (
      "name BETWEEN {'B', 'S'}",
      {
        !$0.string("name")!.hasBytes(before: "B") && !"S".hasBytes(before: $0.string("name")!)
      }
    ),
    // Indexes.
    ("number == 3", { $0.int("number") == 3 }),
    ("number == 3.0 AND age > 0", { $0.int("number") == 3 && $0.int("age")! > 0 }),
    ("number IN {3, 4, 99}", { [3, 4].contains($0.int("number")!) }),
    ("number > 47", { $0.int("number")! > 47 }),
    ("number < 2 OR number == 7", { $0.int("number")! < 2 || $0.int("number") == 7 }),
    ("number BETWEEN {10, 11}", { (10...11).contains($0.int("number")!) }),
    ("code == 'c7'", { $0.string("code") == "c7" }),
    ("code BEGINSWITH 'c1'", { $0.string("code")?.hasPrefix("c1") ?? false }),
    ("code == null", { $0["code"] == .null }),
    ("code > 'c58'", { $0.string("code").map { $0 > "c58" } ?? false }),
  ]

  @Test(arguments: [0, 1])
  func `queries find what the same question finds in plain values`(round: Int) throws {
    try QueryWorld.with { database in
      try check(database, round == 0 ? Self.questions : LinkQuestions.all)
    }
  }

  @Test(arguments: ["AND", "OR"])
  func `ten thousand conditions in a row are no deeper than a few`(word: String) throws {
    try QueryWorld.with { database in
      try database.write { transaction in
        try transaction.define(QueryWorld.classes)
        try QueryWorld.populate(transaction)
      }
      let conditions = (0..<10_000).map { "age != \($0 + 1_000)" }
      let text = conditions.joined(separator: " \(word) ")
      try check(database.snapshot(), [(text, { @Sendable _ in true })], word)
    }
  }

  /// Asks in an unfinished transaction, in the snapshot after it, and again after changes.
  private func check(_ database: Database, _ questions: [(String, Question)]) throws {
    try database.write { transaction in
      try transaction.define(QueryWorld.classes)
      try QueryWorld.populate(transaction)
      try check(transaction, questions, "before the first commit")
    }
    try check(database.snapshot(), questions, "after the first commit")
    try database.write { transaction in
      try QueryWorld.change(transaction, { transaction }, seed: 7)
      try check(transaction, questions, "before the second commit")
    }
    try check(database.snapshot(), questions, "after the second commit")
    let draft = try database.makeDraft()
    try QueryWorld.change(draft, { draft.reader }, seed: 9)
    try check(draft.reader, questions, "in a draft")
    try check(draft.reader.copy(), questions, "beside a draft")
    try check(database.snapshot(), questions, "below a draft")
  }

  private func check(
    _ snapshot: DatabaseReader,
    _ questions: [(String, Question)],
    _ moment: String
  ) throws {
    let twin = try QueryTwin(snapshot)
    let person = try #require(snapshot.schema["Person"]?.key)
    let people = try #require(twin.objects["Person"])
    for (text, question) in questions {
      let predicate = try Predicate.parse(text, for: person, in: snapshot.schema)
      let found = try snapshot.objects(of: person, where: predicate).keys
      let expected = people.filter(question).map(\.key)
      #expect(found == expected, "\(text) \(moment)")
      #expect(try snapshot.count(of: person, where: predicate) == expected.count)
    }
  }
}

extension Value {
  var kindName: String {
    switch self {
    case .null: "null"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    default: kind.map { "\($0)" } ?? ""
    }
  }
}
