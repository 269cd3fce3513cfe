import Foundation
import KennelRealmFile
import Testing

@Suite struct `Encrypted Realm files` {
  private let files: RecordedFiles
  private static let pageSize = 4096

  init() throws {
    files = try RecordedFiles()
  }

  @Test func `a key is 64 bytes or 128 digits`() throws {
    #expect(RealmEncryptionKey(bytes: 0..<63) == nil)
    #expect(RealmEncryptionKey(bytes: 0..<65) == nil)
    #expect(RealmEncryptionKey(hex: String(RecordedFiles.hexKey.dropLast())) == nil)
    #expect(RealmEncryptionKey(hex: String(RecordedFiles.hexKey.dropLast()) + "g") == nil)
    #expect(RealmEncryptionKey(hex: String(RecordedFiles.hexKey.dropLast(2)) + "é") == nil)
    let path = try files.write(RecordedFiles.encrypted)
    for hex in [RecordedFiles.hexKey, RecordedFiles.hexKey.uppercased()] {
      let key = try #require(RealmEncryptionKey(hex: hex))
      #expect("\(key)" == "an encryption key")
      #expect(try RealmFile(path: path, key: key).classes.count == 14)
    }
  }

  @Test func `without its key the file asks for it`() throws {
    let path = try files.write(RecordedFiles.encrypted)
    #expect(throws: RealmFileError.keyNeeded(path: path)) { try RealmFile(path: path) }
    #expect(!RealmFile.looksLikeRealm(path: path))
  }

  @Test func `another key is the wrong one`() throws {
    let path = try files.write(RecordedFiles.encrypted)
    for changed in [0, 40] {
      var bytes = [UInt8](0..<64)
      bytes[changed] ^= 1
      let key = try #require(RealmEncryptionKey(bytes: bytes))
      // The halves of a key decrypt and authenticate.
      if changed == 40 {
        #expect(throws: RealmFileError.wrongKey(path: path)) { try RealmFile(path: path, key: key) }
      } else {
        #expect(throws: RealmFileError.wrongKey(path: path)) { try RealmFile(path: path, key: key) }
      }
    }
  }

  @Test func `a damaged page is damage, and the others are read`() throws {
    var damaged = 0
    var sound = 0
    for page in [1, 30, 60, 90, 115] {
      var bytes = RecordedFiles.encrypted
      bytes[page * Self.pageSize + 100] ^= 1
      do {
        let file = try RealmFile(path: files.write(bytes), key: RecordedFiles.key())
        for realmClass in file.classes {
          do {
            try file.forEachCluster(of: realmClass) { cluster in
              for property in realmClass.properties { _ = try cluster.values(of: property) }
            }
            sound += 1
          } catch RealmFileError.damaged(let damage) {
            #expect(damage.what.contains("encrypted page"))
            damaged += 1
          }
        }
      } catch RealmFileError.damaged(let damage) {
        #expect(damage.what.contains("encrypted page"))
        damaged += 1
      }
    }
    #expect(damaged > 0)
    #expect(sound > 0)
  }

  @Test func `a page that its writer did not finish is read as it was`() throws {
    var bytes = RecordedFiles.encrypted
    // Every pair of metadata moves to the second place; the first is of a page never written.
    for page in stride(from: 0, to: bytes.count, by: 65 * Self.pageSize) {
      for start in stride(from: page, to: page + Self.pageSize, by: 64) where bytes[start] != 0 {
        bytes.replaceSubrange(start + 32..<start + 64, with: bytes[start..<start + 32])
        bytes[start] += 1
        for index in start + 4..<start + 32 { bytes[index] ^= 0x55 }
      }
    }
    let file = try RealmFile(path: files.write(bytes), key: RecordedFiles.key())
    #expect(try file.check() == [])
  }

  @Test func `a page that was never written is zeros`() throws {
    var bytes = RecordedFiles.encrypted
    // The last page has the end that a file written in one go needs.
    let pages = bytes.count / Self.pageSize
    let last = pages - 1 - 65 - 1
    let start = 65 * Self.pageSize + last * 64
    for index in start..<start + 64 { bytes[index] = 0 }
    let error = #expect(throws: RealmFileError.self) {
      try RealmFile(path: files.write(bytes), key: RecordedFiles.key())
    }
    guard case .truncated = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `an encrypted file that was cut is truncated`() throws {
    for end in [100_000, 8192, 400_000] {
      let bytes = Array(RecordedFiles.encrypted.prefix(end))
      let error = #expect(throws: RealmFileError.self) {
        try RealmFile(path: files.write(bytes), key: RecordedFiles.key())
      }
      guard case .truncated = error else {
        Issue.record("\(end): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `a key for a file that is not encrypted is not used`() throws {
    let path = try files.write(RecordedFiles.sample)
    #expect(try !RealmFile(path: path, key: RecordedFiles.key()).isEncrypted)
  }
}
