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
    guard let version = try integer("modelVersion", of: object) else {
      throw error(
        1,
        "'modelVersion' is missing; restore this file from your version control system"
      )
    }
    let minimum = try integer("modelVersionParserMinimum", of: object) ?? version
    if version < ModelFile.oldest || version > ModelFile.newest && minimum > ModelFile.newest {
      throw error(
        1,
        "This file has version \(version); versions \(ModelFile.oldest) to \(ModelFile.newest) can "
          + "be read. " + (version < ModelFile.oldest ? "Write" : "Update Kennel, or write")
          + " it with another version of the generator"
      )
    }
    guard let entities = try objects("entities", of: object) else {
      throw error(1, "'entities' is missing; restore this file from your version control system")
    }
    var file = ModelFile()
    file.modelVersion = max(version, ModelFile.newest)
    if version > ModelFile.newest { file.parserMinimum = minimum }
    for entity in entities { file.entities.append(try self.entity(entity)) }
    file.lastEntityId = try number("lastEntityId", of: object) ?? IdUid()
    file.lastIndexId = try number("lastIndexId", of: object) ?? IdUid()
    file.lastRelationId = try number("lastRelationId", of: object) ?? IdUid()
    file.lastSequenceId = try number("lastSequenceId", of: object) ?? IdUid()
    file.newUidPool = try uids("newUidPool", of: object)
    file.retiredEntityUids = try uids("retiredEntityUids", of: object)
    file.retiredIndexUids = try uids("retiredIndexUids", of: object)
    file.retiredPropertyUids = try uids("retiredPropertyUids", of: object)
    file.retiredRelationUids = try uids("retiredRelationUids", of: object)
    file.version = try integer("version", of: object) ?? file.version
    file.notes = object.members.filter { $0.key.hasPrefix("_note") }
    file.others = others(of: object, known: Self.fileKeys.union(file.notes.map(\.key)))
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
    for json in try objects("properties", of: object) ?? [] {
      entity.properties.append(try property(json))
    }
    for json in try objects("relations", of: object) ?? [] {
      var relation = ModelFile.Relation(name: try name(of: json), id: try ownNumber(of: json))
      relation.targetId = try number("targetId", of: json)
      relation.memory = try memory(of: json)
      relation.line = json.line
      relation.others = others(of: json, known: ["id", "name", "targetId", "kennel"])
      entity.relations.append(relation)
    }
    entity.memory = try memory(of: object)
    entity.line = object.line
    entity.others = others(
      of: object,
      known: ["id", "name", "lastPropertyId", "properties", "relations", "kennel"]
    )
    return entity
  }

  private func property(_ object: JSON.Object) throws(Diagnostic) -> ModelFile.Property {
    var property = ModelFile.Property(name: try name(of: object), id: try ownNumber(of: object))
    property.indexId = try number("indexId", of: object)
    property.type = try integer("type", of: object).map { Int($0) }
    property.flags = Int(try integer("flags", of: object) ?? 0)
    property.relationTarget = try value("relationTarget", of: object, "a text", \.text)
    property.memory = try memory(of: object)
    property.line = object.line
    property.others = others(
      of: object,
      known: ["id", "name", "indexId", "type", "flags", "relationTarget", "kennel"]
    )
    return property
  }

  private func memory(of object: JSON.Object) throws(Diagnostic) -> ModelFile.Memory {
    var memory = ModelFile.Memory()
    guard let own = try value("kennel", of: object, "an object", \.object) else { return memory }
    memory.formerNames = try texts("formerNames", of: own)
    memory.removedNames = try texts("removedNames", of: own)
    memory.replacesType = try value("replacesType", of: own, "true or false", \.flag) ?? false
    memory.others = others(of: own, known: ["formerNames", "removedNames", "replacesType"])
    return memory
  }

  private func others(of object: JSON.Object, known: Set<String>) -> [JSON.Member] {
    object.members.filter { !known.contains($0.key) }
  }

  private func name(of object: JSON.Object) throws(Diagnostic) -> String {
    guard let name = try value("name", of: object, "a text", \.text), !name.isEmpty else {
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

  // MARK: - Values

  /// The value of a member, or `nil` if it is missing or null.
  private func value<Value>(
    _ key: String,
    of object: JSON.Object,
    _ kind: String,
    _ read: (JSON) -> Value?
  ) throws(Diagnostic) -> Value? {
    guard let member = object.members.first(where: { $0.key == key }) else { return nil }
    if case .null = member.value { return nil }
    guard let value = read(member.value) else {
      throw error(
        member.line,
        "'\(key)' must be \(kind); restore this file from version control"
      )
    }
    return value
  }

  private func number(_ key: String, of object: JSON.Object) throws(Diagnostic) -> IdUid? {
    try value(key, of: object, "two numbers such as \"1:123\"") { $0.text.flatMap(IdUid.init) }
  }

  private func integer(_ key: String, of object: JSON.Object) throws(Diagnostic) -> Int64? {
    try value(key, of: object, "a whole number", \.integer)
  }

  private func uids(_ key: String, of object: JSON.Object) throws(Diagnostic) -> [Int64] {
    try value(key, of: object, "a list of numbers") { $0.array(of: \.integer) } ?? []
  }

  private func texts(_ key: String, of object: JSON.Object) throws(Diagnostic) -> [String] {
    try value(key, of: object, "a list of texts") { $0.array(of: \.text) } ?? []
  }

  private func objects(
    _ key: String,
    of object: JSON.Object
  ) throws(Diagnostic) -> [JSON.Object]? {
    try value(key, of: object, "a list of objects") { $0.array(of: \.object) }
  }

  // MARK: - Checks

  /// Each name and each ID is there once, and no ID is higher than the last one.
  private func checkNumbers(of file: ModelFile) throws(Diagnostic) {
    var names: Set<String> = []
    var ids: Set<Int> = []
    var relationIds: Set<Int> = []
    var indexIds: Set<Int> = []
    for entity in file.entities {
      try insert(entity.name, into: &names, "entity", entity.line)
      try insert(entity.id, file.lastEntityId, into: &ids, "Entity", entity.name, entity.line)
      var names: Set<String> = []
      var ids: Set<Int> = []
      for property in entity.properties {
        let (name, line) = ("\(entity.name).\(property.name)", property.line)
        try insert(name, into: &names, "property", line)
        try insert(property.id, entity.lastPropertyId, into: &ids, "Property", name, line)
        guard let index = property.indexId else { continue }
        try insert(index, file.lastIndexId, into: &indexIds, "Index", "the index of \(name)", line)
      }
      for relation in entity.relations {
        let (name, line) = ("\(entity.name).\(relation.name)", relation.line)
        try insert(name, into: &names, "relation", line)
        try insert(relation.id, file.lastRelationId, into: &relationIds, "Relation", name, line)
      }
    }
  }

  private func insert(
    _ name: String,
    into names: inout Set<String>,
    _ kind: String,
    _ line: Int
  ) throws(Diagnostic) {
    guard names.insert(name.lowercased()).inserted else {
      throw error(line, "The \(kind) '\(name)' is here twice; remove the entry that a merge added")
    }
  }

  private func insert(
    _ id: IdUid,
    _ last: IdUid,
    into ids: inout Set<Int>,
    _ kind: String,
    _ name: String,
    _ line: Int
  ) throws(Diagnostic) {
    guard ids.insert(id.id).inserted else {
      throw error(
        line,
        "The ID \(id.id) of '\(name)' belongs to another \(kind.lowercased()), too; give the newer "
          + "one the next ID"
      )
    }
    guard id.id > last.id || id.id == last.id && id.uid != last.uid else { return }
    throw error(
      line,
      "'\(name)' has the ID \(id.text), but 'last\(kind)Id' is \(last.text); it must be the "
        + "highest one"
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
