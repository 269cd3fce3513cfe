import KennelBox
import KennelCore
import KennelFoundation
import KennelTestSupport
import Testing

// The examples of the doc comments; the tidy test finds each of them here.

final class Note: Entity {
  var id: Id = 0
  var title = ""
  var done = false
  var stars = 0
  var author: ToOne<Writer> = nil
  required init() {}
}

extension Note {
  convenience init(title: String) {
    self.init()
    self.title = title
  }
}

final class Writer: Entity {
  var id: Id = 0
  var name = ""
  // objectbox: backlink = "author"
  var notes: ToMany<Note> = nil
}

final class Reminder: Entity {
  var id: EntityId<Reminder> = 0
  var text = ""
}

@Suite struct `The examples of the documentation` {
  private func withNotes(_ body: (KennelBox.Store, Box<Note>, Note) throws -> Void) throws {
    try withStore { store in
      let note = Note(title: "Buy bread")
      let writer = Writer()
      writer.name = "Ada"
      note.author.target = writer
      note.stars = 3
      let box = store.box(for: Note.self)
      try box.put(note)
      try body(store, box, note)
    }
  }

  @Test func `open a store`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("notes")
    typealias Store = KennelBox.Store
    let store = try Store(directoryPath: path)
    let box = store.box(for: Note.self)
    try box.put(Note(title: "Buy milk"))
    print(try box.all().count)
    try #expect(box.all().count == 1)
  }

  @Test func `put, get and remove objects`() throws {
    try withNotes { store, _, note in
      let box = store.box(for: Note.self)
      let id = try box.put(Note(title: "Buy milk"))
      print(try box.get(id)?.title ?? "none")
      try box.remove(id)
      try box.put(note, mode: .update)
      do {
        try box.put(note)
      } catch ObjectBoxError.uniqueViolation(let message) {
        print(message)
      }
      try #expect(box.count() == 1)
    }
    try withNotes { _, box, note in
      let id: Id = try box.put(note)
      print(try box.get(id)?.title ?? "none")
      let ids: [Int] = [1, 2]
      print(try box.get(ids).count)
      let ada = Writer()
      note.author.target = ada
      try box.put(note)
      note.author = nil
      try box.put(note)
      try #expect(box.get(id)?.author.hasValue == false)
    }
  }

  @Test func `describe entities and their values`() throws {
    try withNotes { _, _, note in
      print(Note.entityInfo.name)
      func name<E: EntityInspectable & __EntityRelatable>(of type: E.Type) -> String {
        type.entityInfo.name
      }
      #expect(name(of: Note.self) == "Note")
      print(Note.entityBinding.id(of: note))
      let author: any ToOneRelation = note.author
      author.setTargetId(3)
      #expect(note.author.targetId == 3)
      func number(of id: some IdBase) -> UInt64 { id.value }
      print(number(of: EntityId<Note>(7)))
      print(Note.entityInfo.properties.map(\.name))
      let title = EntityProperty.value("title", String.self, index: true)
      print(title.name)
      let code = EntityProperty.value("code", Int.self, unique: true, onConflict: .replace)
      #expect(code.name == "code")
      func describe<V: EntityPropertyValue>(_ type: V.Type) -> String { "\(V.propertyType)" }
      print(describe(Int32?.self))
      #expect(describe(Int32?.self) == "int32?")
      func isEqual<V: EntityValue & Equatable>(_ left: V, _ right: V) -> Bool { left == right }
      print(isEqual("Ada", "Ada"))
      func stored<V: EntityScalar>(_ value: V) -> V.Stored { value._stored }
      print(stored(Int16(7)))
      func type<Element: EntityArrayElement>(of: [Element].Type) -> PropertyType {
        Element._arrayType
      }
      print(type(of: [UInt8].self))
    }
    print(Date(Timestamp(seconds: 0)) == Date(timeIntervalSince1970: 0))
    print(Timestamp(Date(timeIntervalSince1970: 1.5)).nanoseconds)
    #expect(Timestamp(Date(timeIntervalSince1970: 1.5)).nanoseconds == 500_000_000)
  }

  /// The functions of generated code, as the documentation of readers and writers shows them.
  private struct Binding {
    func read(from reader: inout EntityReader) throws -> Note {
      let note = Note()
      note.id = reader.id
      note.title = try reader.read(at: 1)
      return note
    }

    func write(_ note: Note, to writer: inout EntityWriter) throws {
      try writer.write(note.title, at: 1)
    }

    func attach(_ note: Note, to connector: RelationConnector) throws {
      try connector.attach(note.author, at: 4)
    }
  }

  @Test func `find objects`() throws {
    try withNotes { _, box, _ in
      let query = try box.query { Note.title.contains("milk") && Note.done == false }.build()
      try #expect(query.count() == 0)
    }
    try withNotes { store, _, _ in
      let box = store.box(for: Writer.self)
      let query = try box.query().link(Writer.notes) { Note.done == true }.build()
      try #expect(query.count() == 0)
    }
    try withNotes { _, box, _ in
      let query = try box.query { Note.stars > 2 }.build()
      print(try query.property(Note.stars).average())
      try #expect(query.property(Note.stars).average() == 3)
    }
    try withNotes { _, box, _ in
      let query = try box.query { Note.title.startsWith("Buy") }.build()
      print(try query.count(), try query.find(limit: 10).count)
      query.setParameter(Note.title, to: "Sell")
      try #expect(query.count() == 0)
    }
    try withNotes { _, box, _ in
      let query = try box.query().ordered(by: Note.title, flags: .descending).build()
      try #expect(query.count() == 1)
    }
    try withNotes { _, box, _ in
      let query = try box.query { Note.done == false }
        .ordered(by: Note.title)
        .link(Note.author) { Writer.name == "Ada" }
        .build()
      print(try query.find().count)
      try #expect(query.count() == 1)
    }
    try withNotes { _, box, _ in
      let isOpen: QueryCondition<Note> = Note.done == false && Note.title != ""
      let query = try box.query { isOpen }.build()
      try #expect(query.count() == 1)
    }
    try withNotes { _, box, _ in
      let query = try box.query { "limit" .= Note.stars > 2 }.build()
      query.setParameter("limit", to: 1)
      try #expect(query.count() == 1)
    }
  }

  @Test func `observe a box`() throws {
    try withNotes { _, box, _ in
      let observer = box.subscribe { notes, error in print(notes.count) }
      observer.unsubscribe()
    }
    try withNotes { _, box, _ in
      let observer = box.subscribe(flags: []) { (notes, error) in print(notes.count) }
      observer.unsubscribe()
    }
  }

  @Test func `put without telling conflicts`() throws {
    try withNotes { store, box, _ in
      let id = try box.async.put(Note(title: "Buy milk"))
      store.awaitAsyncSubmitted()
      print(try box.get(id)?.title ?? "none")
      try #expect(box.get(id)?.title == "Buy milk")
    }
  }

  @Test func `change objects of any entity`() throws {
    func rename<E: EntityInspectable & __EntityRelatable>(
      _ property: ValueProperty<E, String>,
      from old: String,
      in store: KennelBox.Store,
      _ change: (E) -> Void
    ) throws where E == E.EntityBindingType.EntityType {
      let box = store.box(for: E.self)
      let found = try box.query { property == old }.build().find()
      for object in found { change(object) }
      try box.put(found)
    }
    try withNotes { store, box, _ in
      try rename(Note.title, from: "Buy bread", in: store) { $0.title = "Bake bread" }
      try #expect(box.all().map(\.title) == ["Bake bread"])
      func name<V: EntityPropertyTypeConvertible>(of type: V.Type) -> String {
        "\(type.propertyType)"
      }
      #expect(name(of: Int?.self) == "int?")
    }
  }

  @Test func `ask for values of any type that can be compared`() throws {
    try withNotes { _, box, _ in
      func ask<V: EntityEquatable>(
        _ property: KennelBox.Property<Note, V, Void>,
        _ value: V
      ) throws -> Int {
        try box.query { property == value }.build().count()
      }
      try #expect(ask(Note.title, "Buy bread") == 1)
    }
    try withNotes { _, box, _ in
      func ask<V: EntityOrdered>(
        _ property: KennelBox.Property<Note, V, Void>,
        below value: V
      ) throws -> Int {
        try box.query { property < value }.build().count()
      }
      try #expect(ask(Note.stars, below: 9) == 1)
    }
  }

  @Test func `name a type of numbers in arrays`() {
    func largest<Number: EntityArrayNumber>(_ numbers: [Number]) -> Number? { numbers.max() }
    print(largest([1, 2] as [Int32]) ?? 0)
    #expect(largest([1, 2] as [Int32]) == 2)
  }
}
