/// A class of objects, declared once.
///
/// ```swift
/// struct Dog: Model {
///   let name = Property<String>()
///   let age = Property<Int>()
/// }
/// let database = try Database.open(path, models: Dog.self)
/// try database.write { db in _ = try db.create(Dog.self) { $0.name = "Rex" } }
/// ```
///
/// Each member is a ``Property`` or ``Backlinks``. The name of a member in the file is its name in
/// Swift, unless the member declares another. A model says what objects are made of; an ``Object``
/// is one of them.
public protocol Model: Sendable {
  /// Creates the model; a struct whose members have default values gets this initializer from the
  /// compiler.
  init()

  /// The name of the class in the file; that of the type if the model gives no other.
  static var className: String { get }

  /// Whether objects of the class are embedded: owned by the property that holds them.
  static var isEmbedded: Bool { get }
}

extension Model {
  /// The name of the type.
  public static var className: String { String(describing: Self.self) }

  /// False.
  public static var isEmbedded: Bool { false }
}

/// A model whose objects belong to the property that holds them, and are deleted with it.
///
/// ```swift
/// struct Address: EmbeddedModel {
///   let city = Property<String>()
/// }
/// struct Company: Model {
///   let address = Property<Object<Address>?>()
/// }
/// let database = try Database.open(path, models: Company.self)
/// try database.write { db in
///   _ = try db.create(Company.self) { company in
///     try company.create(\.address) { $0.city = "Ghent" }
///   }
/// }
/// ```
public protocol EmbeddedModel: Model {}

extension EmbeddedModel {
  /// True.
  public static var isEmbedded: Bool { true }
}
