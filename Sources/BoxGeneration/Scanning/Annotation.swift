import SwiftScanning

/// `// objectbox: name = value`, in front of a declaration.
struct Annotation {
  enum Value {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case members([(key: String, value: JSON)])
  }

  /// In lower case.
  let name: String
  let spelling: String
  let value: Value?
  let place: Place

  /// The names, by what they describe.
  static let ofTypes = ["entity", "name", "uid"]
  static let ofProperties = [
    "id", "id-companion", "name", "uid", "index", "unique", "transient", "backlink", "convert",
    "date-nano", "flex", "type",
  ]
  /// What ObjectBox knows and Kennel does not do, with what that is.
  static let ineffective = [
    "sync": doesNotSynchronize, "syncclock": doesNotSynchronize,
    "syncprecedence": doesNotSynchronize, "externalname": doesNotSynchronize,
    "externaltype": doesNotSynchronize, "hnswindex": hasNoVectorIndex,
    "hnsw-index": hasNoVectorIndex,
  ]
  private static let doesNotSynchronize = "Kennel does not synchronize"
  private static let hasNoVectorIndex =
    "the vectors are stored, but Kennel has no index of them and finds no nearest neighbors"
  /// Names that ObjectBox had once.
  private static let former = ["objectid": "id", "nameindb": "name"]

  /// The known name that another one was probably meant to be.
  static func suggestion(for name: String, among known: [String]) -> String? {
    if let name = former[name] { return name }
    let near = known.map { ($0, distance(name, $0)) }.min { $0.1 < $1.1 }
    guard let near, near.1 <= 2, near.1 < near.0.count else { return nil }
    return near.0
  }

  /// How many letters to add, remove or exchange to make one word of another.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var row = Array(0...b.count)
    for i in a.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let replaced = diagonal + (a[i] == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}

/// Reads the annotations of a comment.
struct AnnotationReader {
  private let bytes: [UInt8]
  private let place: Place
  private var position: Int

  /// The annotations of a comment; those that cannot be read are errors.
  static func read(
    _ comment: SwiftToken,
    path: String
  ) -> (annotations: [Annotation], errors: [Diagnostic]) {
    var annotations: [Annotation] = []
    var errors: [Diagnostic] = []
    let lines = comment.text.split(omittingEmptySubsequences: false) {
      ["\n", "\r\n"].contains($0)
    }
    for (offset, line) in lines.enumerated() {
      guard let start = textStart(line) else { continue }
      var text = String(line[start...])
      if comment.text.hasPrefix("/*"), offset == lines.count - 1, text.hasSuffix("*/") {
        text.removeLast(2)
      }
      let place = Place(path: path, line: comment.line + offset)
      var reader = AnnotationReader(bytes: Array(text.utf8), place: place, position: 0)
      do throws(Diagnostic) {
        annotations += try reader.readList()
      } catch {
        errors.append(error)
      }
    }
    return (annotations, errors)
  }

  /// Where the text behind `objectbox:` begins in a line of a comment.
  private static func textStart(_ line: Substring) -> Substring.Index? {
    let rest = line.drop { "/* \t".contains($0) }
    let mark = "objectbox:"
    guard rest.prefix(mark.count).lowercased() == mark else { return nil }
    return rest.index(rest.startIndex, offsetBy: mark.count)
  }

  private init(bytes: [UInt8], place: Place, position: Int) {
    self.bytes = bytes
    self.place = place
    self.position = position
  }

  private mutating func readList() throws(Diagnostic) -> [Annotation] {
    var annotations: [Annotation] = []
    skipBlanks()
    guard position < bytes.count else {
      throw place.error(
        "'objectbox:' needs an annotation behind it, such as 'objectbox: transient'"
      )
    }
    while true {
      skipBlanks()
      let name = readWord()
      guard !name.isEmpty else {
        throw place.error(
          "Cannot read the annotation '\(rest)'; write it as 'objectbox: name' or "
            + "'objectbox: name = value'"
        )
      }
      skipBlanks()
      var value: Annotation.Value?
      if peek == UInt8(ascii: ":") {
        // `name: a = 1, b = 2` has all that follows as its value.
        position = bytes.count
      } else if peek == UInt8(ascii: "=") {
        position += 1
        value = try readValue(of: name)
        skipBlanks()
      }
      annotations.append(
        Annotation(name: name.lowercased(), spelling: name, value: value, place: place)
      )
      guard position < bytes.count else { return annotations }
      guard peek == UInt8(ascii: ",") else {
        throw place.error(
          "Cannot read '\(rest)' behind '\(name)'; separate annotations by commas, and put the "
            + "explanation into another comment"
        )
      }
      position += 1
    }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var rest: String {
    var text = String(decoding: bytes[position...], as: UTF8.self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte.isBlank { position += 1 }
  }

  /// Letters, digits, hyphens; for values dots, too.
  private mutating func readWord(withDots: Bool = false) -> String {
    let start = position
    while let byte = peek,
      byte.isWordByte || byte == UInt8(ascii: "-") || withDots && byte == Byte.dot
    {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func readValue(of name: String) throws(Diagnostic) -> Annotation.Value {
    skipBlanks()
    switch peek {
    case Byte.quote, UInt8(ascii: "{"):
      var reader = JSONReader(bytes, position: position)
      let value: JSON
      do {
        value = try reader.readValue()
      } catch {
        throw place.error(
          "Cannot read the value of '\(name)': \(error.message); write it as JSON, with \"quotes\" "
            + "around each text"
        )
      }
      position = reader.position
      switch value {
      case .string(let text): return .text(text)
      case .object(let object): return .members(object.members.map { ($0.key, $0.value) })
      case .null, .flag, .number, .array:
        throw place.error("'\(name)' cannot have this value")
      }
    default:
      let word = readWord(withDots: true)
      guard !word.isEmpty else {
        throw place.error("'\(name) =' needs a value behind it")
      }
      if let number = Int64(word) { return .number(number) }
      return word == "true" || word == "false" ? .flag(word == "true") : .text(word)
    }
  }
}
