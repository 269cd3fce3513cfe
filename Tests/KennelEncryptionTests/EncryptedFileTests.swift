import Foundation
import KennelCore
import KennelEncryption
import KennelPages
import KennelTestSupport
import Synchronization
import Testing

/// An encrypted database in a folder of its own.
private struct EncryptedFile {
  let folder: TemporaryFolder
  let path: String
  let key: Database.Key

  init(_ key: Database.Key) throws {
    folder = try TemporaryFolder()
    path = folder.file("test.kennel")
    self.key = key
  }

  init() throws { try self.init(Database.Key(bytes: Array(repeating: 5, count: 32))) }

  func open(_ other: Database.Key? = nil) throws -> Database {
    try Database.open(path, configuration: .init(key: other ?? key))
  }

  /// Makes objects with texts that are looked for in the file, short ones and long ones.
  func fill() throws {
    let database = try open()
    try database.write { transaction in
      try transaction.define([
        ClassDefinition("Secretary", properties: [PropertyDefinition("secretName", .string)])
      ])
      let found = try transaction.schema.require("Secretary")
      let name = try found.require("secretName").key
      for number in 0..<200 {
        let text = "attackatdawn\(number)" + String(repeating: "attackatdusk", count: number * 4)
        try transaction.create(found.key, [name: .string(text)])
      }
    }
    expectSound(database)
  }

  var bytes: [UInt8] {
    get { (try? Data(contentsOf: URL(fileURLWithPath: path))).map { Array($0) } ?? [] }
    nonmutating set { try? Data(newValue).write(to: URL(fileURLWithPath: path)) }
  }

  /// The texts of all objects.
  func texts(_ other: Database.Key? = nil) throws -> [String] { try Self.texts(open(other)) }

  static func texts(_ database: Database) throws -> [String] {
    let snapshot = try database.snapshot()
    let found = try snapshot.schema.require("Secretary")
    let name = try found.require("secretName").key
    return try snapshot.objects(of: found.key, from: nil, limit: 1000).map { object in
      let value = try snapshot.value(of: object, property: name)
      guard case .string(let text) = value else { return "?" }
      return text
    }
  }
}

private func code(_ body: () throws -> Void) -> DatabaseError.Code? {
  #expect(throws: DatabaseError.self, performing: body)?.code
}

@Suite("An encrypted database")
struct EncryptedFileTests {
  @Test func `is read with its key, and with no other`() throws {
    let file = try EncryptedFile()
    try file.fill()
    #expect(try file.texts().count == 200)
    let other = try Database.Key(bytes: Array(repeating: 6, count: 32))
    #expect(code { _ = try file.open(other) } == .wrongKey)
    #expect(code { _ = try file.open(Database.Key(passphrase: "attack")) } == .wrongKey)
    #expect(code { _ = try Database.open(file.path) } == .keyNeeded)
    #expect(Database.isEncrypted(file.path))
    #expect(try file.open().isEncrypted)
  }

  @Test func `that is open in the process is not given to who has no key`() throws {
    let file = try EncryptedFile()
    try file.fill()
    let database = try file.open()
    #expect(code { _ = try Database.open(file.path) } == .keyNeeded)
    let other = try Database.Key(bytes: Array(repeating: 6, count: 64))
    #expect(code { _ = try file.open(other) } == .wrongKey)
    #expect(try EncryptedFile.texts(database).count == 200)
  }

  @Test func `is not opened with a key where there is nothing to open with it`() throws {
    try withTemporaryDatabase { database in
      let key = try Database.Key(passphrase: "x")
      #expect(!Database.isEncrypted(database.path))
      let error = #expect(throws: DatabaseError.self) {
        try Database.open(database.path, configuration: .init(key: key))
      }
      #expect(error?.message.contains("is not encrypted") == true)
    }
  }

  @Test func `takes a passphrase, and a key of 32 or 64 bytes`() throws {
    let file = try EncryptedFile(Database.Key(passphrase: "straße 🐕"))
    try file.fill()
    // Another object with the same passphrase.
    #expect(try file.texts(Database.Key(passphrase: "straße 🐕")).count == 200)
    #expect(code { _ = try file.open(Database.Key(passphrase: "strasse 🐕")) } == .wrongKey)
    #expect(code { _ = try Database.Key(passphrase: "") } == .wrongKey)
    #expect(code { _ = try Database.Key(bytes: [1, 2, 3]) } == .wrongKey)
    _ = try Database.Key(bytes: Array(repeating: 1, count: 64))
  }

  @Test func `has no text, no name and no root in the file that can be read`() throws {
    let file = try EncryptedFile()
    try file.fill()
    let contents = Data(file.bytes)
    for text in ["attackatd", "Secretary", "secretName", "KENNEL\0\0"] {
      #expect(contents.range(of: Data(text.utf8)) == nil, "\(text)")
    }
    // Random bytes: each of the 256 values is about as frequent as the others.
    var counts = [Int](repeating: 0, count: 256)
    for byte in contents.dropFirst(8192) { counts[Int(byte)] += 1 }
    let mean = Double(contents.count - 8192) / 256
    #expect(counts.allSatisfy { Double($0) < mean * 1.3 && Double($0) > mean * 0.7 })
  }

  @Test func `is the same after random changes as one that is not encrypted`() throws {
    let file = try EncryptedFile()
    try file.fill()
    try withTemporaryDatabase { open in
      try file.open().writeCopy(to: file.folder.file("open.kennel"), encryption: .none)
      let twin = try Database.open(file.folder.file("open.kennel"))
      let database = try file.open()
      var random = SystemRandomNumberGenerator()
      for _ in 0..<30 {
        let number = Int.random(in: 0..<190, using: &random)
        let text = String(repeating: "x", count: Int.random(in: 0...30_000, using: &random))
        for database in [database, twin] {
          try database.write { transaction in
            let found = try transaction.schema.require("Secretary")
            let name = try found.require("secretName").key
            let key = ObjectKey(rawValue: UInt64(number) + 1)
            try transaction.set(ObjectIdentity(found.key, key), property: name, to: .string(text))
          }
        }
      }
      #expect(try EncryptedFile.texts(database) == EncryptedFile.texts(twin))
      expectSound(database)
      expectSound(twin)
    }
  }

  @Test func `keeps its encryption in a copy and when it is compacted, unless another is wanted`()
    throws
  {
    let file = try EncryptedFile()
    try file.fill()
    let texts = try file.texts()
    let copy = file.folder.file("copy.kennel")
    try file.open().writeCopy(to: copy)
    #expect(code { _ = try Database.open(copy) } == .keyNeeded)
    let copied = try Database.open(copy, configuration: .init(key: file.key))
    #expect(try EncryptedFile.texts(copied) == texts)
    #expect(code { try Database.compact(file.path) } == .keyNeeded)
    #expect(try Database.compact(file.path, key: file.key))
    #expect(try file.texts() == texts)
    let new = try Database.Key(bytes: Array(repeating: 7, count: 64))
    #expect(try Database.compact(file.path, key: file.key, encryption: .key(new)))
    #expect(code { _ = try file.open() } == .wrongKey)
    #expect(try file.texts(new) == texts)
    #expect(try Database.compact(file.path, key: new, encryption: .none))
    #expect(try EncryptedFile.texts(Database.open(file.path)) == texts)
    #expect(try Database.compact(file.path, encryption: .key(new)))
    #expect(try file.texts(new) == texts)
  }

  @Test func `is opened by each of its keys until one is removed`() throws {
    let file = try EncryptedFile()
    try file.fill()
    let others = try (10..<17).map { try Database.Key(bytes: Array(repeating: $0, count: 32)) }
    for key in others { try file.open().addKey(key, beside: file.key) }
    for key in others + [file.key] { #expect(try file.texts(key).count == 200) }
    let one = try Database.Key(bytes: Array(repeating: 99, count: 32))
    let full = #expect(throws: DatabaseError.self) {
      try file.open().addKey(one, beside: others[0])
    }
    #expect(full?.message.contains("all 8 are in use") == true)
    #expect(code { try file.open().removeKey(one) } == .wrongKey)
    try file.open().removeKey(file.key)
    #expect(code { _ = try file.open() } == .wrongKey)
    for key in others.dropLast() { try file.open(others[6]).removeKey(key) }
    let last = #expect(throws: DatabaseError.self) { try file.open(others[6]).removeKey(others[6]) }
    #expect(last?.message.contains("only key") == true)
    #expect(try file.texts(others[6]).count == 200)
  }

  @Test func `is copied with the keys that it has, not with those that it had when it was opened`()
    throws
  {
    let file = try EncryptedFile()
    try file.fill()
    let new = try Database.Key(bytes: Array(repeating: 8, count: 32))
    let database = try file.open()
    try database.addKey(new, beside: file.key)
    try database.removeKey(file.key)
    let copy = file.folder.file("copy.kennel")
    try database.writeCopy(to: copy)
    #expect(code { _ = try Database.open(copy, configuration: .init(key: file.key)) } == .wrongKey)
    let copied = try Database.open(copy, configuration: .init(key: new))
    #expect(try EncryptedFile.texts(copied).count == 200)
  }

  @Test func `opens while one of the two copies of its key slots is whole`() throws {
    let file = try EncryptedFile()
    try file.fill()
    let sound = file.bytes
    for place in [512, 4608] {
      var bytes = sound
      for index in place..<place + 300 { bytes[index] = 0xAA }
      file.bytes = bytes
      #expect(try file.texts().count == 200)
    }
    var bytes = sound
    for place in [512, 4608] { bytes[place + 60] ^= 1 }
    file.bytes = bytes
    let error = #expect(throws: DatabaseError.self) { try file.open() }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("key slots") == true)
  }

  @Test func `whose keys were changed by half opens with the new ones`() throws {
    let file = try EncryptedFile()
    try file.fill()
    let before = file.bytes
    let new = try Database.Key(bytes: Array(repeating: 8, count: 32))
    try file.open().addKey(new, beside: file.key)
    try file.open().removeKey(file.key)
    var bytes = file.bytes
    bytes.replaceSubrange(4608..<8192, with: before[4608..<8192])
    file.bytes = bytes
    #expect(try file.texts(new).count == 200)
    #expect(code { _ = try file.open() } == .wrongKey)
  }

  @Test func `objects are recovered from its whole pages, with its key`() throws {
    let file = try EncryptedFile()
    try file.fill()
    let texts = Set(try file.texts())
    var bytes = file.bytes
    // Both meta pages, and a page.
    for index in [0..<512, 4096..<4608].joined() { bytes[index] = 0 }
    for index in 8 * 4096..<9 * 4096 { bytes[index] = 0 }
    file.bytes = bytes
    let path = file.folder.file("saved.kennel")
    let saved = try Database.open(path)
    let report = try Database.recover(file.path, key: file.key, into: saved)
    #expect(report.objectCount > 100)
    #expect(try EncryptedFile.texts(saved).allSatisfy { texts.contains($0) || $0 == "?" })
    #expect(code { _ = try Database.recover(file.path, into: saved) } == .keyNeeded)
  }

  /// Gives so many random numbers and then none.
  private final class FailingNumbers: RandomNumbers {
    let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    func fill(_ memory: UnsafeMutableRawBufferPointer) throws(CipherFailure) {
      guard left.subtract(1, ordering: .relaxed).oldValue > 0 else {
        throw .noRandomNumbers(code: ENOSYS)
      }
      try unsafe SystemRandomNumbers().fill(memory)
    }
  }

  @Test func `is as it was where the system gives no random numbers`() throws {
    for count in 0..<40 {
      let random = FailingNumbers(count)
      let key = EncryptionKey(.bytes, Array(repeating: 5, count: 32), random: random)
      let file = try EncryptedFile(Database.Key(key))
      do {
        try file.fill()
        #expect(count >= 10)
      } catch let error as DatabaseError {
        #expect(error.message.contains("no random numbers"))
        let sound = try Database.Key(bytes: Array(repeating: 5, count: 32))
        let database = try file.open(sound)
        #expect(try database.snapshot().schema.classes.isEmpty)
        expectSound(database)
      }
    }
  }
}
