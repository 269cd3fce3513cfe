import Glibc
import KennelLMDB
import Synchronization
import Testing

/// Write transactions within one process.
struct WriteTransactionTests {
  let folder = TestFolder()

  @Test func `a transaction sees its own changes, in order`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    let transaction = try environment.beginWrite()
    #expect(transaction.transactionID == 1)
    for key in [UInt64(5), 1, 1 << 40, 256] { try transaction.put(.meta, key, "\(key)") }
    unsafe #expect(
      try transaction.get(.meta, 256).map { unsafe String(decoding: $0, as: UTF8.self) } == "256"
    )
    unsafe #expect(try transaction.get(.meta, 257) == nil)
    #expect(try transaction.delete(.meta, 1))
    #expect(try !transaction.delete(.meta, 1))
    #expect(try transaction.entryCount(.meta) == 3)
    let cursor = try transaction.iterate(.meta)
    var keys: [UInt64] = []
    var entry = try unsafe cursor.first()
    while let found = unsafe entry {
      unsafe keys.append(found.key.loadUnaligned(as: UInt64.self))
      unsafe entry = try cursor.next()
    }
    #expect(keys == [5, 256, 1 << 40])
    unsafe #expect(try cursor.seek(atOrAfter: 6)?.key.loadUnaligned(as: UInt64.self) == 256)
    unsafe #expect(try cursor.previous()?.key.loadUnaligned(as: UInt64.self) == 5)
    unsafe #expect(try cursor.last()?.key.loadUnaligned(as: UInt64.self) == 1 << 40)
    try transaction.commit()
    #expect(environment.latestTransactionID() == 1)
  }

  @Test func `room reserved is filled in place`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    let transaction = try environment.beginWrite()
    for (key, size) in [(UInt64(1), 10), (2, 10_000)] {
      let room = try unsafe transaction.reserve(.pieces, key, byteCount: size)
      #expect(room.count == size)
      for index in 0..<size { unsafe room[index] = UInt8(truncatingIfNeeded: index) }
    }
    let value = try unsafe #require(try transaction.get(.pieces, 2))
    unsafe #expect(value.count == 10_000 && value[9_999] == UInt8(truncatingIfNeeded: 9_999))
    try transaction.commit()
  }

  @Test func `an aborted transaction leaves nothing, not even its trees`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    for _ in 0..<2 {
      let transaction = try environment.beginWrite()
      try transaction.put(.chunks, 1, "one")
      transaction.abort()
      transaction.abort()
      #expect(!transaction.isAlive)
    }
    #expect(environment.latestTransactionID() == 0)
    try environment.store(1, "two")
    #expect(try environment.text(1) == "two")
  }

  @Test func `a transaction that nobody keeps is aborted`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    _ = try environment.beginWrite()
    try environment.store(1, "one", timeoutInMilliseconds: 2_000)
  }

  @Test func `a failed step fails the commit with the same error`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    try environment.store(1, "one")
    let transaction = try environment.beginWrite()
    try transaction.put(.chunks, 10, "ten", append: true)
    let error = LMDBError(.keyOutOfOrder, .write, path: folder.file)
    #expect(throws: error) { try transaction.put(.chunks, 9, "nine", append: true) }
    #expect(throws: error) { try transaction.commit() }
    #expect(throws: LMDBError(.transactionFinished, .commit, path: folder.file)) {
      try transaction.commit()
    }
    unsafe #expect(throws: LMDBError(.transactionFinished, .read, path: folder.file)) {
      try unsafe transaction.get(.chunks, 1)
    }
    #expect(try environment.text(10) == nil)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `what is appended, put between and deleted is there in order`(seed: UInt64) throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    var state = seed
    func next(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    var numbers: [UInt64: String] = [:]
    var texts: [String: String] = [:]
    for commit in 0..<4 {
      let transaction = try environment.beginWrite()
      for step in 0..<800 {
        // Mostly past the end, which is deleted now and then, so that it is not what it was.
        let last = numbers.keys.max() ?? 0
        let key = next(4) == 0 ? next(last + 1) : last + 1 + next(3)
        let text = String(repeating: "x", count: Int(next(60)))
        let name = "\(key)"
        if next(5) == 0 {
          let victim = next(2) == 0 ? last : key
          #expect(
            try transaction.delete(.chunks, victim) == (numbers.removeValue(forKey: victim) != nil)
          )
          let isThere = texts.removeValue(forKey: name) != nil
          let isDeleted = try unsafe Array(name.utf8).withUnsafeBytes {
            try unsafe transaction.delete(.indexes, key: $0)
          }
          #expect(isDeleted == isThere)
        } else {
          numbers[key] = text
          texts[name] = text
          if step % 2 == 0 {
            try transaction.put(.chunks, key, text)
          } else {
            let room = try unsafe transaction.reserve(.chunks, key, byteCount: text.utf8.count)
            unsafe room.copyBytes(from: text.utf8)
          }
          try unsafe Array(name.utf8).withUnsafeBytes { name in
            try unsafe Array(text.utf8).withUnsafeBytes {
              try unsafe transaction.put(.indexes, key: name, $0)
            }
          }
        }
      }
      var entries: [(String, String)] = []
      for tree in [Tree.chunks, .indexes] {
        let cursor = try transaction.iterate(tree)
        var entry = try unsafe cursor.first()
        while let found = unsafe entry {
          let key =
            tree == .chunks
            ? unsafe "\(found.key.loadUnaligned(as: UInt64.self))"
            : unsafe String(decoding: found.key, as: UTF8.self)
          unsafe entries.append((key, String(decoding: found.value, as: UTF8.self)))
          unsafe entry = try cursor.next()
        }
      }
      var expected = numbers.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) }
      expected += texts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { ($0.key, $0.value) }
      #expect(entries.map(\.0) == expected.map(\.0), "commit \(commit)")
      #expect(entries.map(\.1) == expected.map(\.1), "commit \(commit)")
      try transaction.commit()
    }
  }

  @Test(arguments: [0, 512])
  func `keys have between 1 and 511 bytes`(count: Int) throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    let transaction = try environment.beginWrite()
    defer { transaction.abort() }
    #expect(throws: LMDBError(.keySize, .write, path: folder.file)) {
      try unsafe [UInt8](repeating: 1, count: count).withUnsafeBytes {
        try unsafe transaction.put(.indexes, key: $0, UnsafeRawBufferPointer(start: nil, count: 0))
      }
    }
  }

  @Test func `a second writer waits, and gives up when asked to`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    let transaction = try environment.beginWrite()
    #expect(throws: LMDBError(.writerBusy, .beginWrite, path: folder.file)) {
      try environment.beginWrite(timeoutInMilliseconds: 20)
    }
    try transaction.commit()
    try environment.store(1, "one", timeoutInMilliseconds: 2_000)
  }

  @Test func `writers on many threads take turns`() async throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    try environment.store(1, "0")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10 {
            let transaction = try environment.beginWrite()
            let text = try unsafe transaction.get(.chunks, 1).map {
              unsafe String(decoding: $0, as: UTF8.self)
            }
            // A suspended task may go on on another thread.
            try transaction.put(.chunks, 1, "\((text.flatMap { Int($0) } ?? 0) + 1)")
            try transaction.commit()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try environment.text(1) == "80")
  }

  @Test func `a full map is an error, and the next transaction has a larger one`() throws {
    let environment = try Environment.open(
      path: folder.file,
      create: true,
      mapSizeInBytes: 1 << 20
    )
    defer { environment.close() }
    try environment.store(1, "one")
    let pin = try environment.beginRead()
    let transaction = try environment.beginWrite()
    let megabytes = [UInt8](repeating: 1, count: 3 << 20)
    #expect(throws: LMDBError(.mapFull(sizeInBytes: 1 << 20), .write, path: folder.file)) {
      try unsafe megabytes.withUnsafeBytes { try unsafe transaction.put(.pieces, 1, $0) }
    }
    transaction.abort()
    let again = try environment.beginWrite()
    try unsafe megabytes.withUnsafeBytes { try unsafe again.put(.pieces, 1, $0) }
    try again.commit()
    #expect(environment.mapSizeInBytes > 3 << 20)
    // The old snapshot lives on in the old map.
    unsafe #expect(pin.base.load(fromByteOffset: 4096 + 16, as: UInt32.self) == 0xBEEF_C0DE)
    let newest = try pin.renew()
    #expect(newest.readablePageCount == newest.pageCount)
    #expect(newest.pageCount > 3 << 20 / newest.pageSize)
  }
}
