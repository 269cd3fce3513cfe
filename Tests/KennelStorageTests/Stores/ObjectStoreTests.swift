import KennelStorage
import Testing

@Suite struct `An object store` {
  @Test func `gives each object a new key, and keys of a draft for those of drafts`() throws {
    let file = try PeopleFile()
    let view = try file.store.view()
    #expect(try view.objects.create(file.person) == ObjectKey(rawValue: 1))
    let drafted = try view.objects.createProvisional(file.person)
    #expect(drafted.isProvisional && view.objects.count(of: file.person) == 2)
    view.objects.reserveProvisionalKeys([
      ObjectIdentity(file.person, ObjectKey(rawValue: drafted.rawValue + 7))
    ])
    #expect(try view.objects.createProvisional(file.person).rawValue == drafted.rawValue + 8)
    #expect(try view.objects.contains(ObjectIdentity(file.person, drafted)))
    try view.objects.setLive(ObjectIdentity(file.person, ObjectKey(rawValue: 1)), false)
    #expect(try view.objects.create(file.person) == ObjectKey(rawValue: 2))
  }

  @Test func `marks an object once`() throws {
    let file = try PeopleFile()
    let view = try file.store.view()
    let ada = try file.add(1, to: view)[0]
    #expect(try view.objects.mark(ada) && view.objects.isMarked(ada))
    #expect(try !view.objects.mark(ada))
    try view.objects.unmark(ada)
    #expect(try !view.objects.isMarked(ada))
  }

  @Test(arguments: [false, true])
  func `knows the positions of those that live`(isStored: Bool) throws {
    let file = try PeopleFile()
    let view =
      isStored
      ? try file.write { try makeAndDelete($0, file) }.store.view()
      : try makeAndDelete(file.store.view(), file)
    let living = (UInt64(1)...600).filter { $0 % 3 != 0 }
    for (position, key) in living.enumerated() {
      let object = ObjectIdentity(file.person, ObjectKey(rawValue: key))
      #expect(try view.objects.position(of: object) == position)
      #expect(try view.objects.key(of: file.person, at: position) == object.key)
    }
    #expect(try view.objects.key(of: file.person, at: living.count) == nil)
  }

  private func makeAndDelete(_ view: StoreView, _ file: PeopleFile) throws -> StoreView {
    for object in try file.add(600, to: view) where object.key.rawValue % 3 == 0 {
      view.indexes.removeEntry(object, file.id, .int(Int64(object.key.rawValue)))
      view.indexes.removeEntry(object, file.name, .null)
      try view.objects.setLive(object, false)
    }
    return view
  }
}
