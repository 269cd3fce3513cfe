import Foundation
import KennelCore
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

class Author: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(deleteRule: .cascade) var books: List<Book>
  @Persisted(deleteRule: .cascadeIfLast) var agent: Agent?
}

class Book: Object {
  @Persisted(primaryKey: true) var title: String
}

class Agent: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "agent") var clients: LinkingObjects<Author>
}

class Library: Object {
  @Persisted(primaryKey: true) var city: String
  @Persisted(deleteRule: .deny) var members: MutableSet<Author>
}

@Suite struct `Delete rules` {
  private let types: [ObjectBase.Type] = [Author.self, Book.self, Agent.self, Library.self]

  @Test func `are part of the file, for every program that opens it`() throws {
    try withRealm(types) { realm in
      let author = try storedClass("Author", of: realm)
      #expect(author.rules == ["books": "cascade", "agent": "cascadeIfLast"])
      #expect(try storedClass("Library", of: realm).rules == ["members": "deny"])
    }
  }

  @Test func `cascade takes the targets along`() throws {
    try withRealm(types) { realm in
      let ada = Author(value: ["name": "Ada", "books": [["title": "Notes"], ["title": "Letters"]]])
      try realm.write { realm.add(ada) }
      let notes = ada.books[0]
      try realm.write { realm.delete(ada) }
      #expect(notes.isInvalidated && realm.objects(Book.self).isEmpty)
    }
  }

  @Test func `cascadeIfLast takes the target with its last link`() throws {
    try withRealm(types) { realm in
      let agent = Agent(value: ["name": "Smith"])
      let ada = Author(value: ["name": "Ada", "agent": agent])
      let bob = Author(value: ["name": "Bob", "agent": agent])
      try realm.write { realm.add([ada, bob]) }
      try realm.write { realm.delete(ada) }
      #expect(!agent.isInvalidated && agent.clients.count == 1)
      try realm.write { bob.agent = nil }
      #expect(agent.isInvalidated && realm.objects(Agent.self).isEmpty)
    }
  }

  @Test func `deny rolls the whole write back and throws, naming what stands in the way`() throws {
    try withRealm(types) { realm in
      let ada = Author(value: ["name": "Ada"])
      let city = Library(value: ["city": "York", "members": [ada]])
      try realm.write { realm.add(city) }
      let error = #expect(throws: Realm.Error.self) {
        try realm.write {
          realm.create(Book.self, value: ["title": "Lost"])
          realm.delete(city)
        }
      }
      #expect(error?.code == .deletionDenied)
      #expect(error?.message.contains("Library.members is deny") == true)
      #expect(
        !city.isInvalidated && realm.objects(Book.self).isEmpty && !realm.isInWriteTransaction
      )
      try realm.write {
        city.members.removeAll()
        realm.delete(realm.objects(Library.self))
      }
      #expect(city.isInvalidated && !ada.isInvalidated)
    }
  }

  @Test func `of targets that are in the file are obeyed`() throws {
    try withRealm(types) { realm in
      let path = try #require(realm.configuration.fileURL?.path)
      func set(_ rule: TargetRule, _ property: String, of className: String) throws {
        try Database.open(path).write { transaction in
          let step = MigrationStep.setTargetRule(className: className, property: property, rule)
          try transaction.define([], migration: [step])
        }
        #expect(realm.refresh())
      }
      let agent = Agent(value: ["name": "Smith"])
      let ada = Author(value: ["name": "Ada", "agent": agent, "books": [["title": "Notes"]]])
      try realm.write { realm.add(ada) }
      try set(.deny, "agent", of: "Author")
      let error = #expect(throws: Realm.Error.self) { try realm.write { realm.delete(agent) } }
      #expect(error?.code == .deletionDenied)
      #expect(error?.message.contains("the target rule of Author.agent is deny") == true)
      #expect(!agent.isInvalidated)
      try set(.cascade, "agent", of: "Author")
      try realm.write { realm.delete(agent) }
      #expect(ada.isInvalidated && realm.objects(Book.self).isEmpty)
    }
  }

  @Test func `another rule takes a migration`() throws {
    let folder = try TemporaryFolder()
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("rules.kennel")),
      objectTypes: [Plain.Author.self, Book.self]
    )
    do { _ = try Realm(configuration: configuration) }
    configuration.objectTypes = types
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(
      error?.message.contains("'Author.books' has been changed from 'nullify' to 'cascade'") == true
    )
    configuration.schemaVersion = 1
    let realm = try Realm(configuration: configuration)
    #expect(try storedClass("Author", of: realm).rules["books"] == "cascade")
  }
}

private enum Plain {
  class Author: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var books: List<Book>
    override class func className() -> String { "Author" }
  }
}
