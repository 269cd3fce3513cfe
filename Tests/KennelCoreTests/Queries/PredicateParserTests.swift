import KennelCore
import Testing

/// What the predicate language says, as tables: a text, and the same predicate as it is rendered.
struct PredicateParserTests {
  /// Each text with its rendering.
  static let texts: [(String, String)] = [
    // Comparisons and their other spellings.
    ("age = 3", "age == 3"), ("age == 3", "age == 3"), ("age<>3", "age != 3"),
    ("age != -3", "age != -3"), ("age =< 3", "age <= 3"), ("age => 3", "age >= 3"),
    ("age < 0x1F", "age < 31"), ("age > +7", "age > 7"), ("3 < age", "3 < age"),
    ("age > dog.age", "age > dog.age"), ("height > 1.5e2", "height > 150.0"),
    ("height == -0.0", "height == -0.0"), ("height == NaN", "height == nan"),
    ("height < -inf", "height < -inf"), ("weight == 0.1", "weight == 0.1"),
    ("height > .5", "height > 0.5"), ("price == 1.10", "price == 1.1"),
    // Truth.
    ("isGood", "isGood == true"), ("!isGood", "NOT (isGood == true)"),
    ("isGood == YES", "isGood == true"), ("isGood = no", "isGood == false"),
    ("isGood == 1", "isGood == 1"), ("TRUEPREDICATE", "TRUEPREDICATE"),
    ("falsepredicate", "FALSEPREDICATE"),
    // Null.
    ("dog == nil", "dog == null"), ("height != NULL", "height != null"),
    // AND, OR, NOT and what binds tighter.
    ("age > 1 && age < 5 || isGood", "age > 1 AND age < 5 OR isGood == true"),
    ("age > 1 and (age < 5 or isGood)", "age > 1 AND (age < 5 OR isGood == true)"),
    ("NOT age > 1 AND isGood", "NOT (age > 1) AND isGood == true"),
    ("NOT (age > 1 AND isGood)", "NOT (age > 1 AND isGood == true)"),
    ("((age > 1))", "age > 1"), ("(age) > 1", "age > 1"),
    ("(age == 1 AND age == 2) AND isGood", "(age == 1 AND age == 2) AND isGood == true"),
    ("NOT NOT isGood", "NOT (NOT (isGood == true))"),
    // Strings.
    ("name == 'Rex'", "name == 'Rex'"), (#"name == "Re\"x""#, #"name == 'Re"x'"#),
    (#"name == 'it\'s \n\t\\ \u00e9 \u{1f436}'"#, "name == 'it\\'s \\n\\t\\\\ é 🐶'"),
    ("name ==[c] 'rex'", "name ==[c] 'rex'"), ("name CONTAINS[dc] 'é'", "name CONTAINS[cd] 'é'"),
    ("name beginswith [c] 'a'", "name BEGINSWITH[c] 'a'"), ("name ENDSWITH ''", "name ENDSWITH ''"),
    ("name LIKE '*a?b*'", "name LIKE '*a?b*'"), ("name < 'b'", "name < 'b'"),
    ("'x' IN tags", "'x' IN tags"), ("photo CONTAINS data(ff)", "photo CONTAINS data(hex:ff)"),
    // Lists.
    ("age IN {1, 2,3}", "age IN {1, 2, 3}"), ("age IN {}", "age IN {}"),
    ("age NOT IN {1}", "NOT (age IN {1})"), ("age BETWEEN {1, 5}", "age BETWEEN {1, 5}"),
    ("name IN[c] {'a', 'b'}", "name IN[c] {'a', 'b'}"),
    ("age IN {dog.age, 3}", "age IN {dog.age, 3}"),
    // Paths, quantifiers and aggregates.
    ("dog.breed == 'Pug'", "dog.breed == 'Pug'"), ("spouse.dog.age > 3", "spouse.dog.age > 3"),
    ("ANY dogs.age > 3", "ANY dogs.age > 3"), ("some dogs.age > 3", "ANY dogs.age > 3"),
    ("ALL dogs.name != 'x'", "ALL dogs.name != 'x'"), ("NONE tags == 'x'", "NONE tags == 'x'"),
    ("3 < ANY dogs.age", "ANY dogs.age > 3"), ("dogs.name == 'x'", "dogs.name == 'x'"),
    ("clubs.name == 'A'", "clubs.name == 'A'"),
    ("ANY clubs.members.age > 3", "ANY clubs.members.age > 3"),
    ("dogs.@count > 2", "dogs.@count > 2"), ("dogs.@size > 2", "dogs.@count > 2"),
    ("dogs.@avg.age > 2", "dogs.age.@avg > 2"), ("dogs.age.@avg > 2", "dogs.age.@avg > 2"),
    ("scores.@max == scores.@min", "scores.@max == scores.@min"),
    ("scores.@sum > 0", "scores.@sum > 0"),
    ("ANY dogs.days > 2024-05-01", "ANY dogs.days > date(2024-05-01T00:00:00Z)"),
    ("@links.@count == 0", "@links.@count == 0"),
    ("@links.Club.members.@count > 1", "@links.Club.members.@count > 1"),
    ("ANY @links.Club.members.name == 'A'", "ANY @links.Club.members.name == 'A'"),
    ("dog.@links.Person.dogs.@count > 1", "dog.@links.Person.dogs.@count > 1"),
    ("marks['a'] > 3", "marks['a'] > 3"),
    ("ANY marks.@allKeys == 'a'", "ANY marks.@allKeys == 'a'"),
    ("ANY marks.@allValues > 3", "ANY marks.@allValues > 3"),
    ("marks.@count == 0", "marks.@count == 0"),
    ("friends['a'].name == 'Bo'", "friends['a'].name == 'Bo'"),
    ("tags[0] == 'x'", "tags[0] == 'x'"), ("tags[LAST] == 'x'", "tags[-1] == 'x'"),
    ("tags[FIRST] == 'x'", "tags[0] == 'x'"), ("dogs[1].age > 3", "dogs[1].age > 3"),
    (
      "SUBQUERY(dogs, $d, $d.age > 3 AND $d.name == name).@count > 1",
      "SUBQUERY(dogs, $d, $d.age > 3 AND $d.name == name).@count > 1"
    ),
    ("SUBQUERY(tags, $t, $t == 'x').@size == 0", "SUBQUERY(tags, $t, $t == 'x').@count == 0"),
    ("SELF == object(Person/3)", "SELF == object(#0/3)"),
    ("dog IN {object(Dog/1)}", "dog IN {object(#1/1)}"),
    ("object(Dog/1) IN dogs", "object(#1/1) IN dogs"), ("self.age == 3", "age == 3"),
    // Names that need care.
    ("#in == 'x'", "#in == 'x'"), ("`first name` == 'x'", "`first name` == 'x'"),
    // Other values.
    (
      "id == uuid(123E4567-e89b-12d3-a456-426614174000)",
      "id == uuid(123e4567-e89b-12d3-a456-426614174000)"
    ),
    (
      "id == '123e4567-e89b-12d3-a456-426614174000'", "id == '123e4567-e89b-12d3-a456-426614174000'"
    ),
    ("mark == oid('507f1f77bcf86cd799439011')", "mark == oid(507f1f77bcf86cd799439011)"),
    ("born > 2024-05-01", "born > date(2024-05-01T00:00:00Z)"),
    ("born == date(1969-12-31T23:59:59.5Z)", "born == date(1969-12-31T23:59:59.5Z)"),
    ("born == '2024-05-01'", "born == '2024-05-01'"),
    ("born == T-1:-500000000", "born == date(1969-12-31T23:59:58.5Z)"),
    ("born == 2024-05-01@17:30:15:5", "born == date(2024-05-01T17:30:15.000000005Z)"),
    ("price == 12345678901234567890.12", "price == decimal(12345678901234567890.12)"),
    ("price < 99999999999999999999", "price < decimal(99999999999999999999)"),
    ("photo == data(0aff)", "photo == data(hex:0aff)"),
    ("anything == float(1.5)", "anything == float(1.5)"),
    ("anything == 'x' OR anything == 3", "anything == 'x' OR anything == 3"),
  ]

  @Test(arguments: texts)
  func `a text is read as its rendering says`(text: String, rendering: String) throws {
    let predicate = try PredicateSchema.parse(text)
    #expect("\(predicate)" == rendering)
  }

  @Test(arguments: texts.map(\.1))
  func `what is rendered reads back as the same tree`(rendering: String) throws {
    let predicate = try PredicateSchema.parse(rendering)
    #expect(try PredicateSchema.parse("\(predicate)") == predicate)
    #expect("\(predicate)" == rendering)
  }

  @Test(arguments: [
    ("!", "age > 1", ""), ("NOT (", "age > 1", ")"), ("!", "age NOT IN {1}", ""),
    ("!(age > 1 OR ", "SUBQUERY(dogs, $d, !($d.name NOT IN {'Rex'})).@count NOT IN {1}", ")"),
    ("!", "age IN $ages", ""),
  ])
  func `the deepest text that is read has a rendering that is read`(
    start: String,
    innermost: String,
    end: String
  ) throws {
    let deepest = try #require(
      (1...100).reversed().lazy.compactMap { depth in
        try? PredicateSchema.parse(
          String(repeating: start, count: depth) + innermost + String(repeating: end, count: depth),
          [],
          ["ages": .list([.int(1)])]
        )
      }.first
    )
    #expect(try PredicateSchema.parse("\(deepest)") == deepest)
  }

  @Test func `arguments take the places of the placeholders`() throws {
    let predicate = try PredicateSchema.parse(
      "%K > %d AND name == %@ AND age IN %@ AND %K.%K == $who",
      [
        .string("age"), .int(3), .string("it's"), .list([.int(1), .int(2)]), .string("dog"),
        .string("name"),
      ],
      ["who": .string("Rex")]
    )
    #expect("\(predicate)".hasPrefix("age > 3 AND name == 'it\\'s' AND age IN {1, 2}"))
  }

  @Test func `a subquery's variable hides one of the same name`() throws {
    let text = "SUBQUERY(dogs, $x, $x.age > 3).@count == $x"
    let predicate = try PredicateSchema.parse(text, [], ["x": .int(2)])
    #expect("\(predicate)" == "SUBQUERY(dogs, $x, $x.age > 3).@count == 2")
  }

  @Test func `a tree made by hand renders as text that reads back`() throws {
    let tree = Predicate.or([
      .and([
        .comparison(.init(.path(.init("dog.age")), .greater, .literal(.int(3)))),
        .not(.constant(false)),
      ]),
      .comparison(
        .init(
          .path(.init([.property("tags")])),
          .like,
          .literal(.string("*\u{1b}'\u{301}*")),
          options: [.caseInsensitive],
          quantifier: .all
        )
      ),
    ])
    #expect(try PredicateSchema.parse("\(tree)") == tree)
  }

  @Test func `sort keys are read and rendered`() throws {
    let keys = try SortKey.parse(
      "age DESC, dog.name asc, dogs.@count descending, `first name`",
      for: PredicateSchema.person,
      in: PredicateSchema.schema
    )
    #expect(
      keys.map(\.description) == ["age DESC", "dog.name", "dogs.@count DESC", "`first name`"]
    )
  }
}
