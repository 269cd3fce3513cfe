import SwiftScanning

/// `// objectbox: name = value`, in front of a declaration.
struct Annotation {
  /// In lower case.
  let name: String
  let spelling: String
  let value: JSON?
  let place: Place

  /// The names, by what they describe.
  static let ofTypes = ["entity", "name", "uid"]
  static let ofProperties = [
    "id", "id-companion", "name", "uid", "index", "unique", "transient", "backlink", "convert",
    "date-nano", "flex", "type",
  ]
  /// Annotations of ObjectBox that have no effect in Kennel, with the reason.
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

/// Reads the annotations of a line of a comment.
struct AnnotationReader {
  private let place: Place
  private let text: Substring
  private var cursor: TokenCursor

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
      guard var text = annotationText(line) else { continue }
      if comment.text.hasPrefix("/*"), offset == lines.count - 1, text.hasSuffix("*/") {
        text.removeLast(2)
      }
      let place = Place(path: path, line: comment.line + offset)
      var reader = AnnotationReader(place: place, text: text, cursor: TokenCursor(String(text)))
      do throws(Diagnostic) {
        annotations += try reader.readList()
      } catch {
        errors.append(error)
      }
    }
    return (annotations, errors)
  }

  /// The text behind `objectbox:` in a line of a comment.
  private static func annotationText(_ line: Substring) -> Substring? {
    let rest = line.drop { "/* \t".contains($0) }
    let mark = "objectbox:"
    return rest.prefix(mark.count).lowercased() == mark ? rest.dropFirst(mark.count) : nil
  }

  private mutating func readList() throws(Diagnostic) -> [Annotation] {
    guard cursor.token != nil else {
      throw place.error(
        "'objectbox:' needs an annotation behind it, such as 'objectbox: transient'"
      )
    }
    var annotations: [Annotation] = []
    while true {
      let name = cursor.word(with: ["-"])
      guard !name.isEmpty else {
        throw place.error(
          "Cannot read the annotation '\(rest)'; write it as 'objectbox: name' or "
            + "'objectbox: name = value'"
        )
      }
      // `name: a = 1, b = 2` has all that follows as its value.
      let isWhole = cursor.take(":")
      let value = !isWhole && cursor.take("=") ? try readValue(of: name) : nil
      annotations.append(
        Annotation(name: name.lowercased(), spelling: name, value: value, place: place)
      )
      if isWhole || cursor.token == nil { return annotations }
      guard cursor.take(",") else {
        throw place.error(
          "Cannot read '\(rest)' behind '\(name)'; separate annotations by commas, and put the "
            + "explanation into another comment"
        )
      }
    }
  }

  /// The text from the token here on.
  private var rest: String {
    var rest = String(
      decoding: text.utf8.dropFirst(cursor.token?.range.lowerBound ?? 0),
      as: UTF8.self
    )
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }

  private mutating func readValue(of name: String) throws(Diagnostic) -> JSON {
    if let token = cursor.token, token.kind == .string || token.is("{") {
      do {
        return try JSON.read(&cursor, depth: 0)
      } catch {
        throw place.error(
          "Cannot read the value of '\(name)': \(error.message); write it as JSON, with \"quotes\" "
            + "around each text"
        )
      }
    }
    let word = cursor.word(with: ["-", "."])
    guard !word.isEmpty else { throw place.error("'\(name) =' needs a value behind it") }
    if Int64(word) != nil { return .number(word) }
    return word == "true" || word == "false" ? .flag(word == "true") : .string(word)
  }
}
