// swift-format-ignore-file: NeverForceUnwrap
// A property that a table of questions names and the classes do not have should stop the test.

import KennelCore

/// Predicates about people that follow links, and what they mean.
enum LinkQuestions {
  static let all: [(String, QueryTests.Question)] = [
    // To-one.
    ("dog == null", { $0.link("dog") == nil }), ("dog != null", { $0.link("dog") != nil }),
    ("dog == object(Dog/3)", { $0.link("dog")?.key.rawValue == 3 }),
    ("dog != object(Dog/3)", { $0.link("dog")?.key.rawValue != 3 }),
    ("dog IN {object(Dog/3), null}", { ($0.link("dog")?.key.rawValue ?? 3) == 3 }),
    ("dog.age > 7", { ($0.link("dog")?.int("age") ?? 0) > 7 }),
    ("NOT dog.age > 7", { ($0.link("dog")?.int("age") ?? 0) <= 7 }),
    ("dog.age == null", { $0.link("dog")?.int("age") == nil }),
    ("dog.age != 7", { $0.link("dog")?.int("age") != 7 }),
    ("dog.breed == 'Pug'", { $0.link("dog")?.string("breed") == "Pug" }),
    (
      "dog.name CONTAINS '8' AND dog.breed != null",
      {
        $0.link("dog").map { $0.string("name")!.contains("8") && $0["breed"] != .null } ?? false
      }
    ),
    ("spouse.dog.age < 3", { $0.link("spouse")?.link("dog")?.int("age").map { $0 < 3 } ?? false }),
    (
      "spouse.spouse.name == name",
      {
        ($0.link("spouse")?.link("spouse")?["name"] ?? .null) == $0["name"]
      }
    ),
    (
      "age > spouse.age",
      {
        let age = $0.int("age")!
        return $0.link("spouse").map { age > $0.int("age")! } ?? false
      }
    ),
    ("spouse == SELF", { $0.link("spouse")?.key == $0.key }),
    ("SELF == object(Person/5)", { $0.key.rawValue == 5 }),
    ("dog IN dogs", { $0["dog"] != .null && $0.elements("dogs").contains($0["dog"]) }),
    // To-many.
    ("ANY dogs.age > 12", { $0.links("dogs").contains { ($0.int("age") ?? 0) > 12 } }),
    ("dogs.age > 12", { $0.links("dogs").contains { ($0.int("age") ?? 0) > 12 } }),
    ("12 < ANY dogs.age", { $0.links("dogs").contains { ($0.int("age") ?? 0) > 12 } }),
    ("ALL dogs.age > 5", { $0.links("dogs").allSatisfy { ($0.int("age") ?? 0) > 5 } }),
    ("NONE dogs.breed == 'Pug'", { !$0.links("dogs").contains { $0.string("breed") == "Pug" } }),
    ("ANY dogs.breed == null", { $0.links("dogs").contains { $0["breed"] == .null } }),
    ("ANY dogs == object(Dog/3)", { $0.links("dogs").contains { $0.key.rawValue == 3 } }),
    ("object(Dog/3) IN dogs", { $0.links("dogs").contains { $0.key.rawValue == 3 } }),
    ("dogs CONTAINS object(Dog/3)", { $0.links("dogs").contains { $0.key.rawValue == 3 } }),
    (
      "ANY dogs.age == age",
      {
        let age = $0.int("age")
        return $0.links("dogs").contains { $0.int("age") == age }
      }
    ),
    (
      "ANY spouse.dogs.age > 12",
      {
        $0.link("spouse")?.links("dogs").contains { ($0.int("age") ?? 0) > 12 } ?? false
      }
    ),
    (
      "ALL spouse.dogs.age > 5",
      {
        $0.link("spouse")?.links("dogs").allSatisfy { ($0.int("age") ?? 0) > 5 } ?? true
      }
    ),
    ("dogs[0].age > 7", { ($0.links("dogs").first?.int("age") ?? 0) > 7 }),
    ("dogs[LAST].age == null", { $0.links("dogs").last?.int("age") == nil }),
    // Backlinks.
    (
      "ANY clubs.name == 'Club 3'",
      { $0.origins("Club", "members").contains { $0.string("name") == "Club 3" } }
    ),
    (
      "NONE clubs.name == 'Club 3'",
      {
        !$0.origins("Club", "members").contains { $0.string("name") == "Club 3" }
      }
    ),
    (
      "ANY @links.Person.spouse.age == 5",
      { $0.origins("Person", "spouse").contains { $0.int("age") == 5 } }
    ),
    (
      "ANY dog.owners.isGood == true",
      {
        $0.link("dog")?.origins("Person", "dogs").contains { $0["isGood"] == .bool(true) } ?? false
      }
    ),
    ("clubs.@count == 2", { $0.origins("Club", "members").count == 2 }),
    (
      "@links.@count > 3",
      {
        $0.origins("Club", "members").count + $0.origins("Person", "spouse").count
          + $0.origins("Person", "friends").count > 3
      }
    ),
    ("@links.Person.spouse.@count == 0", { $0.origins("Person", "spouse").isEmpty }),
    (
      "dog.@links.@count > 4",
      {
        $0.link("dog").map {
          $0.origins("Person", "dogs").count + $0.origins("Person", "dog").count > 4
        }
          ?? false
      }
    ),
    // Collections of values.
    ("ANY tags == 'Rex'", { $0.strings("tags").contains { $0.hasSameBytes(as: "Rex") } }),
    ("'Rex' IN tags", { $0.strings("tags").contains { $0.hasSameBytes(as: "Rex") } }),
    ("tags CONTAINS[c] 'REX'", { $0.strings("tags").contains { $0.lowercased().contains("rex") } }),
    (
      "ALL tags LIKE '*e*'",
      { $0.strings("tags").allSatisfy { $0.utf8.contains(UInt8(ascii: "e")) } }
    ),
    ("name IN tags", { $0.elements("tags").contains($0["name"]) }),
    ("tags.@count == 2", { $0.elements("tags").count == 2 }),
    ("tags[0] == 'Rex'", { $0.strings("tags").first == "Rex" }),
    ("3 IN scores", { $0.ints("scores").contains(3) }),
    ("scores CONTAINS 3", { $0.ints("scores").contains(3) }),
    ("ANY scores IN {3, 4}", { !Set($0.ints("scores")).isDisjoint(with: [3, 4]) }),
    ("scores.@max == 5", { $0.ints("scores").max() == 5 }),
    ("scores.@min > 2", { ($0.ints("scores").min() ?? 0) > 2 }),
    ("scores.@sum > 6", { $0.ints("scores").reduce(0, +) > 6 }),
    ("scores.@sum == 0", { $0.ints("scores").reduce(0, +) == 0 }),
    (
      "scores.@avg == 2.5",
      {
        let scores = $0.ints("scores")
        return !scores.isEmpty && Double(scores.reduce(0, +)) / Double(scores.count) == 2.5
      }
    ),
    (
      "scores.@max > age",
      {
        let age = $0.int("age")!
        return $0.ints("scores").max().map { $0 > age } ?? false
      }
    ),
    ("marks['a'] > 1", { ($0.entry("marks", "a").asInt ?? 0) > 1 }),
    ("marks['a'] == null", { $0.entry("marks", "a") == .null }),
    (
      "ANY marks.@allKeys == 'b'",
      { if case .map(let all) = $0["marks"] { all.contains { $0.key == "b" } } else { false } }
    ),
    ("ANY marks > 2", { $0.ints("marks").contains { $0 > 2 } }),
    ("ANY marks.@allValues == null", { $0.elements("marks").contains(.null) }),
    ("marks.@count == 2", { $0.elements("marks").count == 2 }),
    ("friends['best'].age == 5", { $0.twin.object($0.entry("friends", "best"))?.int("age") == 5 }),
    ("ANY friends.age == 5", { $0.links("friends").contains { $0.int("age") == 5 } }),
    ("ANY friends == null", { $0.elements("friends").contains(.null) }),
    // Aggregates and subqueries over objects.
    ("dogs.@count > 1", { $0.elements("dogs").count > 1 }),
    (
      "dogs.@count == clubs.@count",
      {
        $0.elements("dogs").count == $0.origins("Club", "members").count
      }
    ),
    ("dogs.@max.age > 10", { ($0.links("dogs").compactMap { $0.int("age") }.max() ?? 0) > 10 }),
    ("dogs.@sum.age == 0", { $0.links("dogs").compactMap { $0.int("age") }.reduce(0, +) == 0 }),
    (
      "SUBQUERY(dogs, $d, $d.age > 5 AND $d.breed != 'Pug').@count > 0",
      {
        $0.links("dogs").contains { ($0.int("age") ?? 0) > 5 && $0.string("breed") != "Pug" }
      }
    ),
    (
      "SUBQUERY(dogs, $d, $d.age > age).@count == 1",
      {
        let age = $0.int("age")!
        return $0.links("dogs").filter { $0.int("age").map { $0 > age } ?? false }.count == 1
      }
    ),
    (
      "SUBQUERY(clubs, $c, SUBQUERY($c.members, $m, $m.age == 5).@count > 2).@count > 0",
      {
        $0.origins("Club", "members").contains {
          $0.links("members").filter { $0.int("age") == 5 }.count > 2
        }
      }
    ),
    (
      "SUBQUERY(tags, $t, $t CONTAINS 'e').@count == 1",
      {
        $0.strings("tags").filter { $0.utf8.contains(UInt8(ascii: "e")) }.count == 1
      }
    ),
    (
      "SUBQUERY(dogs, $d, $d == object(Dog/3)).@count == 0",
      { !$0.links("dogs").contains { $0.key.rawValue == 3 } }
    ),
    (
      "NOT (ANY dogs.age > 3 OR dog == null) AND isGood",
      {
        !($0.links("dogs").contains { ($0.int("age") ?? 0) > 3 } || $0.link("dog") == nil)
          && $0["isGood"] == .bool(true)
      }
    ),
  ]
}
