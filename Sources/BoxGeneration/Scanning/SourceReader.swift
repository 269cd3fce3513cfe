import SwiftScanning

/// The declarations of a source file that matter for entities.
struct ScannedSource {
  var types: [DeclaredType] = []
  /// The types that aliases stand for, by the full name of the alias.
  var aliases: [String: TypeName] = [:]
  /// The words in front of imports, by module.
  var imports: [String: String] = [:]
  var diagnostics: [Diagnostic] = []
}

/// Reads the declarations of a source file.
///
/// Bodies of functions are skipped: a type in them cannot be an entity. Both sides of an `#if` are
/// read.
struct SourceReader {
  private let path: String
  /// All tokens but comments.
  private let tokens: [SwiftToken]
  /// The comments in front of each token, and after the last.
  private let comments: [[SwiftToken]]
  private var source = ScannedSource()
  private var index = 0
  private var conditions = 0

  /// Reads the text of a file.
  static func read(_ text: String, path: String) -> ScannedSource {
    var reader = SourceReader(text, path: path)
    reader.readMembers(until: reader.tokens.count, of: nil)
    return reader.source
  }

  private init(_ text: String, path: String) {
    self.path = path
    var tokens: [SwiftToken] = []
    var comments: [[SwiftToken]] = [[]]
    for token in SwiftScanner.tokens(of: text) {
      if token.kind == .comment {
        comments[comments.count - 1].append(token)
      } else {
        tokens.append(token)
        comments.append([])
      }
    }
    self.tokens = tokens
    self.comments = comments
  }

  private func place(_ index: Int) -> Place { Place(path: path, line: tokens[index].line) }

  // MARK: - Comments

  /// The annotations of a declaration: in front of it, or behind it in its last line.
  private mutating func annotations(from start: Int, to end: Int) -> [Annotation] {
    let before = comments[start].filter { !isTrailing($0, of: start) }
    let inside = comments[min(start + 1, end)..<end].joined()
    let next = end < tokens.count && tokens[end].is(";") ? end + 1 : end
    let behind = comments[next].filter { isTrailing($0, of: next) }
    return annotations(of: before + inside + behind)
  }

  private mutating func annotations(of comments: [SwiftToken]) -> [Annotation] {
    comments.flatMap { comment in
      let read = AnnotationReader.read(comment, path: path)
      source.diagnostics += read.errors
      return read.annotations
    }
  }

  /// Whether a comment in front of a token belongs to the line of the token before it.
  private func isTrailing(_ comment: SwiftToken, of index: Int) -> Bool {
    guard index > 0, comment.line == tokens[index - 1].lastLine else { return false }
    return index == tokens.count || tokens[index].line != comment.line
  }

  // MARK: - Declarations

  /// Reads declarations up to a token.
  private mutating func readMembers(until end: Int, of parent: DeclaredType?) {
    var parent = parent
    while index < end {
      let token = tokens[index]
      if token.kind == .directive {
        readDirective()
      } else if token.is("import"), parent == nil {
        readImport()
      } else if token.kind == .attribute || token.kind == .word {
        readDeclaration(of: &parent)
      } else {
        index = token.is("{", "(", "[") ? tokens.closing(index) + 1 : index + 1
      }
    }
    if let parent { source.types.append(parent) }
  }

  private mutating func readDirective() {
    if tokens[index].text == "#if" { conditions += 1 }
    if tokens[index].text == "#endif" { conditions -= 1 }
    repeat { index += 1 } while index < tokens.count && !tokens[index].startsLine
  }

  private mutating func readImport() {
    let access = index > 0 && !tokens[index].startsLine ? tokens[index - 1].text : ""
    if index + 1 < tokens.count { source.imports[tokens[index + 1].text] = access }
    repeat { index += 1 } while index < tokens.count && !tokens[index].startsLine
  }

  /// The attributes and modifiers of a declaration.
  private struct Modifiers {
    var words: Set<String> = []
    var access: Access?
    var setterAccess: Access?
  }

  private mutating func readModifiers() -> Modifiers {
    var modifiers = Modifiers()
    while index < tokens.count {
      guard tokens[index].kind == .attribute || tokens.isModifier(index) else { break }
      let end = tokens.endOfArguments(index)
      let word = tokens[index].text
      if let access = Access(word) {
        if end == index { modifiers.access = access } else { modifiers.setterAccess = access }
      }
      modifiers.words.insert(word)
      index = end + 1
    }
    return modifiers
  }

  private mutating func readDeclaration(of parent: inout DeclaredType?) {
    let start = index
    let modifiers = readModifiers()
    guard index < tokens.count else { return }
    if tokens[index].is("import") { return }
    switch tokens[index].text {
    case _ where tokens.isMember(index): index += 1
    case "class", "struct", "enum", "actor", "protocol", "extension":
      readType(start, modifiers, in: parent)
    case "var", "let": readVariable(start, modifiers, of: &parent)
    case "init": readInitializer(modifiers, of: &parent)
    case "typealias": readAlias(in: parent)
    default: index += index == start || tokens[index].kind == .word ? 1 : 0
    }
  }

  private mutating func readType(_ start: Int, _ modifiers: Modifiers, in parent: DeclaredType?) {
    let keyword = index
    index += 1
    guard let kind = DeclaredType.Kind(rawValue: tokens[keyword].text), index < tokens.count,
      tokens[index].kind == .word,
      let brace = tokens[index...].firstIndex(where: { $0.is("{", "}", ";") }),
      tokens[brace].is("{")
    else { return }
    var path = parent?.path ?? []
    if kind == .extension {
      var cursor = TokenCursor(tokens, in: index..<brace)
      if case .named(let names, _) = cursor.readType() { path += names }
    } else {
      path.append(tokens[index].text.filter { $0 != "`" })
    }
    let own = modifiers.access ?? .internal
    var type = DeclaredType(
      kind: kind,
      path: path,
      place: place(keyword),
      access: min(own, parent?.access ?? .public)
    )
    index += kind == .extension ? 0 : 1
    type.isGeneric = kind != .extension && tokens[index].is("<")
    readInheritance(&type, until: brace)
    type.isConditional = conditions > 0
    type.annotations = annotations(from: start, to: brace + 1)
    index = brace + 1
    let end = tokens.closing(brace)
    readMembers(until: end, of: type)
    index = end + 1
  }

  /// Reads `: Entity, Codable & Sendable` in front of a brace.
  private mutating func readInheritance(_ type: inout DeclaredType, until brace: Int) {
    var depth = 0
    while index < brace, depth > 0 || !tokens[index].is(":") {
      if tokens[index].is("where") { return }
      if tokens[index].is("<") { depth += 1 }
      if tokens[index].is(">") { depth -= 1 }
      index += 1
    }
    repeat {
      index += 1
      while index < brace, tokens[index].kind == .attribute || tokens.isModifier(index) {
        index += 1
      }
      guard index < brace else { return }
      var cursor = TokenCursor(tokens, in: index..<brace)
      guard let name = cursor.readType() else { return }
      type.inherited.append(name)
      index = cursor.position
    } while index < brace && tokens[index].is(",", "&")
  }

  private mutating func readAlias(in parent: DeclaredType?) {
    let name = index + 1
    guard name + 2 < tokens.count, tokens[name + 1].is("=") else {
      index += 1
      return
    }
    var cursor = TokenCursor(tokens, in: name + 2..<tokens.count)
    if let type = cursor.readType() {
      let path = (parent?.path ?? []) + [tokens[name].text.filter { $0 != "`" }]
      source.aliases[path.joined(separator: ".")] = type
    }
    index = max(cursor.position, name + 2)
  }

  // MARK: - Members

  private mutating func readVariable(
    _ start: Int,
    _ modifiers: Modifiers,
    of parent: inout DeclaredType?
  ) {
    let keyword = index
    let variable = SwiftVariable(at: keyword, in: tokens)
    index = variable.end
    guard parent != nil else { return }
    let annotations = annotations(from: start, to: variable.end)
    let access = min(modifiers.access ?? .internal, parent?.access ?? .internal)
    let isStored =
      variable.isStored && modifiers.words.isDisjoint(with: ["static", "class", "lazy"])
    for binding in variable.bindings + variable.patterns {
      let first = binding.name
      let last = tokens[first].is("(") ? tokens.closing(first) : first
      let type =
        binding.type.isEmpty
        ? TypeName.ofValue(binding.value, in: tokens) : TypeName(binding.type, of: tokens)
      parent?.variables.append(
        DeclaredVariable(
          name: TypeName.text(of: tokens[first...last]).filter { $0 != "`" },
          place: place(first),
          isLet: tokens[keyword].is("let"),
          type: type,
          hasValue: !binding.value.isEmpty,
          isStored: isStored,
          isWeak: !modifiers.words.isDisjoint(with: ["weak", "unowned"]),
          isConditional: conditions > 0,
          isOneOfSeveral: variable.bindings.count > 1,
          access: access,
          setterAccess: min(access, modifiers.setterAccess ?? .public),
          annotations: annotations
        )
      )
    }
  }

  private mutating func readInitializer(_ modifiers: Modifiers, of parent: inout DeclaredType?) {
    index += 1
    var canFail = false
    while index < tokens.count, !tokens[index].is("(", "{", "}") {
      if tokens[index].is("?", "!") { canFail = true }
      index += 1
    }
    guard index < tokens.count, tokens[index].is("(") else { return }
    let end = tokens.closing(index)
    var parameters: [DeclaredInitializer.Parameter] = []
    index += 1
    while index < end {
      while index < end, tokens[index].kind == .attribute { index += 1 }
      let label = tokens[index].text.filter { $0 != "`" }
      var hasDefault = false
      var depth = 0
      while index < end, depth > 0 || !tokens[index].is(",") {
        if tokens[index].is("(", "[", "{", "<") { depth += 1 }
        if tokens[index].is(")", "]", "}")
          || tokens[index].is(">") && !tokens[index - 1].is("-")
        {
          depth -= 1
        }
        if tokens[index].is("="), depth == 0 { hasDefault = true }
        index += 1
      }
      index += 1
      parameters.append(.init(label: label == "_" ? nil : label, hasDefault: hasDefault))
    }
    index = end + 1
    while index < tokens.count, tokens[index].is("async", "throws", "rethrows") {
      canFail = true
      index += 1
    }
    let access = min(modifiers.access ?? .internal, parent?.access ?? .internal)
    parent?.initializers.append(
      DeclaredInitializer(parameters: parameters, access: access, canFail: canFail)
    )
  }
}
