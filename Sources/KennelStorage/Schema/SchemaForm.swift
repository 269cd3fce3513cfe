/// The part of a JSON schema about a property beside its type, so that it is written again as it was read.
///
/// ```swift
/// let id = PropertyDefinition("_id", .objectId, schemaForm: [.required, .short])
/// ```
public struct SchemaForm: OptionSet, Hashable, Sendable {
  /// The bits, as they are stored.
  public let rawValue: UInt8

  /// Creates a form of bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The schema lists the property in `required`.
  public static let required = SchemaForm(rawValue: 1)
  /// The schema names the type alone: `"_id": "objectId"`.
  public static let short = SchemaForm(rawValue: 2)

  package static let all: SchemaForm = [.required, .short]
}
