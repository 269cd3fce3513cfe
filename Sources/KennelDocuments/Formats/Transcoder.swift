/// Text in other encodings as UTF-8.
enum Transcoder {
  /// A stream of the same text in UTF-8.
  static func utf8(
    _ stream: ByteStream,
    _ encoding: CSVOptions.Encoding
  ) throws -> ByteStream {
    switch encoding {
    case .utf8: return stream
    case .latin1:
      return ByteStream {
        guard try stream.fill(1) else { return [] }
        let bytes = stream.buffer[stream.take(stream.available)]
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return Array(String(text).utf8)
      }
    case .utf16: return try utf16(stream)
    }
  }

  private static func utf16(_ stream: ByteStream) throws -> ByteStream {
    var isBigEndian = false
    if try stream.fill(2) {
      let mark = (stream.buffer[stream.position], stream.buffer[stream.position + 1])
      if mark == (0xFE, 0xFF) || mark == (0xFF, 0xFE) {
        isBigEndian = mark.0 == 0xFE
        _ = stream.take(2)
      }
    }
    return ByteStream {
      guard try stream.fill(1) else { return [] }
      _ = try stream.fill(4)
      var units = Self.units(stream, isBigEndian)
      // The first half of a pair waits for the second.
      if let last = units.last, last & 0xFC00 == 0xD800, try stream.fill(2) {
        units += Self.units(stream, isBigEndian, limit: 1)
      }
      guard !units.isEmpty, let text = String(validating: units, as: UTF16.self) else {
        throw DocumentError("The file is not valid UTF-16; choose an --encoding")
      }
      return Array(text.utf8)
    }
  }

  private static func units(
    _ stream: ByteStream,
    _ isBigEndian: Bool,
    limit: Int = .max
  ) -> [UInt16] {
    let count = min(stream.available / 2, limit)
    let range = stream.take(count * 2)
    return (0..<count).map { index in
      let first = UInt16(stream.buffer[range.lowerBound + index * 2])
      let second = UInt16(stream.buffer[range.lowerBound + index * 2 + 1])
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
  }
}
