internal import KennelCore

/// Objects as texts for the clipboard: what names them, and what finds them.
struct ObjectNaming {
  let model: BrowserModel

  /// The primary key, or the key in a class that has none.
  func id(_ object: ObjectIdentity) -> String {
    guard let property = model.schema[object.classKey]?.primaryKey else {
      return model.text(object.key)
    }
    let value = model.value(of: object, property.key)
    return value.isNull ? "null" : ScalarText.text(of: value)
  }

  /// The class and the key, as in `Dog/42`.
  func path(_ object: ObjectIdentity) -> String { model.address(object) }

  /// The condition that is true of the objects, and of no others of their class.
  func query(_ objects: [ObjectIdentity]) -> String? {
    guard let first = objects.first else { return nil }
    let property = model.schema[first.classKey]?.primaryKey
    let path = property.map { Predicate.Path([.property($0.name)]) } ?? .itself
    let values: [Value] = objects.map { object in
      property.map { model.value(of: object, $0.key) } ?? .link(object)
    }
    let literals = values.map { Predicate.Expression.literal($0) }
    let isOne = literals.count == 1
    let right = isOne ? literals[0] : .list(literals)
    return "\(Predicate.Comparison(.path(path), isOne ? .equal : .isIn, right))"
  }

  /// A table with a row for each object.
  func markdown(_ objects: [ObjectIdentity]) -> String {
    guard let first = objects.first, let schema = model.schema[first.classKey] else { return "" }
    func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    var lines = [
      row(["key"] + schema.properties.map { Self.cell($0.name) }),
      row(Array(repeating: "---", count: schema.properties.count + 1)),
    ]
    for object in objects {
      let values = schema.properties.map { property in
        let value = model.value(of: object, property.key)
        return property.isCollection ? text(value, depth: 0) : part(value, depth: 0)
      }
      lines.append(row([model.text(object.key)] + values.map(Self.cell)))
    }
    return lines.joined(separator: "\n")
  }

  /// A value on one line, with the names of the objects that it links to.
  private func text(_ value: Value, depth: Int) -> String {
    switch value.shape {
    case .null: return ""
    case .link(let target):
      guard model.schema[target.classKey]?.isEmbedded == true, depth < Self.deepest else {
        return model.address(target)
      }
      let properties = model.schema[target.classKey]?.properties ?? []
      let parts = properties.compactMap { property -> String? in
        let value = model.value(of: target, property.key)
        if value.isNull { return nil }
        let isMany = property.isCollection
        let shown = isMany ? text(value, depth: depth + 1) : part(value, depth: depth + 1)
        return "\(property.name): \(shown)"
      }
      return parts.joined(separator: ", ")
    case .list, .set, .map:
      let parts = value.parts.map { key, value in
        (key.map { "\($0): " } ?? "") + part(value, depth: depth + 1)
      }
      return parts.joined(separator: ", ")
    case .scalar: return ScalarText.text(of: value)
    }
  }

  /// A single value, or the list or map that a mixed one is, in brackets.
  private func part(_ value: Value, depth: Int) -> String {
    guard value.isCollection else { return text(value, depth: depth) }
    return NestedFormatter(linkText: model.address).text(value)
  }

  /// Embedded objects below these are named by their keys.
  private static let deepest = 8

  /// Escapes what would end a cell or a row.
  private static func cell(_ text: String) -> String {
    let escapes: [Character: String] = [
      "|": "\\|", "\\": "\\\\", "\n": "<br>", "\r\n": "<br>", "\r": "<br>",
    ]
    return text.map { escapes[$0] ?? "\($0)" }.joined()
  }

  /// The first object without a final key, among these, what they own and what they link to.
  func firstNew(among objects: [ObjectIdentity]) -> ObjectIdentity? {
    guard model.changeCount > 0 else { return nil }
    var pending = objects
    while let object = pending.popLast() {
      if object.key.isProvisional { return object }
      for property in model.schema[object.classKey]?.properties ?? [] where property.canLink {
        for target in model.value(of: object, property.key).links {
          if target.key.isProvisional { return target }
          if property.isEmbedded { pending.append(target) }
        }
      }
    }
    return nil
  }
}
