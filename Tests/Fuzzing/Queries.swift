import KennelCore
import KennelPatterns

/// What people type and programs pass on: predicates, sort keys, assignments, and names of links.
///
/// The first byte of an input says which, bits 0–1, and of which class; the rest is the text.
enum Queries: FuzzTarget {
  private static let snapshot: DatabaseReader = {
    let path = Scratch.path("queries")
    do {
      Predicate.enableRegularExpressions()
      try SmallDatabase.make(path)
      return try Database.open(path).snapshot()
    } catch {
      fatalError("The database that is asked cannot be made: \(error)")
    }
  }()

  private static let arguments: [Value] = [
    .int(1), .string("a"), .list([.int(1), .string("b")]), .null, .double(.nan),
  ]

  private static let texts: [(kind: UInt8, text: String)] = [
    (4, "int > 3 AND string BEGINSWITH[c] \"te\" OR NOT (bool == TRUE)"),
    (4, "decimal128 BETWEEN {1, 5e3} && uuid != NULL || objectId == oid(000000000000000000000001)"),
    (4, "ANY ints > 1 AND ALL ints IN {1, 2} AND NONE strings LIKE '*a?' AND ints.@sum >= 2"),
    (4, "date < 1970-01-01T00:00:07Z AND data.@size == 2 AND mixed.@type == 'string'"),
    (4, "string MATCHES '(a|b)+.*' AND doubles[0] != inf AND string ==[cd] 'É'"),
    (8, "SUBQUERY(things, $x, $x.id > 3 AND $x.code CONTAINS 'c').@count > 1"),
    (8, "thing.id == 3 AND friends.@count > 0 AND thing == object(Thing/3)"),
    (8, "part.part.name = 'x' AND thing.code ENDSWITH '1'"),
    (8, "any[*].x == true AND named['it'].id IN $a AND name == $1 AND %K == %@"),
    (8, "thing.@links.Person.things.@count > 1 AND parts.name CONTAINS[c] %@"),
    (5, "code DESC, int ASC, `string`"), (9, "thing.code, name DESCENDING, friends.@count"),
    (6, "int = (int + 1) * -2 / id where code == 'code 1'"),
    (6, "string = upper(trim(string)) + 'x'"),
    (10, "small = length(name)"), (6, "date = now() + 3"), (6, "mixed = NULL"),
    (3, "thing, Person.friends, @links.Person.things"),
  ]

  static var seeds: [[UInt8]] { texts.map { [$0.kind] + $0.text.utf8 } }

  static func run(_ input: [UInt8]) {
    // A subquery in a subquery asks for each pair of objects: longer texts take too long.
    guard let kind = input.first, input.count < 300 else { return }
    let classes = snapshot.schema.classes
    let classKey = classes[Int(kind >> 2) % classes.count].key
    let text = String(decoding: input.dropFirst(), as: UTF8.self)
    do {
      switch kind & 3 {
      case 0: try predicate(text, classKey)
      case 1:
        let keys = try SortKey.parse(text, for: classKey, in: snapshot.schema)
        _ = try snapshot.objects(of: classKey, sort: keys, limit: 10)
      case 2:
        let now = Timestamp(seconds: 1)
        let assignment = try Assignment.parse(text, for: classKey, in: snapshot.schema, now: now)
        for object in try snapshot.objects(of: classKey, from: nil, limit: 5) {
          _ = try? snapshot.value(of: assignment, for: object)
        }
      default:
        for edge in try LinkEdge.parse(text, in: snapshot.schema) {
          _ = try LinkEdge.parse(edge.name(in: snapshot.schema), in: snapshot.schema)
        }
      }
    } catch is PredicateError {
    } catch is DatabaseError {
    } catch {
      fatalError("\(error)")
    }
  }

  private static func predicate(_ text: String, _ classKey: ClassKey) throws {
    let schema = snapshot.schema
    let variables = ["a": arguments[2], "b": arguments[0]]
    let predicate: Predicate
    do throws(PredicateError) {
      predicate = try Predicate.parse(text, for: classKey, in: schema, variables: variables)
    } catch {
      let some = arguments.prefix(text.count { $0 == "%" })
      predicate = try Predicate.parse(
        text,
        for: classKey,
        in: schema,
        arguments: Array(some),
        variables: variables
      )
    }
    let again = try? Predicate.read("\(predicate)", in: schema)
    guard again == predicate else {
      fatalError("'\(predicate)' is read as \(again.map { "\($0)" } ?? "an error")")
    }
    _ = try snapshot.count(of: classKey, where: predicate)
  }
}
