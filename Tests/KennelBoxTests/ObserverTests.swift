import KennelBox
import KennelTestSupport
import Synchronization
import Testing

@Suite struct `An observer` {
  @Test func `gets the objects at first and after each commit to its box`() throws {
    try withStore { store in
      let queue = DispatchQueue(label: "observer")
      let seen = Mutex<[[String]]>([])
      let told = DispatchSemaphore(value: 0)
      let observer = store.books.subscribe(dispatchQueue: queue) { books, error in
        #expect(error == nil)
        let titles = books.map(\.title)
        seen.withLock { $0.append(titles) }
        told.signal()
      }
      #expect(told.wait(timeout: .now() + 10) == .success)
      try store.authors.put(Author("not a book"))
      try store.books.put(Book("Emma"))
      #expect(told.wait(timeout: .now() + 10) == .success)
      observer.unsubscribe()
      try store.books.put(Book("unheard"))
      #expect(told.wait(timeout: .now() + 0.2) == .timedOut)
      #expect(seen.withLock { $0 } == [[], ["Emma"]])
    }
  }

  @Test func `of a query gets what matches, once if that is asked for`() throws {
    try withStore { store in
      try store.books.put([Book("Emma", pages: 1), Book("Persuasion", pages: 2)])
      let queue = DispatchQueue(label: "observer")
      let told = DispatchSemaphore(value: 0)
      let count = Mutex(0)
      let query = try store.books.query { Book.pages > 1 }.build()
      let observer = query.subscribe(
        dispatchQueue: queue,
        flags: [.sendInitial, .dontSubscribe]
      ) { books, _ in
        let found = books.count
        count.withLock { $0 += found }
        told.signal()
      }
      #expect(told.wait(timeout: .now() + 10) == .success)
      try store.books.put(Book("third", pages: 3))
      #expect(told.wait(timeout: .now() + 0.2) == .timedOut)
      #expect(count.withLock { $0 } == 1)
      observer.unsubscribe()
    }
  }
}
