import Foundation
import Synchronization

/// How much is logged: the messages of a level and of those before it.
///
/// ```swift
/// Logger.setLogLevel(.warn)
/// print(Logger.logLevel(for: Category.realm) == .warn)
/// ```
public enum LogLevel: UInt, Sendable, CaseIterable {
  /// Nothing.
  case off
  /// The program ends.
  case fatal
  /// Something failed.
  case error
  /// Something may be a mistake.
  case warn
  /// Rare events that matter: migrations, compactions.
  case info
  /// Frequent events: each opening of a file.
  case detail
  /// Details that help to find a bug.
  case debug
  /// More than that.
  case trace
  /// Everything.
  case all
}

/// The subject of a message.
///
/// ```swift
/// let categories: [any LogCategory] = [Category.realm, Category.sdk, Category.Storage.query]
/// print(categories.map(\.rawValue))
/// ```
///
/// Categories are nested by the dots in their names: setting the level of `Realm.Storage` sets that
/// of `Realm.Storage.Query`, too, which can then be set by itself.
public protocol LogCategory: Sendable {
  /// The name, such as `Realm.Storage.Query`.
  var rawValue: String { get }
}

/// The categories of messages.
///
/// ```swift
/// Logger.setLogLevel(.debug, for: Category.Storage.all)
/// ```
public enum Category: String, LogCategory {
  /// All messages.
  case realm = "Realm"
  /// Those of the classes of this module.
  case sdk = "Realm.SDK"

  /// The categories of messages about files.
  ///
  /// ```swift
  /// Logger.setLogLevel(.off, for: Category.Storage.query)
  /// ```
  public enum Storage: String, LogCategory {
    /// All messages about files.
    case all = "Realm.Storage"
    /// Transactions.
    case transaction = "Realm.Storage.Transaction"
    /// Queries.
    case query = "Realm.Storage.Query"
    /// Objects.
    case object = "Realm.Storage.Object"
    /// Notifications.
    case notification = "Realm.Storage.Notification"
  }
}

/// Receives messages about what is done with files.
///
/// ```swift
/// Logger.shared = Logger { level, category, message in
///   print(level, category.rawValue, message)
/// }
/// ```
///
/// ``shared`` writes to the standard error output at first. A logger receives messages about
/// migrations and compactions at the level `info`, which is the default, and about openings at the
/// levels `detail` and `trace`. There is one level for each category and not for each logger. A message that is
/// not logged is never composed, and costs only a few nanoseconds.
public final class Logger: Sendable {
  private let function: @Sendable (LogLevel, any LogCategory, String) -> Void

  private struct Settings {
    var shared = Logger { level, category, message in
      FileHandle.standardError.write(Data("\(category.rawValue) \(level): \(message)\n".utf8))
    }
    /// The levels that were set, by the names of their categories.
    var levels = [Category.realm.rawValue: LogLevel.info]

    func level(of category: any LogCategory) -> LogLevel {
      var name = Substring(category.rawValue)
      while true {
        if let level = levels[String(name)] { return level }
        guard let dot = name.lastIndex(of: ".") else { return levels["Realm"] ?? .info }
        name = name[..<dot]
      }
    }
  }

  private static let settings = Mutex(Settings())

  /// Creates a logger.
  ///
  /// - Parameter function: Receives each message, on the thread that it comes from; several threads
  ///   may call it at once.
  public init(function: @escaping @Sendable (LogLevel, any LogCategory, String) -> Void) {
    self.function = function
  }

  /// Creates a logger and sets the level of all messages.
  ///
  /// - Parameters:
  ///   - level: The level of all messages, whichever logger receives them.
  ///   - function: Receives each message, on the thread that it comes from.
  public convenience init(
    level: LogLevel,
    function: @escaping @Sendable (LogLevel, any LogCategory, String) -> Void
  ) {
    self.init(function: function)
    Logger.setLogLevel(level)
  }

  /// Creates a logger and sets the level of all messages.
  ///
  /// - Parameters:
  ///   - level: The level of all messages, whichever logger receives them.
  ///   - function: Receives each message, on the thread that it comes from.
  public convenience init(
    level: LogLevel,
    function: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.init(level: level) { level, _, message in function(level, message) }
  }

  /// The logger that receives the messages.
  public static var shared: Logger {
    get { settings.withLock { $0.shared } }
    set { settings.withLock { $0.shared = newValue } }
  }

  /// The level of all messages.
  public var level: LogLevel {
    get { Logger.logLevel(for: Category.realm) }
    set { Logger.setLogLevel(newValue) }
  }

  /// Sets the level of a category and of all that are parts of it.
  ///
  /// - Parameters:
  ///   - level: The level.
  ///   - category: The category; all messages if it is omitted.
  public static func setLogLevel(
    _ level: LogLevel,
    for category: any LogCategory = Category.realm
  ) {
    let name = category.rawValue
    settings.withLock { settings in
      settings.levels = settings.levels.filter { !$0.key.hasPrefix(name + ".") }
      settings.levels[name] = level
    }
  }

  /// Returns the level of a category.
  ///
  /// - Parameter category: The category.
  /// - Returns: Its level, or that of the category that it is a part of.
  public static func logLevel(for category: any LogCategory) -> LogLevel {
    settings.withLock { $0.level(of: category) }
  }

  /// Logs a message, which is made only if its level is wanted.
  internal static func note(
    _ level: LogLevel,
    _ category: any LogCategory = Category.Storage.all,
    _ message: () -> String
  ) {
    let logger = settings.withLock { settings in
      level.rawValue <= settings.level(of: category).rawValue ? settings.shared : nil
    }
    logger?.function(level, category, message())
  }
}
