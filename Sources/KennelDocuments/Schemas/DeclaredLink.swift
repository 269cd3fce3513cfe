/// A link that is declared outside of the documents and schemas that hold its values.
struct DeclaredLink {
  let place: JSONPlace
  /// The class or collection of the property.
  let owner: String
  /// The property, and what leads to it through embedded objects.
  let path: [String]
  /// The class or collection that is pointed to.
  let target: String
  /// The primary key of the target.
  var foreignKey: String?
  var isList: Bool?
}

extension DeclaredLink {
  /// Reads what stands behind `--link`, as in `Person.dogs=Dog` or `Person.dogs=Dog.name`.
  init(option text: String) throws(JSONSchemaError) {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    let place = JSONPlace("--link \(text)")
    let path = sides.first?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    let target = sides.last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard sides.count == 2, path.count >= 2, 1...2 ~= target.count,
      (path + target).allSatisfy({ !$0.isEmpty })
    else {
      throw place.error("Expected Class.property=Target, as in Person.dogs=Dog")
    }
    self.init(
      place: place,
      owner: String(path[0]),
      path: path.dropFirst().map(String.init),
      target: String(target[0]),
      foreignKey: target.count == 2 ? String(target[1]) : nil
    )
  }
}
