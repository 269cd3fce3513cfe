import KennelStorage
import Testing

@Suite struct `An index store` {
  @Test func `finds what changes added, not what they removed`() throws {
    let file = try PeopleFile()
    let people = try file.write { view in
      let people = try file.add(3, to: view)
      for object in people { try file.setName("Ada", of: object, in: view) }
      return people
    }
    let view = try file.store.view()
    #expect(try find("Ada", view, file) == [1, 2, 3])
    try file.setName("Eve", of: people[1], in: view)
    #expect(try find("Ada", view, file) == [1, 3])
    #expect(try find("Eve", view, file) == [2])
    #expect(
      try view.indexes.findFirst(file.person, file.name, .string("Ada"), except: people[0].key)
        == people[2].key
    )
    #expect(try find("Ada", file.store.view(), file) == [1, 2, 3])
  }

  @Test func `compares in full what begins alike`() throws {
    let file = try PeopleFile()
    let beginning = String(repeating: "a", count: 1000)
    try file.write { view in
      let people = try file.add(2, to: view)
      try file.setName(beginning + "1", of: people[0], in: view)
      try file.setName(beginning + "2", of: people[1], in: view)
    }
    #expect(try find(beginning + "2", file.store.view(), file) == [2])
    #expect(try find(beginning, file.store.view(), file) == [])
  }

  @Test func `knows keys that ascend as a run and as entries`() throws {
    let file = try PeopleFile()
    let writer = try file.store.beginWrite()
    let view = writer.view
    for number in Int64(1)...3 {
      #expect(try view.indexes.isGreatestKey(file.person, file.id, .int(number)))
      let object = ObjectIdentity(file.person, try view.objects.create(file.person))
      view.indexes.addEntry(object, file.id, .int(number))
      view.indexes.addEntry(object, file.name, .null)
      try view.values.set(object, file.id, .int(number))
    }
    #expect(try !view.indexes.isGreatestKey(file.person, file.id, .int(3)))
    #expect(try view.indexes.findKey(file.person, nil, 2) == ObjectKey(rawValue: 2))
    #expect(try view.indexes.findKey(file.person, file.name.key, 2) == nil)
    _ = try writer.commit()
    #expect(try FileCheck.run(file.store)?.isEmpty == true)
    #expect(try file.store.view().indexes.findKey(file.person, nil, 4) == ObjectKey(rawValue: 0))
  }

  @Test func `knows the greatest key of what the page store was handed early`() throws {
    let file = try PeopleFile()
    let writer = try file.store.beginWrite()
    _ = try file.add(3, to: writer.view)
    try writer.spill(beyond: 0)
    let indexes = writer.view.indexes
    #expect(try !indexes.isGreatestKey(file.person, file.id, .int(3)))
    #expect(try indexes.isGreatestKey(file.person, file.id, .int(4)))
    writer.rollback()
  }

  private func find(_ name: String, _ view: StoreView, _ file: PeopleFile) throws -> [UInt64] {
    try view.indexes.find(file.person, file.name, .string(name)).map(\.rawValue)
  }
}
