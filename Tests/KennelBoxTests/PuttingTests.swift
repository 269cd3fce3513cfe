import KennelBox
import Testing

@Suite struct `Putting` {
  @Test func `gives new objects the next ids and keeps those of others`() throws {
    try withStore { store in
      let book = Book("Emma")
      try #expect(store.books.put(book) == 1)
      #expect(book.id == 1)
      try #expect(store.books.put(Book("Persuasion")) == 2)
      try #expect(store.books.put(book) == 1)
      try #expect(store.books.count() == 2)
    }
  }

  @Test func `stores every kind of value, and nothing else changes`() throws {
    try withStore { store in
      let one = Everything()
      let id = try store.everything.put(one)
      let blank = try #require(try store.everything.get(id))
      expectSame(blank, one)
      fill(one)
      try store.everything.put(one)
      expectSame(try #require(try store.everything.get(id)), one)
      let two = Everything()
      fill(two)
      let other = try store.everything.put(two)
      expectSame(try #require(try store.everything.get(other)), two)
      // Back to nothing.
      two.maybeBool = nil
      two.maybeString = nil
      two.maybeDate = nil
      two.maybeStrings = nil
      two.maybeBytes = nil
      two.strings = []
      try store.everything.put(two)
      expectSame(try #require(try store.everything.get(other)), two)
    }
  }

  /// A long text lies outside its chunk.
  @Test(arguments: ["caf", String(repeating: "Søren ", count: 20_000)])
  func `stores what is equal to the stored value but not the same`(_ start: String) throws {
    try withStore { store in
      let one = Everything()
      one.string = start + "\u{E9}"
      one.double = 0
      one.maybeFloat = 0
      let id = try store.everything.put(one)
      one.string = start + "e\u{301}"
      one.double = -0.0
      one.maybeFloat = -0.0
      try store.everything.put(one)
      let read = try #require(try store.everything.get(id))
      #expect(read.string.utf8.elementsEqual(one.string.utf8))
      #expect(read.double.sign == .minus && read.maybeFloat?.sign == .minus)
      one.string = start + "f\u{301}"
      try store.everything.put(one)
      try #expect(store.everything.get(id)?.string == one.string)
    }
  }

  private func fill(_ one: Everything) {
    one.bool = true
    one.int = .min
    one.int8 = .min
    one.int16 = .max
    one.int32 = .min
    one.int64 = .max
    one.uint = .max - 3
    one.uint8 = .max
    one.uint16 = .max
    one.uint32 = .max
    one.uint64 = .max
    one.float = -0.25
    one.double = 12345.9876
    one.string = "Søren 🙈 κόσμε\0"
    one.date = Date(timeIntervalSince1970: 1_234_567_890.125)
    one.data = Data([0, 255])
    one.bytes = [1, 2]
    one.strings = ["a", "", "b"]
    one.floats = [1.5, -.infinity]
    one.stamp = Date(timeIntervalSince1970: 1_700_000_000.123_456_7)
    one.maybeBool = false
    one.maybeInt = 0
    one.maybeInt8 = -1
    one.maybeUInt16 = 65535
    one.maybeUInt64 = .max
    one.maybeFloat = 2
    one.maybeDouble = 3
    one.maybeString = ""
    one.maybeDate = Date(timeIntervalSince1970: -1)
    one.maybeData = Data()
    one.maybeBytes = []
    one.maybeStrings = []
    one.maybeFloats = [0]
  }

  private func expectSame(_ left: Everything, _ right: Everything) {
    let (left, right) = (Mirror(reflecting: left), Mirror(reflecting: right))
    for (one, other) in zip(left.children, right.children) {
      #expect("\(one.value)" == "\(other.value)", "\(one.label ?? "")")
    }
  }

  @Test func `inserts what is new and updates what exists, where that is asked for`() throws {
    try withStore { store in
      let book = Book("Emma")
      #expect(boxError { try store.books.put(book, mode: .update) } == "notFound")
      #expect(book.id == 0)
      try store.books.put(book, mode: .insert)
      #expect(boxError { try store.books.put(book, mode: .insert) } == "uniqueViolation")
      book.title = "Emma, again"
      try store.books.put(book, mode: .update)
      try #expect(store.books.get(book.id)?.title == "Emma, again")
      try store.books.remove(book)
      #expect(boxError { try store.books.put(book, mode: .update) } == "notFound")
    }
  }

  @Test func `brings a removed object back under its id, with its values alone`() throws {
    try withStore { store in
      let author = Author("Jane")
      let book = Book("Emma", pages: 474, price: 5, by: author)
      try store.books.put(book)
      try store.books.remove(book)
      let again = Book("Emma")
      again.id = book.id
      try #expect(store.books.put(again) == book.id)
      let read = try #require(try store.books.get(book.id))
      #expect(read.pages == 0 && read.price == nil && read.author.target == nil)
      try #expect(store.authors.get(author.id)?.books.isEmpty == true)
    }
  }

  @Test func `refuses an id that no object had, unless ids are assignable`() throws {
    try withStore { store in
      let book = Book("Emma")
      book.id = 7
      #expect(boxError { try store.books.put(book) } == "illegalArgument")
      #expect(book.id == 7)
      let tag = Tag("classic")
      tag.number = 1000
      try #expect(store.tags.put(tag) == 1000)
      try #expect(store.tags.put(Tag("new")) == 1001)
      let low = Tag("low")
      low.number = 5
      try #expect(store.tags.put(low) == 5)
      try #expect(store.tags.all().map(\.label) == ["low", "classic", "new"])
    }
  }

  @Test func `refuses a second object with the value of a unique property, and changes nothing`()
    throws
  {
    try withStore { store in
      let first = Book("Emma")
      first.isbn = "1"
      let second = Book("Persuasion")
      second.isbn = "2"
      try store.books.put([first, second])
      second.isbn = "1"
      second.title = "changed"
      try store.runInTransaction {
        #expect(boxError { try store.books.put(second) } == "uniqueViolation")
        // The transaction goes on: nothing had been changed.
        try store.books.put(Book("Sanditon"))
      }
      try #expect(store.books.all().map(\.title) == ["Emma", "Persuasion", "Sanditon"])
      first.title = "Emma!"
      try store.books.put(first)
      second.isbn = nil
      let third = Book("Untitled")
      try store.books.put([second, third])
      try #expect(store.books.count() == 4)
    }
  }

  @Test func `sets the ids of structures that are passed in place`() throws {
    try withStore { store in
      var note = Memo(id: 0, text: "milk", stars: nil)
      let written = try store.notes.put(struct: note)
      #expect(written.id == 1 && note.id == 0)
      try store.notes.put(&note)
      #expect(note.id == 2)
      var several = [Memo(id: 0, text: "a", stars: 1), Memo(id: 0, text: "b", stars: 2)]
      try store.notes.put(&several)
      #expect(several.map(\.id) == [3, 4])
      try #expect(store.notes.putAndReturnIDs(several) == [3, 4])
      try #expect(store.notes.get(several[1].id) == several[1])
    }
  }

  @Test func `keeps what is converted and forgets what is transient`() throws {
    try withStore { store in
      let book = Book("Ozymandias")
      book.genre = .poem
      book.isOpen = true
      try store.books.put(book)
      let read = try #require(try store.books.get(book.id))
      #expect(read.genre == .poem && !read.isOpen)
    }
  }

  @Test func `that fails leaves the id of a new object as it was`() throws {
    try withStore { store in
      let book = Book("Emma")
      book.author.targetId = 99
      #expect(boxError { try store.books.put(book) } == "notFound")
      #expect(book.id == 0)
      try #expect(store.books.isEmpty())
    }
  }

  @Test func `that fails leaves the ids of new targets as they were, so that none leads elsewhere`()
    throws
  {
    try withStore { store in
      let (jane, tag, gone) = (Author("Jane"), Tag("a"), Tag("gone"))
      gone.number = 99
      let book = Book("Emma", by: jane)
      book.tags.append(contentsOf: [tag, gone])
      #expect(boxError { try store.books.put(book) } == "notFound")
      #expect(jane.id == 0 && tag.number == 0 && gone.number == 99)
      try store.authors.put(Author("Mary"))
      try store.tags.put(Tag("other"))
      book.tags.removeLast()
      try store.books.put(book)
      let read = try #require(try store.books.get(book.id))
      #expect(read.author.target?.name == "Jane" && read.tags.map(\.label) == ["a"])
    }
    try withStore { store in
      let bob = Person(name: "Bob", spouse: nil)
      bob.spouse.targetId = 99
      let ada = Person(name: "Ada", spouse: ToOne(Person(name: "Eve", spouse: ToOne(bob))))
      #expect(boxError { try store.box(for: Person.self).put(ada) } == "notFound")
      let eve = try #require(ada.spouse.target)
      #expect(eve.id == 0 && eve.spouse.target?.id == 0)
      bob.spouse.targetId = nil
      try store.box(for: Person.self).put(ada)
      #expect(ada.spouse.targetId?.value == 2 && ada.spouse.target?.spouse.targetId?.value == 3)
    }
  }
}
