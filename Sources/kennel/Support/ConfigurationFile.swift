import CToml
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
    let bytes = try FileInput(path).readAll()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let line = bytes.prefix(while: { $0 < 0x80 }).count { $0 == UInt8(ascii: "\n") } + 1
      return Configuration(unreadable: .init(line: line, text: "the file is not UTF-8"))
    }
    return Self.configuration(of: text)
  }

  /// What a text chooses.
  private static func configuration(of text: String) -> Configuration {
    var text = text
    let file = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe kennel_toml_read($0.baseAddress, $0.count)
      }
    }
    defer { unsafe kennel_toml_free(file) }
    var line: Int64 = 0
    if let mistake = unsafe kennel_toml_mistake(file, &line) {
      let text = unsafe String(cString: mistake)
      return Configuration(unreadable: .init(line: Int(line), text: text))
    }
    let count = unsafe kennel_toml_count(file)
    return Configuration((0..<count).map { unsafe entry(at: $0, of: file) })
  }

  private static func entry(at index: Int, of file: OpaquePointer?) -> Configuration.Entry {
    let path = unsafe (0..<kennel_toml_key_count(file, index)).map {
      unsafe String(cString: kennel_toml_key(file, index, $0))
    }
    let text = unsafe String(cString: kennel_toml_text(file, index))
    let value: Configuration.Entry.Value =
      switch unsafe kennel_toml_kind_at(file, index) {
      case KENNEL_TOML_STRING: .text(text)
      case KENNEL_TOML_INTEGER: .number(text)
      case KENNEL_TOML_BOOLEAN: .flag(text == "true")
      case KENNEL_TOML_LIST: .list
      case KENNEL_TOML_TABLE: .table
      default: .other
      }
    return Configuration.Entry(
      path: path,
      value: value,
      line: unsafe Int(kennel_toml_line(file, index))
    )
  }
}
