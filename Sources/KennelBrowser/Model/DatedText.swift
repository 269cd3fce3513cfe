internal import KennelCore

/// Reads filters in which dates stand as a person says them, such as `today` or `1990`.
///
/// A word that the query language does not understand, and that is such a date, is replaced by the date
/// that it is now.
struct DatedText {
  /// A word that was replaced, in characters of the text as it is now.
  private struct Replacement {
    var range: Range<Int>
    let oldCount: Int
    /// What is wrong with the word.
    let error: PredicateError
  }

  private var characters: [Character]
  private var replacements: [Replacement] = []

  private init(_ text: String) { characters = Array(text) }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - now: The time of the clock.
  ///   - parse: Reads a text of the query language.
  /// - Returns: What was read, and the text that was.
  /// - Throws: The mistake, with its place in the text that was given.
  static func read<Found>(
    _ text: String,
    now: Timestamp,
    _ parse: (String) throws(PredicateError) -> Found
  ) throws(PredicateError) -> (found: Found, text: String) {
    var dated = DatedText(text)
    while true {
      let text = String(dated.characters)
      do throws(PredicateError) {
        return (try parse(text), text)
      } catch {
        try dated.replaceWord(of: error, now: now)
      }
    }
  }

  /// Replaces the word that is a mistake; throws the mistake where the word is no date, or a date is not
  /// what may stand there.
  private mutating func replaceWord(
    of mistake: PredicateError,
    now: Timestamp
  ) throws(PredicateError) {
    let place = mistake.column - 1
    if let wrong = replacements.first(where: { $0.range.contains(place) }) { throw wrong.error }
    let error = inOldText(mistake)
    guard let range = word(at: place),
      let date = RelativeDate.parse(String(characters[range]), now: now)
    else { throw error }
    let literal = Array(ScalarText.literal(date))
    characters.replaceSubrange(range, with: literal)
    let growth = literal.count - range.count
    for index in replacements.indices where replacements[index].range.lowerBound > place {
      let old = replacements[index].range
      replacements[index].range = old.lowerBound + growth..<old.upperBound + growth
    }
    let end = range.lowerBound + literal.count
    replacements.append(
      Replacement(range: range.lowerBound..<end, oldCount: range.count, error: error)
    )
  }

  /// What separates words.
  private static let marks: Set<Character> = [
    " ", "(", ")", "{", "}", "[", "]", ",", "<", ">", "=", "!",
  ]

  private func word(at place: Int) -> Range<Int>? {
    guard characters.indices.contains(place), !Self.marks.contains(characters[place]) else {
      return nil
    }
    let start = characters[..<place].lastIndex(where: Self.marks.contains).map { $0 + 1 } ?? 0
    let end = characters[place...].firstIndex(where: Self.marks.contains) ?? characters.count
    return start..<end
  }

  private func inOldText(_ error: PredicateError) -> PredicateError {
    let before = replacements.filter { $0.range.upperBound < error.column }
    let growth = before.map { $0.range.count - $0.oldCount }.reduce(0, +)
    return PredicateError(
      error.message,
      column: error.column - growth,
      expected: error.expected,
      suggestion: error.suggestion
    )
  }
}
