import KennelBox
import KennelTestSupport
import Testing

@Suite struct `A to-one relation` {
  @Test func `leads nowhere until a target is set, and puts a new target`() throws {
    try withStore { store in
      let book = Book("Emma")
      #expect(!book.author.hasValue && book.author.target == nil && book.author.targetId == nil)
      let jane = Author("Jane")
      book.author.target = jane
      #expect(book.author.hasValue && book.author.targetId == nil)
      try store.books.put(book)
      #expect(jane.id == 1)
      let read = try #require(try store.books.get(book.id))
      #expect(read.author.targetId == jane.id)
      #expect(read.author.target?.name == "Jane")
    }
  }

  @Test(arguments: ["target", "targetId", "nil", "init(target:)", "init(_:)"])
  func `is removed in each way that ObjectBox has`(way: String) throws {
    try withStore { store in
      let book = Book("Emma", by: Author("Jane"))
      try store.books.put(book)
      switch way {
      case "target": book.author.target = nil
      case "targetId": book.author.targetId = nil
      case "nil": book.author = nil
      case "init(target:)": book.author = ToOne<Author>(target: nil)
      default: book.author = ToOne(nil)
      }
      try store.books.put(book)
      let read = try #require(try store.books.get(book.id))
      #expect(!read.author.hasValue && read.author.target == nil)
      try #expect(store.authors.count() == 1)
      try #expect(store.authors.get(EntityId(1))?.books.isEmpty == true)
    }
  }

  @Test func `takes a target by its id, and reads it before and after the object is put`() throws {
    try withStore { store in
      let jane = Author("Jane")
      try store.authors.put(jane)
      let book = Book("Emma")
      book.author.targetId = jane.id
      #expect(book.author.target == nil)
      book.author.attach(to: store)
      #expect(book.author.target?.name == "Jane")
      try store.books.put(book)
      try #expect(store.books.get(book.id)?.author.target?.id == jane.id)
    }
  }

  @Test func `is attached to a store that has the entities in another order`() throws {
    try withStore { store in
      let book = Book("Emma", by: Author("Jane"))
      try store.books.put(book)
      let read = try #require(try store.books.get(book.id))
      let folder = try TemporaryFolder()
      let other = try KennelBox.Store(
        entities: [Book.entityInfo, Tag.entityInfo, Author.entityInfo],
        directory: folder.file("other")
      )
      try other.authors.put(Author("Emily"))
      read.author.attach(to: other)
      #expect(read.author.target?.name == "Emily")
    }
  }

  @Test func `does not put a target that exists, and forgets what it read when reset`() throws {
    try withStore { store in
      let book = Book("Emma", by: Author("Jane"))
      try store.books.put(book)
      let read = try #require(try store.books.get(book.id))
      read.author.target?.name = "changed in memory"
      try store.books.put(read)
      try #expect(store.authors.all().map(\.name) == ["Jane"])
      #expect(read.author.target?.name == "changed in memory")
      read.author.reset()
      #expect(read.author.target?.name == "Jane")
    }
  }

  @Test func `leads nowhere after its target was removed`() throws {
    try withStore { store in
      let book = Book("Emma", by: Author("Jane"))
      try store.books.put(book)
      let read = try #require(try store.books.get(book.id))
      try store.authors.removeAll()
      #expect(read.author.target == nil)
      try #expect(store.books.get(book.id)?.author.hasValue == false)
    }
  }

  @Test func `whose target was removed meanwhile does not keep its owner from being put`() throws {
    try withStore { store in
      let book = Book("Emma", by: Author("Jane"))
      try store.books.put(book)
      let read = try #require(try store.books.get(book.id))
      try store.authors.removeAll()
      for (title, one) in [("put", book), ("read", read)] {
        one.title = title
        try store.books.put(one)
        let now = try #require(try store.books.get(book.id))
        #expect(now.title == title && !now.author.hasValue)
      }
      read.author.targetId = 1
      #expect(boxError { try store.books.put(read) } == "notFound")
    }
  }

  @Test func `may lead in a circle of new objects`() throws {
    try withStore { store in
      let people = store.box(for: Person.self)
      var ada = Person(name: "Ada")
      try people.put(&ada)
      var charles = Person(name: "Charles")
      charles.spouse.target = ada
      try people.put(&charles)
      ada.spouse.targetId = EntityId(charles.id)
      try people.put(ada)
      try #expect(people.get(ada.id)?.spouse.target?.name == "Charles")
      try #expect(people.get(charles.id)?.spouse.target?.name == "Ada")
    }
  }

  @Test func `describes itself without reading`() throws {
    try withStore { store in
      let book = Book("Emma", by: Author("Jane"))
      try store.books.put(book)
      let read = try #require(try store.books.get(book.id))
      #expect("\(read.author)" == "ToOne(Author 1)")
      #expect("\(Book("x").author)" == "ToOne(nil)")
    }
  }
}
