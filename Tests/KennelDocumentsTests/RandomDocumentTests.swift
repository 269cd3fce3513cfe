import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

@Suite struct `Documents of anything` {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `come back as they were`(seed: UInt64) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        var objects = RandomObjects(random: SplitMix64(state: seed), transaction: transaction)
        try objects.make(20)
      }
      let first = try text(of: database)
      try withTemporaryDatabase { copy in
        try read(first, into: copy)
        let second = try text(of: copy)
        #expect(second.utf8.elementsEqual(first.utf8))
        try expectSameValues(database.snapshot(), copy.snapshot())
      }
    }
  }

  /// Values of whole objects, by property, embedded ones left to the text.
  private func expectSameValues(_ left: DatabaseReader, _ right: DatabaseReader) throws {
    let thing = try #require(left.schema["Thing"])
    let keys = try left.objects(of: thing.key).keys
    #expect(try right.objects(of: thing.key).keys == keys)
    for key in keys {
      let object = ObjectIdentity(thing.key, key)
      for property in thing.properties where !property.isEmbedded {
        let expected = try left.value(of: object, property: property.key)
        #expect(try right.value(of: object, property: property.key) == expected)
      }
      #expect(try right.backlinks(to: object) == left.backlinks(to: object))
    }
  }

  @Test func `are refused or read whatever happens to their bytes`() throws {
    var random = SplitMix64(state: 42)
    let bytes = Array(sampleDocument.utf8)
    var refusals = 0
    try withTemporaryDatabase { database in
      for _ in 0..<60 {
        var damaged = bytes
        for _ in 0...Int(random.next() % 3) {
          let position = Int(random.next() % UInt64(damaged.count))
          switch random.next() % 3 {
          case 0: damaged[position] = UInt8(random.next() & 255)
          case 1: damaged.remove(at: position)
          default: damaged.removeSubrange(position..<min(position + 500, damaged.count))
          }
        }
        let transaction = try database.beginWrite()
        defer { transaction.rollback() }
        do {
          let file = DocumentFile(format: .jsonl) { chunks(damaged, size: 10_000) }
          _ = try DocumentImporter(DocumentReader([file])).read(into: transaction)
        } catch is DocumentError {
          refusals += 1
        }
      }
    }
    #expect(refusals > 20)
  }
}
