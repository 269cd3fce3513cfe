import SwiftScanning

/// Finds what the relations of entities lead to, and checks names.
struct RelationReader {
  private(set) var entities: [EntityModel]
  private(set) var diagnostics: [Diagnostic] = []
  private let positions: [String: Int]

  init(_ entities: [EntityModel]) {
    self.entities = entities
    positions = entities.enumerated().reduce(into: [:]) { $0[$1.1.declaration.fullName] = $1.0 }
  }

  private mutating func report(_ place: Place, _ message: String) {
    diagnostics.append(place.error(message))
  }

  mutating func read() {
    checkNames()
    for position in entities.indices {
      for index in entities[position].properties.indices {
        guard case .backlink(let through) = entities[position].properties[index].kind else {
          continue
        }
        if let name = origin(of: entities[position].properties[index], position, through) {
          entities[position].properties[index].kind = .backlink(through: name)
        }
      }
    }
  }

  private mutating func checkNames() {
    var names: [String: EntityModel] = [:]
    var bindings: [String: EntityModel] = [:]
    for entity in entities {
      if let other = bindings.updateValue(entity, forKey: entity.bindingName) {
        report(
          entity.place,
          "The bindings of '\(entity.declaration.fullName)' and '\(other.declaration.fullName)' would "
            + "have the same name; rename one of the types"
        )
      }
      if let other = names.updateValue(entity, forKey: entity.name.lowercased()) {
        report(
          entity.place,
          "'\(entity.declaration.fullName)' and '\(other.declaration.fullName)' have the same name in "
            + "the database; give one another with '// objectbox: name = \"…\"'"
        )
      }
      var properties: [String: String] = [:]
      for property in entity.properties {
        let other = properties.updateValue(property.swiftName, forKey: property.name.lowercased())
        guard let other else { continue }
        report(
          property.place,
          "'\(property.swiftName)' and '\(other)' have the same name in the database, where upper and "
            + "lower case are the same; give one another with '// objectbox: name = \"…\"'"
        )
      }
    }
  }

  /// The name in the database of the property that a backlink inverts.
  private mutating func origin(
    of property: EntityModel.Property,
    _ owner: Int,
    _ through: String
  ) -> String? {
    guard let target = property.target, let position = positions[target] else { return nil }
    let fullName = entities[owner].declaration.fullName
    let origins = entities[position].properties.filter {
      ($0.isToOne || $0.isToMany) && $0.target == fullName
    }
    if let origin = origins.first(where: { $0.swiftName == through }) { return origin.name }
    let others = origins.map { "'\($0.swiftName)'" }.joined(separator: " or ")
    let advice =
      origins.isEmpty
      ? "declare a ToOne<\(fullName)> in '\(target)'" : "'\(target)' has \(others)"
    if let wrong = entities[position].properties.first(where: { $0.swiftName == through }) {
      let what =
        wrong.target.map { "leads to '\($0)', not to '\(fullName)'" } ?? "is no relation"
      report(property.place, "'\(target).\(through)' \(what), so it has no backlink; \(advice)")
    } else {
      report(property.place, "'\(target)' has no relation '\(through)' to '\(fullName)'; \(advice)")
    }
    return nil
  }
}
