import KennelStorage
import Testing

@Suite struct LongKeyListTests {
  @Test func `a list that is used like a queue never runs out of numbers for its pieces`() throws {
    let stored = Array(UInt64(1)...2000)
    var directory: [UInt8] = []
    directory.append(number: PieceKey.limit - 1)
    directory.append(number: UInt32(stored.count))
    directory.append(number: stored[0])
    let list = try directory.withRawBytes {
      try LongKeyList(id: 7, directory: $0)
    }
    let load = { (_: UInt32) throws(StorageError) -> [UInt64] in stored }
    for key in UInt64(2001)...6000 { try list.insert(key, at: list.count, load) }
    let pieces = list.entries.map(\.piece)
    #expect(pieces.count > 2)
    #expect(pieces.allSatisfy { $0 > 0 && $0 < PieceKey.limit })
    #expect(Set(pieces).count == pieces.count)
    #expect(
      try list.entries.indices.flatMap { try list.keys(ofEntry: $0, load) } == Array(1...6000)
    )
  }
}
