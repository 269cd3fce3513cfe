import SwiftScanning

/// The file `model.json`, in the format that ObjectBox's generators write.
///
/// It maps the names of entities, properties and relations to numbers that never change. What
/// ObjectBox does not keep, such as former names, stands in members named `kennel`. Members that
/// are not known here are kept.
struct ModelFile: ModelFileObject {
  /// A property or a relation.
  struct Member: ModelFileObject {
    var name = ""
    var id = IdUid()
    // Of a property.
    var indexId: IdUid?
    var type: Int?
    var flags = 0
    var relationTarget: String?
    // Of a relation.
    var targetId: IdUid?
    var memory = Memory()
    var others: [JSON.Member] = []
    var line = 1

    static var fields: [ModelFileField<Self>] {
      [
        .init("id", \.id), .init("name", \.name), .init("indexId", \.indexId),
        .init("type", \.type), .init("flags", \.flags, unless: 0),
        .init("relationTarget", \.relationTarget), .init("targetId", \.targetId),
        .others { _ in true }, .object("kennel", \.memory),
      ]
    }
  }

  struct Entity: ModelFileObject {
    var name = ""
    var id = IdUid()
    var lastPropertyId = IdUid()
    var properties: [Member] = []
    var relations: [Member] = []
    var memory = Memory()
    var others: [JSON.Member] = []
    var line = 1

    static var fields: [ModelFileField<Self>] {
      [
        .init("id", \.id), .init("lastPropertyId", \.lastPropertyId), .init("name", \.name),
        .others { _ in true }, .objects("properties", \.properties),
        .objects("relations", \.relations), .object("kennel", \.memory),
      ]
    }
  }

  /// Facts of the past that the database has to know.
  struct Memory: ModelFileObject {
    var formerNames: [String] = []
    /// Whether another property had the name before, perhaps with another type.
    var replacesType = false
    /// The names of properties that an entity had and has no more.
    var removedNames: [String] = []
    var others: [JSON.Member] = []
    var line = 1

    static var fields: [ModelFileField<Self>] {
      [
        .init("formerNames", \.formerNames, unless: []),
        .init("replacesType", \.replacesType, unless: false),
        .init("removedNames", \.removedNames, unless: []), .others { _ in true },
      ]
    }
  }

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
  /// Texts for who opens the file, and members that are not known.
  var others = [
    "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
    "ObjectBox manages crucial IDs for your object model. See docs for details.",
    "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs.",
  ].enumerated().map { JSON.Member(key: "_note\($0 + 1)", value: .string($1)) }
  var line = 1

  static let newest: Int64 = 5
  static let oldest: Int64 = 4

  static var fields: [ModelFileField<Self>] {
    [
      .others { $0.hasPrefix("_note") }, .objects("entities", \.entities),
      .init("lastEntityId", \.lastEntityId), .init("lastIndexId", \.lastIndexId),
      .init("lastRelationId", \.lastRelationId), .init("lastSequenceId", \.lastSequenceId),
      .init("modelVersion", \.modelVersion), .init("modelVersionParserMinimum", \.parserMinimum),
      .init("newUidPool", \.newUidPool, unless: []),
      .init("retiredEntityUids", \.retiredEntityUids),
      .init("retiredIndexUids", \.retiredIndexUids),
      .init("retiredPropertyUids", \.retiredPropertyUids),
      .init("retiredRelationUids", \.retiredRelationUids), .init("version", \.version),
      .others { !$0.hasPrefix("_note") },
    ]
  }

  /// All numbers that are or were in use.
  var uids: Set<Int64> {
    var uids = Set(newUidPool + retiredEntityUids + retiredIndexUids)
    uids.formUnion(retiredPropertyUids + retiredRelationUids)
    uids.formUnion([lastEntityId.uid, lastIndexId.uid, lastRelationId.uid])
    for entity in entities {
      uids.formUnion([entity.id.uid, entity.lastPropertyId.uid])
      for member in entity.properties + entity.relations {
        uids.insert(member.id.uid)
        if let index = member.indexId { uids.insert(index.uid) }
      }
    }
    return uids
  }
}
