@_spi(Faces) internal import KennelCore

/// Something that may be put into a line that is typed.
struct Candidate: Hashable {
  enum Kind: Hashable {
    case property
    case comparator
    case value
    case keyword
    /// A whole line.
    case line
  }

  let kind: Kind
  /// Goes into the line.
  let text: String
  /// Describes it, beside it in the list.
  let note: String
  /// Found by what a person types.
  let name: String
  /// The characters of the line whose place it takes.
  var range = 0..<0
  /// Stands in the list.
  var label: String

  init(_ kind: Kind, _ text: String, _ note: String, name: String? = nil) {
    self.kind = kind
    self.text = text
    self.note = note
    self.name = name ?? text
    label = text
  }

  /// The candidate at a place of the line, behind something that it is kept apart from.
  func placed(at range: Range<Int>, after separator: String = "") -> Candidate {
    var placed = Candidate(kind, separator + text, note, name: name)
    placed.range = range
    placed.label = separator == " " ? text : separator + text
    return placed
  }

  /// The candidates that a word finds: first those that begin with it, then those that have it inside,
  /// or else the one whose name is nearly the word.
  static func found(_ candidates: [Candidate], by word: String) -> [Candidate] {
    let word = word.lowercased()
    guard !word.isEmpty else { return candidates }
    let beginning = candidates.filter { $0.name.lowercased().hasPrefix(word) }
    let inside = candidates.filter { candidate in
      let name = candidate.name.lowercased()
      return !name.hasPrefix(word) && name.contains(word)
    }
    let found = word.count > 1 ? beginning + inside : beginning
    guard found.isEmpty, let meant = NearestName.of(word, among: candidates.map(\.name)) else {
      return found
    }
    return candidates.filter { $0.name == meant }
  }
}
