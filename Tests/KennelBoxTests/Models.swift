import KennelBox

/// A library: authors write books, and books have any number of tags.
final class Author: Entity {
  var id: EntityId<Author> = 0
  var name: String
  // objectbox: backlink = "author"
  var books: ToMany<Book>

  required init() {
    name = ""
    books = nil
  }

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

final class Book: Entity {
  var id: Id = 0
  // objectbox: index
  var title = ""
  var pages: Int32 = 0
  var price: Double?
  var published: Date?
  // objectbox: unique
  var isbn: String?
  // objectbox: convert = { "default": ".unknown" }
  var genre: Genre = .unknown
  var author: ToOne<Author> = nil
  var tags: ToMany<Tag> = nil
  // objectbox: transient
  var isOpen = false

  required init() {}

  convenience init(
    _ title: String,
    pages: Int32 = 0,
    price: Double? = nil,
    published: Date? = nil,
    by author: Author? = nil
  ) {
    self.init()
    self.title = title
    self.pages = pages
    self.price = price
    self.published = published
    self.author.target = author
  }
}

enum Genre: Int {
  case unknown, novel, poem
}

// objectbox: entity
final class Tag {
  // objectbox: id = { "assignable": true }
  var number: Id = 0
  var label = ""
  // objectbox: backlink = "tags"
  var books: ToMany<Book> = nil

  required init() {}

  convenience init(_ label: String) {
    self.init()
    self.label = label
  }
}

// objectbox: entity
struct Memo: Equatable {
  let id: EntityId<Memo>
  var text: String
  var stars: Int?
}

// objectbox: entity
struct Person {
  var id: Id = 0
  var name: String
  var spouse: ToOne<Person> = nil
}

/// A property of every kind, and of every kind that may be nil.
final class Everything: Entity {
  var id: Id = 0
  var bool = false
  var int = 0
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var uint: UInt = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var float: Float = 0
  var double = 0.0
  var string = ""
  var date = Date(timeIntervalSince1970: 0)
  var data = Data()
  var bytes: [UInt8] = []
  var strings: [String] = []
  var floats: [Float] = []
  // objectbox: date-nano
  var stamp = Date(timeIntervalSince1970: 0)
  var maybeBool: Bool?
  var maybeInt: Int?
  var maybeInt8: Int8?
  var maybeUInt16: UInt16?
  var maybeUInt64: UInt64?
  var maybeFloat: Float?
  var maybeDouble: Double?
  var maybeString: String?
  var maybeDate: Date?
  var maybeData: Data?
  var maybeBytes: [UInt8]?
  var maybeStrings: [String]?
  var maybeFloats: [Float]?
  var int32s: [Int32] = []
  var maybeInt64s: [Int64]?
  var byte: Byte = Byte.min
}

@propertyWrapper
struct Boxed<Value> {
  var wrappedValue: Value
}

// swift-format-ignore: IdentifiersMustBeASCII, AlwaysUseLowerCamelCase, UseShorthandTypeNames
/// Names that Swift, boxes and the generated code have for something else.
final class Odd: Entity {
  // objectbox: id
  @Boxed var number: EntityId<Odd> = 0
  var `class` = ""
  var 🐶 = 1
  var description = ""
  var E = 2
  var store = 3
  var entity = 4
  var reader = 5
  var writer = 6
  var hashValue = 7
  @Boxed var wrapped = 8
  var driver: Optional<String> = nil
  var small = Int8.min
}
