import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

@Suite("An encrypted realm")
struct EncryptedRealmTests {
  private let folder: TemporaryFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TemporaryFolder()
    configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("test.kennel")),
      encryptionKey: Data((0..<64).map { UInt8($0) }),
      objectTypes: zoo
    )
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
  }

  private func opening(
    _ key: Data?
  ) -> Result<[String], any Error> {
    var other = configuration
    other.encryptionKey = key
    return Result { try Realm(configuration: other).objects(Dog.self).map(\.name) }
  }

  @Test func `opens with its key and with no other`() throws {
    #expect(try opening(configuration.encryptionKey).get() == ["Rex"])
    let wrong = #expect(throws: Realm.Error.self) {
      try opening(Data(repeating: 1, count: 64)).get()
    }
    #expect(wrong?.code == .invalidDatabase)
    let none = #expect(throws: Realm.Error.self) { try opening(nil).get() }
    #expect(none?.code == .invalidDatabase)
  }

  @Test func `is not given to who opens it with another key while it is open`() throws {
    let realm = try Realm(configuration: configuration)
    let error = #expect(throws: Realm.Error.self) { try opening(nil).get() }
    #expect(error?.code == .alreadyOpen)
    #expect(error?.message.contains("different encryption key") == true)
    #expect(realm.objects(Dog.self).count == 1)
  }

  @Test func `is copied with the key that is wanted, and with none`() throws {
    let realm = try Realm(configuration: configuration)
    let (open, other) = (folder.file("open.kennel"), folder.file("other.kennel"))
    try realm.writeCopy(toFile: URL(fileURLWithPath: open))
    let key = Data(repeating: 9, count: 64)
    try realm.writeCopy(toFile: URL(fileURLWithPath: other), encryptionKey: key)
    var copy = configuration
    copy.fileURL = URL(fileURLWithPath: open)
    copy.encryptionKey = nil
    #expect(try Realm(configuration: copy).objects(Dog.self).count == 1)
    copy.fileURL = URL(fileURLWithPath: other)
    #expect(throws: Realm.Error.self) { try Realm(configuration: copy) }
    copy.encryptionKey = key
    #expect(try Realm(configuration: copy).objects(Dog.self).count == 1)
  }

  @Test func `takes a key of 64 bytes`() {
    expectMisuse("exactly 64 bytes") { [configuration] in
      var short = configuration
      short.encryptionKey = Data(repeating: 1, count: 32)
      _ = try? Realm(configuration: short)
    }
  }
}
