// Regular expressions whose search takes time in proportion to the text
//
// An expression is translated to a program of few instructions, and all the ways in which the program
// may run go through the text side by side (Thompson 1968, Pike 1987). A search takes at most the
// length of the text times that of the program, whatever the expression is: `(a+)+$` cannot make the
// screen wait. Therefore there are no backreferences and no look-around.
//
// | written | meaning |
// |---|---|
// | `.` | any character but a line break |
// | `[a-z_]`, `[^0-9]` | one of some characters, none of them |
// | `\d \w \s`, `\D \W \S` | digit, letter or digit or `_`, white space; anything else |
// | `^ $ \b \B` | the start and the end of the text, the edge of a word, no edge |
// | `* + ? {2} {2,} {2,5}` | how often; with `?` behind, as seldom as possible |
// | `(…)`, `(?:…)`, `\|` | a group, one of several |
// | `\n \t \r \x41 \u{1f436}`, `\.` | a character |
// | `(?-i)` at the start | the case of letters counts |

/// A regular expression.
package struct RegularExpression: Hashable, Sendable {
  /// One step of the program.
  enum Instruction: Hashable, Sendable {
    /// Goes on behind a character of the set.
    case character(CharacterSet)
    /// Goes on in both places, the first of which is preferred.
    case split(Int, Int)
    case jump(Int)
    case assert(Assertion)
    case match
  }

  enum Assertion: Hashable, Sendable {
    case start
    case end
    case wordEdge
    case noWordEdge
  }

  /// Some characters, by their scalars.
  struct CharacterSet: Hashable, Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false

    fileprivate func contains(_ letter: Letter) -> Bool {
      let isListed = ranges.contains { range in
        range.contains(letter.scalar) || range.contains(letter.small)
          || range.contains(letter.capital)
      }
      return isListed != isNegated
    }
  }

  /// A scalar of a text with the letters that it fits where their case does not count.
  fileprivate struct Letter {
    let scalar: UInt32
    let small: UInt32
    let capital: UInt32

    init(_ scalar: Unicode.Scalar, ignoresCase: Bool) {
      let small = ignoresCase ? RegularExpression.small(scalar) : scalar
      self.scalar = scalar.value
      self.small = small.value
      capital = ignoresCase ? RegularExpression.capital(small).value : scalar.value
    }
  }

  let program: [Instruction]
  let ignoresCase: Bool

  /// Reads an expression.
  ///
  /// - Parameter text: The expression.
  /// - Throws: What is wrong with it, and where.
  package init(_ text: String) throws(ValidationError) {
    var parser = RegularExpressionParser(text)
    let tree = try parser.parse()
    ignoresCase = parser.ignoresCase
    var compiler = Compiler()
    try compiler.add(tree)
    program = compiler.program + [.match]
  }

  // MARK: - Searching

  /// A way to run the program: the next instruction, and where the match began.
  private struct Threads {
    var list: [(instruction: Int, start: Int)] = []
    /// The instructions in the list, by the place of the text for which they were added last.
    var added: [Int]
    /// Those that are still to be added; empty between two calls.
    var pending: [Int] = []
  }

  /// The first match, and of those that begin there the one that the expression prefers.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - first: Where the search begins.
  /// - Returns: The places of the match.
  package func firstMatch(in text: [Unicode.Scalar], from first: Int = 0) -> Range<Int>? {
    var current = Threads(added: Array(repeating: -1, count: program.count))
    var next = current
    var found: Range<Int>?
    for place in first...text.count {
      if found == nil { add(0, place, text, start: place, to: &current) }
      if current.list.isEmpty, found != nil { break }
      next.list.removeAll(keepingCapacity: true)
      let letter = place < text.count ? Letter(text[place], ignoresCase: ignoresCase) : nil
      loop: for thread in current.list {
        switch program[thread.instruction] {
        case .character(let set):
          guard let letter, set.contains(letter) else { continue loop }
          add(thread.instruction + 1, place + 1, text, start: thread.start, to: &next)
        case .match:
          found = thread.start..<place
          // What comes behind it is less preferred.
          break loop
        case .split, .jump, .assert: continue loop
        }
      }
      swap(&current, &next)
    }
    return found
  }

  /// Adds an instruction, or those that it leads to without a character, each once for a place.
  private func add(
    _ instruction: Int,
    _ place: Int,
    _ text: [Unicode.Scalar],
    start: Int,
    to threads: inout Threads
  ) {
    threads.pending.append(instruction)
    while let instruction = threads.pending.popLast() {
      guard threads.added[instruction] != place else { continue }
      threads.added[instruction] = place
      switch program[instruction] {
      case .character, .match: threads.list.append((instruction, start))
      case .jump(let target): threads.pending.append(target)
      case .split(let first, let second):
        threads.pending.append(second)
        threads.pending.append(first)
      case .assert(let assertion):
        if holds(assertion, place, text) { threads.pending.append(instruction + 1) }
      }
    }
  }

  private func holds(_ assertion: Assertion, _ place: Int, _ text: [Unicode.Scalar]) -> Bool {
    switch assertion {
    case .start: return place == 0
    case .end: return place == text.count
    case .wordEdge, .noWordEdge:
      let before = place > 0 && Self.isWord(text[place - 1])
      let after = place < text.count && Self.isWord(text[place])
      return (before != after) == (assertion == .wordEdge)
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    CharacterSet.words.contains(Letter(scalar, ignoresCase: false))
  }

  /// The small letter of a letter.
  private static func small(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x41...0x5A: Unicode.Scalar(scalar.value + 32) ?? scalar
    case ..<0x80: scalar
    default: only(scalar.properties.lowercaseMapping) ?? scalar
    }
  }

  /// The capital of a letter.
  private static func capital(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x61...0x7A: Unicode.Scalar(scalar.value - 32) ?? scalar
    case ..<0x80: scalar
    default: only(scalar.properties.uppercaseMapping) ?? scalar
    }
  }

  /// The scalar of a text that has no other one.
  private static func only(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }
}

/// What an expression means, as a tree.
indirect enum RegularExpressionTree {
  case empty
  case character(RegularExpression.CharacterSet)
  case assert(RegularExpression.Assertion)
  case sequence([RegularExpressionTree])
  case choice([RegularExpressionTree])
  case repeated(RegularExpressionTree, least: Int, most: Int?, isGreedy: Bool)
}

/// Makes the program of a tree.
private struct Compiler {
  /// A longer one would make each search slow.
  private static let mostInstructions = 1_000

  var program: [RegularExpression.Instruction] = []

  mutating func add(_ tree: RegularExpressionTree) throws(ValidationError) {
    guard program.count < Self.mostInstructions else {
      throw ValidationError("The expression is too long; {…} repeats too much")
    }
    switch tree {
    case .empty: break
    case .character(let set): program.append(.character(set))
    case .assert(let assertion): program.append(.assert(assertion))
    case .sequence(let parts): for part in parts { try add(part) }
    case .choice(let parts): try add(choice: parts)
    case .repeated(let part, let least, let most, let isGreedy):
      for _ in 0..<least {
        let size = program.count
        try add(part)
        // One copy of nothing is as good as many, which would take long to add.
        if program.count == size { break }
      }
      guard let most else { return try add(endless: part, isGreedy) }
      var splits: [Int] = []
      for _ in least..<max(least, most) {
        splits.append(program.count)
        program.append(.match)
        try add(part)
      }
      for split in splits {
        program[split] = Self.split(split + 1, program.count, isGreedy)
      }
    }
  }

  private static func split(
    _ inside: Int,
    _ behind: Int,
    _ isGreedy: Bool
  ) -> RegularExpression.Instruction {
    isGreedy ? .split(inside, behind) : .split(behind, inside)
  }

  private mutating func add(
    endless part: RegularExpressionTree,
    _ isGreedy: Bool
  ) throws(ValidationError) {
    let split = program.count
    program.append(.match)
    try add(part)
    program.append(.jump(split))
    program[split] = Self.split(split + 1, program.count, isGreedy)
  }

  private mutating func add(choice parts: [RegularExpressionTree]) throws(ValidationError) {
    var jumps: [Int] = []
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let split = program.count
      if !isLast { program.append(.match) }
      try add(part)
      if isLast { break }
      jumps.append(program.count)
      program.append(.match)
      program[split] = .split(split + 1, program.count)
    }
    for jump in jumps { program[jump] = .jump(program.count) }
  }
}
