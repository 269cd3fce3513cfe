import KennelBox
import KennelCore
import KennelTestSupport
import Synchronization
import Testing

@Suite struct `In hard use` {
  typealias Store = KennelBox.Store

  /// Makes a file in which another program defined classes.
  private func withFile(
    _ definitions: [ClassDefinition],
    _ body: (String) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("shared.kennel")
    let database = try Database.open(path)
    try database.write { try $0.define(definitions) }
    try body(path)
    expectSound(database)
  }

  @Test func `a primary key that the entity lacks forbids new objects, and says why`() throws {
    let slug = PropertyDefinition("slug", .string, isPrimaryKey: true)
    try withFile([ClassDefinition("Tag", properties: [slug])]) { path in
      let store = try Store(directoryPath: path)
      #expect(boxError { try store.tags.put(Tag("a")) } == "illegalState")
      let database = try Database.open(path)
      let tag = try #require(try database.snapshot().schema["Tag"])
      try database.write { transaction in
        _ = try transaction.create(tag.key, [tag.require("slug").key: .string("x")])
      }
      let found = try #require(try store.tags.all().first)
      found.label = "changed"
      try store.tags.put(found)
      try #expect(store.tags.all().map(\.label) == ["changed"])
    }
  }

  @Test func `a primary key that the entity has stays unique`() throws {
    let label = PropertyDefinition("label", .string, isPrimaryKey: true)
    try withFile([ClassDefinition("Tag", properties: [label])]) { path in
      let store = try Store(directoryPath: path)
      let tag = Tag("a")
      try store.tags.put(tag)
      try store.tags.put(Tag("b"))
      try store.tags.put(tag)
      #expect(boxError { try store.tags.put(Tag("b")) } == "uniqueViolation")
      try #expect(store.tags.all().map(\.label) == ["a", "b"])
    }
  }

  @Test func `a unique property is unique for every program`() throws {
    try withStore { store in
      let emma = Book("Emma")
      emma.isbn = "1"
      try store.books.put(emma)
      let database = try Database.open(store.filePath)
      let book = try database.snapshot().schema.require("Book")
      let error = #expect(throws: DatabaseError.self) {
        try database.write { transaction in
          _ = try transaction.create(book.key, [book.require("isbn").key: .string("1")])
        }
      }
      #expect(error?.code == .duplicateValue)
    }
  }

  @Test func `a property that another program made unique is put as it is`() throws {
    let label = PropertyDefinition("label", .string, isUnique: true)
    try withFile([ClassDefinition("Tag", properties: [label])]) { path in
      let store = try Store(directoryPath: path)
      try store.tags.put([Tag(""), Tag("a"), Tag("b")])
      #expect(boxError { try store.tags.put(Tag("b")) } == "uniqueViolation")
      try #expect(store.tags.all().map(\.label) == ["", "a", "b"])
    }
  }

  @Test func `an idle store lets the file stay small while others write`() throws {
    try withStore { store in
      let tags = (0..<200).map { Tag("\($0)") }
      try store.tags.put(tags)
      let other = try Store(directoryPath: store.filePath)
      try #expect(store.tags.count() == 200)
      Thread.sleep(forTimeInterval: 1)
      for round in 0..<600 {
        tags[round % 200].label = "\(round)"
        try other.tags.put(tags[round % 200])
      }
      let attributes = try FileManager.default.attributesOfItem(atPath: store.filePath)
      #expect(try #require(attributes[.size] as? Int) < 1_000_000)
      try #expect(store.tags.get(1 as Id)?.label == "400")
    }
  }

  @Test func `thousands of objects leave and enter a relation one by one`() throws {
    try withStore { store in
      let jane = Author("Jane")
      try store.authors.put(jane)
      let books = (0..<4000).map { Book("\($0)") }
      let time = try ContinuousClock().measure {
        for book in books { jane.books.append(book) }
        while jane.books.count > 3000 { jane.books.removeLast() }
        while jane.books.count > 2000 { jane.books.removeFirst() }
        try jane.books.applyToDb()
        while !jane.books.isEmpty { jane.books.removeLast() }
        try jane.books.applyToDb()
      }
      #expect(time < .seconds(10))
      try #expect(store.authors.get(jane.id)?.books.isEmpty == true)
      try #expect(store.books.count() == 2000)
    }
  }

  @Test func `a visitor removes objects, also those to come`() throws {
    try withStore { store in
      try store.tags.put((0..<300).map { Tag("\($0)") })
      var seen: [Id] = []
      try store.tags.visit(writable: true) { tag in
        seen.append(tag.number)
        try store.tags.remove([tag.number, tag.number + 1])
        return true
      }
      #expect(seen == Array(stride(from: 1, to: 300, by: 2)))
      try #expect(store.tags.isEmpty())
    }
  }

  @Test func `a property that another program deletes meanwhile is an error`() throws {
    try withStore { store in
      try store.tags.put(Tag("a"))
      let database = try Database.open(store.filePath)
      try database.write { try $0.deleteProperty("label", of: "Tag") }
      #expect(boxError { _ = try store.tags.all() } == "schema")
      #expect(boxError { try store.tags.put(Tag("b")) } == "schema")
    }
  }

  @Test func `closing ends what other threads read with an error`() throws {
    try withStore { store in
      try store.tags.put((0..<100).map { Tag("\($0)") })
      let box = store.tags
      let seen = Mutex<Set<String>>([])
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        for _ in 0..<20 {
          if number == 7 { store.close() }
          let error = boxError { if try box.all().count != 100 { throw CancellationError() } }
          _ = seen.withLock { $0.insert(error ?? "none") }
        }
      }
      #expect(seen.withLock { $0.subtracting(["none", "illegalState"]) } == [])
    }
  }

  @Test func `texts of a megabyte are kept and found`() throws {
    try withStore { store in
      let text = String(repeating: "ä€🐶", count: 120_000)
      try store.tags.put((0..<3).map { Tag("\($0)" + text) })
      try #expect(store.tags.get(3 as Id)?.label == "2" + text)
      try #expect(store.tags.query { Tag.label == "1" + text }.build().count() == 1)
    }
  }

  @Test func `odd names of properties are stored and asked for`() throws {
    try withStore { store in
      let box = store.box(for: Odd.self)
      let odd = Odd()
      odd.class = "c"
      odd.E = 20
      odd.wrapped = 80
      odd.driver = "Sally"
      let id = try box.put(odd)
      let found = try #require(try box.get(id))
      #expect(found.class == "c" && found.wrapped == 80 && found.small == .min)
      func count(_ condition: QueryCondition<Odd>) throws -> Int {
        try box.query { condition }.build().count()
      }
      try #expect(count(Odd.🐶 == 1 && Odd.class == "c" && Odd.E == 20 && Odd.store == 3) == 1)
      try #expect(count(Odd.wrapped > 8 && Odd.driver.isNil()) == 0)
      try #expect(box.query { .reader == 5 && .description == "" }.build().count() == 1)
    }
  }

  @Test func `many threads put through two stores of one directory`() throws {
    try withStore { store in
      let other = try Store(directoryPath: store.directoryPath)
      DispatchQueue.concurrentPerform(iterations: 40) { number in
        #expect(throws: Never.self) {
          let box = (number % 2 == 0 ? store : other).tags
          try store.runInReadOnlyTransaction { _ = try store.tags.count() }
          try box.put(Tag("\(number)"))
        }
      }
      try #expect(Set(other.tags.all().map(\.label)).count == 40)
      try #expect(store.tags.count() == 40)
    }
  }

  @Test func `objects that lead to each other and to themselves are put once`() throws {
    try withStore { store in
      let box = store.box(for: Person.self)
      var ada = Person(id: 0, name: "Ada")
      try box.put(&ada)
      ada.spouse.target = ada
      try box.put(ada)
      try #expect(box.get(ada.id)?.spouse.target?.spouse.targetId?.value == ada.id)
      try #expect(box.count() == 1)
      let tag = Tag("a")
      let book = Book("Emma")
      book.tags.append(tag)
      tag.books.append(book)
      try store.books.put(book)
      try #expect(store.books.count() == 1 && store.tags.count() == 1)
      try #expect(store.tags.get(tag.number)?.books.map(\.title) == ["Emma"])
    }
  }

  @Test func `a changed primary key is stored or refused, never twice`() throws {
    let label = PropertyDefinition("label", .string, isPrimaryKey: true)
    try withFile([ClassDefinition("Tag", properties: [label])]) { path in
      let store = try Store(directoryPath: path)
      let tag = Tag("a")
      try store.tags.put([tag, Tag("b")])
      tag.label = "b"
      #expect(boxError { try store.tags.put(tag) } != nil)
      try #expect(store.tags.all().map(\.label) == ["a", "b"])
    }
  }

  @Test func `an embedded class of the same name is refused at opening`() throws {
    let label = PropertyDefinition("label", .string)
    try withFile([ClassDefinition("Tag", isEmbedded: true, properties: [label])]) { path in
      #expect(boxError { _ = try Store(directoryPath: path) } == "schema")
    }
  }

  @Test func `a read-only store of a file without its classes is refused`() throws {
    try withFile([ClassDefinition("Tag")]) { path in
      #expect(boxError { _ = try Store(directoryPath: path, readOnly: true) } == "schema")
    }
  }
}
