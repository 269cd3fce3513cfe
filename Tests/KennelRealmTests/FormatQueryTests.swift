import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Format strings` {
  @Test(arguments: [
    ("id == 2", [2]), ("id = 2 OR id <> 2 AND id =< 1", [1, 2]), ("id => 2 && !(id == 3)", [2]),
    ("id IN {1, 3}", [1, 3]), ("id BETWEEN {2, 3}", [2, 3]), ("3 > id", [1, 2]),
    ("name CONTAINS 'd'", [1]), ("name BEGINSWITH[c] \"C\"", [3]), ("name ENDSWITH[cd] 'EBE'", [2]),
    ("name LIKE '?d*'", [1]), ("name ==[c] 'ADA'", [1]), ("note == nil", [1]), ("note = NULL", [1]),
    ("isGood == YES", [2, 3]), ("isGood == false", [1]), ("NOT isGood == TRUE", [1]),
    ("ANY friends.id == 3", [1, 2]), ("SOME friends.id > 1", [1, 2]),
    ("ALL friends.id > 2", [2, 3]), ("NONE friends.id == 2", [2, 3]),
    ("friends.@count > 1", [1]), ("friends.@size == 0", [3]), ("numbers.@sum == 6", [3]),
    ("friends.@avg.id == 2.5", [1]), ("friends.@min.weight == 1.5", [2]),
    ("numbers.@max > 2", [3]), ("2 IN numbers", [2, 3]), ("ANY numbers == 2", [2, 3]),
    ("SUBQUERY(friends, $f, $f.id == 3 AND $f.isGood == true).@count == 1", [1, 2]),
    ("partner.name == 'Bébé'", [1]), ("partner != nil", [1]), ("admirers.@count == 2", [3]),
    ("@links.Sample.friends.id == 1", [2, 3]), ("SELF.id == 1", [1]), ("TRUEPREDICATE", [1, 2, 3]),
    ("FALSEPREDICATE", []), ("marks['math'] == 3", [3]), ("ANY marks.@allKeys == 'm1'", [1]),
    ("ANY marks.@allValues == 2", [2]), ("words CONTAINS 'w3'", [3]), ("limit > id", [1, 2, 3]),
    ("count > limit", [2]), ("weight == 1.5e0", [3]), ("price == 0.3", [3]),
    ("#limit == 10.0", [1, 2, 3]),
  ])
  func `find what they say`(format: String, ids: [Int]) throws {
    try withSamples { all, _, _ in
      #expect(all.filter(format).map(\.id) == ids)
    }
  }

  @Test func `take arguments of every type`() throws {
    try withSamples { all, samples, _ in
      func ids(_ format: String, _ arguments: Any...) -> [Int] {
        all.filter(NSPredicate(format: format, argumentArray: arguments)).map(\.id)
      }
      #expect(all.filter("%K == %@ AND limit == %d", "id", 2, 10).map(\.id) == [2])
      #expect(all.filter("partner.%K == %@", "name", "Bébé").map(\.id) == [1])
      #expect(all.filter("note == %@", NSNull()).map(\.id) == [1])
      #expect(all.filter("note == %@", String?.none as Any).map(\.id) == [1])
      #expect(ids("id IN %@", [1, 3]) == [1, 3])
      #expect(ids("id IN %@", Set([2])) == [2])
      #expect(ids("id IN %@", samples[1].numbers) == [1, 2])
      #expect(ids("id BETWEEN %@", [2, 3]) == [2, 3])
      #expect(ids("partner == %@", samples[1]) == [1])
      #expect(ids("%@ IN friends", samples[1]) == [1])
      #expect(ids("weight == %@ OR weight == %f", Float(0.5), 1.0) == [1, 2])
      #expect(ids("day == %@", samples[0].day) == [1])
      #expect(ids("bytes == %@", Data([2, 9])) == [2])
      #expect(ids("uuid == %@", samples[2].uuid as Any) == [3])
      #expect(ids("objectId == %@", samples[2].objectId) == [3])
      #expect(ids("price == %@", Decimal128(value: 0.2)) == [2])
      #expect(ids("isGood == %@", true) == [2, 3])
      #expect(ids("isGood == %@", NSNumber(value: false)) == [1])
      #expect(ids("mood == %@", Mood.angry) == [2])
      #expect(ids("size == %@", Size.large) == [2, 3])
      #expect(ids("#any == %@", AnyRealmValue.string("two")) == [2])
      #expect(ids("limit == %@", Int8(10)) == [1, 2, 3])
    }
  }

  @Test func `are made into Foundation's predicates`() throws {
    try withSamples { all, samples, _ in
      let first = NSPredicate(format: "id == %@", 1)
      let good = NSPredicate(format: "isGood == true")
      #expect(all.filter(first).map(\.id) == [1])
      let either = NSCompoundPredicate(orPredicateWithSubpredicates: [first, good])
      #expect(all.filter(either).map(\.id) == [1, 2, 3])
      let both = NSCompoundPredicate(andPredicateWithSubpredicates: [first, good])
      #expect(all.filter(both).isEmpty)
      #expect(all.filter(NSCompoundPredicate(notPredicateWithSubpredicate: first)).count == 2)
      #expect(all.filter(NSPredicate(value: false)).isEmpty)
      #expect(all.filter(NSPredicate(value: true)).count == 3)
      expectMisuse("a block cannot be asked") { _ = all.filter(NSPredicate { _, _ in true }) }
      #expect(all.index(matching: good) == 1)
      #expect(samples[0].friends.index(matching: "id == %@", 3) == 1)
    }
  }

  @Test(arguments: [
    ("id == ", "Column 7"), ("nme == 'x'", "did you mean 'name'?"), ("id == 'x'", "a number"),
    ("id == %@ AND limit == %@", "No argument is left"), ("(id == 1", "')'"),
    ("friends.id.@foo == 1", "'@foo' is not known"), ("ALL id == 1", "needs many values"),
  ])
  func `say what is wrong with them`(format: String, says: String) throws {
    try withSamples { all, _, _ in
      expectMisuse(says) {
        _ = format.contains("%@") ? all.filter(format, 1) : all.filter(format)
      }
    }
  }

  @Test func `name properties as Swift does`() throws {
    try withRealm([Renamed.self]) { realm in
      let one = Renamed(value: ["title": "one"])
      let two = Renamed(value: ["title": "two", "other": one] as [String: Any])
      try realm.write { realm.add([one, two]) }
      let all = realm.objects(Renamed.self)
      #expect(all.filter("title == 'two'").first?.title == "two")
      #expect(all.filter("stored_title == 'two'").first?.title == "two")
      #expect(all.filter("other.title == 'one'").first?.title == "two")
      #expect(all.filter("ANY origins.title == 'two'").first?.title == "one")
      #expect(all.filter("@links.Renamed.other.title == 'two'").first?.title == "one")
      let asked = all.filter("SUBQUERY(origins, $o, $o.title == 'two').@count == 1")
      #expect(asked.first?.title == "one")
      #expect(all.where { $0.other.title == "one" }.first?.title == "two")
      #expect(all.sorted(byKeyPath: "title", ascending: false).first?.title == "two")
      #expect(all.sorted(by: \.other?.title).first?.title == "two")
    }
  }

  @Test func `stay live`() throws {
    try withSamples { all, samples, realm in
      let good = all.filter("isGood == true")
      #expect(good.map(\.id) == [2, 3])
      try realm.write {
        samples[0].isGood = true
        #expect(good.map(\.id) == [1, 2, 3])
        realm.delete(samples[1])
        #expect(good.map(\.id) == [1, 3])
      }
      #expect(good.filter("id > 1").map(\.id) == [3])
    }
  }

  @Test func `are equal where their texts and arguments are`() throws {
    try withSamples { _, samples, _ in
      func made(_ format: String, _ arguments: Any...) -> NSPredicate {
        NSPredicate(format: format, argumentArray: arguments)
      }
      #expect(made("id == %@", Int8(1)) == made("id == %@", 1))
      #expect(made("id == %@", 1) != made("id == %@", 2))
      #expect(made("id == %@", 0) == made("id == %@", 0.0))
      #expect(made("id == %@", 1) != made("id == %@", 1.5))
      #expect(made("id == %@", Int.max) != made("id == %@", Int.max - 1))
      #expect(made("id == %@", 1) != made("limit == %@", 1))
      #expect(made("id == 1") != made("id == %@", 1))
      #expect(made("note == %@", NSNull()) == made("note == %@", String?.none as Any))
      #expect(made("note == %@", "x") != made("note == %@", NSNull()))
      #expect(made("id IN %@", [1, 2]) == made("id IN %@", Set([1, 2]).sorted()))
      #expect(made("partner == %@", samples[0]) == made("partner == %@", samples[0]))
      #expect(made("partner == %@", samples[0]) != made("partner == %@", samples[1]))
      #expect(made("id == 1") != NSPredicate(value: true))
    }
  }
}
