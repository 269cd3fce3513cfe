import SwiftScanning

/// A class as Objective-C declares it.
struct ObjectiveCClass {
  let name: String
  let parent: String
  let place: ObjectiveCPlace
  var comments: [String]
  var properties: [ObjectiveCProperty] = []
  /// The comments in front of `@end`.
  var lastComments: [String] = []
  /// The class methods that Realm calls, by name, with what they return.
  var answers: [String: ObjectiveCAnswer] = [:]
  /// The methods that are not translated: their declarations and names.
  var otherMethods: [(name: String, text: String)] = []
}

/// Where something was declared.
struct ObjectiveCPlace: Hashable {
  let path: String
  let line: Int

  func error(_ message: String) -> Diagnostic { Diagnostic(.error, path, line: line, message) }
}

/// The value that a class method returns.
struct ObjectiveCAnswer {
  let value: ObjectiveCLiteral
  let place: ObjectiveCPlace
}

/// An `@property`.
struct ObjectiveCProperty {
  let name: String
  let type: ObjectiveCType
  let isReadonly: Bool
  let place: ObjectiveCPlace
  var comments: [String]

  /// The type and the name.
  var text: String { "\(type)\(type.isPointer ? "" : " ")\(name)" }
}

/// A type as written: `RLMArray<Dog *><Dog> *`.
struct ObjectiveCType: Hashable, CustomStringConvertible {
  /// The leading words: `unsigned int`, `RLMArray`.
  var name: String
  /// The contents of the first and second pair of angle brackets, without asterisks.
  var arguments: [[String]] = []
  var isPointer = false

  var description: String {
    name + arguments.map { "<\($0.joined(separator: ", "))>" }.joined() + (isPointer ? " *" : "")
  }
}

/// A value written as a literal or as a well-known message.
indirect enum ObjectiveCLiteral: Hashable {
  case string(String)
  case number(String)
  case bool(Bool)
  case null
  case array([ObjectiveCLiteral])
  case dictionary([Entry])
  /// `[NSDate date]`, `NSDate.date`.
  case message(receiver: String, selector: String, arguments: [ObjectiveCLiteral])

  struct Entry: Hashable {
    let key: ObjectiveCLiteral
    let value: ObjectiveCLiteral
    let place: ObjectiveCPlace
  }
}
