extension [SwiftToken] {
  /// The token that closes a bracket, or the last one if nothing does.
  public func closing(_ open: Int) -> Int {
    var depth = 0
    var index = open
    while index < count {
      if self[index].is("(", "[", "{") { depth += 1 }
      if self[index].is(")", "]", "}") {
        depth -= 1
        if depth == 0 { return index }
      }
      index += 1
    }
    return count - 1
  }

  /// The last token of an attribute or modifier with its arguments: `@objc(Name)`, `private(set)`,
  /// `@Module.Wrapper<Int>(1)`.
  public func endOfArguments(_ index: Int) -> Int {
    let end = endOfName(index)
    let next = end + 1
    guard next < count, self[next].is("("), !self[next].startsLine else { return end }
    guard touches(next) || self[index].text == "@objc" else { return end }
    return closing(next)
  }

  /// The last token of an attribute's name, with its generic arguments.
  private func endOfName(_ index: Int) -> Int {
    var end = index
    guard self[index].kind == .attribute else { return end }
    while touches(end + 1), self[end + 1].is("."), touches(end + 2), self[end + 2].kind == .word {
      end += 2
    }
    guard touches(end + 1), self[end + 1].is("<") else { return end }
    var depth = 0
    for next in end + 1..<count {
      if self[next].is("<") { depth += 1 }
      if self[next].is(">"), !self[next - 1].is("-") { depth -= 1 }
      if depth == 0 { return next }
    }
    return end
  }

  /// Whether nothing stands between a token and the one before it.
  private func touches(_ index: Int) -> Bool {
    index < count && self[index].range.lowerBound == self[index - 1].range.upperBound
  }

  /// Whether the word follows a dot and thus names a member.
  public func isMember(_ index: Int) -> Bool {
    index > 0 && self[index - 1].is(".")
  }

  /// Whether the word at an index is a modifier of a declaration.
  public func isModifier(_ index: Int) -> Bool {
    let token = self[index]
    guard token.kind == .word, modifiers.contains(token.text), !isMember(index) else {
      return false
    }
    guard token.text == "class" else { return true }
    // A modifier of a member, not the keyword; a type may be called like a modifier.
    guard index + 2 < count else { return false }
    let next = self[index + 1].text
    return ["func", "var", "let", "subscript"].contains(next)
      || modifiers.contains(next) && !self[index + 2].is(":", "{", "<")
  }
}

/// The modifiers of declarations.
private let modifiers: Set = [
  "public", "private", "fileprivate", "internal", "package", "open", "final", "static", "class",
  "dynamic", "override", "lazy", "weak", "unowned", "required", "convenience", "mutating",
  "nonmutating", "optional", "indirect", "nonisolated", "isolated", "distributed", "borrowing",
  "consuming", "infix", "prefix", "postfix",
]
