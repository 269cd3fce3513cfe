import KennelStorage
import Testing

@Suite struct `A backlink store` {
  @Test func `keeps origins ascending, each as often as it links`() throws {
    let file = try PeopleFile()
    let people = try file.write { view in
      let people = try file.add(5, to: view)
      for origin in [4, 1, 3, 1] { try file.link(people[origin], to: people[0], in: view) }
      #expect(try origins(of: people[0], view, file) == [2, 2, 4, 5])
      return people
    }
    #expect(try origins(of: people[0], file.store.view(), file) == [2, 2, 4, 5])
    let view = try file.store.view()
    view.backlinks.note(from: 2, to: people[0], file.backlinks, isAdded: false)
    #expect(try origins(of: people[0], view, file) == [2, 4, 5])
    // What comes and goes before anybody looks is gone, whatever came first.
    for isAdded in [false, true] {
      view.backlinks.note(from: 3, to: people[0], file.backlinks, isAdded: isAdded)
    }
    #expect(try origins(of: people[0], view, file) == [2, 4, 5])
    view.backlinks.note(from: 3, to: people[0], file.backlinks, isAdded: false)
    for _ in 0..<2 {
      let error = #expect(throws: StorageError.self) { try view.backlinks.flush() }
      #expect(error?.kind == .damaged)
    }
  }

  @Test func `spares the origins of marked objects when many go`() throws {
    let file = try PeopleFile()
    let view = try file.store.view()
    let people = try file.add(3, to: view)
    for target in people.dropFirst() { try file.link(people[0], to: target, in: view) }
    try view.backlinks.flush()
    #expect(try view.objects.mark(people[1]))
    for target in people.dropFirst() {
      view.backlinks.note(
        from: people[0].key.rawValue,
        to: target,
        file.backlinks,
        isAdded: false
      )
    }
    #expect(try origins(of: people[1], view, file) == [1])
    #expect(try origins(of: people[2], view, file) == [])
  }

  private func origins(
    of object: ObjectIdentity,
    _ view: StoreView,
    _ file: PeopleFile
  ) throws -> [UInt64] {
    var origins: [UInt64] = []
    try view.backlinks.forEachKey(of: object, file.backlinks) { origins.append($0) }
    #expect(try view.backlinks.origins(of: object, file.backlinks).keys() == origins)
    return origins
  }
}
