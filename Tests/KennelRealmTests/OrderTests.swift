import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Order and aggregates` {
  @Test func `results are sorted by one property or several`() throws {
    try withSamples { all, _, _ in
      #expect(all.sorted(byKeyPath: "id", ascending: false).map(\.id) == [3, 2, 1])
      #expect(all.sorted(by: \.weight, ascending: false).map(\.id) == [3, 2, 1])
      #expect(
        all.sorted(by: ["mood", SortDescriptor(keyPath: "id", ascending: false)])
          .map(\.id) == [2, 3, 1]
      )
      #expect(all.sorted(byKeyPath: "count").map(\.id) == [3, 1, 2])
      #expect(all.sorted(byKeyPath: "partner.name", ascending: false).last?.id == 1)
      #expect(all.sorted(by: [SortDescriptor(keyPath: \Sample.id).reversed()]).first?.id == 3)
      #expect(
        all.sorted(byKeyPath: "id", ascending: false).sorted(byKeyPath: "isGood")
          .map(\.id) == [1, 3, 2]
      )
    }
  }

  @Test func `what a null link cuts a path off of comes last, descending first, distinct never`()
    throws
  {
    try withSamples { all, samples, realm in
      // 1 → 2 → 4, 3 → nothing; 4 has no note.
      try realm.write {
        let fourth = Sample(value: ["id": 4, "name": "Dora"] as [String: Any])
        realm.add(fourth)
        samples[1].partner = fourth
        samples[2].friends.append(objectsIn: all)
      }
      let friends = samples[2].friends
      func ids(_ path: String, _ ascending: Bool = true) -> [[Int]] {
        [
          all.sorted(byKeyPath: path, ascending: ascending).map(\.id),
          friends.sorted(byKeyPath: path, ascending: ascending).map(\.id),
          all.filter("id > 0").sorted(byKeyPath: path, ascending: ascending).map(\.id),
        ]
      }
      func three(_ order: [Int]) -> [[Int]] { [order, order, order] }
      #expect(ids("partner.name") == three([1, 2, 3, 4]))
      #expect(ids("partner.name", false) == three([3, 4, 2, 1]))
      // A missing value at the end of a whole path is the smallest.
      #expect(ids("partner.note") == three([2, 1, 3, 4]))
      #expect(ids("partner.note", false) == three([3, 4, 1, 2]))
      #expect(ids("partner.partner.id") == three([1, 2, 3, 4]))
      #expect(ids("partner.partner.id", false) == three([2, 3, 4, 1]))
      #expect(ids("note") == three([1, 4, 2, 3]))
      let both = [
        SortDescriptor(keyPath: "partner.isGood"), SortDescriptor(keyPath: "id", ascending: false),
      ]
      #expect(all.sorted(by: both).map(\.id) == [2, 1, 4, 3])
      #expect(friends.sorted(by: both).map(\.id) == [2, 1, 4, 3])
      #expect(all.distinct(by: ["partner.name"]).map(\.id) == [1, 2])
      #expect(friends.distinct(by: ["partner.note"]).map(\.id) == [1, 2])
      #expect(all.distinct(by: ["isGood", "partner.partner.id"]).map(\.id) == [1])
      #expect(all.distinct(by: ["note"]).map(\.id) == [1, 2, 3])
    }
  }

  @Test func `lists are sorted and filtered in their own order`() throws {
    try withSamples { _, samples, realm in
      try realm.write { samples[0].friends.append(samples[1]) }
      let friends = samples[0].friends
      #expect(friends.sorted(byKeyPath: "id").map(\.id) == [2, 2, 3])
      #expect(friends.filter("id > 1").map(\.id) == [2, 3, 2])
      #expect(friends.sorted(byKeyPath: "limit").map(\.id) == [2, 3, 2])
      #expect(friends.distinct(by: ["id"]).map(\.id) == [2, 3])
      #expect(Array(samples[2].numbers.sorted(ascending: false)) == [3, 2, 1])
      #expect(Array(samples[2].words.sorted()) == ["all", "w3"])
    }
  }

  @Test func `what is alike is left out, in the order that was asked for`() throws {
    try withSamples { all, _, _ in
      #expect(all.distinct(by: ["isGood"]).map(\.id) == [1, 2])
      #expect(all.distinct(by: [\Sample.isGood]).map(\.id) == [1, 2])
      let latest = all.sorted(byKeyPath: "id", ascending: false)
      #expect(latest.distinct(by: ["isGood"]).map(\.id) == [3, 1])
      #expect(
        all.distinct(by: ["isGood"]).sorted(byKeyPath: "id", ascending: false)
          .map(\.id) == [2, 1]
      )
      #expect(all.distinct(by: ["isGood"]).count == 2)
      #expect(all.distinct(by: ["isGood", "mood"]).count == 3)
    }
  }

  @Test func `what cannot be sorted by is told`() throws {
    try withSamples { all, samples, _ in
      expectMisuse("'Sample.nme' does not exist") { _ = all.sorted(byKeyPath: "nme") }
      expectMisuse("no single value") { _ = all.sorted(byKeyPath: "friends") }
      expectMisuse("no to-one link") { _ = all.sorted(byKeyPath: "friends.id") }
      expectMisuse("values have only 'self'") { _ = samples[0].numbers.sorted(byKeyPath: "id") }
    }
  }

  @Test func `aggregates of a property`() throws {
    try withSamples { all, samples, _ in
      #expect(all.min(ofProperty: "count") == 10)
      #expect(all.max(ofProperty: "weight") == 1.5)
      #expect(all.sum(ofProperty: "id") == 6)
      #expect(all.average(ofProperty: "count") == 15.0)
      #expect(all.min(ofProperty: "day") == samples[0].day)
      #expect(all.max(ofProperty: "id") as NSNumber? == 3)
      #expect(all.min(of: \.weight) == 0.5)
      #expect(all.max(of: \.count) == .some(20))
      #expect(all.sum(of: \.id) == 6)
      #expect(all.average(of: \.id) == 2)
      #expect(all.sum(of: \.price) == 0.6)
      #expect(all.filter("id > 5").min(of: \.id) == nil)
      #expect(all.filter("id > 5").sum(of: \.id) == 0)
      #expect(all.filter("id > 5").average(ofProperty: "id") == Double?.none)
      #expect(samples[0].friends.sum(of: \.id) == 5)
      expectMisuse("not supported for string") { _ = all.sum(ofProperty: "name") as Int }
      expectMisuse("Invalid property name 'nme'") { _ = all.sum(ofProperty: "nme") as Int }
    }
  }

  @Test func `a mean has the type of its property, and is exact where Double is asked for`() throws
  {
    try withSamples { all, samples, _ in
      let people = all.filter("id < 3")
      let mean = people.average(of: \.id)
      #expect(type(of: mean) == Int?.self && mean == 1)
      let exact: Double? = people.average(of: \.id)
      #expect(exact == 1.5)
      let byName = Map<String, Sample?>()
      for sample in people { byName[sample.name] = .some(sample) }
      #expect(type(of: byName.average(of: \.id)) == Int?.self && byName.average(of: \.id) == 1)
      let exactByName: Double? = byName.average(of: \.id)
      #expect(exactByName == 1.5)
    }
  }

  @Test func `aggregates of values`() throws {
    try withSamples { _, samples, _ in
      let numbers = samples[2].numbers
      #expect(numbers.min() == 1 && numbers.max() == 3 && numbers.sum() == 6)
      #expect(numbers.average() == 2.0)
      #expect(numbers.where { $0 > 1 }.min() == 2)
      #expect(numbers.where { $0 > 5 }.max() == nil)
    }
  }

  @Test func `values by key, of all elements at once`() throws {
    try withSamples { all, samples, realm in
      #expect(all.value(forKey: "id") as? [Int] == [1, 2, 3])
      #expect(all.value(forKeyPath: "partner.id") as? [AnyHashable] == [2, NSNull(), NSNull()])
      #expect(all.value(forKeyPath: "@max.id") as? NSNumber == 3)
      #expect(all.value(forKeyPath: "@count") as? Int == 3)
      #expect(samples[2].numbers.value(forKey: "self") as? [Int] == [1, 2, 3])
      try realm.write { all.setValue(77, forKey: "limit") }
      #expect(all.map(\.limit) == [77, 77, 77])
    }
  }

  @Test func `maps are asked for their values`() throws {
    try withSamples { _, samples, realm in
      let (marks, byName) = (samples[2].marks, samples[1].byName)
      #expect(Array(marks.sorted()) == [0, 3] && Array(marks.sorted(ascending: false)) == [3, 0])
      #expect(Array(marks.where { $0 > 1 }) == [3] && Array(marks.filter("self < 2")) == [0])
      #expect(marks.min() == 0 && marks.max() == 3 && marks.sum() == 3)
      #expect(marks.average() == 1.5)
      #expect(byName.where { $0.id == 3 }.count == 1 && byName.filter("id == 9").isEmpty)
      #expect(byName.sorted(byKeyPath: "id").first == .some(samples[2]))
      #expect(byName.sum(ofProperty: "id") == 3)
      #expect(byName.value(forKeyPath: "third.id") as? Int == 3)
      #expect(marks.value(forKey: "math") as? Int == 3)
      try realm.write {
        marks.setValue(5, forKey: "art")
        marks.setValue(nil, forKey: "math")
      }
      #expect(marks["art"] == 5 && marks["math"] == nil)
    }
  }

  @Test func `unmanaged collections are summed up, too`() {
    let numbers = List<Int>()
    #expect(numbers.min() == nil && numbers.sum() == 0 && numbers.average() == Double?.none)
    numbers.append(objectsIn: [3, 1, 2])
    #expect(numbers.min() == 1 && numbers.max() == 3 && numbers.sum() == 6)
    #expect(numbers.average() == 2.0)
    let friends = Sample().friends
    friends.append(objectsIn: [Sample(value: ["id": 1]), Sample(value: ["id": 4])])
    #expect(friends.max(ofProperty: "id") == 4 && friends.sum(ofProperty: "id") == 5)
    let marks = Map<String, Double>()
    marks["a"] = 1.5
    #expect(marks.max() == 1.5 && marks.sum() == 1.5)
  }

  @Test func `key paths have names`() {
    #expect(_name(for: \Sample.id) == "id")
    #expect(_name(for: \Sample.partner?.name) == "partner.name")
    #expect(_name(for: \Sample.friends[0].partner) == "friends.partner")
    #expect(_name(for: \Sample.admirers) == "admirers")
    #expect(_name(for: \Sample.friends[0].partner?.admirers[0].id) == "friends.partner.admirers.id")
    #expect(_name(for: \Sample.byName[""]??.partner?.friends) == "byName.partner.friends")
    #expect(_name(for: \Person.friends[0].bestFriend) == "friends.bestFriend")
    #expect(_name(for: \Person.home?.street) == "home.street")
    #expect(_name(for: \Club.members) == "members")
    #expect(_name(for: \Member.clubs) == "clubs")
  }

  @Test func `key paths lead to enumerations that list no cases, too`() throws {
    #expect(_name(for: \Assorted.old) == "old" && _name(for: \Assorted.child?.old) == "child.old")
    #expect(_name(for: \Ladder.step) == "step" && _name(for: \Ladder.next?.step) == "next.step")
    #expect(_name(for: \Ladder.maybe) == "maybe" && _name(for: \Wheels.one) == "one")
    try withRealm([Ladder.self]) { realm in
      try realm.write {
        for step in [Height.high, .low] { realm.add(Ladder(value: ["step": step])) }
      }
      let all = realm.objects(Ladder.self)
      #expect(all.sorted(by: \.step).map(\.step) == [.low, .high])
      #expect(all.sorted(by: [SortDescriptor(keyPath: \Ladder.step, ascending: false)]).count == 2)
      #expect(all.distinct(by: [\Ladder.step]).count == 2)
    }
  }
}
