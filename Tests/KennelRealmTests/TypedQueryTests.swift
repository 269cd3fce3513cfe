import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Queries in Swift` {
  typealias Condition = (Query<Sample>) -> Query<Bool>

  /// Expects that a condition finds objects, reads as the text, and that the text finds the same.
  private func expect(
    _ ids: [Int],
    _ text: String,
    _ condition: Condition,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withSamples { all, _, _ in
      var made: (String, [Any]) = ("", [])
      let found = all.where { sample in
        made = condition(sample)._constructPredicate()
        return condition(sample)
      }
      #expect(found.map(\.id) == ids, sourceLocation: sourceLocation)
      let (format, arguments) = made
      #expect(format == text, sourceLocation: sourceLocation)
      let predicate = NSPredicate(format: format, argumentArray: arguments)
      #expect(all.filter(predicate).map(\.id) == ids, sourceLocation: sourceLocation)
    }
  }

  @Test func `compare values`() throws {
    try expect([2], "(id == %@)") { $0.id == 2 }
    try expect([1, 3], "(id != %@)") { $0.id != 2 }
    try expect([1], "(note == %@)") { $0.note == nil }
    try expect([2], "(count > %@)") { $0.count > 10 }
    try expect([1], "(count <= %@)") { $0.count <= 10 }
    try expect([2, 3], "(weight >= %@)") { $0.weight >= 1 }
    try expect([1], "(price < %@)") { $0.price < 0.2 }
    try expect([2, 3], "(day > %@)") { $0.day > Date(timeIntervalSince1970: 1_500) }
    try expect([1, 2, 3], "(limit == limit)") { $0.limit == $0.limit }
    try expect([1, 2, 3], "(limit >= id)") { $0.limit >= $0.id }
    try expect([3], "(uuid == %@)") {
      $0.uuid == UUID(uuidString: "123E4567-E89B-12D3-A456-426614174000")
    }
    try expect([1], "(bytes == %@)") { $0.bytes == Data([1, 9]) }
  }

  @Test func `combine conditions`() throws {
    try expect([2, 3], "isGood == true") { $0.isGood }
    try expect([1], "isGood == false") { !$0.isGood }
    try expect([2], "(isGood == true && (id < %@))") { $0.isGood && $0.id < 3 }
    try expect([1, 3], "((id == %@) || (id == %@))") { $0.id == 1 || $0.id == 3 }
    try expect([1, 3], "(NOT id == %@)") { !($0.id == 2) }
    try expect([1], "((id < %@) && NOT ((id == %@) || isGood == true))") {
      $0.id < 3 && !($0.id == 2 || $0.isGood)
    }
  }

  @Test func `look for ranges and members`() throws {
    try expect([1, 2], "(id BETWEEN {%@, %@})") { $0.id.contains(1...2) }
    try expect([1, 2], "((id >= %@) && (id < %@))") { $0.id.contains(1..<3) }
    try expect([1, 2], "(count BETWEEN {%@, %@})") { $0.count.contains(5...20) }
    try expect([1, 3], "(id IN %@)") { $0.id.in([1, 3, 5]) }
    try expect([1, 2], "(count IN %@)") { $0.count.in([10, 20]) }
  }

  @Test func `look into text`() throws {
    try expect([2], "(note CONTAINS %@)") { $0.note.contains("te 2") }
    try expect([3], "(name BEGINSWITH[c] %@)") {
      $0.name.starts(with: "CÄ", options: .caseInsensitive)
    }
    try expect([2], "(name ENDSWITH[d] %@)") {
      $0.name.ends(with: "be", options: .diacriticInsensitive)
    }
    try expect([3], "(name ==[cd] %@)") {
      $0.name.equals("CASAR", options: [.caseInsensitive, .diacriticInsensitive])
    }
    try expect([1, 2], "(name !=[cd] %@)") {
      $0.name.notEquals("CASAR", options: [.caseInsensitive, .diacriticInsensitive])
    }
    try expect([1], "(name LIKE %@)") { $0.name.like("A?a") }
    try expect([1], "(name LIKE[c] %@)") { $0.name.like("a*", caseInsensitive: true) }
    try expect([2], "(bytes BEGINSWITH %@)") { $0.bytes.starts(with: Data([2])) }
  }

  @Test func `follow links`() throws {
    try expect([1], "(partner.id == %@)") { $0.partner.id == 2 }
    try expect([2, 3], "(partner == %@)") { $0.partner == nil }
    try expect([2, 3], "(ANY admirers.id == %@)") { $0.admirers.id == 1 }
    try withSamples { all, samples, _ in
      #expect(all.where { $0.partner == samples[1] }.map(\.id) == [1])
      #expect(all.where { $0.partner != samples[1] }.map(\.id) == [2, 3])
    }
  }

  @Test func `go through collections`() throws {
    try expect([1, 2], "(ANY friends.id == %@)") { $0.friends.id == 3 }
    try expect([2, 3], "(ANY numbers == %@)") { $0.numbers == 2 }
    try expect([2, 3], "(%@ IN numbers)") { $0.numbers.contains(2) }
    try expect([1, 2], "(ANY words IN %@)") { $0.words.containsAny(in: ["w1", "w2"]) }
    try expect([3], "(friends.@count == %@)") { $0.friends.count == 0 }
    try expect([3], "(numbers.@max > %@)") { $0.numbers.max > 2 }
    try expect([3], "(numbers.@sum == %@)") { $0.numbers.sum == 6 }
    try expect([1, 2], "((numbers.@min >= %@) && (numbers.@max <= %@))") {
      $0.numbers.contains(1...2)
    }
    try expect([2], "(friends.@min.id == %@)") { $0.friends.id.min == 3 }
    try expect([1], "(friends.@avg.weight == %@)") { $0.friends.weight.avg == 1.25 }
  }

  @Test func `look into maps`() throws {
    try expect([2], "(marks[%@] == %@)") { $0.marks["math"] == 2 }
    try expect([3], "(ANY marks.@allKeys == %@)") { $0.marks.keys == "m3" }
    try expect([2, 3], "(ANY marks.@allValues > %@)") { $0.marks.values > 1 }
    try expect([1, 2, 3], "(marks.@count == %@)") { $0.marks.count == 2 }
    try expect([2], "(ANY byName.id == %@)") { $0.byName.id == 3 }
    try withSamples { all, _, _ in
      expectMisuse("Cannot apply key path to Map subscripts.") {
        _ = all.where { $0.byName["a"].id == 3 }
      }
    }
  }

  @Test func `count those elements that fulfil all of it`() throws {
    try expect(
      [1],
      "(SUBQUERY(friends, $col1, (($col1.id > %@) && ($col1.note == %@))).@count > %@)"
    ) { ($0.friends.id > 1 && $0.friends.note == "note 2").count > 0 }
    try withSamples { all, _, _ in
      expectMisuse("one collection at a time") {
        _ = all.where { ($0.friends.id > 1 && $0.admirers.id > 1).count > 0 }
      }
    }
  }

  @Test func `know enumerations and values of any type`() throws {
    try expect([2], "(mood == %@)") { $0.mood == .angry }
    try expect([2], "(mood == %@)") { $0.mood.rawValue == "angry" }
    try expect([2, 3], "(size == %@)") { $0.size == .large }
    try expect([1], "(#any == %@)") { $0.any == .int(1) }
    try expect([2], "(#any CONTAINS %@)") { $0.any.contains(.string("w")) }
    try expect([3], "(#any == %@)") { $0.any == .none }
  }

  @Test func `ask the values of a list`() throws {
    try withSamples { all, samples, _ in
      #expect(Array(samples[2].numbers.where { $0 > 1 }) == [2, 3])
      #expect(Array(samples[2].numbers.where { $0 > 1 && $0 != 2 }) == [3])
      #expect(samples[0].friends.where { $0.id == 3 }.first == samples[2])
      #expect(samples[0].friends.index(matching: { $0.id == 3 }) == 1)
      #expect(all.index(matching: { $0.id == 9 }) == nil)
    }
  }

  @Test func `find no object that is equal to one that is not stored`() throws {
    try withSamples { all, samples, _ in
      #expect(all.where { $0.partner == Sample() }.isEmpty)
      #expect(all.where { $0.partner != Sample() }.count == 3)
      #expect(all.where { $0.friends.contains(Sample()) }.isEmpty)
      #expect(all.where { $0.friends.containsAny(in: [Sample(), samples[1]]) }.count == 1)
      #expect(all.filter("ANY friends == %@", Sample()).isEmpty)
    }
  }
}
