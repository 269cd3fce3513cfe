import KennelBox
import KennelTestSupport
import Testing

@Suite struct `A to-many relation` {
  /// What the relation has now, and after it was written and read again.
  private func expect<S>(
    _ relation: ToMany<S>,
    _ names: [String],
    _ name: (S) -> String
  ) throws {
    #expect(relation.map(name).sorted() == names)
    try relation.applyToDb()
    #expect(!relation.hasPendingDbChanges)
    relation.reset()
    #expect(!relation.resolved)
    #expect(relation.map(name).sorted() == names)
  }

  @Test func `changes in every way of an array, then is written`() throws {
    try withStore { store in
      let book = Book("Emma")
      try store.books.put(book)
      let (a, b, c) = (Tag("a"), Tag("b"), Tag("c"))
      try store.tags.put([a, b, c])
      book.tags.append(a)
      try expect(book.tags, ["a"]) { $0.label }
      book.tags.append(contentsOf: [b, c])
      try expect(book.tags, ["a", "b", "c"]) { $0.label }
      book.tags.remove(at: 1)
      try expect(book.tags, ["a", "c"]) { $0.label }
      book.tags.insert(b, at: 0)
      try expect(book.tags, ["a", "b", "c"]) { $0.label }
      book.tags.removeFirst()
      try expect(book.tags, ["b", "c"]) { $0.label }
      book.tags.replaceSubrange(0..<2, with: [a])
      try expect(book.tags, ["a"]) { $0.label }
      book.tags.replace([b, c])
      try expect(book.tags, ["b", "c"]) { $0.label }
      book.tags.removeAll { $0.label == "b" }
      try expect(book.tags, ["c"]) { $0.label }
      book.tags += [a, b]
      try expect(book.tags, ["a", "b", "c"]) { $0.label }
      book.tags.removeLast(2)
      try expect(book.tags, ["a"]) { $0.label }
      book.tags.removeAll()
      try expect(book.tags, []) { $0.label }
    }
  }

  @Test(arguments: [false, true]) func `becomes a part of itself`(_ isStored: Bool) throws {
    try withStore { store in
      let book = Book("Emma")
      if isStored { try store.books.put(book) }
      book.tags.append(contentsOf: [Tag("a"), Tag("b"), Tag("c")])
      book.tags.replace(book.tags.lazy.filter { $0.label != "b" })
      #expect(book.tags.map(\.label) == ["a", "c"])
      book.tags.replaceSubrange(0..<1, with: book.tags)
      #expect(book.tags.map(\.label) == ["a", "c", "c"])
      book.tags.removeLast()
      if !isStored { try store.books.put(book) }
      try expect(book.tags, ["a", "c"]) { $0.label }
    }
  }

  @Test func `puts new objects when it is written, with the id of its owner`() throws {
    try withStore { store in
      let jane = Author("Jane")
      try store.authors.put(jane)
      let (emma, other, sanditon) = (Book("Emma"), Book("Other"), Book("Sanditon"))
      jane.books.append(contentsOf: [emma, other, sanditon])
      jane.books.removeAll { $0 === other }
      try expect(jane.books, ["Emma", "Sanditon"]) { $0.title }
      #expect(emma.author.targetId == jane.id && sanditon.author.targetId == jane.id)
      #expect(other.id == 0 && other.author.targetId == nil)
      try #expect(store.books.count() == 2)
      let again = try #require(try store.authors.get(jane.id))
      try expect(again.books, ["Emma", "Sanditon"]) { $0.title }
      again.books.remove(at: 0)
      try expect(again.books, ["Sanditon"]) { $0.title }
      try #expect(store.books.get(emma.id)?.author.target == nil)
    }
  }

  @Test func `of an owner that was never put is written with it`() throws {
    try withStore { store in
      let jane = Author("Jane")
      jane.books.append(Book("Emma"))
      #expect(!jane.books.canInteractWithDb && jane.books.hasPendingDbChanges)
      #expect(boxError { try jane.books.applyToDb() } == "cannotRelateToUnsavedEntities")
      #expect(
        boxError { _ = try jane.books.getUncachedFromDb() } == "cannotRelateToUnsavedEntities"
      )
      try store.authors.put(jane)
      #expect(jane.books.canInteractWithDb && !jane.books.hasPendingDbChanges)
      try #expect(store.authors.get(jane.id)?.books.map(\.title) == ["Emma"])
      let book = Book("Lady Susan")
      book.tags.append(Tag("novella"))
      try store.books.put(book)
      try #expect(store.tags.all().map(\.label) == ["novella"])
    }
  }

  @Test func `of an owner that exists waits for its own writing`() throws {
    try withStore { store in
      let book = Book("Emma")
      try store.books.put(book)
      book.tags.append(Tag("classic"))
      book.title = "Emma!"
      try store.books.put(book)
      try #expect(store.tags.isEmpty())
      try book.tags.applyToDb()
      try #expect(store.books.get(book.id)?.tags.count == 1)
    }
  }

  @Test func `that was not connected yet is written with an owner that exists`() throws {
    try withStore { store in
      let id = try store.books.put(Book("Emma"))
      let again = Book("Emma")
      again.id = id.value
      again.tags.append(Tag("classic"))
      try store.books.put(again)
      try #expect(store.books.get(id)?.tags.map(\.label) == ["classic"])
    }
  }

  @Test func `is seen from the other side, and changed there`() throws {
    try withStore { store in
      let books = [Book("Emma"), Book("Persuasion")]
      try store.books.put(books)
      let tag = Tag("classic")
      try store.tags.put(tag)
      tag.books.append(contentsOf: books)
      try expect(tag.books, ["Emma", "Persuasion"]) { $0.title }
      let emma = try #require(try store.books.get(books[0].id))
      #expect(emma.tags.map(\.label) == ["classic"])
      emma.tags.removeAll()
      try emma.tags.applyToDb()
      tag.books.reset()
      try expect(tag.books, ["Persuasion"]) { $0.title }
      tag.books.remove(at: 0)
      try tag.books.applyToDb()
      try #expect(store.books.get(books[1].id)?.tags.isEmpty == true)
    }
  }

  @Test func `has an object once, and knows what is pending`() throws {
    try withStore { store in
      let book = Book("Emma")
      let tag = Tag("classic")
      try store.tags.put(tag)
      try store.books.put(book)
      book.tags.append(tag)
      #expect(book.tags.hasPendingDbChanges)
      book.tags.remove(at: 0)
      #expect(!book.tags.hasPendingDbChanges)
      book.tags.append(contentsOf: [tag, tag])
      try book.tags.applyToDb()
      try #expect(book.tags.getUncachedIdsFromDb() == [1])
      book.tags.reset()
      book.tags.removeAll()
      book.tags.append(try #require(try store.tags.get(tag.number)))
      #expect(!book.tags.hasPendingDbChanges)
    }
  }

  @Test func `shows what was read until it is reset`() throws {
    try withStore { store in
      let jane = Author("Jane")
      try store.authors.put(jane)
      try store.books.put([Book("Emma", by: jane), Book("Persuasion", by: jane)])
      #expect("\(jane.books)" == "(unresolved)")
      #expect(jane.books.count == 2)
      try store.books.remove(Id(1))
      #expect(jane.books.count == 2)
      try #expect(jane.books.getUncachedFromDb().map(\.title) == ["Persuasion"])
      jane.books.reset()
      #expect(jane.books.map(\.title) == ["Persuasion"])
    }
  }

  @Test func `whose owner was removed is empty and cannot be written`() throws {
    try withStore { store in
      let book = Book("Emma")
      try store.books.put(book)
      try store.books.remove(book)
      try #expect(book.tags.getUncachedFromDb().isEmpty)
      book.tags.append(Tag("late"))
      #expect(boxError { try book.tags.applyToDb() } == "notFound")
      try #expect(store.tags.isEmpty())
    }
  }

  @Test func `can be appended to itself`() throws {
    try withStore { store in
      let book = Book("Emma")
      try store.books.put(book)
      book.tags.append(contentsOf: [Tag("a"), Tag("b")])
      book.tags.append(contentsOf: book.tags)
      book.tags.replace(book.tags.filter { $0.label == "a" })
      #expect(book.tags.map(\.label) == ["a", "a"])
    }
  }

  @Test func `keeps its changes when they cannot be written`() throws {
    try withStore { store in
      let emma = Book("Emma")
      try store.books.put(emma)
      let tag = Tag("a")
      tag.number = 9
      emma.tags.append(tag)
      #expect(boxError { try emma.tags.applyToDb() } == "notFound")
      #expect(emma.tags.hasPendingDbChanges)
      try store.tags.put(tag)
      try emma.tags.applyToDb()
      try #expect(store.books.get(emma.id)?.tags.map(\.label) == ["a"])
    }
  }

  @Test func `keeps its changes when they cannot be committed`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("library.kennel")
    let emma = Book("Emma")
    let id = try KennelBox.Store(directoryPath: path).books.put(emma)
    let full = try KennelBox.Store(directoryPath: path, maxDbSizeInKByte: 1)
    let book = try #require(try full.books.get(id))
    let tag = Tag("a")
    book.tags.append(tag)
    #expect(boxError { try book.tags.applyToDb() } == "dbFull")
    #expect(book.tags.hasPendingDbChanges && tag.number == 0)
  }

  @Test func `of an owner whose transaction failed is written when the owner is put again`() throws
  {
    try withStore { store in
      let (tag, emma) = (Tag("a"), Book("Emma"))
      try store.tags.put(tag)
      emma.tags.append(tag)
      #expect(throws: CancellationError.self) {
        try store.runInTransaction {
          try store.books.put(emma)
          throw CancellationError()
        }
      }
      emma.id = 0
      let id = try store.books.put(emma)
      try #expect(store.books.get(id)?.tags.map(\.label) == ["a"])
    }
  }
}
