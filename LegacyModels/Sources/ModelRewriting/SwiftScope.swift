/// The scope of a declaration.
struct SwiftScope {
  /// What matters for the declarations inside.
  enum Kind: Hashable {
    /// A class that inherits, perhaps from a model class.
    case model
    /// Another type, or an extension.
    case type
    /// A body, a closure.
    case code
  }

  var kind: Kind
  var name = ""
  /// Whether `@objcMembers` gives every member `@objc`.
  var hasObjcMembers = false
  /// The properties that `ignoredProperties()` names.
  var ignored: Set<String> = []

  static let file = SwiftScope(kind: .type)
  static let code = SwiftScope(kind: .code)
}

/// The attributes and modifiers of a declaration, as token indexes.
struct SwiftModifiers {
  /// `@objc` and `@nonobjc`, with their arguments.
  var objc: [ClosedRange<Int>] = []
  var objcMembers: ClosedRange<Int>?
  var dynamic: Int?
  var words: Set<String> = []
  /// The token after them.
  var next: Int
}
