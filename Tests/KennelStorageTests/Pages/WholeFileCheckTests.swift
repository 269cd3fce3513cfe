import Glibc
import KennelLMDB
import KennelStorage
import Testing

/// The check of a whole file, on files that LMDB wrote.
struct WholeFileCheckTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `what LMDB writes passes, every page accounted for`(seed: UInt64) throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    var dice = Dice(seed)
    var entries = 0
    for commit in 0..<25 {
      let transaction = try environment.beginWrite()
      for _ in 0..<Int.random(in: 0..<400, using: &dice) {
        let key = UInt64.random(in: 0..<1_000, using: &dice)
        if Int.random(in: 0..<5, using: &dice) < (commit % 5 == 4 ? 4 : 2) {
          try transaction.delete(.pieces, key)
        } else {
          let size = Int.random(in: 0..<8, using: &dice) == 0 ? 9_000 : 60
          try transaction.put(.pieces, key, [UInt8](repeating: 7, count: size))
          // Overwritten in the same transaction: its run becomes longer than needed.
          if size == 9_000, key.isMultiple(of: 2) {
            try transaction.put(.pieces, key, [UInt8](repeating: 7, count: 4_500))
          }
          let text = Array("\(key)-\(String(repeating: "x", count: Int(key % 300)))".utf8)
          try transaction.put(.indexes, text, [1])
        }
      }
      entries = try transaction.entryCount(.pieces) + transaction.entryCount(.indexes)
      if seed == 3, commit % 4 == 3 { transaction.abort() } else { try transaction.commit() }
      let pin = try environment.beginRead()
      let report = try WholeFileCheck.run(pin)
      #expect(report.lostPages == 0)
      if !(seed == 3 && commit % 4 == 3) { #expect(report.entries == entries) }
      #expect(Set(report.trees) == Set(Tree.allCases.map(\.name)))
      pin.release()
    }
  }

  @Test func `an empty file passes`() throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    let pin = try environment.beginRead()
    let report = try WholeFileCheck.run(pin)
    #expect(report.trees == [] && report.leafPages == 0 && report.lostPages == 0)
  }

  @Test func `an existing file is checked before its first write, and only then`() throws {
    let folder = PageFolder()
    var environment = try folder.open()
    #expect(environment.isChecked)
    var transaction = try environment.beginWrite()
    for key in UInt64(0)..<100 { try transaction.put(.chunks, key, [1]) }
    try transaction.commit()
    environment.close()

    environment = try folder.open()
    defer { environment.close() }
    #expect(!environment.isChecked)
    #expect(throws: LMDBError(.unchecked, .beginWrite, path: folder.file)) {
      try environment.beginWrite()
    }
    transaction = try environment.beginCheckedWrite()
    #expect(environment.isChecked)
    transaction.abort()
    transaction = try environment.beginWrite()
    transaction.abort()
  }

  @Test func `a snapshot is checked although later commits reuse what it does not hold`() throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    var pins: [ReadPin] = []
    for round in UInt8(0)..<12 {
      let transaction = try environment.beginWrite()
      for key in UInt64(0)..<300 { try transaction.put(.chunks, key, [round]) }
      try transaction.commit()
      if round % 3 == 0 { pins.append(try environment.beginRead()) }
    }
    for pin in pins { try WholeFileCheck.run(pin) }
  }
}
