internal import KennelCore

/// A column of a table.
///
/// Whatever depends on the kind of a column is a method of this file with one switch, which asks for a
/// new kind: how it is named, shown, sorted and filtered by.
enum Column: Hashable {
  /// The object's key, which is always the first column.
  case key
  /// A property's value.
  case property(PropertyKey)

  /// As wide as a column becomes when it is widened.
  static let widest = 60

  /// The widths that a column has on its own.
  var widths: ClosedRange<Int> {
    switch self {
    case .key: 3...28
    case .property: 5...28
    }
  }

  func name(in classKey: ClassKey, _ schema: Schema) -> String {
    switch self {
    case .key: "key"
    case .property(let key): schema.property(key, of: classKey)?.name ?? "?"
    }
  }

  /// The property that an editor changes.
  func property(of classKey: ClassKey, in schema: Schema) -> PropertySchema? {
    switch self {
    case .key: nil
    case .property(let key): schema.property(key, of: classKey)
    }
  }

  /// What a cell shows.
  func show(_ object: ObjectIdentity, _ view: ValueView) -> ShownValue {
    switch self {
    case .key:
      return ShownValue(text: view.model.text(object.key), style: .standard)
    case .property(let key):
      guard let property = view.model.schema.property(key, of: object.classKey) else {
        return ShownValue(text: "?", style: view.theme.error)
      }
      return view.show(object, property)
    }
  }

  // MARK: - Sorting

  /// Why a table cannot be sorted by the column, where it cannot.
  func whyNotSorted(in classKey: ClassKey, _ schema: Schema) -> String? {
    switch self {
    case .key:
      return "Objects are in the order of their keys; l moves to a property to sort by"
    case .property(let key):
      guard let property = schema.property(key, of: classKey),
        property.isCollection || property.canLink && property.type.kind != .mixed
      else { return nil }
      return "\(property.name) is a \(property.type); only single values have an order"
    }
  }

  /// The column in the language of orders.
  func sortTerm(in classKey: ClassKey, _ schema: Schema) -> String? {
    switch self {
    case .key: nil
    case .property(let key): schema.property(key, of: classKey)?.name
    }
  }

  // MARK: - Filtering

  /// The condition, in the query language, that the column is as it is in an object; `nil` where that
  /// is no single value.
  func condition(
    of object: ObjectIdentity,
    in model: BrowserModel
  ) -> Result<String, ValidationError>? {
    switch self {
    case .key:
      return nil
    case .property(let key):
      guard let property = model.schema.property(key, of: object.classKey),
        !property.isCollection
      else { return nil }
      guard let literal = ScalarText.literal(model.value(of: object, key)) else {
        return .failure(ValidationError("A filter cannot say this \(property.type) as a text"))
      }
      return .success("\(property.name) == \(literal)")
    }
  }
}
