package import KennelCore

/// Facts about the classes of another program's file that the schema of the copy does not have.
package struct Declarations: Sendable {
  package struct ClassNotes: Sendable {
    /// Stand behind the class, such as `table sales/order`.
    package var traits: [String] = []
    package var properties: [PropertyKey: PropertyNotes] = [:]
    /// Why no object of the class can be changed, as a part of a sentence; `nil` where they can.
    package var readOnlyReason: String?

    package init() {}
  }

  package struct PropertyNotes: Sendable {
    /// Stand behind the property, such as `declared NUMERIC`.
    package var traits: [String] = []
    /// Sentences that stand below the property.
    package var remarks: [String] = []
    /// The texts of which one is the value, in their order; empty where it may be any.
    package var labels: [String] = []
    /// Whether the other program alone knows which texts are values.
    package var isParsed = false

    package init() {}
  }

  package var classes: [ClassKey: ClassNotes] = [:]

  package init() {}

  func traits(of classKey: ClassKey) -> [String] { classes[classKey]?.traits ?? [] }

  func notes(on property: PropertyKey, of classKey: ClassKey) -> PropertyNotes {
    classes[classKey]?.properties[property] ?? PropertyNotes()
  }
}
