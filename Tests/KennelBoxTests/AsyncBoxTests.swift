import KennelBox
import Testing

@Suite struct `An asynchronous box` {
  @Test func `puts and removes objects`() throws {
    try withStore { store in
      let box = store.authors
      let jane = Author("Jane")
      let id = try box.async.put(jane)
      try box.async.put([Author("Mary"), Author("Ann")])
      try box.async.put(Author("Emily"), Author("Anne"))
      #expect(store.awaitAsyncSubmitted() && store.awaitAsyncCompleted())
      try #expect(box.get(id)?.name == "Jane" && box.count() == 5)
      try box.async.remove(jane)
      try box.async.remove(jane)
      try box.async.remove(EntityId<Author>(2))
      try box.async.remove(3 as Id, 9)
      try #expect(box.all().map(\.name) == ["Emily", "Anne"])
    }
  }

  @Test func `is made of a box, and has nothing to wait for in a closed store`() throws {
    try withStore { store in
      let async = AsyncBox(box: store.authors, enqueueTimeout: 0.5)
      try async.put(Author("Jane"))
      try #expect(store.authors.count() == 1)
      store.close()
      #expect(!store.awaitAsyncSubmitted() && !store.awaitAsyncCompleted())
    }
  }

  @Test func `returns the ids of structures`() throws {
    try withStore { store in
      let memos = [Memo(id: 0, text: "a"), Memo(id: 0, text: "b")]
      let ids = try store.notes.async.put(memos)
      try #expect(store.notes.get(ids).map(\.text) == ["a", "b"])
    }
  }

  @Test func `skips what its mode or a unique property forbids`() throws {
    try withStore { store in
      let books = store.books
      let emma = Book("Emma")
      try books.async.put(emma, mode: .update)
      try #expect(emma.id == 0 && books.isEmpty())
      emma.isbn = "a"
      try books.async.put(emma, mode: .insert)
      let copy = Book("Copy")
      copy.id = emma.id
      try books.async.put(copy, mode: .insert)
      let other = Book("Other")
      other.isbn = "a"
      try books.async.put([Book("Third"), other])
      try #expect(books.all().map(\.title) == ["Emma", "Third"])
    }
  }

  @Test func `throws other errors`() throws {
    try withStore { store in
      let book = Book("Emma")
      book.author.targetId = 7
      #expect(boxError { try store.books.async.put(book) } == "notFound")
      try #expect(store.books.isEmpty())
      book.author.targetId = nil
      try store.books.async.put(book)
      book.author.targetId = 7
      #expect(boxError { try store.books.async.put(book, mode: .update) } == "notFound")
      try #expect(store.books.get(book.id)?.author.targetId == nil)
    }
  }
}
