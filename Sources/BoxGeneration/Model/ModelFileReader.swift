import SwiftScanning

/// Reads `model.json` and checks that it does not contradict itself.
struct ModelFileReader {
  private let path: String

  /// The file of a text.
  static func read(_ text: String, path: String) throws(Diagnostic) -> ModelFile {
    let reader = ModelFileReader(path: path)
    let json: JSON
    do {
      json = try JSON(text)
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
    try reader.check(file)
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
        "'modelVersion' is no whole number; restore this file from your version control system"
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
    guard object["entities"] ?? .null != .null else {
      throw error(1, "'entities' is missing; restore this file from your version control system")
    }
    var file: ModelFile = try read(object)
    file.modelVersion = max(version, ModelFile.newest)
    file.parserMinimum = version > ModelFile.newest ? minimum : ModelFile.oldest
    for entity in file.entities {
      try require(entity.name, entity.id, entity.line)
      for member in entity.properties + entity.relations {
        try require(member.name, member.id, member.line)
      }
    }
    return file
  }

  /// Reads the members of an object as its table says; those that are null count as missing.
  func read<T: ModelFileObject>(_ object: JSON.Object) throws(Diagnostic) -> T {
    var result = T()
    result.line = object.line
    result.others = []
    let fields = T.fields
    for member in object.members {
      if let field = fields.first(where: { $0.key == member.key }) {
        if member.value != .null { try field.read(&result, member, self) }
      } else {
        result.others.append(member)
      }
    }
    return result
  }

  /// The value of a member.
  func value<Value>(
    _ member: JSON.Member,
    _ kind: String,
    _ read: (JSON) -> Value?
  ) throws(Diagnostic) -> Value {
    guard let value = read(member.value) else {
      throw error(
        member.line,
        "'\(member.key)' must be \(kind); restore this file from version control"
      )
    }
    return value
  }

  private func require(_ name: String, _ id: IdUid, _ line: Int) throws(Diagnostic) {
    let missing = name.isEmpty ? "A name" : id.id == 0 || id.uid == 0 ? "An \"id\"" : nil
    guard let missing else { return }
    throw error(line, "\(missing) is missing here; restore this file from version control")
  }

  // MARK: - Checks

  /// The numbers of one kind, each of which is there once.
  private struct Numbers {
    let kind: String
    let last: IdUid
    var ids: Set<Int> = []
  }

  /// Each name and each number is there once, and no ID is higher than the last one.
  private func check(_ file: ModelFile) throws(Diagnostic) {
    var names: Set<String> = []
    var entities = Numbers(kind: "Entity", last: file.lastEntityId)
    var relations = Numbers(kind: "Relation", last: file.lastRelationId)
    var indexes = Numbers(kind: "Index", last: file.lastIndexId)
    var uids = Set(file.retiredEntityUids + file.retiredPropertyUids)
    var relationUids = Set(file.retiredRelationUids)
    var indexUids = Set(file.retiredIndexUids)
    for entity in file.entities {
      try insert(entity.name, into: &names, "entity", entity.line)
      try insert(entity.id, into: &entities, &uids, entity.name, entity.line)
      var names: Set<String> = []
      var properties = Numbers(kind: "Property", last: entity.lastPropertyId)
      for property in entity.properties {
        let (name, line) = ("\(entity.name).\(property.name)", property.line)
        try insert(name, into: &names, "property", line)
        try insert(property.id, into: &properties, &uids, name, line)
        guard let index = property.indexId else { continue }
        try insert(index, into: &indexes, &indexUids, "the index of \(name)", line)
      }
      for relation in entity.relations {
        let (name, line) = ("\(entity.name).\(relation.name)", relation.line)
        try insert(name, into: &names, "relation", line)
        try insert(relation.id, into: &relations, &relationUids, name, line)
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
    into numbers: inout Numbers,
    _ uids: inout Set<Int64>,
    _ name: String,
    _ line: Int
  ) throws(Diagnostic) {
    let (kind, last) = (numbers.kind, numbers.last)
    guard numbers.ids.insert(id.id).inserted else {
      throw error(
        line,
        "The ID \(id.id) of '\(name)' belongs to another \(kind.lowercased()), too; give the newer "
          + "one the next ID"
      )
    }
    guard id.id < last.id || id == last else {
      throw error(
        line,
        "'\(name)' has the ID \(id.text), but 'last\(kind)Id' is \(last.text); it must be the "
          + "highest one"
      )
    }
    guard uids.insert(id.uid).inserted else {
      throw error(
        line,
        "The UID \(id.uid) of '\(name)' is used twice; remove the entry that a merge added"
      )
    }
  }
}
