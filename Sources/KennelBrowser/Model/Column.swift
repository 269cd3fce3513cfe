internal import KennelCore
internal import KennelReports

/// A column of a table.
///
/// All that depends on the kind of a column is a method of this file with one switch, which asks for a
/// new kind: how it is named, shown, sorted and filtered by.
enum Column: Hashable {
  /// The object's key, which is always the first column; its primary key where it has one.
  case key
  /// A property's value.
  case property(PropertyKey)
  /// A value of the object that a property links to.
  case through(PropertyKey, PropertyKey)
  /// The value at a path that a person typed, such as `dogs.@count` or `dog.name`.
  case computed(String)

  /// As wide as a column becomes when it is widened.
  static let widest = 60

  /// As wide as it becomes by itself, where there is room.
  static let widestOnItsOwn = 32

  /// Numbers that need more are cut, unless there is room for all of them.
  static let usualNumber = 14

  /// No whole number needs more; that of a primary key is not cut.
  static let longestNumber = 20

  /// The widths that a column has on its own.
  var widths: ClosedRange<Int> {
    switch self {
    case .key: 3...28
    case .property, .through, .computed: 5...28
    }
  }

  func name(in classKey: ClassKey, _ schema: Schema) -> String {
    switch self {
    case .key: schema[classKey]?.primaryKey?.name ?? "key"
    case .computed(let text): text
    case .property, .through: names(in: classKey, schema)?.joined(separator: ".") ?? "?"
    }
  }

  /// The names of the properties on the way to the value; `nil` where they are none.
  private func names(in classKey: ClassKey, _ schema: Schema) -> [String]? {
    guard let shown = shownProperty(of: classKey, in: schema) else { return nil }
    guard case .through(let link, _) = self else { return [shown.name] }
    return schema.property(link, of: classKey).map { [$0.name, shown.name] }
  }

  /// The column in the query language, such as `age` or `dog.name`; `nil` for a key that is no
  /// property.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - schema: The schema.
  ///   - aggregate: What is made of the values at the end.
  /// - Returns: The path, in which odd names are escaped.
  func path(
    in classKey: ClassKey,
    _ schema: Schema,
    _ aggregate: Predicate.Aggregate? = nil
  ) -> String? {
    if case .computed(let text) = self { return text }
    return names(in: classKey, schema).map { names in
      "\(Predicate.Path(names.map { .property($0) }, aggregate: aggregate))"
    }
  }

  /// The path of a computed column, where it still fits the class.
  static func path(
    _ text: String,
    _ classKey: ClassKey,
    _ schema: Schema
  ) -> ValuePath? {
    try? ValuePath(text, of: classKey, in: schema)
  }

  /// The property whose values the column shows, of the class itself or of a target.
  func shownProperty(of classKey: ClassKey, in schema: Schema) -> PropertySchema? {
    switch self {
    case .computed: return nil
    case .key: return schema[classKey]?.primaryKey
    case .property(let key): return schema.property(key, of: classKey)
    case .through(let link, let key):
      let target = schema.property(link, of: classKey)?.target
      return target.flatMap { schema.property(key, of: $0) }
    }
  }

  /// The property that an editor changes: one of the class itself.
  func property(of classKey: ClassKey, in schema: Schema) -> PropertySchema? {
    switch self {
    case .key, .through, .computed: nil
    case .property(let key): schema.property(key, of: classKey)
    }
  }

  /// Whether the values are numbers, whose digits stand below each other.
  func isNumeric(in classKey: ClassKey, _ model: BrowserModel) -> Bool {
    if case .computed(let text) = self {
      return model.path(text, of: classKey)?.kind.isNumber == true
    }
    guard let property = shownProperty(of: classKey, in: model.schema) else { return self == .key }
    return !property.isCollection && property.type.kind.isNumber
  }

  /// The object whose value a cell shows, where that is another one than the row's.
  func target(of object: ObjectIdentity, in model: BrowserModel) -> ObjectIdentity? {
    guard case .through(let link, _) = self,
      case .link(let target)? = model.preview(of: object, link, limit: 64)?.value
    else { return nil }
    return target
  }

  func show(_ object: ObjectIdentity, _ view: ValueFormatter) -> ShownValue {
    let property = shownProperty(of: object.classKey, in: view.model.schema)
    switch self {
    case .key, .property:
      if let property { return view.show(object, property) }
      return self == .key
        ? ShownValue(text: view.model.text(object.key), style: view.theme.note)
        : ShownValue(text: "?", style: view.theme.error)
    case .through:
      guard let property, let target = target(of: object, in: view.model) else {
        return ShownValue(text: ValueFormatter.null, style: view.theme.null)
      }
      return view.show(target, property)
    case .computed(let text):
      switch view.model.computed(text, of: object) {
      case .value(let value): return view.show(value, isEmbedded: false)
      case .tooMany: return ShownValue(text: "many", style: view.theme.null)
      case .missing: return ShownValue(text: "?", style: view.theme.error)
      }
    }
  }

  // MARK: - Between runs

  /// The name of the column in a file; `nil` for a key that is no property.
  func savedName(in classKey: ClassKey, _ schema: Schema) -> String? {
    if case .computed(let text) = self { return "=\(text)" }
    return names(in: classKey, schema)?.joined(separator: ".")
  }

  /// The column with a name from a file; `nil` if the class no longer has it.
  init?(savedName name: String, of classKey: ClassKey, in schema: Schema) {
    if let property = schema[classKey]?[name] {
      self = property.isPrimaryKey ? .key : .property(property.key)
      return
    }
    if name.hasPrefix("="), Self.path(String(name.dropFirst()), classKey, schema) != nil {
      self = .computed(String(name.dropFirst()))
      return
    }
    for dot in name.indices where name[dot] == "." {
      guard let link = schema[classKey]?[String(name[..<dot])], let target = link.target,
        let value = schema[target]?[String(name[name.index(after: dot)...])]
      else { continue }
      self = .through(link.key, value.key)
      return
    }
    return nil
  }

  // MARK: - Sorting

  /// Why a table cannot be sorted by the column, where it cannot; `key` names the key of a command.
  func whyNotSorted(
    in classKey: ClassKey,
    _ schema: Schema,
    key: (String) -> String
  ) -> String? {
    switch self {
    case .key where schema[classKey]?.primaryKey == nil:
      return
        "Objects are in the order of their keys; \(key("right")) moves to a property to sort by"
    case .computed(let text):
      return Self.path(text, classKey, schema) == nil ? "\(text) does not fit the class" : nil
    case .key, .property, .through:
      guard let property = shownProperty(of: classKey, in: schema),
        property.isCollection || property.canLink && property.type.kind != .mixed
      else { return nil }
      return "\(property.name) is a \(property.type); only single values have an order"
    }
  }

  // MARK: - Filtering

  /// The condition, in the query language, that the column is as it is in an object; `nil` where that
  /// is no single value.
  func condition(
    of object: ObjectIdentity,
    in model: BrowserModel,
    key: (String) -> String
  ) -> Result<String, ValidationError>? {
    switch self {
    case .computed(let text):
      switch model.computed(text, of: object) {
      case .value(let value):
        return condition(value, object.classKey, model).map { .success($0) }
          ?? .failure(ValidationError("A filter cannot say this value as a text"))
      case .tooMany:
        return .failure(
          ValidationError("\(text) has too many values here; \(key("filter")) filters by it")
        )
      case .missing: return nil
      }
    case .key, .property, .through:
      guard let property = shownProperty(of: object.classKey, in: model.schema),
        !property.isCollection
      else { return nil }
      let isThrough = if case .through = self { true } else { false }
      let owner = isThrough ? target(of: object, in: model) : object
      let value = owner.map { model.value(of: $0, property.key) } ?? .null
      return condition(value, object.classKey, model).map { .success($0) }
        ?? .failure(ValidationError("A filter cannot say this \(property.type) as a text"))
    }
  }

  /// The condition that the column has a value, or that a collection has a number of elements; `nil`
  /// where the query language has no form for it.
  func condition(_ value: Value, _ classKey: ClassKey, _ model: BrowserModel) -> String? {
    guard let path = groupPath(of: classKey, in: model.schema),
      let literal = ScalarText.literal(value, in: model.schema)
    else { return nil }
    let isCollection = shownProperty(of: classKey, in: model.schema)?.isCollection == true
    return isCollection && value.isNull ? nil : "\(path) == \(literal)"
  }

  // MARK: - Statistics

  /// The path to group objects by, in the query language: a collection by the number of its elements.
  func groupPath(of classKey: ClassKey, in schema: Schema) -> String? {
    let isCollection = shownProperty(of: classKey, in: schema)?.isCollection == true
    return path(in: classKey, schema, isCollection ? .count : nil)
  }

  /// The condition that the column has a value of a range.
  func condition(
    _ bin: Distribution.Bin,
    _ classKey: ClassKey,
    _ model: BrowserModel
  ) -> String? {
    groupPath(of: classKey, in: model.schema).map { QueryText.range($0, bin) }
  }
}
