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

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ObjectBase: KeypathSortable {
  public static func _recording(_ recorder: PathRecorder) -> Self { recording(recorder) }
}

// What protocols ask of objects stands in extensions of the protocols: a member of a base class would
// forbid a program's property of that name, whose wrapper has an underscore in front.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension KeypathSortable where Self: ObjectBase {
  public var _object: ObjectBase { self }
}
