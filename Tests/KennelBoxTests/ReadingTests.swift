import KennelBox
import Testing

@Suite struct `A box` {
  private func withBooks(_ body: (Store, [Book]) throws -> Void) throws {
    try withStore { store in
      let books = (0..<10).map { Book("Volume \($0)", pages: Int32($0)) }
      try store.books.put(books)
      try body(store, books)
    }
  }

  @Test func `returns objects by id, in the order that is asked for`() throws {
    try withBooks { store, books in
      try #expect(store.books.get(books[3].id)?.title == "Volume 3")
      try #expect(store.books.get(Id(99)) == nil)
      try #expect(store.books.get([5, 99, 2] as [Id]).map(\.id) == [5, 2])
      try #expect(store.books.get([5, 4, 3] as [Id], maxCount: 2).map(\.id) == [5, 4])
      let found = try store.books.getAsDictionary([1, 99] as [Id])
      #expect(found.mapValues(\.title) == [1: "Volume 0"])
    }
  }

  @Test func `counts, up to a limit`() throws {
    try withBooks { store, _ in
      try #expect(store.books.count() == 10)
      try #expect(store.books.count(limit: 3) == 3)
      try #expect(!store.books.isEmpty())
      try #expect(store.authors.isEmpty())
    }
  }

  @Test func `knows which ids exist`() throws {
    try withBooks { store, books in
      try #expect(store.books.contains(books[0].id))
      try #expect(store.books.contains([1, 2, 3]))
      try store.books.remove(books[1])
      try #expect(!store.books.contains(1, 2, 3))
    }
  }

  @Test func `visits objects until it is enough, and passes errors on`() throws {
    try withBooks { store, books in
      var pages: [Int32] = []
      try store.books.visit { book in
        pages.append(book.pages)
        return pages.count < 4
      }
      #expect(pages == [0, 1, 2, 3])
      struct Stop: Error {}
      #expect(throws: Stop.self) { try store.books.visit { _ in throw Stop() } }
      var titles: [String?] = []
      try store.books.for([2, 77]) { titles.append($0?.title) }
      #expect(titles == ["Volume 1", nil])
      try store.books.visit(writable: true) { book in
        book.pages += 100
        try store.books.put(book)
        return true
      }
      try #expect(store.books.all().map(\.pages) == (100..<110).map { $0 })
      #expect(books.count == 10)
    }
  }

  @Test func `removes objects in each way, and counts those that it removed`() throws {
    try withBooks { store, books in
      try #expect(store.books.remove(books[0]))
      #expect(boxError { try store.books.remove(books[0]) } == "notFound")
      try #expect(!store.books.remove(Book("never put")))
      try #expect(store.books.remove(Id(2)))
      try #expect(store.books.remove([2, 3, 4] as [Id]) == 2)
      try #expect(store.books.remove(books[4], books[5], books[4]) == 2)
      try #expect(store.books.removeAll() == 4)
      try #expect(store.books.isEmpty())
    }
  }

  @Test func `is always the same one`() throws {
    try withStore { store in #expect(store.books === store.books) }
  }
}
