// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// A `Codable` type whose values a property stores as documents: trees of dictionaries, arrays and
/// scalars.
///
/// ```swift
/// struct Address: Document {
///   var street = ""
///   var city = ""
/// }
/// struct Company: Model {
///   let address = Property<Address>()
///   let branches = Property<[Address]>()
/// }
/// let database = try Database.open(path, models: Company.self)
/// try database.write { db in
///   let company = try db.create(Company.self) { $0.address = Address(city: "Ghent") }
///   print(try company.address.city)
/// }
/// let companies = try database.snapshot().objects(Company.self)
/// print(try companies.filter { $0.address["city", as: String.self] == "Ghent" }.count)
/// print(try companies.filter("address.city == 'Ghent' OR branches.city == 'Ghent'").count)
/// ```
///
/// Queries name members as they are stored, that is as the type encodes them. Reading a property without
/// a default throws until it is set.
public protocol Document: Codable, OptionalElement, DocumentStorable
where
  Stored == Value,
  Loaded == Self,
  Edited == Self?,
  StoredOptional == Value,
  StoredArray == Value,
  LoadedArray == [Self]
{}

/// A type of values with members, which queries look into: documents, their optionals, and `Value`.
///
/// ```swift
/// func isIn<V: DocumentStorable>(_ city: String, _ address: Operand<V>) -> Condition {
///   address["city", as: String.self] == city
/// }
/// print(try companies.filter { isIn("Ghent", $0.address) }.count)
/// ```
public protocol DocumentStorable: Storable {}

extension Value: DocumentStorable {}
extension Optional: DocumentStorable where Wrapped: Document {}

extension Document {
  /// Any type.
  public static var propertyType: PropertyType { .mixed }
  /// Any type.
  public static var elementType: PropertyType { .mixed }

  /// The document.
  public var stored: Value {
    get throws(DatabaseError) {
      do {
        return try DocumentEncoder.encode(self)
      } catch {
        throw DatabaseError(.wrongType, "Cannot store a \(Self.self) as a document: \(error)")
      }
    }
  }

  /// The document.
  public var elementValue: Value { get throws(DatabaseError) { try stored } }

  private static func decode(_ value: Value, _ name: String) throws(DatabaseError) -> Self {
    do {
      return try Self(from: DocumentDecoder(value: value, codingPath: []))
    } catch {
      throw DatabaseError(
        .wrongType,
        "The document in \(name) is no \(Self.self): \(error)",
        propertyName: name
      )
    }
  }

  /// Makes a value from a document.
  public static func _make(
    _ stored: Value,
    _ property: Property<Self>,
    in session: Session
  ) throws(DatabaseError) -> Self {
    try decode(stored, property.name)
  }

  /// Makes a value from a document.
  public static func _element(
    _ value: Value,
    in session: Session,
    _ member: ModelMember
  ) -> Self? {
    try? decode(value, member.name)
  }

  /// The document, or null.
  public static func _stored(_ optional: Self?) throws(DatabaseError) -> Value {
    try optional?.stored ?? .null
  }

  /// Makes a value from a document; `nil` if it is null.
  public static func _optional(
    _ stored: Value,
    _ member: ModelMember,
    in session: Session
  ) throws(DatabaseError) -> Self? {
    stored.isNull ? nil : try decode(stored, member.name)
  }
}
