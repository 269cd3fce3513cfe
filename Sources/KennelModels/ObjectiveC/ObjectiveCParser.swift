import SwiftScanning

/// Reads the declarations of model classes from Objective-C source files.
///
/// It reads what Realm's models consist of and skips everything else: protocols, functions,
/// instance methods, other classes.
struct ObjectiveCParser {
  private var path = ""
  private var tokens: [SwiftToken] = []
  private var index = 0
  /// The comments since the last declaration.
  private var comments: [String] = []
  private(set) var classes: [ObjectiveCClass] = []
  /// The names of enumerations, which are stored as integers.
  private(set) var enumerations: Set<String> = []

  /// Reads a file, whose declarations are added to those that were read before.
  mutating func read(_ text: String, path: String) throws(Diagnostic) {
    self.path = path
    tokens = Self.tokens(of: text)
    index = 0
    comments = []
    try readFile()
  }

  /// The tokens outside of preprocessor lines, comments included; those of models are tokens of Swift, too.
  private static func tokens(of text: String) -> [SwiftToken] {
    var tokens: [SwiftToken] = []
    var isPreprocessed = false
    var continuesLine = false
    for token in SwiftScanner.tokens(of: text, nestsComments: false) {
      if token.startsLine, !(isPreprocessed && continuesLine) {
        isPreprocessed = token.kind == .directive || token.is("#")
      }
      continuesLine = token.is("\\")
      if !isPreprocessed { tokens.append(token) }
    }
    return tokens
  }

  // MARK: - Tokens

  private func token(_ offset: Int = 0) -> SwiftToken? {
    index + offset < tokens.count ? tokens[index + offset] : nil
  }

  private var line: Int { token()?.line ?? tokens.last?.line ?? 1 }
  private var place: ObjectiveCPlace { ObjectiveCPlace(path: path, line: line) }

  private func diagnostic(_ message: String, at line: Int? = nil) -> Diagnostic {
    Diagnostic(.error, path, line: line ?? self.line, message)
  }

  private mutating func collectComments() {
    while let token = token(), token.kind == .comment {
      comments.append(token.text)
      index += 1
    }
  }

  /// Drops the comments before the next token.
  private mutating func dropComments() {
    collectComments()
    comments = []
  }

  private mutating func takeComments() -> [String] {
    defer { comments = [] }
    return comments.filter { comment in
      // The name of the file that a listing was cut from.
      !(comment.hasPrefix("//") && [".h", ".m", ".mm"].contains { comment.hasSuffix($0) })
    }
  }

  private mutating func skip(_ text: String) -> Bool {
    guard token()?.is(text) == true else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ text: String, in what: String) throws(Diagnostic) {
    guard skip(text) else {
      throw diagnostic("Expected '\(text)' in \(what), found '\(token()?.text ?? "the end")'")
    }
  }

  private mutating func word(_ what: String) throws(Diagnostic) -> String {
    guard let token = token(), token.kind == .word else {
      throw diagnostic("Expected \(what), found '\(token()?.text ?? "the end")'")
    }
    index += 1
    return token.text
  }

  /// Skips from an opening bracket to behind the closing one.
  private mutating func skipBrackets() {
    index = tokens.closing(index) + 1
  }

  private mutating func skip(behind text: String) {
    while let token = token(), !token.is(text) {
      if token.is("(", "[", "{") { skipBrackets() } else { index += 1 }
    }
    index += 1
  }

  // MARK: - Files

  private mutating func readFile() throws(Diagnostic) {
    while true {
      collectComments()
      guard let token = token() else { return }
      switch token.text {
      case "@interface": try readInterface()
      case "@implementation": try readImplementation()
      case "@protocol": skipProtocol()
      case "@class", "@import", "extern", "static": skip(behind: ";")
      case "typedef": try readTypeDefinition()
      case "RLM_COLLECTION_TYPE", "RLM_ARRAY_TYPE":
        index += 1
        skipBrackets()
        _ = skip(";")
      default:
        if token.is("(", "[", "{") { skipBrackets() } else { index += 1 }
      }
      comments = []
    }
  }

  private mutating func skipProtocol() {
    index += 1
    while let token = token(), !token.is("@end") {
      index += 1
      // A declaration ahead has no `@end`.
      if token.is(";"), self.token(-2)?.kind == .word, self.token(-3)?.is("@protocol", ",") == true
      {
        return
      }
    }
    index += 1
  }

  /// Records the name of `typedef NS_ENUM(NSInteger, Name) { … };`.
  private mutating func readTypeDefinition() throws(Diagnostic) {
    index += 1
    if let macro = token(), macro.is("NS_ENUM", "NS_OPTIONS", "NS_CLOSED_ENUM"),
      let type = token(2), let name = token(4), token(3)?.is(",") == true
    {
      if type.is("NSUInteger", "unsigned", "uint64_t") {
        throw diagnostic(
          "\(name.text) is unsigned, which Realm does not store; declare it with NSInteger"
        )
      }
      enumerations.insert(name.text)
    }
    skip(behind: ";")
  }

  private mutating func readInterface() throws(Diagnostic) {
    let start = place
    index += 1
    let name = try word("the name of a class")
    var position: Int?
    if token()?.is("(") == true {
      // A category or an extension adds to a class that is known.
      skipBrackets()
      position = classes.firstIndex { $0.name == name }
    } else {
      guard skip(":") else { return skip(behind: "@end") }
      let parent = try word("the class that \(name) inherits")
      if let other = classes.first(where: { $0.name == name }) {
        throw diagnostic(
          "\(name) was declared before, at \(other.place.path):\(other.place.line)",
          at: start.line
        )
      }
      classes.append(
        ObjectiveCClass(name: name, parent: parent, place: start, comments: takeComments())
      )
      position = classes.count - 1
    }
    comments = []
    skipProtocolList()
    if token()?.is("{") == true { skipBrackets() }
    try readMembers(of: position, from: start.line)
  }

  private mutating func skipProtocolList() {
    guard token()?.is("<") == true else { return }
    while let token = token() {
      index += 1
      if token.is(">") { return }
    }
  }

  private mutating func readMembers(of position: Int?, from start: Int) throws(Diagnostic) {
    while true {
      collectComments()
      guard let token = token() else { throw diagnostic("@end is missing", at: start) }
      if token.is("@end") { break }
      if token.is("@property") {
        let properties = try readProperty()
        if let position { classes[position].properties += properties }
      } else if token.is("-", "+") {
        let method = try readMethodHead()
        if let position { add(method, to: position) }
        skip(behind: ";")
        comments = []
      } else {
        index += 1
      }
    }
    if let position { classes[position].lastComments += takeComments() }
    index += 1
    comments = []
  }
}

// MARK: - Properties

extension ObjectiveCParser {
  private mutating func readProperty() throws(Diagnostic) -> [ObjectiveCProperty] {
    let start = place
    index += 1
    var isReadonly = false
    var isClassProperty = false
    if skip("(") {
      while let token = token(), !token.is(")") {
        if token.is("readonly") { isReadonly = true }
        if token.is("class") { isClassProperty = true }
        index += 1
      }
      index += 1
    }
    var type = try readType()
    var names: [String] = []
    repeat {
      dropAsterisks(&type)
      names.append(try word("the name of a property"))
    } while skip(",")
    while let token = token(), !token.is(";") {
      guard token.kind == .word || token.is("(") else {
        throw diagnostic("Expected ';' behind the property \(names[0]), found '\(token.text)'")
      }
      if token.is("(") { skipBrackets() } else { index += 1 }
    }
    let lastLine = line
    try expect(";", in: "a property")
    var remarks = takeComments()
    if let comment = token(), comment.kind == .comment, comment.line == lastLine {
      remarks.append(comment.text)
      index += 1
    }
    if isClassProperty { return [] }
    return names.enumerated().map { number, name in
      ObjectiveCProperty(
        name: name,
        type: type,
        isReadonly: isReadonly,
        place: start,
        comments: number == 0 ? remarks : []
      )
    }
  }

  private mutating func dropAsterisks(_ type: inout ObjectiveCType) {
    while let token = token(), token.is("*") || Self.qualifiers.contains(token.text) {
      if token.is("*") { type.isPointer = true }
      index += 1
    }
  }

  private static let qualifiers: Set = [
    "nullable", "nonnull", "_Nullable", "_Nonnull", "__nullable", "__nonnull", "const", "__strong",
    "__weak", "__kindof", "IBOutlet",
  ]

  private static let wordsOfIntegers: Set = [
    "unsigned", "signed", "long", "short", "int", "char", "struct",
  ]

  private mutating func readType() throws(Diagnostic) -> ObjectiveCType {
    while let token = token(), Self.qualifiers.contains(token.text) { index += 1 }
    var name = try word("the type of a property")
    while Self.wordsOfIntegers.contains(name.split(separator: " ").last.map(String.init) ?? ""),
      let next = token(), Self.wordsOfIntegers.contains(next.text) || name == "struct"
    {
      name += " " + next.text
      index += 1
    }
    var type = ObjectiveCType(name: name)
    while token()?.is("<") == true {
      type.arguments.append(try readArguments())
    }
    return type
  }

  /// The text between angle brackets, without asterisks and qualifiers.
  private mutating func readArguments() throws(Diagnostic) -> [String] {
    let start = line
    index += 1
    var arguments = [""]
    while true {
      guard let token = token() else { throw diagnostic("'>' is missing", at: start) }
      index += 1
      if token.is(">") { return arguments }
      if token.is(",") {
        arguments.append("")
      } else if token.is("<") {
        // id<RLMValue>
        arguments[arguments.count - 1] += "<" + (try word("a protocol")) + ">"
        try expect(">", in: "a type")
      } else if token.kind == .word, !Self.qualifiers.contains(token.text) {
        arguments[arguments.count - 1] += token.text
      } else if token.is(";", "@property", "@end") {
        throw diagnostic("'>' is missing", at: start)
      }
    }
  }
}

// MARK: - Methods

extension ObjectiveCParser {
  private struct Method {
    var isOfClass: Bool
    var name: String
    var text: String
  }

  private mutating func add(_ method: Method, to position: Int) {
    let isAsked = method.isOfClass && Self.questions.contains(method.name)
    if !isAsked, !classes[position].otherMethods.contains(where: { $0.name == method.name }) {
      classes[position].otherMethods.append((method.name, method.text))
    }
  }

  /// The class methods that the translation evaluates.
  static let questions: Set = [
    "primaryKey", "requiredProperties", "indexedProperties", "ignoredProperties",
    "defaultPropertyValues", "linkingObjectsProperties", "linkingObjectProperties",
    "shouldIncludeInDefaultSchema",
  ]

  /// Reads from the sign to the body or semicolon, and leaves that.
  private mutating func readMethodHead() throws(Diagnostic) -> Method {
    var method = Method(isOfClass: token()?.is("+") == true, name: "", text: "")
    let start = index
    index += 1
    // The words behind a type in parentheses name arguments, but for the first.
    var isArgument = false
    while let token = token(), !token.is("{", ";", "@end") {
      if token.is("(") {
        skipBrackets()
        isArgument = !method.name.isEmpty
        continue
      }
      if token.is(":") {
        method.name += ":"
      } else if token.kind == .word {
        if !isArgument { method.name += token.text }
        isArgument = false
      }
      index += 1
    }
    method.text = text(of: tokens[start..<index])
    return method
  }

  /// Tokens with the usual blanks: `- (NSString *)nameOf:(Dog *)dog`.
  private func text(of tokens: ArraySlice<SwiftToken>) -> String {
    var text = ""
    var last: SwiftToken?
    for token in tokens where token.kind != .comment {
      if let last {
        let isWord = token.kind == .word || token.kind == .number
        if last.is("+", "-", ",") || isWord && last.kind == .word
          || token.is("*", "^") && !last.is("(", "*")
        {
          text += " "
        }
      }
      text += token.text
      last = token
    }
    return text
  }

  private mutating func readImplementation() throws(Diagnostic) {
    comments = []
    let start = line
    index += 1
    let name = try word("the name of a class")
    if token()?.is("(") == true { skipBrackets() }
    if token()?.is(":") == true { index += 2 }
    if token()?.is("{") == true { skipBrackets() }
    let position = classes.firstIndex { $0.name == name }
    while true {
      dropComments()
      guard let token = token() else { throw diagnostic("@end is missing", at: start) }
      if token.is("@end") { break }
      if token.is("-", "+") {
        let method = try readMethodHead()
        if method.isOfClass, Self.questions.contains(method.name), let position {
          let answer = try readAnswer(method.name)
          classes[position].answers[method.name] = answer
        } else {
          if let position { add(method, to: position) }
          if self.token()?.is("{") == true { skipBrackets() }
        }
      } else if token.is("(", "[", "{") {
        skipBrackets()
      } else {
        index += 1
      }
    }
    index += 1
  }

  /// Reads the body of a method that only returns a literal.
  private mutating func readAnswer(_ name: String) throws(Diagnostic) -> ObjectiveCAnswer {
    let start = place
    try expect("{", in: "+\(name)")
    dropComments()
    guard skip("return") else {
      throw diagnostic(
        "+\(name) does more than return a literal; write what it returns for this translation"
      )
    }
    let value = try readLiteral(name)
    try expect(";", in: "+\(name)")
    dropComments()
    try expect("}", in: "+\(name)")
    return ObjectiveCAnswer(value: value, place: start)
  }

  private mutating func readLiteral(_ name: String) throws(Diagnostic) -> ObjectiveCLiteral {
    dropComments()
    defer { dropComments() }
    guard let token = token() else { throw diagnostic("A value is missing in +\(name)") }
    index += 1
    switch (token.kind, token.text) {
    case (.string, _):
      let text = token.text.dropFirst()
      return .string(String(text.hasSuffix("\"") ? text.dropLast() : text))
    case (.number, _):
      // In C, no digit has to follow the dot.
      var text = token.text
      if skip(".") {
        text += "."
        if let suffix = self.token(), suffix.is("f", "F", "l", "L"), skip(suffix.text) {
          text += suffix.text
        }
      }
      return .number(text)
    case (.attribute, "@YES"), (.attribute, "@true"), (.word, "YES"), (.word, "true"):
      return .bool(true)
    case (.attribute, "@NO"), (.attribute, "@false"), (.word, "NO"), (.word, "false"):
      return .bool(false)
    case (.word, "nil"), (.word, "NULL"): return .null
    case (.punctuation, "@") where self.token()?.is("[") == true:
      index += 1
      return .array(
        try readParts("]", name) { parser throws(Diagnostic) in try parser.readLiteral(name) }
      )
    case (.punctuation, "@") where self.token()?.is("{") == true:
      index += 1
      return .dictionary(
        try readParts("}", name) { parser throws(Diagnostic) in try parser.readEntry(name) }
      )
    case (.punctuation, "@"): return try readLiteral(name)
    case (.punctuation, "-"):
      if case .number(let text) = try readLiteral(name) { return .number("-" + text) }
    case (.punctuation, "("):
      let value = try readLiteral(name)
      try expect(")", in: "+\(name)")
      return value
    case (.punctuation, "["): return try readMessage(name)
    case (.word, "NSStringFromSelector"):
      try expect("(", in: "+\(name)")
      try expect("@selector", in: "+\(name)")
      try expect("(", in: "+\(name)")
      let selector = try word("a selector")
      try expect(")", in: "+\(name)")
      try expect(")", in: "+\(name)")
      return .string(selector)
    case (.word, _) where self.token()?.is(".") == true:
      index += 1
      return .message(receiver: token.text, selector: try word("a property"), arguments: [])
    default: break
    }
    throw diagnostic(
      "'\(token.text)' in +\(name) is no literal; write what it stands for",
      at: token.line
    )
  }

  /// Reads the parts of an array or a dictionary up to its end.
  private mutating func readParts<Part>(
    _ end: String,
    _ name: String,
    _ read: (inout Self) throws(Diagnostic) -> Part
  ) throws(Diagnostic) -> [Part] {
    var parts: [Part] = []
    dropComments()
    while token()?.is(end) != true {
      parts.append(try read(&self))
      guard skip(",") else { break }
      dropComments()
    }
    try expect(end, in: "+\(name)")
    return parts
  }

  private mutating func readEntry(_ name: String) throws(Diagnostic) -> ObjectiveCLiteral.Entry {
    let start = place
    let key = try readLiteral(name)
    try expect(":", in: "+\(name)")
    return ObjectiveCLiteral.Entry(key: key, value: try readLiteral(name), place: start)
  }

  /// Reads a message after its opening bracket.
  private mutating func readMessage(_ name: String) throws(Diagnostic) -> ObjectiveCLiteral {
    let receiver = try word("a class that is sent a message")
    var selector = ""
    var arguments: [ObjectiveCLiteral] = []
    while token()?.is("]") != true {
      selector += try word("a selector")
      if skip(":") {
        selector += ":"
        arguments.append(try readLiteral(name))
      }
    }
    try expect("]", in: "+\(name)")
    return .message(receiver: receiver, selector: selector, arguments: arguments)
  }
}
