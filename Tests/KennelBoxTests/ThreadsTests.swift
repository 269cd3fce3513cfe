import Dispatch
import KennelBox
import Synchronization
import Testing

@Suite struct `Relations that several threads use` {
  /// Calls a function on four threads at once with an object, and returns the errors.
  private func onThreads<Shared>(
    _ shared: Shared,
    _ body: @Sendable (Shared, Int) throws -> Void
  ) -> [String] {
    nonisolated(unsafe) let shared = shared
    let errors = Mutex([String]())
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      do {
        try unsafe body(shared, thread)
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
    return errors.withLock { $0 }
  }

  @Test func `lose no entry that is added while others are added, removed and written`() throws {
    try withStore { store in
      let jane = Author("Jane")
      try store.authors.put(jane)
      let relation = jane.books
      let errors = onThreads(relation) { relation, thread in
        for number in 0..<250 {
          let book = Book("\(thread) \(number)")
          relation.append(book)
          switch number % 5 {
          case 0 where number % 25 == 0: try relation.applyToDb()
          case 1: relation.removeAll { $0 === book }
          case 2: relation.append(contentsOf: [Book("\(thread) \(number) again")])
          case 3: #expect(relation.contains { $0 === book } && Array(relation).count > 0)
          default: #expect(relation.first != nil && relation.resolved)
          }
        }
      }
      #expect(errors.isEmpty)
      try relation.applyToDb()
      var names: [String] = []
      for thread in 0..<4 {
        for number in 0..<250 where number % 5 != 1 {
          names.append("\(thread) \(number)")
          if number % 5 == 2 { names.append("\(thread) \(number) again") }
        }
      }
      names.sort()
      #expect(!relation.hasPendingDbChanges)
      #expect(relation.map(\.title).sorted() == names)
      relation.reset()
      #expect(relation.map(\.title).sorted() == names)
    }
  }

  @Test func `of an owner that was never put lose no entry either`() throws {
    try withStore { store in
      let book = Book("Emma")
      _ = onThreads(book) { book, thread in
        for number in 0..<200 {
          book.tags.append(Tag("\(thread) \(number)"))
          if number % 4 == 3 { book.tags.removeLast() }
        }
      }
      #expect(book.tags.count == 600)
      try store.books.put(book)
      try #expect(store.books.get(book.id)?.tags.count == 600)
    }
  }

  @Test func `read their objects once for all`() throws {
    try withStore { store in
      let jane = Author("Jane")
      try store.books.put((0..<50).map { Book("\($0)", by: jane) })
      for _ in 0..<50 {
        let author = try #require(try store.authors.get(jane.id))
        let seen = Mutex(Set<ObjectIdentifier>())
        let errors = onThreads(author) { author, _ in
          let found = author.books.map(ObjectIdentifier.init)
          seen.withLock { $0.formUnion(found) }
          #expect(found.count == 50)
        }
        #expect(errors.isEmpty && seen.withLock { $0.count } == 50)
      }
    }
  }

  @Test func `keep the changes of the others when a write fails`() throws {
    try withStore { store in
      let book = Book("Emma")
      try store.books.put(book)
      let tag = Tag("gone")
      // No new tag gets this id, so that each write fails.
      tag.number = 5000
      book.tags.append(tag)
      let errors = onThreads(book) { book, thread in
        if thread == 0 {
          for _ in 0..<50 where boxError({ try book.tags.applyToDb() }) == nil { return }
        } else {
          for number in 0..<100 { book.tags.append(Tag("\(thread) \(number)")) }
        }
      }
      #expect(errors.isEmpty)
      book.tags.removeAll { $0 === tag }
      try book.tags.applyToDb()
      let stored = try #require(try store.books.get(book.id))
      let labels = stored.tags.map(\.label)
      #expect(labels.count == 300 && !labels.contains("gone"))
    }
  }

  @Test func `lead to one object, whoever reads it first`() throws {
    try withStore { store in
      let emma = Book("Emma", by: Author("Jane"))
      try store.books.put(emma)
      for _ in 0..<100 {
        let book = try #require(try store.books.get(emma.id))
        let seen = Mutex(Set<ObjectIdentifier>())
        let errors = onThreads(book) { book, _ in
          let author = try #require(book.author.target)
          #expect(author.name == "Jane" && book.author.targetId == author.id)
          _ = seen.withLock { $0.insert(ObjectIdentifier(author)) }
        }
        #expect(errors.isEmpty && seen.withLock { $0.count } == 1)
      }
      _ = onThreads(emma) { emma, thread in
        for number in 0..<1000 {
          switch (thread + number) % 4 {
          case 0: emma.author.target = Author("Mary")
          case 1: emma.author.reset()
          case 2: emma.author.targetId = 1
          default: #expect(emma.author.target == nil || emma.author.hasValue)
          }
        }
      }
    }
  }
}
