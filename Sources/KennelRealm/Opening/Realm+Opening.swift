public import Foundation

extension Realm {
  /// Opens the default realm.
  ///
  /// - Parameter queue: The serial queue of the realm; `nil` for the current thread.
  /// - Throws: ``Realm/Error`` if the file cannot be opened.
  public init(queue: DispatchQueue? = nil) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue)
  }

  /// Opens a realm.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - queue: The serial queue of the realm; `nil` for the current thread.
  /// - Throws: ``Realm/Error`` if the file cannot be opened, if `schemaVersion` is lower than the
  ///   version of the file, or if the classes differ from the file and `schemaVersion` is not
  ///   higher.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    self.init(try RealmOpening.open(configuration, on: queue.map { RealmHome($0) }))
  }

  /// Opens a file with the default configuration.
  ///
  /// - Parameter fileURL: The file.
  /// - Throws: ``Realm/Error`` if the file cannot be opened.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }
}
