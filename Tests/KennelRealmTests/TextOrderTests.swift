import Foundation
import KennelRealm
import RealmTestSupport
import Testing

enum Shelf: String, PersistableEnum {
  case low = "a"
  case middle = "b"
  case high = "ba"
}

extension Results where Element == Label {
  fileprivate var ids: [Int] { map(\.id) }
}

class Label: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var other: String?
  @Persisted var shelf: Shelf
  @Persisted var spare: Shelf?
  @Persisted var words: List<String>
  @Persisted var marks: MutableSet<String>
  @Persisted var shelves: List<Shelf>
  @Persisted var names: Map<String, String>
  @Persisted var spares: Map<String, String?>
  @Persisted var next: List<Label>
}

@Suite struct `Texts in order` {
  /// In another order by UTF-16, by characters, or without case.
  static let texts = ["", "Z", "a", "a\0", "ab", "a\u{308}", "ä", "z", "日本", "\u{FFFF}", "🐶"]

  private func withLabels(_ body: (Results<Label>) throws -> Void) throws {
    try withRealm([Label.self]) { realm in
      try realm.write {
        for (id, text) in Self.texts.enumerated() {
          let label = Label(value: ["id": id, "text": text])
          label.other = id % 3 == 0 ? nil : Self.texts[Self.texts.count - 1 - id]
          label.shelf = Shelf.allCases[id % 3]
          label.spare = id % 2 == 0 ? nil : Shelf.allCases[id % 3]
          label.words.append(objectsIn: [text, "b"])
          label.marks.insert(text)
          label.shelves.append(Shelf.allCases[id % 3])
          label.names["key \(text)"] = text
          label.spares["key"] = .some(label.other)
          realm.add(label)
          label.next.append(objectsIn: realm.objects(Label.self).filter("id >= %@", id - 1))
        }
      }
      try body(realm.objects(Label.self))
    }
  }

  private func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  @Test(arguments: texts) func `compare as their bytes do, as in filter`(bound: String) throws {
    try withLabels { all in
      let questions: [(String, (Query<Label>) -> Query<Bool>, (String) -> Bool)] = [
        ("<", { $0.text < bound }, { precedes($0, bound) }),
        ("<=", { $0.text <= bound }, { !precedes(bound, $0) }),
        (">", { $0.text > bound }, { precedes(bound, $0) }),
        (">=", { $0.text >= bound }, { !precedes($0, bound) }),
      ]
      for (sign, condition, holds) in questions {
        let ids = all.where(condition).ids
        #expect(ids == Self.texts.indices.filter { holds(Self.texts[$0]) }, "\(sign) \(bound)")
        #expect(ids == all.filter("text \(sign) %@", bound).ids, "\(sign) \(bound)")
      }
    }
  }

  @Test func `compare without those that are null`() throws {
    try withLabels { all in
      let ids = all.where { $0.other >= "" }.ids
      #expect(ids == Self.texts.indices.filter { $0 % 3 != 0 })
      #expect(ids == all.filter("other >= ''").ids)
      let below = all.where { $0.text < $0.shelf.rawValue }.ids
      #expect(below == [0, 1, 2, 4, 5])
      #expect(below == all.filter("text < shelf").ids)
    }
  }

  @Test func `are greater than null`() throws {
    try withLabels { all in
      let (ids, texts) = (Array(Self.texts.indices), Self.texts.indices.filter { $0 % 3 != 0 })
      let nulls = ids.filter { $0 % 3 == 0 }
      #expect(all.where { $0.other > nil }.ids == texts && all.where { $0.other >= nil }.ids == ids)
      #expect(all.where { $0.other < nil }.ids == [] && all.where { $0.other <= nil }.ids == nulls)
      #expect(all.where { $0.spare > nil }.ids == ids.filter { $0 % 2 != 0 })
      #expect(all.filter("other > nil").ids == texts)
      #expect(all.filter("other <= %@", NSNull()).ids == nulls)
    }
  }

  @Test func `compare as enumerations by what is stored of them`() throws {
    try withLabels { all in
      #expect(all.where { $0.shelf < .high }.ids == all.filter("shelf < 'ba'").ids)
      #expect(all.where { $0.shelf < .high }.ids == [0, 1, 3, 4, 6, 7, 9, 10])
      #expect(all.where { $0.shelf.rawValue >= "b" }.ids == [1, 2, 4, 5, 7, 8, 10])
      #expect(all.where { $0.spare > .low }.ids == [1, 5, 7])
      #expect(all.where { $0.shelves <= .low }.ids == [0, 3, 6, 9])
    }
  }

  @Test func `compare in collections, where one of them suffices`() throws {
    try withLabels { all in
      #expect(all.where { $0.words > "z" }.ids == [6, 8, 9, 10])
      #expect(all.where { $0.words > "z" }.ids == all.filter("ANY words > 'z'").ids)
      #expect(all.where { $0.marks <= "Z" }.ids == [0, 1])
      #expect(all.where { $0.names < "a" }.ids == [0, 1])
      #expect(all.where { $0.names.keys >= "key z" }.ids == [6, 7, 8, 9, 10])
      #expect(all.where { $0.spares["key"] < "Z" }.ids == [10])
      #expect(all.where { $0.next.text > "日本" }.ids == [9, 10])
    }
  }

  @Test func `compare in subqueries`() throws {
    try withLabels { all in
      let found = all.where { ($0.next.text >= "Z" && $0.next.text < "ab").count == 2 }.ids
      #expect(found == [2, 3])
      let format = "SUBQUERY(next, $n, $n.text >= 'Z' AND $n.text < 'ab').@count == 2"
      #expect(found == all.filter(format).ids)
    }
  }
}
