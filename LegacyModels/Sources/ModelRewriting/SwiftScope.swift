/// What the braces around a declaration belong to.
struct SwiftScope {
  /// What of it matters for the declarations inside.
  enum Kind: Hashable {
    /// A class that inherits, perhaps from a model class.
    case model
    /// Any other type, or an extension.
    case type
    /// A body, a closure.
    case code
  }

  var kind: Kind
  var name = ""
  /// Whether every member is declared as if it had `@objc`.
  var hasObjcMembers = false
  /// The properties that `ignoredProperties()` names.
  var ignored: Set<String> = []

  static let file = SwiftScope(kind: .type)
  static let code = SwiftScope(kind: .code)
}

/// The attributes and modifiers in front of a declaration, as indexes of tokens.
struct SwiftModifiers {
  /// `@objc` and its kin, with their arguments.
  var objc: [ClosedRange<Int>] = []
  var objcMembers: ClosedRange<Int>?
  var dynamic: Int?
  var words: Set<String> = []
  /// The token behind them.
  var next: Int

  /// The words that may stand in front of a declaration.
  static let known: Set<String> = [
    "public", "private", "fileprivate", "internal", "package", "open", "final", "static", "class",
    "dynamic", "override", "lazy", "weak", "unowned", "required", "convenience", "mutating",
    "nonmutating", "optional", "indirect", "nonisolated", "isolated", "distributed", "borrowing",
    "consuming", "infix", "prefix", "postfix",
  ]
}
