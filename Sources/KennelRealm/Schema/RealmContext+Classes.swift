import KennelCore

extension RealmContext {
  /// How the objects of a class are stored; stops the program if the realm has no such class.
  internal func binding(of type: ObjectBase.Type) -> ClassBinding {
    if let binding = file.bindings.byClass[ObjectIdentifier(type)] { return binding }
    if let binding = file.bindings.migrated(type, in: view.schema) { return binding }
    let name = type.className()
    throwRealmException(
      "Object type '\(name)' is not managed by the Realm. If using a custom `objectTypes` array in "
        + "your configuration, add `\(name)` to the list of `objectTypes`."
    )
  }

  /// The program's class that is stored as a class of the file.
  internal func model(of classKey: ClassKey) -> ModelClass? {
    file.bindings.binding(classKey)?.model ?? migratedModel(of: classKey)
  }

  private func migratedModel(of classKey: ClassKey) -> ModelClass? {
    view.schema[classKey].flatMap { schema in
      file.bindings.migrated.first { $0.storedName == schema.name }
    }
  }

  /// The name in the file of a class of the program or of the file.
  internal func storedName(ofClass name: String) -> String {
    if view.schema[name] != nil { return name }
    let models = file.bindings.byClass.values.map(\.model) + file.bindings.migrated
    return models.first { $0.name == name }?.storedName ?? name
  }

  /// The name in the file of a property that one of the program's classes has; other names are those of
  /// the file.
  internal func storedName(of name: String, in classKey: ClassKey) -> String {
    let models =
      file.bindings.models(of: classKey) + [migratedModel(of: classKey)].compactMap { $0 }
    return models.lazy.compactMap { $0[name]?.storedName }.first ?? name
  }

  /// The properties by the names that Swift has for them, in the order of the program's class.
  internal func names(of schema: ClassSchema) -> [(String, PropertySchema)] {
    guard let model = model(of: schema.key) else { return schema.properties.map { ($0.name, $0) } }
    return model.storedProperties.compactMap { property in
      schema[property.storedName].map { (property.name, $0) }
    }
  }

  /// The classes of the file, whatever the program has.
  internal var storedSchema: Schema { Schema(view.schema.classes.map(ObjectSchema.init)) }
}
