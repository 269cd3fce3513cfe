import KennelCore
import KennelTestSupport
import Testing

/// Values that are too large to lie beside the others.
@Suite struct `What is large` {
  @Test(arguments: [511, 512, 513, 2_000])
  func `such as a list of links is changed in place`(_ count: Int) throws {
    try withTemporaryDatabase { database in
      let classes = [define("Dog", [:]), define("Club", ["dogs": .list(.link("Dog"))])]
      var expected: [Value] = []
      let club = try database.write { transaction in
        try transaction.define(classes)
        let dogs = try (0..<9).map { _ in try transaction.make("Dog") }
        expected = (0..<count).map { .link(dogs[$0 % 9]) }
        return try transaction.make("Club", ["dogs": .list(expected)])
      }
      try database.write { transaction in
        let dogs = try transaction.key(club, "dogs")
        var random = SplitMix64(seed: 1)
        for _ in 0..<60 {
          let index = random.below(expected.count)
          switch random.below(4) {
          case 0:
            try transaction.insert(expected[0], at: index, of: club, property: dogs)
            expected.insert(expected[0], at: index)
          case 1:
            try transaction.removeElement(at: index, of: club, property: dogs)
            expected.remove(at: index)
          case 2:
            try transaction.replace(at: index, with: expected[1], of: club, property: dogs)
            expected[index] = expected[1]
          default:
            let other = random.below(expected.count)
            try transaction.moveElement(from: index, to: other, of: club, property: dogs)
            expected.insert(expected.remove(at: index), at: other)
          }
        }
        #expect(try transaction.value(club, "dogs") == .list(expected))
      }
      #expect(try database.snapshot().value(club, "dogs") == .list(expected))
    }
  }

  @Test func `such as a list of 100,000 takes insertions in its middle`() throws {
    try withTemporaryDatabase { database in
      let (club, dogs) = try database.write { transaction in
        try transaction.define([
          define("Dog", [:]),
          define("Club", ["dogs": .list(.link("Dog")), "names": .list(.string)]),
        ])
        let dogs = try (0..<2).map { _ in try transaction.make("Dog") }
        let many = Value.list(Array(repeating: .link(dogs[0]), count: 100_000))
        return (try transaction.make("Club", ["dogs": many]), dogs)
      }
      try database.write { transaction in
        let key = try transaction.key(club, "dogs")
        for step in 0..<100 {
          try transaction.insert(.link(dogs[1]), at: 50_000 + step * 3, of: club, property: key)
        }
        #expect(
          try transaction.backlinkCount(of: club.classKey, property: key, to: dogs[0]) == 100_000
        )
      }
      let snapshot = try database.snapshot()
      let key = try snapshot.key(club, "dogs")
      #expect(try snapshot.elementCount(of: club, property: key) == 100_100)
      #expect(try snapshot.backlinkCount(of: club.classKey, property: key, to: dogs[1]) == 100)
      let window = try snapshot.elements(of: club, property: key, in: 49_999..<50_005)
      let (old, new) = (Value.link(dogs[0]), Value.link(dogs[1]))
      #expect(window == [old, new, old, old, new, old])
      let preview = try snapshot.preview(of: club, property: key, limit: 3)
      #expect(preview.value == .list([old, old, old]))
      #expect(preview.count == 100_100)
      #expect(preview.isCut)
    }
  }

  @Test func `such as a hub with many backlinks has none when it was deleted`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([define("Node", ["to": .link("Node")])])
        let hub = try transaction.make("Node")
        for _ in 0..<500 { _ = try transaction.make("Node", ["to": .link(hub)]) }
        let key = try transaction.key(hub, "to")
        try transaction.delete([hub])
        #expect(try transaction.backlinkCount(of: hub.classKey, property: key, to: hub) == 0)
        #expect(
          try transaction.origins(of: hub.classKey, property: key, to: hub, in: 0..<Int.max).keys
            == []
        )
      }
    }
  }

  @Test func `such as a hub with many backlinks loses them one by one`() throws {
    try withTemporaryDatabase { database in
      let (hub, all) = try database.write { transaction in
        try transaction.define([define("Node", ["to": .link("Node")])])
        let hub = try transaction.make("Node")
        let all = try (0..<3_000).map { _ in try transaction.make("Node", ["to": .link(hub)]) }
        return (hub, all)
      }
      try database.write { transaction in
        for node in all.enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
          try transaction.put(node, "to", .null)
        }
        let key = try transaction.key(hub, "to")
        #expect(try transaction.backlinkCount(of: hub.classKey, property: key, to: hub) == 1_500)
        let radius = try transaction.deleteAsPlanned([hub])
        #expect(radius.nulled.count == 1_500)
        #expect(try transaction.value(all[1], "to") == .null)
      }
    }
  }

  @Test func `such as a text of a megabyte is cut for a screen and replaced by a short one`() throws
  {
    try withTemporaryDatabase { database in
      let text = String(repeating: "日本語", count: 120_000)
      let note = try database.write { transaction in
        try transaction.define([define("Note", ["text": .string, "bytes": .data])])
        return try transaction.make("Note", ["text": .string(text)])
      }
      let snapshot = try database.snapshot()
      let preview = try snapshot.preview(of: note, property: snapshot.key(note, "text"), limit: 10)
      #expect(preview.value == .string("日本語"))
      #expect(preview.count == text.utf8.count)
      #expect(preview.isCut)
      try database.write { try $0.put(note, "text", .string("short")) }
      #expect(try database.snapshot().value(note, "text") == .string("short"))
      #expect(try snapshot.value(note, "text") == .string(text))
    }
  }

  @Test func `such as a transaction past its memory budget is written early, whole or not at all`()
    throws
  {
    try withTemporaryDatabase { database in
      let bytes = Array(repeating: UInt8(7), count: 1 << 20)
      try database.write { transaction in
        try transaction.define([define("Blob", key: "id", ["id": .int, "bytes": .data])])
      }
      for isKept in [false, true] {
        let transaction = try database.beginWrite()
        for number in 0..<110 {
          _ = try transaction.make("Blob", ["id": .int(Int64(number)), "bytes": .data(bytes)])
        }
        let blob = try transaction.classKey("Blob")
        #expect(transaction.count(of: blob) == 110)
        let first = try #require(try transaction.find(blob, primaryKey: .int(3)))
        #expect(try transaction.value(first, "bytes") == .data(bytes))
        #expect(
          code { _ = try transaction.make("Blob", ["id": .int(3)]) } == .duplicatePrimaryKey
        )
        #expect(try database.snapshot().count(of: blob) == 0)
        if isKept { try transaction.commit() } else { transaction.rollback() }
        #expect(try database.snapshot().count(of: blob) == (isKept ? 110 : 0))
      }
    }
  }
}
