import KennelStorage
import Testing

@Suite struct `A piece store` {
  private let long = String(repeating: "abcdefgh", count: 20_000)

  @Test func `reads a slice of a long text from its pieces alone`() throws {
    let file = try PeopleFile()
    try file.write { view in try file.setName(long, of: try file.add(1, to: view)[0], in: view) }
    let view = try file.store.view()
    let ada = ObjectIdentity(file.person, ObjectKey(rawValue: 1))
    let location = try #require(try view.values.externalCell(of: ada, file.name))
    #expect(location.count == UInt64(long.utf8.count))
    #expect(try view.pieces.bytes(of: location) == Array(long.utf8))
    let piece = ExternalBytes.pieceByteCount
    for range in [0..<3, piece - 2..<piece + 2, 2 * piece - 1..<2 * piece, 159_998..<170_000] {
      let expected = Array(long.utf8)[range.clamped(to: 0..<long.utf8.count)]
      #expect(try view.pieces.bytes(of: location, in: range) == Array(expected))
    }
  }

  @Test func `gives each value an id of its own and removes the pieces of the old one`() throws {
    let file = try PeopleFile()
    let ada = try file.write { view in
      let ada = try file.add(1, to: view)[0]
      try file.setName(long, of: ada, in: view)
      return ada
    }
    let before = try file.store.view()
    let first = try #require(try before.values.externalCell(of: ada, file.name))
    try file.write { view in try file.setName(long + "!", of: ada, in: view) }
    let after = try file.store.view()
    let second = try #require(try after.values.externalCell(of: ada, file.name))
    #expect(second.id > first.id && after.pieces.nextID == second.id + 1)
    #expect(throws: StorageError.self) { try after.pieces.bytes(of: first) }
    #expect(try before.pieces.bytes(of: first) == Array(long.utf8))
  }

  @Test func `changes a long list in memory and brings a short one back into its chunk`() throws {
    let file = try PeopleFile()
    let people = try file.write { view in
      let people = try file.add(600, to: view)
      for friend in people { try file.link(people[0], to: friend, in: view) }
      return people
    }
    func list(_ view: StoreView) throws -> KeyListAccess {
      try view.values.keyList(of: people[0], file.friends)
    }
    guard case .long = try list(file.store.view()) else {
      Issue.record("600 keys fit into their chunk")
      return
    }
    try file.write { view in
      for _ in 0..<550 {
        let key = try view.values.removeKey(at: 0, of: people[0], file.friends)
        let friend = ObjectIdentity(file.person, ObjectKey(rawValue: key))
        let origin = people[0].key.rawValue
        view.backlinks.note(from: origin, to: friend, file.backlinks, isAdded: false)
      }
      #expect(try list(view).keys() == Array(551...600))
    }
    guard case .stored = try list(file.store.view()) else {
      Issue.record("50 keys lie outside their chunk")
      return
    }
    #expect(try list(file.store.view()).keys() == Array(551...600))
  }
}
