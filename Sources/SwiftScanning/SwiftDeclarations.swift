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

  /// The last token of an attribute or modifier with its arguments: `@objc(Name)`, `private(set)`.
  public func endOfArguments(_ index: Int) -> Int {
    let next = index + 1
    guard next < count, self[next].is("("), !self[next].startsLine else { return index }
    let touches = self[next].range.lowerBound == self[index].range.upperBound
    guard touches || self[index].text == "@objc" else { return index }
    return closing(next)
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
