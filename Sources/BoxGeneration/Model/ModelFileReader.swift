import SwiftScanning

/// Reads `model.json` and checks that it does not contradict itself.
struct ModelFileReader {
  private let path: String

  /// The file of a text.
  static func read(_ text: String, path: String) throws(Diagnostic) -> ModelFile {
    let reader = ModelFileReader(path: path)
    let json: JSON
    do {
      json = try JSONReader.read(text)
    } catch {
      let isConflict = text.contains("<<<<<<<") || text.contains(">>>>>>>")
      throw Diagnostic(
        .error,
        path,
        line: error.line,
        "This file is not JSON: \(error.message); "
          + (isConflict
            ? "resolve the merge conflict in it" : "restore it from your version control system")
      )
    }
    guard case .object(let object) = json else {
      throw reader.error(1, "This file has no model; restore it from your version control system")
    }
    let file = try reader.file(object)
    try reader.checkNumbers(of: file)
    try reader.checkUids(of: file)
    return file
  }

  private func error(_ line: Int, _ message: String) -> Diagnostic {
    Diagnostic(.error, path, line: line, message)
  }

  // MARK: - Members

  private func file(_ object: JSON.Object) throws(Diagnostic) -> ModelFile {
    guard let version = object["modelVersion"]?.integer else {
      throw error(
        1,
        "'modelVersion' is missing; restore this file from your version control system"
      )
    }
    let minimum = object["modelVersionParserMinimum"]?.integer ?? version
    if version < ModelFile.oldest || version > ModelFile.newest && minimum > ModelFile.newest {
      throw error(
        1,
        "This file has version \(version); versions \(ModelFile.oldest) to \(ModelFile.newest) can "
          + "be read. " + (version < ModelFile.oldest ? "Write" : "Update Kennel, or write")
          + " it with another version of the generator"
      )
    }
    var file = ModelFile()
    file.lastEntityId = try number("lastEntityId", of: object) ?? IdUid()
    file.lastIndexId = try number("lastIndexId", of: object) ?? IdUid()
    file.lastRelationId = try number("lastRelationId", of: object) ?? IdUid()
    file.lastSequenceId = try number("lastSequenceId", of: object) ?? IdUid()
    file.newUidPool = try uids("newUidPool", of: object)
    file.retiredEntityUids = try uids("retiredEntityUids", of: object)
    file.retiredIndexUids = try uids("retiredIndexUids", of: object)
    file.retiredPropertyUids = try uids("retiredPropertyUids", of: object)
    file.retiredRelationUids = try uids("retiredRelationUids", of: object)
    file.version = object["version"]?.integer ?? 1
    for json in try objects("entities", of: object) {
      file.entities.append(try entity(json))
    }
    file.others = object.members.filter { member in
      !member.key.hasPrefix("_note") && !Self.fileKeys.contains(member.key)
    }
    return file
  }

  private static let fileKeys: Set = [
    "entities", "lastEntityId", "lastIndexId", "lastRelationId", "lastSequenceId", "modelVersion",
    "modelVersionParserMinimum", "newUidPool", "retiredEntityUids", "retiredIndexUids",
    "retiredPropertyUids", "retiredRelationUids", "version",
  ]

  private func entity(_ object: JSON.Object) throws(Diagnostic) -> ModelFile.Entity {
    var entity = ModelFile.Entity(name: try name(of: object), id: try ownNumber(of: object))
    entity.lastPropertyId = try number("lastPropertyId", of: object) ?? IdUid()
    for json in try objects("properties", of: object) {
      var property = ModelFile.Property(name: try name(of: json), id: try ownNumber(of: json))
      property.indexId = try number("indexId", of: json)
      property.type = json["type"]?.integer.map { Int(truncatingIfNeeded: $0) }
      property.flags = Int(truncatingIfNeeded: json["flags"]?.integer ?? 0)
      property.relationTarget = json["relationTarget"]?.text
      property.memory = memory(of: json)
      property.line = json.line
      property.others = others(
        of: json,
        known: ["id", "name", "indexId", "type", "flags", "relationTarget", "kennel"]
      )
      entity.properties.append(property)
    }
    for json in try objects("relations", of: object) {
      var relation = ModelFile.Relation(name: try name(of: json), id: try ownNumber(of: json))
      relation.targetId = try number("targetId", of: json)
      relation.memory = memory(of: json)
      relation.line = json.line
      relation.others = others(of: json, known: ["id", "name", "targetId", "kennel"])
      entity.relations.append(relation)
    }
    entity.memory = memory(of: object)
    entity.line = object.line
    entity.others = others(
      of: object,
      known: ["id", "name", "lastPropertyId", "properties", "relations", "kennel"]
    )
    return entity
  }

  private func others(of object: JSON.Object, known: Set<String>) -> [JSON.Member] {
    object.members.filter { !known.contains($0.key) }
  }

  private func memory(of object: JSON.Object) -> ModelFile.Memory {
    guard let own = object["kennel"]?.object else { return ModelFile.Memory() }
    var memory = ModelFile.Memory()
    memory.formerNames = own["formerNames"]?.array?.compactMap(\.text) ?? []
    memory.removedNames = own["removedNames"]?.array?.compactMap(\.text) ?? []
    if case .flag(true)? = own["replacesType"] { memory.replacesType = true }
    return memory
  }

  private func name(of object: JSON.Object) throws(Diagnostic) -> String {
    guard let name = object["name"]?.text, !name.isEmpty else {
      throw error(object.line, "A name is missing here; restore this file from version control")
    }
    return name
  }

  private func ownNumber(of object: JSON.Object) throws(Diagnostic) -> IdUid {
    guard let number = try number("id", of: object), number.id > 0, number.uid > 0 else {
      throw error(object.line, "An \"id\" is missing here; restore this file from version control")
    }
    return number
  }

  private func number(_ key: String, of object: JSON.Object) throws(Diagnostic) -> IdUid? {
    guard let value = object[key] else { return nil }
    guard let number = value.text.flatMap(IdUid.init) else {
      throw error(
        object.line,
        "'\(key)' must be two numbers such as \"1:123\"; restore this file from version control"
      )
    }
    return number
  }

  private func uids(_ key: String, of object: JSON.Object) throws(Diagnostic) -> [Int64] {
    let values = object[key]?.array ?? []
    let numbers = values.compactMap(\.integer)
    guard numbers.count == values.count else {
      throw error(object.line, "'\(key)' must be numbers; restore this file from version control")
    }
    return numbers
  }

  private func objects(
    _ key: String,
    of object: JSON.Object
  ) throws(Diagnostic) -> [JSON.Object] {
    let values = object[key]?.array ?? []
    let objects = values.compactMap(\.object)
    guard objects.count == values.count else {
      throw error(object.line, "'\(key)' must be objects; restore this file from version control")
    }
    return objects
  }

  // MARK: - Checks

  private func checkNumbers(of file: ModelFile) throws(Diagnostic) {
    var ids: Set<Int> = []
    var names: Set<String> = []
    for entity in file.entities {
      guard names.insert(entity.name.lowercased()).inserted else {
        throw error(entity.line, "The entity '\(entity.name)' is here twice; remove one")
      }
      guard ids.insert(entity.id.id).inserted else {
        throw error(
          entity.line,
          "The ID \(entity.id.id) of '\(entity.name)' belongs to another entity, too; give the newer "
            + "one the next ID"
        )
      }
      try checkLast(entity.id, file.lastEntityId, "lastEntityId", entity.name, entity.line)
      var ids: Set<Int> = []
      for property in entity.properties {
        let name = "\(entity.name).\(property.name)"
        guard ids.insert(property.id.id).inserted else {
          throw error(
            property.line,
            "The ID \(property.id.id) of '\(name)' belongs to another property, too; give the newer "
              + "one the next ID"
          )
        }
        try checkLast(property.id, entity.lastPropertyId, "lastPropertyId", name, property.line)
      }
    }
  }

  private func checkLast(
    _ id: IdUid,
    _ last: IdUid,
    _ key: String,
    _ name: String,
    _ line: Int
  ) throws(Diagnostic) {
    guard id.id > last.id || id.id == last.id && id.uid != last.uid else { return }
    throw error(
      line,
      "'\(name)' has the ID \(id.text), but '\(key)' is \(last.text); it must be the highest one"
    )
  }

  /// No number names two things of one kind.
  private func checkUids(of file: ModelFile) throws(Diagnostic) {
    var uids = Set(file.retiredEntityUids + file.retiredPropertyUids)
    var relationUids = Set(file.retiredRelationUids)
    var indexUids = Set(file.retiredIndexUids)
    for entity in file.entities {
      try insert(entity.id.uid, into: &uids, entity.name, entity.line)
      for property in entity.properties {
        let name = "\(entity.name).\(property.name)"
        try insert(property.id.uid, into: &uids, name, property.line)
        if let index = property.indexId {
          try insert(index.uid, into: &indexUids, "the index of \(name)", property.line)
        }
      }
      for relation in entity.relations {
        let name = "\(entity.name).\(relation.name)"
        try insert(relation.id.uid, into: &relationUids, name, relation.line)
      }
    }
  }

  private func insert(
    _ uid: Int64,
    into uids: inout Set<Int64>,
    _ name: String,
    _ line: Int
  ) throws(Diagnostic) {
    guard uids.insert(uid).inserted else {
      throw error(
        line,
        "The UID \(uid) of '\(name)' is used twice; remove the entry that a merge added"
      )
    }
  }
}
