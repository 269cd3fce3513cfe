import KennelStorage
import Testing

@Suite struct `A value store` {
  @Test func `reads what was set, before it is stored and after`() throws {
    let file = try PeopleFile()
    let names = ["", "Ada", "Æ", String(repeating: "long ", count: 100)]
    func expectNames(_ view: StoreView) throws {
      for (number, name) in names.enumerated() {
        let object = ObjectIdentity(file.person, ObjectKey(rawValue: UInt64(number) + 1))
        #expect(try view.values.value(of: object, file.name) == .string(name))
      }
      let nobody = ObjectIdentity(file.person, ObjectKey(rawValue: 5))
      #expect(try view.values.value(of: nobody, file.name) == .null)
    }
    try file.write { view in
      for (object, name) in zip(try file.add(5, to: view), names) {
        try file.setName(name, of: object, in: view)
      }
      try expectNames(view)
    }
    try expectNames(file.store.view())
  }

  @Test func `previews a long text by whole characters`() throws {
    let file = try PeopleFile()
    let ada = try file.write { view in
      let ada = try file.add(1, to: view)[0]
      try file.setName(String(repeating: "é", count: 1000), of: ada, in: view)
      return ada
    }
    let cut = try file.store.view().values.preview(of: ada, file.name, limit: 9)
    #expect(cut.value == .string("éééé") && cut.count == 2000 && cut.isCut)
  }

  @Test func `inserts, removes and walks the keys of a list`() throws {
    let file = try PeopleFile()
    let view = try file.store.view()
    let ada = try file.add(1, to: view)[0]
    for (index, key) in [UInt64(1), 2, 3].enumerated() {
      try view.values.insertKey(key, at: index, of: ada, file.friends)
    }
    try view.values.insertKey(9, at: 1, of: ada, file.friends)
    #expect(try view.values.removeKey(at: 0, of: ada, file.friends) == 1)
    var keys: [UInt64] = []
    try view.values.forEachKey(of: ada, file.friends.key) { keys.append($0) }
    #expect(keys == [9, 2, 3])
    #expect(try view.values.elementCount(of: ada, file.friends) == 3)
    try view.values.setKeys(ada, file.friends, [5])
    #expect(try view.values.keyList(of: ada, file.friends).keys() == [5])
  }
}
