import Glibc
import KennelLMDB
import KennelStorage
import Testing

/// One damage for each thing that is checked of a page, and what is said of it.
struct PageCheckTests {
  static let pageSize = 4096

  /// A file whose chunks are a tree of two levels with overflow runs, and where its pages lie.
  struct Sample {
    let folder = PageFolder()
    let bytes: [UInt8]
    let root: Int
    let leaves: [Int]
    let overflow: Int

    init() throws {
      let environment = try folder.open()
      var transaction = try environment.beginWrite()
      for key in UInt64(0)..<300 {
        let size = key == 150 ? 9_000 : 60
        try transaction.put(.chunks, key * 1_000, [UInt8](repeating: 5, count: size))
      }
      try transaction.commit()
      transaction = try environment.beginWrite()
      try transaction.put(.chunks, 5_000, [6])
      try transaction.commit()
      let pin = try environment.beginRead()
      let root = Int(try PageSource(pin).tree(.chunks).root.rootPage)
      pin.release()
      environment.close()
      let bytes = try contents(of: folder.file)
      let page = root * PageCheckTests.pageSize
      func half(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
      leaves = (0..<(half(page + 12) - 16) / 2).map { half(page + half(page + 16 + 2 * $0)) }
      overflow = try #require(
        (2..<bytes.count / PageCheckTests.pageSize).first {
          half($0 * PageCheckTests.pageSize + 10) == 4
        }
      )
      self.root = root
      self.bytes = bytes
    }

    /// Where the node of a page begins in the file.
    func node(_ page: Int, _ index: Int) -> Int {
      let start = page * PageCheckTests.pageSize
      return start + Int(bytes[start + 16 + 2 * index]) | Int(bytes[start + 17 + 2 * index]) << 8
    }
  }

  /// What is done to a file, and what is said of it.
  struct Damage: Sendable, CustomTestStringConvertible {
    let what: String
    let apply: @Sendable (Sample, inout [UInt8]) -> Void

    var testDescription: String { what }
  }

  static func start(_ page: Int) -> Int { page * pageSize }

  static let damages: [Damage] = [
    Damage(what: "its number says") { $1[start($0.leaves[2])] ^= 1 },
    Damage(what: "not a leaf") { $1[start($0.leaves[2]) + 10] = 1 },
    Damage(what: "not a branch") { $1[start($0.root) + 10] = 2 },
    Damage(what: "its bounds are") { $1[start($0.leaves[2]) + 13] = 0xff },
    Damage(what: "its nodes take") { $1[start($0.leaves[2]) + 12] -= 2 },
    Damage(what: "its nodes take") { $1[start($0.root) + 12] -= 2 },
    Damage(what: "begins at") { $1[start($0.leaves[2]) + 17] = 0xff },
    Damage(what: "does not fit") { $1[$0.node($0.leaves[2], 0) + 6] = 7 },
    Damage(what: "does not fit") { $1[$0.node($0.leaves[2], 0) + 2] = 1 },
    Damage(what: "does not fit") { $1[$0.node($0.leaves[2], 0) + 4] = 4 },
    Damage(what: "keys are out of order") { $1[$0.node($0.leaves[2], 0) + 8 + 5] = 1 },
    Damage(what: "keys are out of order") { $1[$0.node($0.root, 2) + 8 + 5] = 1 },
    // A separator that still ascends: the leaf's keys are then on the wrong side of it.
    Damage(what: "its keys belong elsewhere") { $1[$0.node($0.root, 2) + 8] ^= 2 },
    // Two children exchanged.
    Damage(what: "its keys belong elsewhere") { sample, bytes in
      bytes[sample.node(sample.root, 2)] = bytes[sample.node(sample.root, 3)]
    },
    // A cycle: the root is its own child.
    Damage(what: "not a leaf") { sample, bytes in
      bytes[sample.node(sample.root, 2)] = UInt8(sample.root)
    },
    Damage(what: "has no such page") { $1[$0.node($0.root, 2) + 2] = 9 },
    Damage(what: "has no such page") { $1[$0.node($0.root, 2) + 5] = 0xff },
    Damage(what: "has no such page") { sample, bytes in bytes[sample.node(sample.root, 2)] = 1 },
    Damage(what: "its number says") { $1[start($0.overflow)] ^= 1 },
    Damage(what: "not an overflow page") { $1[start($0.overflow) + 10] = 2 },
    Damage(what: "is too short for") { $1[start($0.overflow) + 12] = 2 },
  ]

  @Test(arguments: damages)
  func `damage is found and named`(damage: Damage) throws {
    let sample = try Sample()
    var bytes = sample.bytes
    damage.apply(sample, &bytes)
    #expect(bytes != sample.bytes)
    try write(bytes, to: sample.folder.file)
    let environment = try Environment.open(path: sample.folder.file)
    defer { environment.close() }
    let found = try #require(try damageFound(by: environment))
    #expect(found.what.contains(damage.what), "\(found)")
    #expect(found.place.contains("chunks"))
    #expect(throws: StorageError.self) { try environment.beginCheckedWrite() }
    #expect(!environment.isChecked)
  }

  /// Each key is looked up by itself, then all in order: both must find it.
  private func damageFound(by environment: Environment) throws -> KennelStorage.Damage? {
    let pin = try environment.beginRead()
    defer { pin.release() }
    var found: KennelStorage.Damage?
    do {
      let reader = try PageSource(pin).tree(.chunks)
      for key in UInt64(0)..<300 { unsafe #expect(try reader.get(key * 1_000) != nil) }
    } catch StorageError.damaged(let damage) {
      found = damage
    }
    #expect(throws: StorageError.self) {
      try unsafe PageSource(pin).tree(.chunks).forEach(from: 0) { _, _ in true }
    }
    return found
  }

  @Test func `a damaged separator cannot hide a key`() throws {
    let sample = try Sample()
    // The separator becomes greater or less than it was, and stays between its neighbours.
    for (offset, change) in [(8, UInt8(0xff)), (9, 1), (9, 2)] {
      var bytes = sample.bytes
      bytes[sample.node(sample.root, 2) + offset] ^= change
      try write(bytes, to: sample.folder.file)
      let environment = try Environment.open(path: sample.folder.file)
      defer { environment.close() }
      let pin = try environment.beginRead()
      defer { pin.release() }
      for key in UInt64(0)..<300 {
        let reader = try PageSource(pin).tree(.chunks)
        let value = unsafe Result { try unsafe reader.get(key * 1_000) }
        if case .success(nil) = unsafe value { Issue.record("key \(key * 1_000) is missing") }
      }
    }
  }

  @Test func `a free page that is in use is found before the first write`() throws {
    let sample = try Sample()
    // The free list of the last commit names the page that it replaced; let it name the root.
    let environment = try Environment.open(path: sample.folder.file)
    let pin = try environment.beginRead()
    let freeRoot = Int(pin.freeTree.rootPage)
    pin.release()
    environment.close()
    var bytes = sample.bytes
    let node = sample.node(freeRoot, 0)
    // Key of 8 bytes, then the count, then the greatest page.
    bytes[node + 8 + 8 + 8] = UInt8(sample.root)
    try write(bytes, to: sample.folder.file)
    let damaged = try Environment.open(path: sample.folder.file)
    defer { damaged.close() }
    #expect(throws: StorageError.self) { try damaged.beginCheckedWrite() }
  }

  @Test func `a file of another program is not called damaged`() throws {
    let folder = PageFolder()
    let environment = try folder.open()
    let transaction = try environment.beginWrite()
    try transaction.commit()
    environment.close()
    var bytes = try contents(of: folder.file)
    for tree in Tree.allCases {
      let name = Array(tree.name.utf8)
      for start in 0..<bytes.count - name.count
      where bytes[start..<start + name.count].elementsEqual(name) {
        bytes[start + name.count - 1] ^= 2
      }
    }
    try write(bytes, to: folder.file)
    let foreign = try Environment.open(path: folder.file)
    defer { foreign.close() }
    let pin = try foreign.beginRead()
    defer { pin.release() }
    #expect(throws: StorageError.notKennel(path: folder.file)) {
      try PageSource(pin).tree(.meta)
    }
    #expect(throws: StorageError.notKennel(path: folder.file)) { try foreign.beginCheckedWrite() }
  }
}
