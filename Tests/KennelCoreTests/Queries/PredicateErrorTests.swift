import KennelCore
import Testing

/// What is said of a text that is no predicate, and of which column.
struct PredicateErrorTests {
  static let errors: [(String, String)] = [
    ("", "Column 1: The predicate is not complete; expected a property, a value or '{'"),
    ("age >", "Column 6: The predicate is not complete; expected a property, a value or '{'"),
    ("agee > 3", "Column 1: Person has no property 'agee'; did you mean 'age'?"),
    ("dog.bred == 'Pug'", "Column 5: Dog has no property 'bred'; did you mean 'breed'?"),
    ("isGood AND dog.Name == 'x'", "Column 16: Dog has no property 'Name'; did you mean 'name'?"),
    (
      "name == Rex",
      "Column 9: Person has no property 'Rex'; expected text in quotes: \"Rex\""
    ),
    (
      "name == naem",
      "Column 9: Person has no property 'naem'; expected text in quotes: \"naem\"; did you mean 'name'?"
    ),
    (
      "name == Rex Winter",
      "Column 13: 'Winter' is out of place; expected text in quotes, AND, OR or the end"
    ),
    ("born > 1990", "Column 8: 'born' is a date, 1990 is an int; expected a date: 1990-01-01"),
    ("born > 1990-05", "Column 8: '1990-05' is not a date; expected a day, too: 1990-05-01"),
    (
      "born > yesterday",
      "Column 8: Person has no property 'yesterday'; expected a date such as 2024-05-01 or date(2024-05-01T12:00:00Z)"
    ),
    ("age == '3'", "Column 8: 'age' is an int, '3' is a string; expected a number: 3"),
    ("name startswith 'R'", "Column 6: 'startswith' is out of place; did you mean 'BEGINSWITH'?"),
    ("name contain 'R'", "Column 6: 'contain' is out of place; did you mean 'CONTAINS'?"),
    ("name is null", "Column 6: 'is' is out of place; did you mean '=='?"),
    (
      "name ~ 'R'",
      "Column 6: '~' has no meaning here; expected CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES to compare text"
    ),
    ("age > 3 & age < 5", "Column 9: '&' has no meaning here; expected AND"),
    ("name == 'Rex", "Column 9: The text after ' is not closed; expected a closing '"),
    ("'é' == 'e\u{301}' AND agee", "Column 16: Person has no property 'agee'; did you mean 'age'?"),
    ("age > 3\r\nAND agee", "Column 13: Person has no property 'agee'; did you mean 'age'?"),
    ("age > 3\n AND agee", "Column 14: Person has no property 'agee'; did you mean 'age'?"),
    (
      "age",
      "Column 4: 'age' is an int, so the comparison is missing; expected a comparison such as ==, >, IN or CONTAINS"
    ),
    ("age 3", "Column 5: '3' is out of place; expected a comparison such as ==, >, IN or CONTAINS"),
    ("age > 3 name", "Column 9: 'name' is out of place; expected AND, OR or the end"),
    ("age > 'x'", "Column 7: 'age' is an int, 'x' is a string; expected a number"),
    ("name == 3", "Column 9: 'name' is a string, 3 is an int; expected text in quotes: \"3\""),
    ("isGood > true", "Column 8: 'isGood' is a bool, which has no order; expected == or !="),
    ("isGood == 2", "Column 11: 'isGood' is a bool, 2 is an int; expected true or false"),
    ("age + 1 > 3", "Column 5: Arithmetic ('+') is not part of the predicate language"),
    (
      "age CONTAINS '1'",
      "Column 1: CONTAINS compares text, and 'age' is an int; expected ==, <, IN or BETWEEN"
    ),
    ("name CONTAINS[x] 'a'", "Column 15: 'x' is out of place; expected c, d or cd"),
    ("(age > 3", "Column 9: The predicate is not complete; expected ')', AND or OR"),
    ("age > 3)", "Column 8: ')' is out of place; expected AND, OR or the end"),
    ("age BETWEEN {1}", "Column 13: BETWEEN needs two bounds; expected a list such as {1, 5}"),
    (
      "age == {1}",
      "Column 8: '==' compares with one value, not with a list; expected IN before the list"
    ),
    (
      "age IN 3",
      "Column 8: IN needs several values, and 3 is one; expected a list such as {1, 2} or a path over a collection"
    ),
    ("age IN {1, 'x'}", "Column 12: 'age' is an int, 'x' is a string; expected a number"),
    ("age IN {1, 2", "Column 13: The predicate is not complete; expected ',' or '}'"),
    (
      "ANY age > 3",
      "Column 5: ANY needs many values, and 'age' has one; expected a path over a collection or a backlink"
    ),
    ("name.first == 'x'", "Column 6: 'name' is a string, which has no properties"),
    (
      "anything.@links.Person.dogs.@count > 1",
      "Column 10: 'anything' is mixed, so the class of its objects is not known"
    ),
    (
      "dog == 'Rex'",
      "Column 8: 'dog' and 'Rex' do not link to the same class; expected an object of that class, as in object(Dog/42)"
    ),
    (
      "dog == object(Person/1)",
      "Column 8: 'dog' and object(#0/1) do not link to the same class; expected an object of that class, as in object(Dog/42)"
    ),
    ("dog == object(Cat/1)", "Column 8: There is no class 'Cat'"),
    (
      "age.@count > 1",
      "Column 1: @count needs many values, and 'age' has one; expected a path over a collection or a backlink"
    ),
    (
      "dogs.@sum > 1",
      "Column 1: @sum takes numbers, and each value of 'dogs' is a link; expected a property of the objects"
    ),
    (
      "dogs.@counts > 1",
      "Column 6: '@counts' is not known; expected @count, @min, @max, @sum, @avg, @links, @type, @allKeys or @allValues"
    ),
    ("@links.Clb.members.@count > 1", "Column 1: There is no class 'Clb'; did you mean 'Club'?"),
    ("@links.Club.name.@count > 1", "Column 1: 'name' of Club does not link to Person"),
    ("ANY @links > 1", "Column 12: '>' is out of place; expected '.'"),
    ("marks[0] > 1", "Column 6: [0] needs a list, and 'marks' is a map"),
    (
      "SUBQUERY(dog, $d, $d.age > 3).@count > 1",
      "Column 10: SUBQUERY needs a collection, and 'dog' is not one; expected a list, a set, a map or a backlink"
    ),
    (
      "SUBQUERY(dogs, $d, $d.bred == 'x').@count > 1",
      "Column 23: Dog has no property 'bred'; did you mean 'breed'?"
    ),
    ("SUBQUERY(dogs, $d, $d.age > 3) > 1", "Column 32: '>' is out of place; expected '.@count'"),
    ("age > $x", "Column 7: The variable '$x' has no value"),
    ("age > %@", "Column 7: No argument is left for '%@': 0 were given"),
    ("age > %x", "Column 7: '%x' is not a placeholder; expected %@, %K, %d or %f"),
    (
      "in == 'x'",
      "Column 1: 'in' is out of place; expected a property or a value; a property of this name is written #in"
    ),
    ("age > 5x", "Column 7: '5x' is not a number"),
    ("age ? 3", "Column 5: '?' has no meaning here; expected a comparison"),
    ("name == '\\uZZ'", "Column 10: '\\u' names no character; expected \\u00e9 or \\u{1f436}"),
    ("ALL dogs.age IN scores", "Column 14: ALL with many values on both sides has no meaning"),
  ]

  @Test(arguments: errors)
  func `an error says what is wrong and where`(text: String, message: String) {
    let error = #expect(throws: PredicateError.self) { try PredicateSchema.parse(text) }
    #expect(error?.description == message)
  }

  @Test func `arguments that are left over are an error`() {
    let error = #expect(throws: PredicateError.self) {
      try PredicateSchema.parse("age > %@", [.int(1), .int(2)])
    }
    #expect(error?.description == "Column 9: 2 arguments were given, 1 are used")
  }

  @Test(arguments: ["(", "NOT ", "{", "SUBQUERY(dogs, $d, "])
  func `endless nesting is refused without a crash`(part: String) {
    let error = #expect(throws: PredicateError.self) {
      try PredicateSchema.parse(String(repeating: part, count: 5000))
    }
    #expect(error?.message.contains("nested too deeply") == true)
  }

  @Test(arguments: [
    (
      "dogs",
      "Column 1: 'dogs' has many values and cannot be sorted by; expected one value, or 'dogs.@count'"
    ),
    (
      "dog",
      "Column 1: 'dog' leads to objects, which have no order; expected a property of the objects"
    ),
    ("age, nam", "Column 6: Person has no property 'nam'; did you mean 'name'?"),
    ("age UP", "Column 5: 'UP' is out of place; expected ASC, DESC, ',' or the end"),
  ])
  func `a sort order that cannot be says why`(text: String, message: String) {
    let error = #expect(throws: PredicateError.self) {
      try SortKey.parse(text, for: PredicateSchema.person, in: PredicateSchema.schema)
    }
    #expect(error?.description == message)
  }

  /// What predicates are made of, and what is not.
  static let pieces = [
    "age", "name", "dogs", "dog", "tags", "marks", "anything", "born", ".", ",", "(", ")", "{", "}",
    "[", "]", "==", "!=", "<", "=>", "&&", "||", "!", "NOT", "AND", "OR", "IN", "BETWEEN",
    "CONTAINS",
    "LIKE", "[c]", "ANY", "ALL", "NONE", "@count", "@avg", "@links", "@allKeys", "SUBQUERY(", "$x",
    "$0", "%@", "%K", "SELF", "null", "true", "'x'", "\"", "'", "`", "#in", "#", "5", "-5", "1.5",
    "0x",
    "1.5e-9223372036854775808", "1e99999", "99999999999999999999", "-0.0", "nan", "-inf", "T1:5",
    "T1:-5", "2024-05-01", "2024-13-99", "date(", "uuid(1)", "object(Dog/1)", "object(/)",
    "data(0)",
    "\\", "\u{301}", "é", "🐶", "\r\n", "Club", "members", "['a']", "[0]", "[-9223372036854775808]",
  ]

  @Test func `no text stops the program, and what is read renders as itself`() throws {
    var state: UInt64 = 5
    func next(_ end: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(end))
    }
    var read = 0
    for _ in 0..<4000 {
      let parts = (0..<(1 + next(9))).map { _ in Self.pieces[next(Self.pieces.count)] }
      let text = parts.joined(separator: next(3) == 0 ? "" : " ")
      do throws(PredicateError) {
        let predicate = try PredicateSchema.parse(text, [.int(3), .string("age")])
        read += 1
        let again = try PredicateSchema.parse("\(predicate)")
        #expect(again == predicate, "\(text)")
      } catch {
        #expect((1...text.count + 1).contains(error.column), "\(text): \(error)")
      }
    }
    // Exactly two arguments have to be used, so that most of what can be read has both.
    for _ in 0..<4000 {
      let parts = [
        ["age", "dog.age", "ANY dogs.age", "dogs.@count", "name", "tags", "SELF", "@links.@count"],
        ["==", "!=", "<", "IN", "CONTAINS", "BETWEEN", "NOT IN", "LIKE[c]", "=="],
        ["5", "1.5", "'x'", "null", "{1, 2}", "{}", "{'a', 'b'}", "dogs.age", "name", "true"],
      ].map { $0[next($0.count)] }
      let text = parts.joined(separator: " ")
      guard let predicate = try? PredicateSchema.parse(text) else { continue }
      read += 1
      #expect(try PredicateSchema.parse("\(predicate)") == predicate, "\(text)")
    }
    #expect(read > 500)
  }
}
