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
  /// - Returns: A name such as `PNG image, 640×480`; `data` where nothing is known.
  static func name(of beginning: [UInt8], isWhole: Bool) -> String {
    if beginning.isEmpty { return "empty" }
    if let known = signatures.first(where: { beginning.starts(with: $0.bytes) }) {
      return known.name + (size(ofImage: beginning).map { ", \($0.width)×\($0.height)" } ?? "")
    }
    if beginning.starts(with: Array("RIFF".utf8)), beginning.count >= 12 {
      return Array(beginning[8..<12]) == Array("WEBP".utf8) ? "WebP image" : "RIFF media"
    }
    if beginning.count >= 12, Array(beginning[4..<8]) == Array("ftyp".utf8) { return "MP4 media" }
    if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) {
      return "UTF-16 text"
    }
    if let text = textName(beginning, isWhole: isWhole) { return text }
    return (isWhole ? ProtobufOutline(beginning) : nil)?.kind ?? "data"
  }

  static func isPNG(_ beginning: [UInt8]) -> Bool { beginning.starts(with: signatures[0].bytes) }

  /// The text that bytes are, in UTF-8 or, after a mark, in UTF-16; what is no character is replaced.
  static func text(of bytes: [UInt8]) -> String {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The ending of the name of a file with such bytes, for other programs.
  static func ending(of name: String) -> String {
    let endings = [
      "PNG": "png", "JPEG": "jpg", "GIF": "gif", "WebP": "webp", "SVG": "svg", "PDF": "pdf",
      "ZIP": "zip", "MP4": "mp4", "MP3": "mp3", "Ogg": "ogg", "JSON": "json", "XML": "xml",
      "UTF-8": "txt", "UTF-16": "txt",
    ]
    return endings[String(name.prefix { $0 != " " })] ?? "bin"
  }

  /// The pixels of an image, as the first bytes of it say; they may say anything.
  static func size(ofImage bytes: [UInt8]) -> (width: Int, height: Int)? {
    func number(_ place: Range<Int>, isLittle: Bool = false) -> Int? {
      guard place.upperBound <= bytes.count else { return nil }
      let digits = isLittle ? bytes[place].reversed() : Array(bytes[place])
      return digits.reduce(0) { $0 << 8 | Int($1) }
    }
    var size: (Int?, Int?)
    switch bytes.first {
    case 0x89 where bytes.dropFirst(12).starts(with: Array("IHDR".utf8)):
      size = (number(16..<20), number(20..<24))
    case UInt8(ascii: "G"):
      size = (number(6..<8, isLittle: true), number(8..<10, isLittle: true))
    case 0xFF:
      // Segments, each with its length, up to the one of the frame.
      var place = 2
      while let kind = number(place..<place + 2), let length = number(place + 2..<place + 4) {
        if (0xFFC0...0xFFC2).contains(kind) {
          size = (number(place + 7..<place + 9), number(place + 5..<place + 7))
          break
        }
        place += 2 + length
      }
    case _: break
    }
    guard let width = size.0, let height = size.1 else { return nil }
    return (width, height)
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
