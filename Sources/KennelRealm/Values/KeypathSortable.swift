// swift-format-ignore-file: NoLeadingUnderscores

/// A type whose key paths name properties: a model class, or a projection of one.
///
/// ```swift
/// func newest<T: RealmFetchable & KeypathSortable>(_ type: T.Type, by name: String) -> T? {
///   realm.objects(type).sorted(byKeyPath: name, ascending: false).first
/// }
/// print(newest(Ship.self, by: "tons")?.name ?? "")
/// ```
public protocol KeypathSortable {
  /// Creates an instance that notes which properties are read.
  static func _recording(_ recorder: PathRecorder) -> Self
  /// The object that has the properties.
  var _object: ObjectBase { get }
}

/// The protocol of types that ``Realm/objects(_:)`` takes.
///
/// ```swift
/// func count<T: RealmFetchable>(_ type: T.Type) -> Int { realm.objects(type).count }
/// print(count(Ship.self), count(Captain.self))
/// ```
public protocol RealmFetchable: RealmCollectionValue {
  /// The name of the class.
  static func className() -> String
}
