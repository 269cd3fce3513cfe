import Foundation
import KennelRealm
import RealmTestSupport
import Testing

private func text<C: RealmCollection>(_ change: RealmCollectionChange<C>) -> String {
  switch change {
  case .initial: "initial"
  case .update(_, let deletions, let insertions, let modifications):
    "-\(deletions) +\(insertions) ~\(modifications)"
  case .error(let error): "\(error)"
  }
}

private func text<T>(_ change: ObjectChange<T>) -> String {
  guard case .change(_, let properties) = change else { return "\(change)" }
  return properties.map { "\($0.name): \($0.oldValue ?? "-") -> \($0.newValue ?? "-")" }
    .joined(separator: ", ")
}

private func text<M>(_ change: RealmMapChange<M>) -> String {
  switch change {
  case .initial: "initial"
  case .update(_, let deletions, let insertions, let modifications):
    "-\(deletions) +\(insertions) ~\(modifications)"
  case .error(let error): "\(error)"
  }
}

@Suite struct `Assignments of equal values` {
  private typealias Observe = (Person, @escaping (String) -> Void) -> NotificationToken?

  private let object: Observe = { ada, note in ada.observe { note(text($0)) } }
  private let results: Observe = { ada, note in
    ada.realm?.objects(Person.self).observe(keyPaths: ["bestFriend", "dogs.age"]) { note(text($0)) }
  }
  private let dogs: Observe = { ada, note in ada.dogs.observe { note(text($0)) } }
  private let grades: Observe = { ada, note in ada.grades.observe { note(text($0)) } }
  private let dogsByRole: Observe = { ada, note in ada.dogsByRole.observe { note(text($0)) } }

  /// Runs a body with a stored person, and what observes it in the realm of a queue.
  private func withAda(
    _ observe: @escaping Observe,
    waitingFor first: String? = "initial",
    _ body: (Watch, Person) throws -> Void
  ) throws {
    try withWatch { watch in
      let ada = Person(value: ["name": "Ada", "dogs": [["a", 1], ["b", 2]]] as [String: Any])
      try watch.writer.write {
        watch.writer.add(ada)
        ada.bestFriend = ada
        ada.grades["math"] = 1
        ada.dogsByRole["guard"] = ada.dogs[0]
        ada.nicknames.insert("A")
      }
      try watch.observe(waitingFor: first) { realm, note in
        realm.objects(Person.self).first.flatMap { observe($0, note) }
      }
      try body(watch, ada)
    }
  }

  @Test func `are told of objects, with the same value before and after`() throws {
    try withAda(object, waitingFor: nil) { watch, ada in
      try watch.writer.write { ada.age = 0 }
      watch.expect("age: 0 -> 0")
      try watch.writer.write { ada["age"] = 0 }
      watch.expect("age: 0 -> 0")
      try watch.writer.write {
        ada.age = 5
        ada.age = 0
      }
      watch.expect("age: 0 -> 0")
      try watch.writer.write { ada.grades["math"] = 1 }
      watch.expect("grades: - -> -")
      try watch.writer.write { ada.dogs[0] = ada.dogs[0] }
      watch.expect("dogs: - -> -")
      try watch.writer.write { watch.writer.dynamicObjects("Person")[0]["age"] = 0 }
      watch.expect("age: 0 -> 0")
    }
  }

  @Test func `are told of links, along key paths and over links`() throws {
    try withAda(results) { watch, ada in
      try watch.writer.write { ada.bestFriend = ada }
      watch.expect("-[] +[] ~[0]")
      try watch.writer.write { ada.dogs[1].age = 2 }
      watch.expect("-[] +[] ~[0]")
      try watch.writer.write { ada.dogs[1].name = "b" }
      try watch.writer.write { ada.age = 0 }
      watch.expectNothing()
    }
    try withAda(dogs) { watch, ada in
      try watch.writer.write { ada.dogs[1].name = "b" }
      watch.expect("-[] +[] ~[1]")
      try watch.writer.write { ada.dogs[0] = ada.dogs[0] }
      watch.expect("-[] +[] ~[0]")
    }
  }

  @Test func `are told of maps, by their keys`() throws {
    try withAda(grades) { watch, ada in
      try watch.writer.write { ada.grades["math"] = 1 }
      watch.expect("-[] +[] ~[\"math\"]")
      try watch.writer.write {
        ada.grades["art"] = 2
        ada.grades["art"] = nil
        ada.age = 4
      }
      watch.expectNothing()
    }
    try withAda(dogsByRole) { watch, ada in
      try watch.writer.write { ada.dogsByRole["guard"] = ada.dogs[0] }
      watch.expect("-[] +[] ~[\"guard\"]")
    }
  }

  @Test func `are none where an update sets what differs, and some where it sets all`() throws {
    try withAda(object, waitingFor: nil) { watch, ada in
      let values: [String: Any] = ["name": "Ada", "age": 0]
      try watch.writer.write {
        watch.writer.create(Person.self, value: values, update: .modified)
      }
      watch.expectNothing()
      try watch.writer.write { watch.writer.create(Person.self, value: values, update: .all) }
      watch.expect("age: 0 -> 0")
      let copy = Person(value: ada)
      try watch.writer.write { watch.writer.add(copy, update: .modified) }
      watch.expectNothing()
    }
  }
}
