@_spi(Faces) internal import KennelCore

/// A value that many objects have.
struct FrequentValue: Hashable, Sendable {
  let value: Value
  let count: Int
  /// The name of an object; empty for other values.
  let name: String
}

/// A property whose values are asked for.
struct ValuedProperty: Hashable, Sendable {
  let classKey: ClassKey
  let property: PropertyKey
}

/// The completions at the cursor of a filter.
struct FilterCompletion {
  private(set) var candidates: [Candidate] = []
  /// The property that the value at the cursor is compared with.
  private(set) var valued: ValuedProperty?

  private let schema: Schema
  private let values: (ValuedProperty) -> [FrequentValue]
  private let now: Timestamp

  /// Looks at a line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - classKey: The class that it filters.
  ///   - schema: The schema.
  ///   - now: The time of the clock.
  ///   - values: The frequent values of a property, as far as they are known.
  init(
    of line: LineEditor,
    _ classKey: ClassKey,
    in schema: Schema,
    now: Timestamp,
    values: @escaping (ValuedProperty) -> [FrequentValue]
  ) {
    self.schema = schema
    self.now = now
    self.values = values
    let pieces = Predicate.pieces(of: line.text)
    let cursor = line.cursor
    let current = pieces.last {
      $0.range.lowerBound < cursor && cursor <= $0.range.upperBound && $0.isWord
    }
    var reader = FilterReader(classKey, in: schema)
    let start = current?.range.lowerBound ?? cursor
    for piece in pieces where piece.range.upperBound <= start { reader.read(piece.kind) }
    let word = String(line.characters[start..<cursor])
    let isUnreadable = current?.kind == .unreadable
    let end = isUnreadable ? cursor : current?.range.upperBound ?? cursor
    candidates = Candidate.found(wanted(reader, word), by: Self.plain(word))
      .filter { $0.text != word }
      .map { $0.placed(at: start..<end) }
    guard let current, !isUnreadable, cursor == end else { return }
    reader.read(current.kind)
    candidates += continuations(reader, current.kind).map { $0.placed(at: end..<end, after: $1) }
  }

  /// A word without the marks that it begins with.
  private static func plain(_ word: String) -> String {
    let marks: Set<Character> = ["\"", "'", "#", "`", "@", "$"]
    return word.first.map(marks.contains) == true ? String(word.dropFirst()) : word
  }

  private mutating func wanted(_ reader: FilterReader, _ word: String) -> [Candidate] {
    switch reader.wanted {
    case .operand: return operands(reader)
    case .step(let path): return properties(of: path) + aggregates(of: path)
    case .linkClass(let target): return linkClasses(to: target)
    case .linkProperty(let origin, let target): return linkProperties(of: origin, to: target)
    case .comparator(let path): return comparators(of: path)
    case .value(let path, let comparator): return values(of: path, comparator, word)
    case .connective: return Self.connectives
    case .subqueryCount: return [Candidate(.keyword, "@count", "how many there are")]
    case .linksDot, .linkClassDot, .brackets, .variable, .nothing: return []
    }
  }

  /// The candidates to follow a whole piece, each with its separator.
  private mutating func continuations(
    _ reader: FilterReader,
    _ kind: PredicatePiece.Kind
  ) -> [(Candidate, String)] {
    if reader.isInList, kind == .literal {
      return [
        (Candidate(.keyword, ", ", "another value"), ""),
        (Candidate(.keyword, "}", "the end of the list"), ""),
      ]
    }
    let spaced = wanted(reader, "").map { ($0, " ") }
    guard case .comparator(let path) = reader.wanted else { return spaced }
    let steps = (aggregates(of: path) + properties(of: path)).map { ($0, ".") }
    if path.kind == .mixed {
      // What is inside comes before the many operators, behind ‘is’ and ‘is not’.
      let inside = Self.nested(of: path).map { ($0, "") }
      return spaced.prefix(2) + inside + steps + spaced.dropFirst(2)
    }
    return path.isMany ? steps + spaced : spaced + steps
  }

  // MARK: - Names

  private func operands(_ reader: FilterReader) -> [Candidate] {
    let root = FilterPath.object(reader.classKey)
    var candidates = reader.variables.keys.sorted().map {
      Candidate(.property, "$\($0).", "an object of the subquery", name: $0)
    }
    candidates += properties(of: root) + undeclaredLinks(to: reader.classKey)
    candidates.append(Candidate(.keyword, "NOT ", "the opposite"))
    let hasMany = schema[reader.classKey].map {
      !$0.backlinks.isEmpty || $0.properties.contains(where: \.isCollection)
    }
    guard hasMany == true else { return candidates }
    return candidates + [
      Candidate(.keyword, "ANY ", "at least one of many, as in ANY dogs.age > 3"),
      Candidate(.keyword, "ALL ", "every one of many"),
      Candidate(.keyword, "NONE ", "none of many"),
      Candidate(.keyword, "SUBQUERY(", "how many fit, as in SUBQUERY(dogs, $d, $d.age > 3).@count"),
    ]
  }

  private func properties(of path: FilterPath) -> [Candidate] {
    guard let key = path.classKey, let known = schema[key] else { return [] }
    let properties = known.properties.map { property in
      Candidate(
        .property,
        Self.escaped(property.name),
        "\(property.type)\(property.isPrimaryKey ? " key" : "")",
        name: property.name
      )
    }
    return properties
      + known.backlinks.map { backlink in
        let origin = schema[backlink.origin]
        let name = origin?[backlink.property]?.name ?? "?"
        let note = "← \(origin?.name ?? "?").\(name)"
        return Candidate(.property, Self.escaped(backlink.name), note, name: backlink.name)
      }
  }

  private static func escaped(_ name: String) -> String {
    Predicate.Path([.property(name)]).description
  }

  private func aggregates(of path: FilterPath) -> [Candidate] {
    let type = Candidate(.property, "@type", "what kind of value it is", name: "type")
    guard path.isMany || path.kind == .mixed else { return [] }
    var candidates = Predicate.Aggregate.allCases
      .filter { $0 == .count || path.isMany && $0.takes(path.kind) }
      .map { Candidate(.property, "@\($0.rawValue)", $0.summary, name: $0.rawValue) }
    if path.kind == .mixed { candidates.insert(type, at: path.isMany ? 1 : 0) }
    return candidates
  }

  /// The steps into the list or the map that a mixed value may be.
  private static func nested(of path: FilterPath) -> [Candidate] {
    guard path.kind == .mixed, path.collection == .none else { return [] }
    return [
      Candidate(.property, "[\"", "the entry of a key, as in [\"key\"]"),
      Candidate(.property, "[0]", "the first element of a list"),
      Candidate(.property, "[*]", "every element of a list or a map"),
    ]
  }

  private static let kinds =
    ["list", "map", "null"]
    + ValueKind.allCases.filter { $0 != .mixed }.map { "\($0)" }

  // MARK: - Backlinks

  /// The properties that link to a class and have no backlink declared there.
  private func undeclaredLinks(to target: ClassKey) -> [Candidate] {
    var candidates: [Candidate] = []
    let declared = schema[target]?.backlinks ?? []
    for origin in schema.classes where !origin.isEmbedded {
      for property in origin.properties where property.target == target {
        guard !declared.contains(where: { $0.origin == origin.key && $0.property == property.key })
        else { continue }
        let step = Predicate.Step.links(origin: origin.name, property: property.name)
        let text = Predicate.Path([step]).description
        let note = "← \(origin.name).\(property.name)"
        candidates.append(Candidate(.property, text, note, name: String(text.dropFirst())))
      }
    }
    let count = Predicate.Path([.allLinks], aggregate: .count).description
    return candidates + [
      Candidate(.property, count, "how many objects link here", name: String(count.dropFirst()))
    ]
  }

  private func linkClasses(to target: ClassKey) -> [Candidate] {
    let origins = schema.classes.filter { origin in
      origin.properties.contains { $0.target == target }
    }
    let count = Candidate(.property, "@count", "how many objects link here", name: "count")
    return [count]
      + origins.map { Candidate(.property, Self.escaped($0.name), "class", name: $0.name) }
  }

  private func linkProperties(of origin: ClassKey, to target: ClassKey) -> [Candidate] {
    (schema[origin]?.properties ?? []).filter { $0.target == target }.map {
      Candidate(.property, Self.escaped($0.name), "\($0.type)", name: $0.name)
    }
  }

  // MARK: - Operators

  private static let connectives = [
    Candidate(.keyword, "AND ", "and also"), Candidate(.keyword, "OR ", "or else"),
  ]

  private func comparators(of path: FilterPath) -> [Candidate] {
    // The objects of a backlink are counted, or one of their properties is compared.
    if path.isMany, path.kind == .link, path.collection == .none { return [] }
    var candidates = Self.comparators(of: path.kind).map { word, note in
      Candidate(.comparator, word + (word.hasSuffix("{") ? "" : " "), note)
    }
    if path.kind == .bool {
      candidates = ["== true", "== false"].map { Candidate(.comparator, $0, "") }
    }
    if !path.isMany, path.isOptional || path.kind == .link {
      if path.classKey.flatMap({ schema[$0] })?.isPlace == true {
        candidates.append(Candidate(.comparator, "GEOWITHIN ", "lies in an area"))
      }
      candidates.append(Candidate(.comparator, "== null", "has no value"))
      candidates.append(Candidate(.comparator, "!= null", "has a value"))
    }
    return candidates
  }

  private static func comparators(of kind: ValueKind) -> [(String, String)] {
    let isOneOf = ("IN {", "is one of several")
    let equal = [("==", "is"), ("!=", "is not")]
    let described = { (comparator: Predicate.Comparator) in
      comparator.textSummary.map { (comparator.rawValue, $0) }
    }
    let texts = Predicate.Comparator.allCases.compactMap(described)
    let anyCase = texts.map { ($0 + "[c]", $1 + ", in any case") }
    let later = kind == .date
    let order = [
      (">", later ? "after" : "greater than"), (">=", later ? "at or after" : "at least"),
      ("<", later ? "before" : "less than"), ("<=", later ? "at or before" : "at most"),
    ]
    switch kind {
    case .bool: return []
    case .string: return [equal[0]] + anyCase + [equal[1], isOneOf] + order
    case .data:
      return equal + Predicate.Comparator.allCases.filter(\.looksIntoData).compactMap(described)
    case .objectId, .uuid: return equal + [isOneOf]
    case .link: return equal
    case .mixed: return equal + anyCase + order + [isOneOf]
    case _:
      return equal + order + [("BETWEEN {", "lies between two, both included"), isOneOf]
    }
  }

  // MARK: - Values

  private static let areas = [
    Candidate(.value, "geoBox([", "longitude, latitude], [longitude, latitude])"),
    Candidate(.value, "geoCircle([", "longitude, latitude], radius in radians)"),
    Candidate(.value, "geoPolygon({[", "longitude, latitude], …, the first again})"),
  ]

  private mutating func values(
    of path: FilterPath,
    _ comparator: Predicate.Comparator,
    _ word: String
  ) -> [Candidate] {
    if comparator == .geoWithin { return Self.areas }
    var candidates: [Candidate] = []
    if path.kind == .bool {
      candidates += ["true", "false"].map { Candidate(.value, $0, "") }
    }
    if path.isKind {
      candidates += Self.kinds.map { Candidate(.value, "\"\($0)\"", "", name: $0) }
    }
    if path.kind == .date { candidates += dates(word) }
    let isBare = word.first.map { $0.isLetter } ?? false
    if path.kind == .string, isBare, let text = ScalarText.literal(.string(word), in: schema) {
      candidates.append(Candidate(.value, text, "this text", name: word))
    }
    if path.isOptional || path.kind == .link, comparator == .equal || comparator == .notEqual {
      candidates.append(Candidate(.value, "null", "no value"))
    }
    guard let property = path.property, path.kind != .bool else { return candidates }
    let asked = ValuedProperty(classKey: property.owner, property: property.schema.key)
    valued = asked
    for frequent in values(asked) {
      guard let text = ScalarText.literal(frequent.value, in: schema) else { continue }
      let count = frequent.count > 1 ? "\(frequent.count)×" : ""
      let note = frequent.name.isEmpty ? count : "\(frequent.name)  \(count)"
      let name = frequent.name.isEmpty ? ScalarText.text(of: frequent.value) : frequent.name
      candidates.append(Candidate(.value, text, note, name: name))
    }
    return candidates
  }

  /// Dates by their distance from now, as what they are.
  private func dates(_ word: String) -> [Candidate] {
    let isKnown = RelativeDate.words.contains { $0.hasPrefix(word.lowercased()) }
    return (isKnown ? RelativeDate.words : [word]).compactMap { word in
      RelativeDate.parse(word, now: now)
        .map { Candidate(.value, ScalarText.literal($0), word, name: word) }
    }
  }
}

extension PredicatePiece {
  /// Whether it may be the beginning of a longer one.
  fileprivate var isWord: Bool {
    if case .punctuation = kind { false } else { true }
  }
}
