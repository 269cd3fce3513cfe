import SwiftScanning

/// The access level of a declaration.
enum Access: CaseIterable, Comparable {
  case `private`
  case `fileprivate`
  case `internal`
  case package
  case `public`

  init?(_ word: String) {
    guard
      let known = Self.allCases.first(where: { $0.text == word || $0 == .public && word == "open" })
    else { return nil }
    self = known
  }

  var text: String { "\(self)" }
}

/// A place in a source file.
struct Place: Hashable {
  let path: String
  let line: Int

  func error(_ message: String) -> Diagnostic { Diagnostic(.error, path, line: line, message) }
  func warning(_ message: String) -> Diagnostic { Diagnostic(.warning, path, line: line, message) }
}

/// A type that a source file declares.
struct DeclaredType {
  enum Kind: String {
    case `class`
    case `struct`
    case `enum`
    case actor
    case `protocol`
    case `extension`
  }

  let kind: Kind
  /// Its name, after those of the types around it.
  let path: [String]
  let place: Place
  /// Its access level, or that of a type around it if that is lower.
  var access: Access
  var inherited: [TypeName] = []
  var isGeneric = false
  /// Whether it stands between `#if` and `#endif`.
  var isConditional = false
  var annotations: [Annotation] = []
  var variables: [DeclaredVariable] = []
  var initializers: [DeclaredInitializer] = []

  var name: String { path.last ?? "" }
  var fullName: String { path.joined(separator: ".") }
  /// Whether it says that it is an entity, by a name or a comment.
  var isEntity: Bool {
    guard kind != .protocol, kind != .extension else { return false }
    return conformsToEntity || annotations.contains { $0.name == "entity" }
  }
  var conformsToEntity: Bool { inherited.contains(.simple("Entity")) }
}

/// A property of a type.
struct DeclaredVariable {
  let name: String
  let place: Place
  let isLet: Bool
  /// The type that is written or that its value has.
  let type: TypeName?
  let hasValue: Bool
  /// Static, lazy or computed: nothing of an object's own.
  let isStored: Bool
  let isWeak: Bool
  let isConditional: Bool
  /// Whether `var` names others, too.
  let isOneOfSeveral: Bool
  let access: Access
  /// The access level of the setter.
  let setterAccess: Access
  let annotations: [Annotation]
}

/// An initializer of a type.
struct DeclaredInitializer {
  struct Parameter {
    /// `nil` for an underscore.
    let label: String?
    let hasDefault: Bool
  }

  let parameters: [Parameter]
  let access: Access
  /// Whether a call needs `try`, `await` or an optional.
  let canFail: Bool

  /// Whether generated code can call it without arguments.
  var isPlain: Bool {
    access >= .internal && !canFail && parameters.allSatisfy(\.hasDefault)
  }

  /// Whether generated code can call it with these arguments.
  func takes(_ labels: [String]) -> Bool {
    guard access >= .internal, !canFail else { return false }
    var rest = labels[...]
    for parameter in parameters {
      if let next = rest.first, parameter.label == next {
        rest.removeFirst()
      } else if !parameter.hasDefault {
        return false
      }
    }
    return rest.isEmpty
  }
}
