import KennelRealm
import RealmTestSupport
import Testing

/// What generic code asks of any numeric property, as programs that abstract over models do.
private func counts<Root: Object, T: _Persistable>(
  _ all: Results<Root>,
  _ property: (Query<Root>) -> Query<T>,
  _ value: T
) -> [Int] where T.PersistedType: _QueryNumeric {
  [
    all.where { property($0) == value }.count,
    all.where { property($0) != value }.count,
    all.where { property($0) > value }.count,
    all.where { property($0) <= value }.count,
  ]
}

/// What generic code asks of any collection of numbers.
private func extremes<Root: Object, T: RealmCollection>(
  _ all: Results<Root>,
  _ property: (Query<Root>) -> Query<T>,
  _ smallest: T.Element
) -> [Int] where T.Element.PersistedType: _QueryNumeric {
  [
    all.where { property($0).min == smallest }.count,
    all.where { property($0).max > smallest }.count,
    all.where { property($0).contains(smallest) }.count,
    all.where { property($0).count == 2 }.count,
  ]
}

@Suite struct `Properties of every shape` {
  private static let types: [ObjectBase.Type] = [
    Assorted.self, StoredPlace.self, LinkingPlace.self,
  ]

  /// Makes two objects with different values in every property.
  private func withShapes(_ body: (Results<Assorted>, [Assorted], Realm) throws -> Void) throws {
    try withRealm(Self.types) { realm in
      let first = Assorted()
      first.id = 1
      first.level = .middle
      first.optionalGrade = .better
      first.length = Meters(content: 5)
      first.optionalTitle = Title(content: "Foó")
      first.place = Place("Bern", 3000)
      first.levels.append(objectsIn: [.low, .high])
      first.optionalRatios.append(objectsIn: [.half, nil, .whole])
      first.lengths.insert(objectsIn: [Meters(content: 1), Meters(content: 3)])
      first.titles["a"] = Title(content: "x")
      first.grades["a"] = .good
      first.grades["b"] = .better
      first.numbers.append(objectsIn: [1, 3])
      let second = Assorted(value: ["id": 2])
      try realm.write {
        realm.add(first)
        realm.add(second)
        first.places.append(Place("Bern", 3000))
        second.places.append(objectsIn: [Place("Bern", 8000), Place("Chur", 3000)])
        first.placesByName["home"] = Place("Bern", 3000)
      }
      try body(realm.objects(Assorted.self), [first, second], realm)
    }
  }

  @Test func `are stored and come back`() throws {
    try withShapes { all, shapes, realm in
      let found = try #require(all.first)
      #expect(found.level == .middle)
      #expect(found.old == .on)
      #expect(found.length == Meters(content: 5))
      #expect(found.place == Place("Bern", 3000))
      #expect(found.optionalPlace == nil)
      #expect(Array(found.places) == [Place("Bern", 3000)])
      #expect(found.placesByName["home"] == Place("Bern", 3000))
      #expect(Array(found.optionalRatios) == [.half, nil, .whole])
      // The embedded object of a new object is the default of its type.
      #expect(shapes[1].place == Place("", nil))
      try realm.write {
        found.place = Place("Chur", nil)
        found.optionalPlace = Place("Bern", 1)
        found.places[0] = Place("Zug", 2)
      }
      #expect(found.place.city == "Chur")
      #expect(found.optionalPlace?.zip == 1)
      #expect(found.places.first?.city == "Zug")
    }
  }

  @Test func `are asked by generic code`() throws {
    try withShapes { all, _, _ in
      #expect(counts(all, \Query<Assorted>.length, Meters(content: 5)) == [1, 1, 0, 2])
      #expect(counts(all, \Query<Assorted>.level, .low) == [1, 1, 1, 1])
      #expect(counts(all, \Query<Assorted>.id, 1) == [1, 1, 1, 1])
      #expect(extremes(all, \Query<Assorted>.numbers, 1) == [1, 1, 1, 1])
      #expect(extremes(all, \Query<Assorted>.levels, .low) == [1, 1, 1, 1])
      #expect(extremes(all, \Query<Assorted>.lengths, Meters(content: 1)) == [1, 1, 1, 1])
    }
  }

  @Test func `are asked for what is stored of them`() throws {
    try withShapes { all, _, _ in
      #expect(all.where { $0.levels.rawValue.contains(1...3) }.count == 1)
      #expect(all.where { $0.optionalRatios.rawValue.sum == 1.5 }.count == 1)
      #expect(all.where { $0.optionalGrade.rawValue.starts(with: "bet") }.count == 1)
      #expect(all.where { $0.grades.rawValue.values == "good" }.count == 1)
      #expect(all.where { $0.lengths.persistableValue.max > 2 }.count == 1)
      #expect(all.where { $0.length.persistableValue.contains(4...6) }.count == 1)
      #expect(all.where { $0.titles.persistableValue.values.contains("x") }.count == 1)
      #expect(
        all.where { $0.optionalTitle.equals(Title(content: "foo"), options: [.caseInsensitive]) }
          .isEmpty
      )
      #expect(all.where { $0.place.persistableValue.city == "Bern" }.count == 1)
    }
  }

  @Test func `that are embedded objects are compared member by member`() throws {
    try withShapes { all, _, _ in
      let bern = Place("Bern", 3000)
      #expect(all.where { $0.place == bern }.map(\.id) == [1])
      #expect(all.where { $0.place != bern }.map(\.id) == [2])
      #expect(all.where { $0.place == Place("", nil) }.map(\.id) == [2])
      #expect(all.where { $0.optionalPlace == bern }.isEmpty)
      // The second object has both members, but in two places.
      #expect(all.where { $0.places == bern }.map(\.id) == [1])
      #expect(all.where { $0.places != bern }.map(\.id) == [2])
      #expect(all.where { $0.placesByName.values == bern }.map(\.id) == [1])
      #expect(all.where { $0.place.persistableValue.city == "x" || $0.place == bern }.count == 1)
      let condition = Query<Assorted>._constructForTesting().places == bern
      #expect(condition._constructPredicate().0 == "(ANY places == %@)")
      expectMisuse(
        "Unsupported property 'LinkingPlace.other' for memberwise equality query: object links"
      ) { _ = all.where { $0.linking == Linking() } }
    }
  }

  @Test func `are compared with each other`() throws {
    try withShapes { all, _, _ in
      #expect(all.where { $0.level == $0.level }.count == 2)
      // Of two that have no value, each is at least the other.
      #expect(all.where { $0.child.id >= $0.child.id }.count == 2)
      #expect(all.filter("child.id <= child.id").count == 2)
      #expect(all.where { $0.child.id > $0.child.id }.isEmpty)
      expectMisuse("Comparing two collection columns is not permitted.") {
        _ = all.where { $0.children == $0.children }
      }
      expectMisuse("Property 'Assorted.id' is not a link or collection") {
        _ = all.where { $0.id.max == 1 }
      }
    }
  }

  @Test func `are found in subqueries, where a path begins at the element`() throws {
    try withShapes { all, shapes, realm in
      try realm.write { shapes[0].children.append(shapes[1]) }
      // The numbers are those of the child, which has none.
      #expect(all.filter("SUBQUERY(children, $c, numbers.@count == 0).@count == 1").count == 1)
      let query: (Query<Assorted>) -> Query<Bool> = {
        ($0.children.id == 2 && ($0.children.id > 0).count == 0).count == 1
      }
      #expect(all.where(query).map(\.id) == [1])
      #expect(
        query(Query<Assorted>._constructForTesting())._constructPredicate().0
          == "(SUBQUERY(children, $col1, (($col1.id == %@) && "
          + "(SUBQUERY(children, $col2, ($col2.id > %@)).@count == %@))).@count == %@)"
      )
      expectMisuse("Subqueries must contain a keypath starting with a collection.") {
        _ = all.where { ($0.id == 1).count == 1 }
      }
    }
  }

  @Test func `are set by name, with the objects themselves`() throws {
    try withShapes { _, shapes, realm in
      let child = Assorted(value: ["id": 7])
      let others = [Assorted(value: ["id": 8])]
      try realm.write {
        shapes[0]["child"] = child
        shapes[0]["children"] = others
        shapes[0]["places"] = [Place("Zug", 1)]
        shapes[0].setValue([1, 2, 3], forKey: "numbers")
      }
      #expect(child.realm != nil && shapes[0].child == child)
      #expect(Array(shapes[0].children) == others)
      #expect(Array(shapes[0].places) == [Place("Zug", 1)])
      #expect(Array(shapes[0].numbers) == [1, 2, 3])
    }
  }
}
