import KennelStorage
import KennelTestSupport
import Testing

/// A file with one class, whose people have friends.
struct PeopleFile {
  let folder: TemporaryFolder
  let store: DatabaseFile
  let person = ClassKey(rawValue: 0)
  let id = PropertySchema(
    key: PropertyKey(rawValue: 0),
    name: "id",
    type: .int,
    isPrimaryKey: true,
    isIndexed: true,
    defaultValue: .int(0),
    fillValue: .int(0)
  )
  let name = PropertySchema(
    key: PropertyKey(rawValue: 1),
    name: "name",
    type: .string.optional,
    isIndexed: true,
    defaultValue: .null,
    fillValue: .null
  )
  let friends = PropertySchema(
    key: PropertyKey(rawValue: 2),
    name: "friends",
    type: .list(.link("Person")),
    target: ClassKey(rawValue: 0),
    defaultValue: .list([]),
    fillValue: .list([])
  )
  /// Where the backlinks of `friends` are kept.
  let backlinks: UInt16 = 0

  init() throws {
    folder = try TemporaryFolder()
    store = try DatabaseFile(path: folder.file("people.kennel"), isReadOnly: false, create: true)
    let writer = try store.beginWrite()
    let column = BacklinkColumn(number: backlinks, origin: person, property: friends.key)
    let schema = ClassSchema(
      key: person,
      name: "Person",
      isEmbedded: false,
      properties: [id, name, friends],
      backlinkColumns: [column],
      nextColumn: 3
    )
    try writer.setSchema(Schema(classes: [schema]))
    _ = try writer.commit()
  }

  /// Changes the newest snapshot, commits, and checks the whole file.
  @discardableResult
  func write<Result>(_ change: (StoreView) throws -> Result) throws -> Result {
    let writer = try store.beginWrite()
    let result = try change(writer.view)
    _ = try writer.commit()
    #expect(try FileCheck.run(store)?.isEmpty == true)
    return result
  }

  /// Makes people with the next ids, without names and friends.
  func add(_ count: Int, to view: StoreView) throws -> [ObjectIdentity] {
    try (0..<count).map { _ in
      let object = ObjectIdentity(person, try view.objects.create(person))
      let value = Value.int(Int64(object.key.rawValue))
      try view.values.set(object, id, value)
      view.indexes.addEntry(object, id, value)
      view.indexes.addEntry(object, name, .null)
      return object
    }
  }

  func setName(_ text: String, of object: ObjectIdentity, in view: StoreView) throws {
    view.indexes.removeEntry(object, name, try view.values.value(of: object, name))
    view.indexes.addEntry(object, name, .string(text))
    try view.values.set(object, name, .string(text))
  }

  /// Makes a person a friend of another.
  func link(_ object: ObjectIdentity, to friend: ObjectIdentity, in view: StoreView) throws {
    let end = try view.values.elementCount(of: object, friends)
    try view.values.insertKey(friend.key.rawValue, at: end, of: object, friends)
    view.backlinks.note(from: object.key.rawValue, to: friend, backlinks, isAdded: true)
  }
}
