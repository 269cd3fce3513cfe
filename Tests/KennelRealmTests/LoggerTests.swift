import Foundation
@_spi(Tests) import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Synchronization
import Testing

private class Letter: Object {
  @Persisted var text: String
}

private enum Later {
  class Letter: Object {
    @Persisted var text: String
    @Persisted var stamp: Int
    override class func className() -> String { "Letter" }
  }
}

/// Messages, whichever thread they come from.
private final class Messages: Sendable {
  private let lines = Mutex<[String]>([])

  func note(_ line: String) { lines.withLock { $0.append(line) } }
  /// Those that name a file.
  func about(_ path: String) -> [String] { lines.withLock { $0.filter { $0.contains(path) } } }
}

/// The logger and the levels are one for the whole program: the tests go one after the other.
@Suite(.serialized) struct `A logger` {
  /// Runs a body and puts back what it sets.
  private func keepingSettings(_ body: (Messages) throws -> Void) throws {
    let (logger, level) = (Logger.shared, Logger.logLevel(for: Category.realm))
    defer {
      Logger.shared = logger
      Logger.setLogLevel(level)
    }
    let messages = Messages()
    Logger.shared = Logger { messages.note("\($1.rawValue) \($0): \($2)") }
    try body(messages)
  }

  /// Opens a file, and once more with another version of its class.
  private func openAndMigrate(_ folder: TemporaryFolder) throws -> String {
    let url = URL(fileURLWithPath: folder.file("letters.kennel"))
    do {
      let realm = try Realm(
        configuration: Realm.Configuration(fileURL: url, objectTypes: [Letter.self])
      )
      try realm.write { realm.add(Letter()) }
    }
    var later = Realm.Configuration(
      fileURL: url,
      schemaVersion: 3,
      objectTypes: [Later.Letter.self]
    )
    later.shouldCompactOnLaunch = { _, _ in true }
    _ = try Realm(configuration: later)
    return url.path
  }

  @Test func `is told of migrations and compactions, unless less is wanted`() throws {
    try keepingSettings { messages in
      let folder = try TemporaryFolder()
      let path = try openAndMigrate(folder)
      #expect(
        messages.about(path) == [
          "Realm.Storage info: Compacted \(path)",
          "Realm.Storage info: Migrating \(path) from version 0 to 3",
        ]
      )
      Logger.setLogLevel(.error)
      let quiet = try openAndMigrate(try TemporaryFolder())
      #expect(messages.about(quiet).isEmpty)
    }
  }

  @Test func `is told of each opening where more is wanted`() throws {
    try keepingSettings { messages in
      Logger.setLogLevel(.detail, for: Category.Storage.all)
      let path = try openAndMigrate(try TemporaryFolder())
      let opened = messages.about(path).filter { $0.contains("DB:") }
      #expect(opened == Array(repeating: "Realm.Storage detail: DB: Opened \(path)", count: 2))
      Logger.setLogLevel(.trace)
      let traced = try openAndMigrate(try TemporaryFolder())
      #expect(messages.about(traced).filter { $0.contains("detail: DB:") }.count == 2)
      #expect(messages.about(traced).filter { $0.contains("trace: DB:") }.count == 2)
    }
  }

  @Test func `has the level info at first, and one level for each category and its parts`() throws {
    try keepingSettings { _ in
      #expect(Logger.logLevel(for: Category.Storage.query) == .info)
      Logger.setLogLevel(.trace, for: Category.Storage.query)
      Logger.setLogLevel(.warn, for: Category.sdk)
      #expect(Logger.logLevel(for: Category.Storage.query) == .trace)
      #expect(Logger.logLevel(for: Category.Storage.all) == .info)
      Logger.setLogLevel(.error, for: Category.Storage.all)
      #expect(Logger.logLevel(for: Category.Storage.query) == .error)
      #expect(Logger.logLevel(for: Category.sdk) == .warn && Logger.shared.level == .info)
      Logger.shared.level = .off
      #expect(Logger.logLevel(for: Category.sdk) == .off)
    }
  }

  @Test func `of a level sets the level of all messages`() throws {
    try keepingSettings { messages in
      Logger.shared = Logger(level: .debug) { level, message in messages.note("\(level) \(message)")
      }
      let path = try openAndMigrate(try TemporaryFolder())
      #expect(messages.about(path).contains("detail DB: Opened \(path)"))
      Logger.shared = Logger(level: .off) { level, category, message in
        messages.note("\(category.rawValue) \(level) \(message)")
      }
      #expect(Logger.logLevel(for: Category.Storage.notification) == .off)
    }
  }
}
