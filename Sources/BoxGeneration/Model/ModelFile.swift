import SwiftScanning

/// The file `model.json`, in the format that ObjectBox's generators write.
///
/// It maps the names of entities, properties and relations to numbers that never change. What
/// ObjectBox does not keep, such as former names, stands in members named `kennel`. Members that
/// are not known here are kept.
struct ModelFile {
  struct Property {
    var name: String
    var id: IdUid
    var indexId: IdUid?
    var type: Int?
    var flags = 0
    var relationTarget: String?
    var memory = Memory()
    var others: [JSON.Member] = []
    var line = 1
  }

  struct Relation {
    var name: String
    var id: IdUid
    var targetId: IdUid?
    var memory = Memory()
    var others: [JSON.Member] = []
    var line = 1
  }

  struct Entity {
    var name: String
    var id: IdUid
    var lastPropertyId = IdUid()
    var properties: [Property] = []
    var relations: [Relation] = []
    var memory = Memory()
    var others: [JSON.Member] = []
    var line = 1
  }

  /// What the database has to know of the past.
  struct Memory {
    var formerNames: [String] = []
    /// Whether another property had the name before, perhaps with another type.
    var replacesType = false
    /// The names of properties that an entity had and has no more.
    var removedNames: [String] = []
    var others: [JSON.Member] = []
  }

  /// Texts for who opens the file.
  var notes = Self.notes
  var entities: [Entity] = []
  var lastEntityId = IdUid()
  var lastIndexId = IdUid()
  var lastRelationId = IdUid()
  var lastSequenceId = IdUid()
  var newUidPool: [Int64] = []
  var retiredEntityUids: [Int64] = []
  var retiredIndexUids: [Int64] = []
  var retiredPropertyUids: [Int64] = []
  var retiredRelationUids: [Int64] = []
  var modelVersion = Self.newest
  /// The version that a program has to know to read the file.
  var parserMinimum = Self.oldest
  var version: Int64 = 1
  var others: [JSON.Member] = []

  /// All numbers that are or were in use.
  var uids: Set<Int64> {
    var uids = Set(newUidPool + retiredEntityUids + retiredIndexUids)
    uids.formUnion(retiredPropertyUids + retiredRelationUids)
    uids.formUnion([lastEntityId.uid, lastIndexId.uid, lastRelationId.uid])
    for entity in entities {
      uids.formUnion([entity.id.uid, entity.lastPropertyId.uid])
      for property in entity.properties {
        uids.insert(property.id.uid)
        if let index = property.indexId { uids.insert(index.uid) }
      }
      for relation in entity.relations { uids.insert(relation.id.uid) }
    }
    return uids
  }
}

// MARK: - Writing

extension ModelFile {
  static let newest: Int64 = 5
  static let oldest: Int64 = 4

  private static let notes = [
    "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
    "ObjectBox manages crucial IDs for your object model. See docs for details.",
    "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs.",
  ].enumerated().map { JSON.Member(key: "_note\($0 + 1)", value: .string($1)) }

  /// The file as JSON.
  var json: JSON {
    var members = notes
    members += [
      .init(key: "entities", value: .array(entities.map(\.json))),
      .init(key: "lastEntityId", value: .string(lastEntityId.text)),
      .init(key: "lastIndexId", value: .string(lastIndexId.text)),
      .init(key: "lastRelationId", value: .string(lastRelationId.text)),
      .init(key: "lastSequenceId", value: .string(lastSequenceId.text)),
      .init(key: "modelVersion", value: .number("\(modelVersion)")),
      .init(key: "modelVersionParserMinimum", value: .number("\(parserMinimum)")),
    ]
    if !newUidPool.isEmpty { members.append(.init(key: "newUidPool", value: .numbers(newUidPool))) }
    members += [
      .init(key: "retiredEntityUids", value: .numbers(retiredEntityUids)),
      .init(key: "retiredIndexUids", value: .numbers(retiredIndexUids)),
      .init(key: "retiredPropertyUids", value: .numbers(retiredPropertyUids)),
      .init(key: "retiredRelationUids", value: .numbers(retiredRelationUids)),
      .init(key: "version", value: .number("\(version)")),
    ]
    return .object(JSON.Object(members: members + others))
  }
}

extension JSON {
  fileprivate static func numbers(_ numbers: [Int64]) -> JSON {
    .array(numbers.map { .number("\($0)") })
  }
}

extension ModelFile.Entity {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [
      .init(key: "id", value: .string(id.text)),
      .init(key: "lastPropertyId", value: .string(lastPropertyId.text)),
      .init(key: "name", value: .string(name)),
    ]
    members += others
    members.append(.init(key: "properties", value: .array(properties.map(\.json))))
    members.append(.init(key: "relations", value: .array(relations.map(\.json))))
    return .object(JSON.Object(members: members + memory.members))
  }
}

extension ModelFile.Property {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [
      .init(key: "id", value: .string(id.text)),
      .init(key: "name", value: .string(name)),
    ]
    if let indexId { members.append(.init(key: "indexId", value: .string(indexId.text))) }
    if let type { members.append(.init(key: "type", value: .number("\(type)"))) }
    if flags != 0 { members.append(.init(key: "flags", value: .number("\(flags)"))) }
    if let relationTarget {
      members.append(.init(key: "relationTarget", value: .string(relationTarget)))
    }
    return .object(JSON.Object(members: members + others + memory.members))
  }
}

extension ModelFile.Relation {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [
      .init(key: "id", value: .string(id.text)),
      .init(key: "name", value: .string(name)),
    ]
    if let targetId { members.append(.init(key: "targetId", value: .string(targetId.text))) }
    return .object(JSON.Object(members: members + others + memory.members))
  }
}

extension ModelFile.Memory {
  fileprivate var members: [JSON.Member] {
    var members: [JSON.Member] = []
    if !formerNames.isEmpty {
      members.append(.init(key: "formerNames", value: .array(formerNames.map(JSON.string))))
    }
    if replacesType { members.append(.init(key: "replacesType", value: .flag(true))) }
    if !removedNames.isEmpty {
      members.append(.init(key: "removedNames", value: .array(removedNames.map(JSON.string))))
    }
    members += others
    return members.isEmpty
      ? [] : [.init(key: "kennel", value: .object(JSON.Object(members: members)))]
  }
}
