import KennelCore
import KennelReports
import Testing

@Suite("A search for ways along links")
struct TrailSearchTests {
  /// Dogs 1 to 5, each the friend of the one before, and a stray.
  private func withFriends(
    _ body: (Snapshot, (UInt64) throws -> ObjectIdentity) throws -> Void
  ) throws {
    try Farm.withDatabase(people: 0) { database in
      try database.write { transaction in
        var before: ObjectIdentity?
        for _ in 1...5 {
          before = try Farm.make("Dog", before.map { ["friend": .link($0)] } ?? [:], transaction)
        }
        try Farm.make("Dog", [:], transaction)
      }
      let snapshot = try database.snapshot()
      try body(snapshot) { try Farm.object("Dog", $0, in: snapshot) }
    }
  }

  @Test func `finds the way from either end`() throws {
    try withFriends { snapshot, dog in
      let search = try TrailSearch(snapshot, .none)
      guard case .steps(let there) = try search.shortest(from: dog(1), to: dog(5)),
        case .steps(let back) = try search.shortest(from: dog(5), to: dog(1))
      else { return #expect(Bool(false)) }
      #expect(try there.map(\.end) == [dog(2), dog(3), dog(4), dog(5)])
      #expect(there.allSatisfy { !$0.isForward })
      #expect(try back.map(\.end) == [dog(4), dog(3), dog(2), dog(1)])
      #expect(back.allSatisfy { $0.isForward })
      guard case .none = try search.shortest(from: dog(1), to: dog(6)) else {
        return #expect(Bool(false))
      }
    }
  }

  @Test func `says that it was given up, rather than that there is no way`() throws {
    try withFriends { snapshot, dog in
      let search = try TrailSearch(snapshot, .none, mostVisited: 2)
      guard case .tooMany = try search.shortest(from: dog(1), to: dog(5)),
        case .tooMany = try search.support(of: dog(1))
      else { return #expect(Bool(false)) }
    }
  }

  @Test func `finds what leads to an object`() throws {
    try withFriends { snapshot, dog in
      guard case .root(let root, let steps) = try TrailSearch(snapshot, .none).support(of: dog(2))
      else { return #expect(Bool(false)) }
      #expect(try root == dog(5))
      #expect(try steps.map(\.end) == [dog(4), dog(3), dog(2)])
    }
  }
}
