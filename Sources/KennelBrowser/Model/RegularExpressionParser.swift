/// Reads the text of a regular expression by recursive descent.
struct RegularExpressionParser {
  /// Deeper groups are refused, so that no text can exhaust the stack.
  private static let deepest = 50
  /// A part is repeated no more than so often.
  private static let mostRepeated = 500

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private(set) var ignoresCase = true

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range.clamped(to: 0..<scalars.count)])
    return String(view)
  }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  mutating func parse() throws(ValidationError) -> RegularExpressionTree {
    if take("(?-i)") { ignoresCase = false } else { _ = take("(?i)") }
    let tree = try choice()
    guard next == nil else { throw ValidationError("‘)’ has no ‘(’ before it; \\) is the sign") }
    return tree
  }

  private mutating func choice() throws(ValidationError) -> RegularExpressionTree {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(ValidationError) -> RegularExpressionTree {
    var parts: [RegularExpressionTree] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      parts.append(try repeated(try atom(scalar)))
    }
    return .sequence(parts)
  }

  // MARK: - Repetition

  private mutating func repeated(
    _ part: RegularExpressionTree
  ) throws(ValidationError) -> RegularExpressionTree {
    var part = part
    var isRepeated = false
    while let bounds = try bounds() {
      guard !isRepeated else {
        throw ValidationError("Two repetitions follow each other; put the first in a group: (…)")
      }
      isRepeated = true
      let isGreedy = !take("?")
      part = .repeated(part, least: bounds.least, most: bounds.most, isGreedy: isGreedy)
    }
    return part
  }

  private mutating func bounds() throws(ValidationError) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard next == "{" else { return nil }
    let start = position
    position += 1
    let least = number()
    var most = least
    if take(",") { most = next == "}" ? nil : number() }
    guard let least, take("}"), most.map({ $0 >= least }) ?? true else {
      throw ValidationError(
        "‘\(text(start..<position + 1))’ is no {2}, {2,} or {2,5}; \\{ is the sign"
      )
    }
    guard max(least, most ?? 0) <= Self.mostRepeated else {
      throw ValidationError("A part can be repeated \(Self.mostRepeated) times at most")
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let start = position
    while let digit = next, ("0"..."9").contains(digit), position < start + 9 { position += 1 }
    return Int(text(start..<position))
  }

  // MARK: - Atoms

  private mutating func atom(
    _ scalar: Unicode.Scalar
  ) throws(ValidationError) -> RegularExpressionTree {
    position += 1
    switch scalar {
    case ".": return .character(.init(ranges: [0x0A...0x0A, 0x0D...0x0D], isNegated: true))
    case "^": return .assert(.start)
    case "$": return .assert(.end)
    case "(": return try group()
    case "[": return .character(try characterClass())
    case "*", "+", "?", "{":
      throw ValidationError("‘\(scalar)’ has nothing before it to repeat; \\\(scalar) is the sign")
    case "\\": return try escape()
    default: return .character(Self.single(scalar))
    }
  }

  private static func single(_ scalar: Unicode.Scalar) -> RegularExpression.CharacterSet {
    .init(ranges: [scalar.value...scalar.value])
  }

  private mutating func group() throws(ValidationError) -> RegularExpressionTree {
    if next == "?", !take("?:") {
      throw ValidationError("‘(?’ begins only (?:…) here, and (?-i) at the start")
    }
    depth += 1
    guard depth <= Self.deepest else { throw ValidationError("The groups are nested too deeply") }
    let tree = try choice()
    guard take(")") else { throw ValidationError("‘(’ is not closed; \\( is the sign") }
    depth -= 1
    return tree
  }

  private mutating func escape() throws(ValidationError) -> RegularExpressionTree {
    switch next {
    case "b":
      position += 1
      return .assert(.wordEdge)
    case "B":
      position += 1
      return .assert(.noWordEdge)
    default: return .character(try escapedSet())
    }
  }

  /// What a backslash makes of the characters behind it.
  private mutating func escapedSet() throws(ValidationError) -> RegularExpression.CharacterSet {
    guard let scalar = next else {
      throw ValidationError("A ‘\\’ ends the expression; \\\\ is the sign")
    }
    position += 1
    if let known = Self.classes[scalar] { return known }
    switch scalar {
    case "n": return Self.single("\n")
    case "t": return Self.single("\t")
    case "r": return Self.single("\r")
    case "x", "u": return Self.single(try code(scalar))
    case "0"..."9": throw ValidationError("\\\(scalar): backreferences are not supported")
    case "a"..."z", "A"..."Z": throw ValidationError("‘\\\(scalar)’ has no meaning")
    default: return Self.single(scalar)
    }
  }

  private mutating func code(_ letter: Unicode.Scalar) throws(ValidationError) -> Unicode.Scalar {
    let isBraced = take("{")
    let start = position
    let most = isBraced ? 8 : letter == "x" ? 2 : 4
    while let digit = next, digit.properties.isASCIIHexDigit, position < start + most {
      position += 1
    }
    let number = UInt32(text(start..<position), radix: 16)
    guard isBraced ? take("}") : position == start + most, let number,
      let scalar = Unicode.Scalar(number)
    else { throw ValidationError("‘\\\(letter)’ names no character; write \\x41 or \\u{1f436}") }
    return scalar
  }

  private static let classes: [Unicode.Scalar: RegularExpression.CharacterSet] = {
    let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    let words = RegularExpression.CharacterSet.words.ranges
    let spaces: [ClosedRange<UInt32>] = [
      0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A,
      0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
    ]
    return [
      "d": .init(ranges: digits), "D": .init(ranges: digits, isNegated: true),
      "w": .init(ranges: words), "W": .init(ranges: words, isNegated: true),
      "s": .init(ranges: spaces), "S": .init(ranges: spaces, isNegated: true),
    ]
  }()

  // MARK: - Brackets

  private mutating func characterClass() throws(ValidationError) -> RegularExpression.CharacterSet {
    var set = RegularExpression.CharacterSet()
    set.isNegated = take("^")
    var isFirst = true
    while let scalar = next, isFirst || scalar != "]" {
      isFirst = false
      let part = try member()
      guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        set.ranges += try plain(part)
        continue
      }
      position += 1
      let last = try member()
      guard let low = part.ranges.first, let high = last.ranges.first, part.isOne, last.isOne,
        low.lowerBound <= high.lowerBound
      else { throw ValidationError("A range in ‘[…]’ goes from a character to a later one") }
      set.ranges.append(low.lowerBound...high.lowerBound)
    }
    guard take("]") else { throw ValidationError("‘[’ is not closed; \\[ is the sign") }
    return set
  }

  private mutating func member() throws(ValidationError) -> RegularExpression.CharacterSet {
    guard let scalar = next else { throw ValidationError("‘[’ is not closed; \\[ is the sign") }
    position += 1
    return scalar == "\\" ? try escapedSet() : Self.single(scalar)
  }

  /// The ranges of a part of brackets, which cannot be the opposite of something.
  private func plain(
    _ set: RegularExpression.CharacterSet
  ) throws(ValidationError) -> [ClosedRange<UInt32>] {
    guard set.isNegated else { return set.ranges }
    var ranges: [ClosedRange<UInt32>] = []
    var start: UInt32 = 0
    for range in set.ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if start < range.lowerBound { ranges.append(start...range.lowerBound - 1) }
      start = range.upperBound + 1
    }
    return ranges + [start...0x10FFFF]
  }
}

extension RegularExpression.CharacterSet {
  /// Letters, digits and `_`: what `\w` fits, and what `\b` is the edge of.
  static let words = Self(ranges: [
    0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A, 0xAA...0xAA, 0xB5...0xB5, 0xBA...0xBA,
    0xC0...0xD6, 0xD8...0xF6, 0xF8...0x1FFF, 0x2C00...0x2DFF, 0x3005...0x3007, 0x3021...0x3029,
    0x3031...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFEFF, 0xFF10...0xFFEF, 0x10000...0x1EFFF,
    0x20000...0x3FFFF,
  ])

  /// Whether it is a single character.
  fileprivate var isOne: Bool {
    !isNegated && ranges.count == 1 && ranges[0].lowerBound == ranges[0].upperBound
  }
}
