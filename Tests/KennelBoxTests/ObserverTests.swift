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

  @Test func `is told each commit of its store, with the objects of then`() throws {
    try withStore { store in
      let queue = DispatchQueue(label: "observer")
      let seen = Mutex<[Int]>([])
      queue.suspend()
      let observer = store.books.subscribeContiguous(dispatchQueue: queue) { books, _ in
        let count = books.count
        seen.withLock { $0.append(count) }
      }
      try store.books.put(Book("Emma"))
      try store.books.put(Book("Persuasion"))
      try store.authors.put(Author("Jane"))
      queue.resume()
      queue.sync {}
      #expect(seen.withLock { $0 } == [0, 1, 2])
      observer.unsubscribe()
    }
  }

  @Test func `that is far behind does not keep the states of the file`() throws {
    try withStore { store in
      let queue = DispatchQueue(label: "observer")
      let seen = Mutex<[Int]>([])
      queue.suspend()
      let query = try store.books.query().build()
      let observer = query.subscribeContiguous(dispatchQueue: queue, flags: []) { books, _ in
        let count = books.count
        seen.withLock { $0.append(count) }
      }
      for number in 0..<100 { try store.books.put(Book("\(number)")) }
      queue.resume()
      queue.sync {}
      #expect(seen.withLock { $0 } == Array(1...32) + Array(repeating: 100, count: 68))
      observer.unsubscribe()
    }
  }

  @Test func `may put in its handler`() throws {
    try withStore { store in
      let queue = DispatchQueue(label: "observer")
      let told = DispatchSemaphore(value: 0)
      let box = store.books
      let observer = box.subscribe(dispatchQueue: queue) { books, _ in
        #expect(throws: Never.self) { if books.count < 5 { try box.put(Book("next")) } }
        if books.count == 5 { told.signal() }
      }
      #expect(told.wait(timeout: .now() + 10) == .success)
      observer.unsubscribe()
    }
  }
}
