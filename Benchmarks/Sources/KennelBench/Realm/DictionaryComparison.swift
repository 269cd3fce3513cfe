import KennelRealm

/// Three values as properties.
final class Card: Object {
  @Persisted var title: String
  @Persisted var count: Int
  @Persisted var weight: Double
}

/// The same three values in a dictionary.
final class Note: Object {
  @Persisted var any: AnyRealmValue
}

/// What dictionaries in values of any type cost beside properties.
struct DictionaryComparison {
  let count: Int
  let directory: String

  func run() throws {
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: directory + "/dictionaries.kennel"),
      objectTypes: [Card.self, Note.self]
    )
    let realm = try Realm(configuration: configuration)
    let clock = ContinuousClock()
    let cards = try clock.measure { try writeCards(realm) }
    let notes = try clock.measure { try writeNotes(realm) }
    report("dictionary of three, written", notes, cards)
    let read = (0..<3).map { _ in clock.measure { expect(sumOfCards(realm)) } }.min()
    let readNotes = (0..<3).map { _ in clock.measure { expect(sumOfNotes(realm)) } }.min()
    report("dictionary of three, read", readNotes ?? .zero, read ?? .zero)
  }

  private func writeCards(_ realm: Realm) throws {
    try realm.write {
      for number in 0..<count {
        let card = Card()
        card.title = "Card \(number & 1023)"
        card.count = number
        card.weight = Double(number) / 2
        realm.add(card)
      }
    }
  }

  private func writeNotes(_ realm: Realm) throws {
    try realm.write {
      for number in 0..<count {
        let note = Note()
        note.any = .fromDictionary([
          "title": .string("Card \(number & 1023)"), "count": .int(number),
          "weight": .double(Double(number) / 2),
        ])
        realm.add(note)
      }
    }
  }

  private func sumOfCards(_ realm: Realm) -> Int {
    var sum = 0
    for card in realm.objects(Card.self) {
      sum += card.title.utf8.count + card.count + Int(card.weight)
    }
    return sum
  }

  private func sumOfNotes(_ realm: Realm) -> Int {
    var sum = 0
    for note in realm.objects(Note.self) {
      guard let map = note.any.dictionaryValue else { continue }
      sum += map["title"]?.stringValue?.utf8.count ?? 0
      sum += map["count"]?.intValue ?? 0
      sum += Int(map["weight"]?.doubleValue ?? 0)
    }
    return sum
  }

  private func expect(_ sum: Int) {
    let halves = (0..<count).reduce(0) { $0 + Int(Double($1) / 2) }
    let digits = (0..<count).reduce(0) { $0 + "Card \($1 & 1023)".utf8.count }
    precondition(sum == count * (count - 1) / 2 + halves + digits, "a wrong sum")
  }

  private func report(_ name: String, _ dictionaries: Duration, _ properties: Duration) {
    print(
      name.padding(toLength: 30, withPad: " ", startingAt: 0)
        + String(format: "%7.1f ns", dictionaries / .nanoseconds(count))
        + String(format: ", %.1f times the properties  (under 3)", dictionaries / properties)
    )
  }
}
