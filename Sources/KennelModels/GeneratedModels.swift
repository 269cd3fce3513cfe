/// Model classes as source code.
package struct GeneratedModels: Sendable {
  /// The source of one file.
  package let text: String
  /// The facts that the source cannot express, one line each, such as `Dog.weight: …`.
  package let notes: [String]
  /// The Swift name of each class, in the order of the definitions.
  package let classNames: [String]
}
