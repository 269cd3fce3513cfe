import CToml
import KennelBrowser

extension Configuration {
  /// Reads the bytes of a file.
  init(file bytes: [UInt8]) {
    guard var text = String(validating: bytes, as: UTF8.self) else {
      let line = bytes.prefix(while: { $0 < 0x80 }).count { $0 == UInt8(ascii: "\n") } + 1
      self.init(unreadable: Mistake(line: line, text: "the file is not UTF-8"))
      return
    }
    let file = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe kennel_toml_read($0.baseAddress, $0.count)
      }
    }
    defer { unsafe kennel_toml_free(file) }
    var line: Int64 = 0
    if let mistake = unsafe kennel_toml_mistake(file, &line) {
      let text = unsafe String(cString: mistake)
      self.init(unreadable: Mistake(line: Int(line), text: text))
      return
    }
    let count = unsafe kennel_toml_count(file)
    self.init((0..<count).map { unsafe Self.entry(at: $0, of: file) })
  }

  private static func entry(at index: Int, of file: OpaquePointer?) -> Entry {
    let path = unsafe (0..<kennel_toml_key_count(file, index)).map {
      unsafe String(cString: kennel_toml_key(file, index, $0))
    }
    let text = unsafe String(cString: kennel_toml_text(file, index))
    let value: Entry.Value =
      switch unsafe kennel_toml_kind_at(file, index) {
      case KENNEL_TOML_STRING: .text(text)
      case KENNEL_TOML_INTEGER: .number(text)
      case KENNEL_TOML_BOOLEAN: .flag(text == "true")
      case KENNEL_TOML_LIST: .list
      case KENNEL_TOML_TABLE: .table
      default: .other
      }
    return Entry(path: path, value: value, line: unsafe Int(kennel_toml_line(file, index)))
  }
}
