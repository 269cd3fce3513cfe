/// Model classes as source code.
package struct GeneratedModels: Sendable {
  /// The source of one file.
  package let text: String
  /// What the classes say and the source cannot, as in `Dog.weight: …`.
  package let notes: [String]
  /// The name in Swift of each class, in the order of the definitions.
  package let classNames: [String]
}
