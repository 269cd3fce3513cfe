import Glibc
import KennelBrowser

/// The file in which a person chooses colors and keys.
struct ConfigurationFile {
  let path: String

  /// The name without its folders.
  var name: String { path.split(separator: "/").last.map { String($0) } ?? path }

  /// The file that an option names, else the usual one; `nil` if there is no home.
  init?(_ path: String?) {
    let usual = userFolder("XDG_CONFIG_HOME", orInHome: ".config").map { $0 + "/config.toml" }
    guard let path = path ?? usual else { return nil }
    self.path = path
  }

  /// Reads the file.
  ///
  /// - Parameter isRequired: Whether the file has to be there.
  /// - Returns: What is chosen: the defaults without a file.
  /// - Throws: `CommandError` if the file cannot be read.
  func read(isRequired: Bool) throws -> Configuration {
    if !isRequired, !exists(path) { return Configuration() }
    return Configuration(file: try FileInput(path).readAll())
  }
}
