import Foundation
import KennelEncryption
import KennelPages
import KennelTestSupport
import Testing

/// What somebody without the key can do to an encrypted file: nothing that is not found, and told from a wrong
/// key.
@Suite("An encrypted file in other hands")
struct TamperTests {
  private enum Attack: CaseIterable {
    case wrongKey, flippedBit, swappedPages, olderPage, foreignPage, cut
    /// Other bytes, or a page from elsewhere, with the checksums made right.
    case forgedMetaPage
  }

  private struct Files {
    let sound: [UInt8]
    let older: [UInt8]
    /// Another file with the same key.
    let foreign: [UInt8]
    /// What the last two commits have.
    let models: [[UInt64: [UInt8]]]
  }

  private static let tree = Tree(0, keys: .numbers)
  private static let key = EncryptionKey(.bytes, Array(repeating: 3, count: 32))
  private static let otherKey = EncryptionKey(.bytes, Array(repeating: 4, count: 32))
  /// How many cases are tried; ten times as many with `KENNEL_LONG=1`, more with a greater number.
  private static let rounds =
    200 * (ProcessInfo.processInfo.environment["KENNEL_LONG"].map { 10 * (Int($0) ?? 1) } ?? 1)

  /// Makes a commit of random values, short ones and some with pages of their own.
  private static func change(
    _ store: PageStore,
    _ model: inout [UInt64: [UInt8]],
    _ count: Int,
    _ random: inout SeededGenerator
  ) throws {
    let writer = try store.beginWrite()
    for _ in 0..<count {
      let key = UInt64.random(in: 0..<400, using: &random)
      let most = Int.random(in: 0..<20, using: &random) == 0 ? 20_000 : 200
      let value = (0..<Int.random(in: 0...most, using: &random)).map {
        UInt8(truncatingIfNeeded: $0 / 7)
      }
      try unsafe value.withUnsafeBytes { try unsafe writer.put(tree, key, $0) }
      model[key] = value
    }
    try writer.commit()
  }

  private static func contents(_ store: PageStore) throws -> [UInt64: [UInt8]] {
    let snapshot = try store.snapshot()
    var contents: [UInt64: [UInt8]] = [:]
    var cursor = try snapshot.cursor(tree)
    var isThere = try cursor.first()
    while isThere {
      contents[cursor.number] = unsafe Array(try cursor.value())
      isThere = try cursor.next()
    }
    return contents
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Makes the file anew, without a lock file.
  private static func write(_ bytes: [UInt8], _ path: String) throws {
    for name in [path, path + "-lock"] { try? FileManager.default.removeItem(atPath: name) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private static func files() throws -> Files {
    var random = SeededGenerator(seed: 31)
    func make() throws -> (older: [UInt8], newer: [UInt8], [[UInt64: [UInt8]]]) {
      let folder = try TemporaryFolder()
      let path = folder.file("pages")
      var model: [UInt64: [UInt8]] = [:]
      var store = try PageStore.open(path: path, create: true, key: key)
      try change(store, &model, 300, &random)
      store.close()
      let older = try bytes(path)
      store = try PageStore.open(path: path, key: key)
      try change(store, &model, 20, &random)
      let second = model
      try change(store, &model, 20, &random)
      store.close()
      return (older, try bytes(path), [second, model])
    }
    let (older, sound, models) = try make()
    return Files(sound: sound, older: older, foreign: try make().newer, models: models)
  }

  @Test func `is read as it was, or the error names what was done`() throws {
    let files = try Self.files()
    var random = SeededGenerator(seed: 8)
    let folder = try TemporaryFolder()
    let path = folder.file("pages")
    for round in 0..<Self.rounds {
      let attack = Attack.allCases[round % Attack.allCases.count]
      let (bytes, page) = Self.bytes(after: attack, on: files, &random)
      try Self.write(bytes, path)
      let problem = Self.problem(path, attack, files)
      switch attack {
      case .wrongKey: #expect(problem == .cipher(.wrongKey))
      case .forgedMetaPage: #expect(problem == .forged(in: "the file header"))
      case .cut, .flippedBit, .swappedPages, .olderPage, .foreignPage:
        // A page that is free, or the same as before, changes nothing.
        guard let problem else { continue }
        guard case .damaged(let place, _) = problem else {
          Issue.record("\(attack) of page \(page) is called \(problem)")
          continue
        }
        let isNamed = ["page \(page)", "the file", "the file header"].contains(place)
        #expect(
          isNamed || place.hasPrefix("page "),
          "\(attack) of page \(page) is said of \(place)"
        )
      }
    }
  }

  private static func bytes(
    after attack: Attack,
    on files: Files,
    _ random: inout SeededGenerator
  ) -> (bytes: [UInt8], page: Int) {
    var bytes = files.sound
    func page(_ file: [UInt8]) -> Int { Int.random(in: 2..<file.count / 4096, using: &random) }
    func copy(_ from: Int, of file: [UInt8], to target: Int) {
      bytes.replaceSubrange(
        target * 4096..<(target + 1) * 4096,
        with: file[from * 4096..<(from + 1) * 4096]
      )
    }
    var target = page(files.sound)
    switch attack {
    case .wrongKey: break
    case .flippedBit:
      bytes[target * 4096 + Int.random(in: 0..<4096, using: &random)] ^= 1 << (UInt8(target) % 8)
    case .swappedPages:
      let other = page(files.sound)
      copy(other, of: files.sound, to: target)
      copy(target, of: files.sound, to: other)
    case .olderPage:
      target = page(files.older)
      copy(target, of: files.older, to: target)
    case .foreignPage: copy(page(files.foreign), of: files.foreign, to: target)
    case .cut: bytes.removeLast(Int.random(in: 1..<files.sound.count, using: &random))
    case .forgedMetaPage:
      // Both, so that none is sound: other roots, with a checksum that anybody can make.
      for start in [0, 4096] {
        bytes[start + Int.random(in: 44..<408, using: &random)] ^= 1
        let sum = PageSum.of(Array(bytes[start..<start + 456]), seed: Format.magic)
        for index in 0..<8 {
          bytes[start + 456 + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index))
        }
      }
    }
    return (bytes, target)
  }

  /// Reads everything; what can be read must be what one of the last two commits has.
  private static func problem(
    _ path: String,
    _ attack: Attack,
    _ files: Files
  ) -> PageStoreError.Problem? {
    do {
      let key = attack == .wrongKey ? otherKey : key
      let store = try PageStore.open(path: path, key: key)
      defer { store.close() }
      #expect(files.models.contains(try contents(store)), "\(attack)")
      return nil
    } catch let error as PageStoreError {
      return error.problem
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  /// What is open in a meta page can be changed, and its checksum made right: the id of the file, and whether it is
  /// encrypted at all.
  @Test(arguments: [16, 40])
  func `a meta page whose open part somebody has changed is called forged`(offset: Int) throws {
    let files = try Self.files()
    let folder = try TemporaryFolder()
    let path = folder.file("pages")
    var bytes = files.sound
    // One of the two, when both were sound; the id in both.
    for start in offset == 16 ? [0, 4096] : [0] {
      bytes[start + offset] ^= 1
      let sum = PageSum.of(Array(bytes[start..<start + 456]), seed: Format.magic)
      for index in 0..<8 {
        bytes[start + 456 + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index))
      }
    }
    try Self.write(bytes, path)
    do {
      let store = try PageStore.open(path: path, key: Self.key)
      store.close()
      Issue.record("it was opened")
    } catch {
      #expect(error.problem == .forged(in: "the file header"))
    }
  }

  /// With the key one can make a page whose checksum is right and whose tag is not: it is told from damage.
  @Test func `a page with a right checksum and a wrong tag is called forged`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pages")
    var random = SeededGenerator(seed: 5)
    var model: [UInt64: [UInt8]] = [:]
    let store = try PageStore.open(path: path, create: true, key: ForgingKey(Self.key))
    try Self.change(store, &model, 100, &random)
    store.close()
    let again = try PageStore.open(path: path, key: Self.key)
    defer { again.close() }
    do {
      _ = try Self.contents(again)
      Issue.record("it was read")
    } catch let error as PageStoreError {
      guard case .forged(let place) = error.problem else { throw error }
      #expect(place.hasPrefix("page "))
      #expect(error.description.contains("do not trust it"))
    }
  }
}

/// Makes pages with tags that are wrong, and everything else right.
private struct ForgingKey: PageKey {
  private final class Cipher: PageCipher {
    let other: any PageCipher
    init(_ other: any PageCipher) { self.other = other }

    func seal(
      _ unit: UnsafeMutableRawBufferPointer,
      at place: UnitPlace
    ) throws(CipherFailure) {
      try unsafe other.seal(unit, at: place)
      if unit.count >= 4096 { unsafe unit[unit.count - 1] ^= 1 }
    }

    func open(
      _ unit: UnsafeRawBufferPointer,
      at place: UnitPlace,
      into memory: UnsafeMutableRawBufferPointer
    ) -> Bool {
      var copy = unsafe Array(unit)
      if copy.count >= 4096 { copy[copy.count - 1] ^= 1 }
      return unsafe copy.withUnsafeBytes { unsafe other.open($0, at: place, into: memory) }
    }
  }

  private let key: any PageKey

  init(_ key: any PageKey) { self.key = key }

  func makeSlots(
    for file: FileID
  ) throws(CipherFailure) -> (slots: [UInt8], cipher: any PageCipher) {
    let made = try key.makeSlots(for: file)
    return (made.slots, Cipher(made.cipher))
  }

  func cipher(
    slots: [UInt8],
    for file: FileID
  ) throws(CipherFailure) -> any PageCipher {
    Cipher(try key.cipher(slots: slots, for: file))
  }
}
