internal import KennelCore
internal import KennelReports

/// Guesses the kind of bytes by how they begin.
enum DataKind {
  /// So many bytes tell.
  static let examined = 512

  private static let signatures: [(bytes: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "PNG image"),
    ([0xFF, 0xD8, 0xFF], "JPEG image"),
    (Array("GIF8".utf8), "GIF image"),
    (Array("%PDF-".utf8), "PDF document"),
    ([0x50, 0x4B, 0x03, 0x04], "ZIP archive"),
    ([0x1F, 0x8B], "gzip data"),
    (Array("BZh".utf8), "bzip2 data"),
    ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard data"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz data"),
    (Array("SQLite format 3".utf8), "SQLite database"),
    (Array("bplist00".utf8), "binary property list"),
    ([0x7F, 0x45, 0x4C, 0x46], "ELF program"),
    (Array("OggS".utf8), "Ogg media"),
    (Array("ID3".utf8), "MP3 audio"),
  ]

  /// The name of the kind.
  ///
  /// - Parameters:
  ///   - beginning: The first bytes, ``examined`` of them if there are so many.
  ///   - isWhole: Whether these are all.
  /// - Returns: A name such as `PNG image`; `data` where nothing is known.
  static func name(of beginning: [UInt8], isWhole: Bool) -> String {
    if beginning.isEmpty { return "empty" }
    if let known = signatures.first(where: { beginning.starts(with: $0.bytes) }) {
      return known.name
    }
    if beginning.starts(with: Array("RIFF".utf8)), beginning.count >= 12 {
      return Array(beginning[8..<12]) == Array("WEBP".utf8) ? "WebP image" : "RIFF media"
    }
    if beginning.count >= 12, Array(beginning[4..<8]) == Array("ftyp".utf8) { return "MP4 media" }
    return textName(beginning, isWhole: isWhole) ?? "data"
  }

  private static func textName(_ beginning: [UInt8], isWhole: Bool) -> String? {
    var bytes = beginning[...]
    if !isWhole {
      // The last character may be cut.
      let last = bytes.suffix(4).lastIndex { $0 & 0xC0 != 0x80 }
      if let last { bytes = bytes[..<last] }
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || "\t\n\r".unicodeScalars.contains($0) })
    else { return nil }
    let start = text.trimmed
    if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON text" }
    if start.hasPrefix("<svg") { return "SVG image" }
    if start.hasPrefix("<?xml") { return "XML text" }
    return "UTF-8 text"
  }

  /// A number of bytes as a person reads it, as in `12.5 kB`.
  static func size(_ count: Int) -> String {
    if count < 1_000 { return counted(count, "byte") }
    var tenths = count / 100
    for unit in ["kB", "MB"] {
      if tenths < 10_000 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
      tenths /= 1_000
    }
    return "\(tenths / 10).\(tenths % 10) GB"
  }
}
