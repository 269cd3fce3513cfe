internal import KennelCore

/// Reads a filter that is being typed, piece by piece, and says what may come next.
///
/// It takes whatever is written without complaint; what is wrong is said by `Predicate.parse`.
struct FilterReader {
  indirect enum Wanted {
    /// The beginning of a comparison.
    case operand
    /// A property of the objects that a path leads to, or an aggregate of them.
    case step(FilterPath)
    /// The dot after `@links`, and what follows it: a class that links to this one, and its
    /// property.
    case linksDot(to: ClassKey)
    case linkClass(to: ClassKey)
    case linkClassDot(ClassKey, to: ClassKey)
    case linkProperty(ClassKey, to: ClassKey)
    /// An operator, after a path.
    case comparator(FilterPath)
    /// A value that a path is compared with.
    case value(FilterPath, Predicate.Comparator)
    /// AND or OR, after a comparison.
    case connective
    /// The inside of brackets, and what may come after them.
    case brackets(then: Wanted)
    /// `.@count`, after a subquery.
    case subqueryCount
    /// A variable that a subquery defines.
    case variable
    case nothing
  }

  let schema: Schema
  let classKey: ClassKey
  private(set) var wanted = Wanted.operand
  /// The classes of the objects that the variables of subqueries stand for.
  private(set) var variables: [String: ClassKey] = [:]
  /// Whether a subquery has begun whose variable is not defined yet.
  private var isDefining = false
  /// The class of the collection that a subquery is about.
  private var subqueryClass: ClassKey?
  /// Whether a value is one of a list in braces.
  private(set) var isInList = false

  init(_ classKey: ClassKey, in schema: Schema) {
    self.classKey = classKey
    self.schema = schema
  }

  mutating func read(_ kind: PredicatePiece.Kind) {
    if case .brackets(let then) = wanted {
      if kind == .punctuation("]") { wanted = then }
      return
    }
    switch kind {
    case .name(let name): readName(name)
    case .keyword(let word): readKeyword(word)
    case .comparator(let comparator): readComparator(comparator)
    case .function(let word): readFunction(word)
    case .variable(let name): readVariable(name)
    case .literal: readLiteral()
    case .punctuation(let mark): readPunctuation(mark)
    case .unreadable: wanted = .nothing
    }
  }

  private mutating func readName(_ name: String) {
    switch wanted {
    case .operand: follow(.object(classKey), name)
    case .step(let path): follow(path, name)
    case .linkClass(let target):
      wanted = schema[name].map { .linkClassDot($0.key, to: target) } ?? .nothing
    case .linkProperty(let origin, _): wanted = .comparator(.origins(origin))
    case .value: wanted = isInList ? wanted : .connective
    case .linksDot, .linkClassDot, .comparator, .connective, .brackets, .subqueryCount, .variable,
      .nothing:
      wanted = .nothing
    }
  }

  private mutating func follow(_ path: FilterPath, _ name: String) {
    wanted = path.step(name, in: schema).map { .comparator($0) } ?? .nothing
  }

  private mutating func readKeyword(_ word: String) {
    switch word {
    case "AND", "OR": wanted = .operand
    case "NOT":
      // Before an operator, as in ‘name NOT IN …’, it changes nothing.
      if case .comparator = wanted { return }
      wanted = .operand
    case "SUBQUERY":
      isDefining = true
      wanted = .operand
    case "SELF": wanted = .comparator(.object(classKey))
    case "TRUEPREDICATE", "FALSEPREDICATE": wanted = .connective
    default: break
    }
  }

  private mutating func readComparator(_ comparator: Predicate.Comparator) {
    guard case .comparator(let path) = wanted else {
      wanted = .nothing
      return
    }
    wanted = .value(path, comparator)
  }

  private mutating func readFunction(_ word: String) {
    let path: FilterPath
    switch wanted {
    case .operand: path = .object(classKey)
    case .step(let before): path = before
    case .subqueryCount:
      wanted = .comparator(.number)
      return
    case .linkClass:
      wanted = .comparator(.number)
      return
    case .linksDot, .linkClassDot, .linkProperty, .comparator, .value, .connective, .brackets,
      .variable, .nothing:
      wanted = .nothing
      return
    }
    if word.lowercased() == "links" {
      wanted = path.classKey.map { .linksDot(to: $0) } ?? .nothing
    } else {
      wanted = .comparator(path.aggregated(word))
    }
  }

  private mutating func readVariable(_ name: String) {
    if case .variable = wanted {
      variables[name] = subqueryClass
      isDefining = false
      wanted = .nothing
    } else if case .operand = wanted {
      wanted = variables[name].map { .comparator(.object($0)) } ?? .nothing
    } else {
      wanted = .connective
    }
  }

  private mutating func readLiteral() {
    switch wanted {
    case .operand:
      // On the left side, as in ‘"Rex" IN names’.
      wanted = .comparator(FilterPath(kind: .mixed))
    case .value: wanted = isInList ? wanted : .connective
    case .step, .linksDot, .linkClass, .linkClassDot, .linkProperty, .comparator, .connective,
      .brackets, .subqueryCount, .variable, .nothing:
      wanted = .nothing
    }
  }

  private mutating func readPunctuation(_ mark: Character) {
    switch (mark, wanted) {
    case (".", .comparator(let path)): wanted = .step(path)
    case (".", .linksDot(let target)): wanted = .linkClass(to: target)
    case (".", .linkClassDot(let origin, let target)): wanted = .linkProperty(origin, to: target)
    case (".", .connective): wanted = .subqueryCount
    case (".", _): wanted = .nothing
    case ("[", .comparator(let path)): wanted = .brackets(then: .comparator(path.element))
    case ("[", _): wanted = .brackets(then: wanted)
    case ("{", _): isInList = true
    case ("}", _):
      isInList = false
      wanted = .connective
    case (")", _): wanted = .connective
    case (",", .comparator(let path)) where isDefining:
      subqueryClass = path.classKey
      wanted = .variable
    case (",", .nothing): wanted = .operand
    default: break
    }
  }
}
