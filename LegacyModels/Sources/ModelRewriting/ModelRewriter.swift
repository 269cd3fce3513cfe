package import SwiftScanning

/// Rewrites model classes of Realm's older syntax so that they compile without an Objective-C
/// runtime.
///
/// | written | compiled |
/// |---|---|
/// | `@objc dynamic var age = 0` | `@Persisted var age = 0` |
/// | `dynamic var age = 0` in an `@objcMembers` class | `@Persisted var age = 0` |
/// | the same, computed, static, overridden or ignored | without `@objc` and `dynamic` |
/// | `@objc(Name) class Dog: Object {` | `class Dog: Object {` and an override of `className()` |
/// | `@objc`, `@objc(Name)`, `@objcMembers`, `@nonobjc` elsewhere | gone |
/// | `import RealmSwift`, `RealmSwift.List` | `import KennelRealm`, `KennelRealm.List` |
/// | `#keyPath(Dog.name)` | `"name"` |
///
/// Every line keeps its number, and the rest of a changed line stays as it was. Syntax without a
/// counterpart is reported as a diagnostic with its line; nothing is guessed.
package struct ModelRewriter {
  private let path: String
  private let tokens: [SwiftToken]
  private var edits: SourceEdits
  private var scopes: [SwiftScope] = [.file]
  /// The scopes of type declarations, by the token of their opening brace.
  private var scopeAtBrace: [Int: SwiftScope] = [:]
  private var diagnostics: [Diagnostic] = []
  /// The classes that are certainly model classes.
  private var models: Set = ["Object", "EmbeddedObject"]

  /// A rewritten source file.
  package struct Result {
    /// The text; unusable if a diagnostic is an error.
    package let text: String
    package let diagnostics: [Diagnostic]
    package var isUsable: Bool { !diagnostics.contains { $0.severity == .error } }
  }

  /// Rewrites the text of a file.
  package static func rewrite(_ text: String, path: String) -> Result {
    var rewriter = ModelRewriter(text, path: path)
    rewriter.run()
    return Result(text: rewriter.edits.result, diagnostics: rewriter.diagnostics)
  }

  /// The text with a first line that makes compilers and debuggers name the original file.
  package static func located(_ text: String, path: String) -> String {
    var literal = ""
    for character in path {
      if character == "\\" || character == "\"" { literal += "\\" }
      literal.append(character)
    }
    return "#sourceLocation(file: \"\(literal)\", line: 1)\n\(text)"
  }

  private init(_ text: String, path: String) {
    self.path = path
    tokens = SwiftScanner.tokens(of: text).filter { $0.kind != .comment }
    edits = SourceEdits(text)
  }

  private mutating func run() {
    var index = 0
    while index < tokens.count {
      index = step(index)
    }
  }

  /// Rewrites one token or the start of a declaration; returns the index of the next token.
  private mutating func step(_ index: Int) -> Int {
    let token = tokens[index]
    switch token.kind {
    case .attribute:
      return declaration(index)
    case .directive:
      return directive(index)
    case .word where token.text == "import" && (index == 0 || !tokens[index - 1].is(".")):
      return importLine(index)
    case .word where tokens.isMember(index):
      break
    case .word where token.text == "RealmSwift":
      edits.replace(token.range, with: "KennelRealm")
    case .word where tokens.isModifier(index) || Self.typeWords.contains(token.text):
      return declaration(index)
    case .word where Self.foreignTypes.contains(token.text):
      report(
        index,
        "RLMRealm and RLMSchema belong to Realm's Objective-C interface; "
          + "remove this initializer or method, nothing needs it here"
      )
    case .punctuation where token.text == "{":
      scopes.append(scopeAtBrace[index] ?? .code)
    case .punctuation where token.text == "}" && scopes.count > 1:
      scopes.removeLast()
    case .word, .punctuation, .string, .regularExpression, .number, .comment:
      break
    }
    return index + 1
  }

  private mutating func report(
    _ index: Int,
    _ message: String,
    severity: Diagnostic.Severity = .error
  ) {
    let diagnostic = Diagnostic(severity, path, line: tokens[index].line, message)
    if diagnostics.last != diagnostic { diagnostics.append(diagnostic) }
  }

  private static let typeWords: Set = [
    "class", "struct", "enum", "protocol", "extension", "actor", "var",
  ]
  private static let foreignTypes: Set = ["RLMRealm", "RLMSchema", "RLMObjectSchema"]
}

// MARK: - Declarations

extension ModelRewriter {
  /// Rewrites a declaration, from its first attribute, modifier or keyword.
  private mutating func declaration(_ start: Int) -> Int {
    let modifiers = modifiers(from: start)
    for range in modifiers.objc { erase(range) }
    if let range = modifiers.objcMembers { erase(range) }
    guard modifiers.next < tokens.count else { return tokens.count }
    let keyword = tokens[modifiers.next]
    // What is private is not @objc only because the class has @objcMembers.
    let isObjc =
      !modifiers.objc.isEmpty
      || scopes.last?.hasObjcMembers == true
        && modifiers.words.isDisjoint(with: ["private", "fileprivate"])
    if modifiers.words.contains("optional"), !modifiers.objc.isEmpty {
      report(
        start,
        "optional requirements need an Objective-C runtime; "
          + "give the requirement an implementation in an extension of the protocol"
      )
    }
    switch keyword.text {
    case "class", "struct", "enum", "protocol", "extension", "actor":
      typeDeclaration(modifiers.next, modifiers)
    case "var":
      property(modifiers.next, modifiers, isObjc: isObjc)
    case "let" where modifiers.dynamic != nil && isObjc:
      report(modifiers.next, "A stored property has to be a var")
    default:
      if let dynamic = modifiers.dynamic, isObjc { erase(dynamic...dynamic) }
    }
    // The keyword itself is dealt with; what follows may hold closures and strings.
    return max(modifiers.next, start) + (Self.keywords.contains(keyword.text) ? 1 : 0)
  }

  private static let keywords: Set = [
    "class", "struct", "enum", "protocol", "extension", "actor", "var", "let", "func", "init",
  ]

  private mutating func erase(_ range: ClosedRange<Int>) {
    edits.erase(
      tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound].range.upperBound
    )
  }

  private func modifiers(from start: Int) -> SwiftModifiers {
    var modifiers = SwiftModifiers(next: start)
    while modifiers.next < tokens.count {
      let index = modifiers.next
      let token = tokens[index]
      if token.kind == .attribute {
        let end = tokens.endOfArguments(index)
        switch token.text {
        case "@objc", "@nonobjc": modifiers.objc.append(index...end)
        case "@objcMembers": modifiers.objcMembers = index...end
        default: break
        }
        modifiers.next = end + 1
      } else if tokens.isModifier(index) {
        if token.text == "dynamic" { modifiers.dynamic = index }
        let end = tokens.endOfArguments(index)
        // `private(set)` restricts the setter alone.
        if end == index { modifiers.words.insert(token.text) }
        modifiers.next = end + 1
      } else {
        break
      }
    }
    return modifiers
  }

  /// Records the scope of a type, from its keyword.
  private mutating func typeDeclaration(_ keyword: Int, _ modifiers: SwiftModifiers) {
    var index = keyword + 1
    guard index < tokens.count, tokens[index].kind == .word else { return }
    var scope = SwiftScope(kind: .type, name: tokens[index].text)
    scope.hasObjcMembers = modifiers.objcMembers != nil
    var depth = 0
    var parent: String?
    while index < tokens.count, !tokens[index].is("{") {
      if tokens[index].is("<") { depth += 1 }
      if tokens[index].is(">") { depth -= 1 }
      if tokens[index].is("where", "}") { break }
      if tokens[index].is(":"), depth == 0, index + 1 < tokens.count, parent == nil {
        parent = tokens[endOfName(index + 1)].text
      }
      index += 1
    }
    while index < tokens.count, !tokens[index].is("{", "}") { index += 1 }
    guard index < tokens.count, tokens[index].is("{") else { return }
    if tokens[keyword].text == "class", let parent, parent != "NSObject", parent != "AnyObject" {
      scope.kind = .model
      if models.contains(parent) || hasStoredProperties(index) {
        models.insert(scope.name)
        keepName(of: scope.name, modifiers, brace: index)
      }
    }
    scope.ignored = ignoredProperties(in: index)
    scopeAtBrace[index] = scope
  }

  /// The last token of a dotted name.
  private func endOfName(_ start: Int) -> Int {
    var index = start
    while index + 2 < tokens.count, tokens[index + 1].is(".") { index += 2 }
    return index
  }

  /// Whether a realm stores the properties declared in these braces.
  private func hasStoredProperties(_ brace: Int) -> Bool {
    tokens[brace..<tokens.closing(brace)].contains { $0.is("@Persisted", "dynamic") }
  }

  /// Keeps the class name that `@objc(Name)` gives a model class; subclasses do not inherit it.
  private mutating func keepName(of type: String, _ modifiers: SwiftModifiers, brace: Int) {
    let named = modifiers.objc.first { $0.count > 3 && tokens[$0.lowerBound].text == "@objc" }
    guard let named else { return }
    let isNamedAlready = tokens[brace..<tokens.closing(brace)].indices.contains {
      tokens[$0].is("className") && tokens[$0 - 1].is("func")
    }
    if isNamedAlready { return }
    let name = tokens[named.lowerBound + 2].text
    let access = modifiers.words.isDisjoint(with: ["public", "open"]) ? "" : "public "
    let method =
      "\(access)override class func className() -> String "
      + "{ self == \(type).self ? \"\(name)\" : super.className() }"
    edits.replace(tokens[brace].range, with: "{ \(method);")
  }

  /// The properties that `ignoredProperties()` of a class names.
  private func ignoredProperties(in brace: Int) -> Set<String> {
    let end = tokens.closing(brace)
    var index = brace + 1
    while index < end {
      if tokens[index].is("{") {
        index = tokens.closing(index)
      } else if tokens[index].is("ignoredProperties"), tokens[index - 1].is("func", "var") {
        guard let body = tokens[index..<end].firstIndex(where: { $0.is("{") }) else { return [] }
        var names: Set<String> = []
        for inner in body...tokens.closing(body) {
          if let text = tokens[inner].literalText { names.insert(text) }
          if tokens[inner].text == "#keyPath", inner + 1 < end {
            names.insert(tokens[tokens.closing(inner + 1) - 1].text)
          }
        }
        return names
      }
      index += 1
    }
    return []
  }
}

// MARK: - Properties

extension ModelRewriter {
  private mutating func property(_ keyword: Int, _ modifiers: SwiftModifiers, isObjc: Bool) {
    guard isObjc, keyword + 1 < tokens.count, let scope = scopes.last else { return }
    let shape = SwiftVariable(at: keyword, in: tokens)
    let isMember = scope.kind == .model && modifiers.words.isDisjoint(with: ["static", "class"])
    let isStored = shape.isStored && !modifiers.words.contains("override")
    guard let dynamic = modifiers.dynamic else {
      if isMember, isStored, !modifiers.objc.isEmpty, let name = shape.name,
        !scope.ignored.contains(name)
      {
        report(
          keyword,
          "'\(name)' is @objc but not dynamic, so it is not stored; "
            + "write '@objc dynamic var' to store it",
          severity: .warning
        )
      }
      return
    }
    erase(dynamic...dynamic)
    guard isMember, isStored else { return }
    guard let name = shape.name else {
      report(keyword, "A stored property has a name of its own; declare one property per line")
      return
    }
    guard !scope.ignored.contains(name) else { return }
    if modifiers.words.contains("lazy") {
      report(keyword, "'\(name)' is lazy and cannot be stored; remove '@objc dynamic'")
    } else if !modifiers.words.isDisjoint(with: ["weak", "unowned"]) {
      report(keyword, "'\(name)' is stored, so it cannot be weak or unowned; remove the word")
    } else if let type = shape.typeName, let better = Self.betterTypes[type] {
      report(keyword, "'\(name)' cannot be stored as \(type); declare it as \(better)")
    } else {
      persist(keyword, dynamic, modifiers, shape)
    }
  }

  private mutating func persist(
    _ keyword: Int,
    _ dynamic: Int,
    _ modifiers: SwiftModifiers,
    _ shape: SwiftVariable
  ) {
    // The wrapper takes the place of what was erased.
    let place = modifiers.objc.first ?? dynamic...dynamic
    edits.forget(at: tokens[place.lowerBound].range.lowerBound)
    edits.replace(
      tokens[place.lowerBound].range.lowerBound..<tokens[place.upperBound].range.upperBound,
      with: "@Persisted"
    )
    guard !shape.commas.isEmpty else { return }
    guard shape.canBeSplit else {
      report(
        keyword,
        "These properties share one type or have accessors; declare each on a line of its own"
      )
      return
    }
    let others = accessWords(before: keyword)
    for comma in shape.commas {
      edits.replace(tokens[comma].range, with: "; @Persisted \(others)var")
    }
  }

  /// The access levels among the modifiers, to be repeated.
  private func accessWords(before keyword: Int) -> String {
    var words = ""
    var index = keyword - 1
    while index >= 0, !tokens[index].is("}", "{", ";") {
      if ["public", "private", "fileprivate", "internal", "package", "open", "final"]
        .contains(tokens[index].text)
      {
        let end = tokens.endOfArguments(index)
        words = tokens[index...end].map(\.text).joined() + " " + words
      }
      if tokens[index].startsLine { break }
      index -= 1
    }
    return words
  }

  /// Foundation's classes that Realm stores, with the types to use instead.
  private static let betterTypes = [
    "NSString": "String", "NSMutableString": "String", "NSDate": "Date", "NSData": "Data",
    "NSMutableData": "Data", "NSUUID": "UUID", "NSNumber": "Int?, Double? or Bool?",
    "NSDecimalNumber": "Decimal128", "NSArray": "List", "NSSet": "MutableSet",
    "NSDictionary": "Map", "CGFloat": "Double",
  ]
}

// MARK: - Imports and directives

extension ModelRewriter {
  private mutating func importLine(_ start: Int) -> Int {
    var end = start + 1
    while end < tokens.count, !tokens[end].startsLine, !tokens[end].is(";") { end += 1 }
    let kinds: Set = ["class", "struct", "enum", "protocol", "typealias", "func", "let", "var"]
    guard let module = tokens[start + 1..<end].firstIndex(where: { !kinds.contains($0.text) })
    else { return end }
    switch tokens[module].text {
    case "RealmSwift":
      edits.replace(tokens[module].range, with: "KennelRealm")
    case "Realm":
      var first = start
      while first > 0, tokens[first - 1].line == tokens[start].line, !tokens[first - 1].is(";") {
        first -= 1
      }
      erase(first...end - 1)
    default:
      break
    }
    return end
  }

  private mutating func directive(_ index: Int) -> Int {
    switch tokens[index].text {
    case "#selector":
      report(index, "A selector needs an Objective-C runtime; call the method, or pass a closure")
    case "#keyPath":
      guard index + 1 < tokens.count, tokens[index + 1].is("(") else { break }
      let end = tokens.closing(index + 1)
      let names = tokens[index + 2..<end].filter { $0.kind == .word }
      let path = names.drop(while: \.isCapitalized)
      guard !path.isEmpty else {
        report(index, "This key path names no property")
        break
      }
      edits.replace(
        tokens[index].range.lowerBound..<tokens[end].range.upperBound,
        with: "\"\(path.map(\.text).joined(separator: "."))\""
      )
      return end + 1
    default:
      break
    }
    return index + 1
  }
}
