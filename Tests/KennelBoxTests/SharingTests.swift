import KennelBox
import KennelCore
import KennelRealm
import KennelTestSupport
import Testing

/// The classes of the library as a program of Realm declares them; their objects are those of boxes.
enum Shared {
  final class Author: KennelRealm.Object {
    override class func className() -> String { "Author" }
    @Persisted var name: String
    @Persisted(originProperty: "author") var books: LinkingObjects<Shared.Book>
  }

  final class Book: KennelRealm.Object {
    override class func className() -> String { "Book" }
    @Persisted(indexed: true) var title: String
    @Persisted var pages: Int32
    @Persisted var price: Double?
    @Persisted var published: Date?
    @Persisted(indexed: true) var isbn: String?
    @Persisted var genre: Int
    @Persisted var author: Shared.Author?
    @Persisted var tags: MutableSet<Shared.Tag>
  }

  final class Tag: KennelRealm.Object {
    override class func className() -> String { "Tag" }
    @Persisted var label: String
    @Persisted(originProperty: "tags") var books: LinkingObjects<Shared.Book>
  }
}

@Suite struct `One file` {
  @Test func `is written by boxes, edited in a draft and read by the classes of Realm, and back`()
    throws
  {
    try withStore { store in
      let jane = KennelBoxTests.Author("Jane")
      let emma = KennelBoxTests.Book("Emma", pages: 474, by: jane)
      emma.tags.append(KennelBoxTests.Tag("classic"))
      try store.books.put(emma)

      // What the browser does.
      let database = try Database.open(store.filePath)
      let draft = try database.makeDraft()
      let book = try #require(draft.reader.schema["Book"])
      let object = ObjectIdentity(book.key, ObjectKey(rawValue: emma.id))
      try draft.set(object, property: book.require("title").key, to: .string("Emma, edited"))
      try draft.set(object, property: book.require("price").key, to: .double(7))
      _ = try draft.commit()

      try #expect(store.books.get(emma.id)?.title == "Emma, edited")
      let realm = try Realm(
        configuration: Realm.Configuration(
          fileURL: URL(fileURLWithPath: store.filePath),
          objectTypes: [Shared.Author.self, Shared.Book.self, Shared.Tag.self]
        )
      )
      let read = try #require(realm.objects(Shared.Book.self).first)
      #expect(read.title == "Emma, edited" && read.price == 7 && read.author?.name == "Jane")
      #expect(read.tags.map(\.label) == ["classic"] && read.tags.first?.books.count == 1)
      try realm.write {
        let mary = Shared.Author()
        mary.name = "Mary"
        realm.add(mary)
        read.author = mary
        read.tags.removeAll()
      }
      let again = try #require(try store.books.get(emma.id))
      #expect(again.author.target?.name == "Mary" && again.tags.isEmpty)
      try #expect(store.authors.query { KennelBoxTests.Author.name == "Mary" }.build().count() == 1)
    }
  }

  @Test func `of Realm's classes is opened by boxes: a list stays a list, and its order too`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("shared.kennel")
    let list = [
      ClassDefinition("Tag", properties: [PropertyDefinition("label", .string)]),
      ClassDefinition("Book", properties: [PropertyDefinition("tags", .list(.link("Tag")))]),
    ]
    let database = try Database.open(path)
    try database.write { transaction in
      try transaction.define(list)
      let (tag, book) = (
        try transaction.schema.require("Tag"), try transaction.schema.require("Book")
      )
      let tags = try ["b", "a"].map { label in
        try transaction.create(tag.key, [tag.require("label").key: .string(label)])
      }
      let links = [tags[1], tags[0]].map(Value.link)
      try transaction.create(book.key, [book.require("tags").key: .list(links)])
    }
    let store = try KennelBox.Store(directoryPath: path)
    let book = try #require(try store.books.get(Id(1)))
    #expect(book.tags.map(\.label) == ["a", "b"])
    book.tags.append(KennelBoxTests.Tag("c"))
    try book.tags.applyToDb()
    try #expect(store.books.get(Id(1))?.tags.map(\.label) == ["a", "b", "c"])
    book.tags.remove(at: 1)
    try book.tags.applyToDb()
    try #expect(store.books.get(Id(1))?.tags.map(\.label) == ["a", "c"])
    expectSound(database)
  }

  @Test func `whose classes have defaults gets the values of a new object, and null for nil`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("shared.kennel")
    let price = PropertyDefinition("price", .double.optional, defaultValue: .double(9))
    let pages = PropertyDefinition("pages", .int(bitWidth: 32), defaultValue: .int(100))
    let database = try Database.open(path)
    try database.write { transaction in
      try transaction.define([ClassDefinition("Book", properties: [price, pages])])
    }
    let store = try KennelBox.Store(directoryPath: path)
    try store.books.put([KennelBoxTests.Book("Emma"), KennelBoxTests.Book("Sanditon", price: 2)])
    try #expect(store.books.all().map(\.price) == [nil, 2])
    try #expect(store.books.all().map(\.pages) == [0, 0])
    expectSound(database)
  }
}
