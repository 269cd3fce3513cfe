import SwiftScanning

/// Gives entities the numbers that `model.json` has for them, and new ones to what is new.
///
/// A name finds its entry whatever its case; a `uid` finds it by number, which renames it.
struct ModelSync {
  private(set) var entities: [Entity]
  private(set) var diagnostics: [Diagnostic] = []
  private let old: ModelFile
  private var new: ModelFile
  private var uids: UidSource
  /// The old entity of each entity.
  private var origins: [Int?] = []
  /// Numbers of the annotations: a name does not find an entry that one of them finds.
  private var annotated: Set<Int64> = []

  init(_ entities: [Entity], _ file: ModelFile) {
    self.entities = entities
    old = file
    new = file
    new.entities = []
    uids = UidSource(file)
  }

  /// The file to write: with mistakes, the old one with the numbers that messages offer.
  var file: ModelFile {
    var file = diagnostics.isEmpty ? new : old
    file.newUidPool = uids.offered
    return file
  }

  mutating func run() {
    checkAnnotatedUids()
    guard diagnostics.isEmpty else { return }
    for position in entities.indices { numberEntity(position) }
    guard diagnostics.isEmpty else { return }
    for position in entities.indices { numberMembers(position) }
    new.entities.sort { $0.id.id < $1.id.id }
    retire()
  }

  private mutating func report(_ place: Place, _ message: String) {
    diagnostics.append(place.error(message))
  }

  private mutating func checkAnnotatedUids() {
    let all = entities.compactMap(\.uid) + entities.flatMap { $0.properties.compactMap(\.uid) }
    for uid in all {
      guard let number = uid.number, !annotated.insert(number).inserted else { continue }
      report(uid.place, "The UID \(number) is in the code twice; each stands for one thing")
    }
  }

  // MARK: - Entries

  /// Something in the code that has an entry in the file.
  private struct Item {
    /// `entity`, `property` or `relation`.
    let kind: String
    let name: String
    let uid: UidAnnotation?
    /// The names of all around it, which its number depends on.
    let fullName: String
  }

  /// The entry of an item: an old one, or the number of a new one.
  private enum Entry {
    case old(Int)
    case new(Int64)
  }

  /// Finds the entry of an item among those of the file.
  private mutating func entry(
    of item: Item,
    among entries: [(name: String, uid: Int64)]
  ) -> Entry? {
    let named = entries.firstIndex {
      $0.name.lowercased() == item.name.lowercased()
        && (!annotated.contains($0.uid) || item.uid?.number == $0.uid)
    }
    guard let uid = item.uid else {
      if let named { return .old(named) }
      return .new(uids.next(for: item.fullName))
    }
    if let number = uid.number {
      if let index = entries.firstIndex(where: { $0.uid == number }) { return .old(index) }
      if uids.take(number) { return .new(number) }
      report(
        uid.place,
        "No \(item.kind) has the UID \(number) in model.json; write 'uid' alone on an existing "
          + "\(item.kind) to be told its UID and a new one"
      )
    } else if let named {
      report(
        uid.place,
        "'uid' needs a number. The UID of '\(item.name)' is \(entries[named].uid): keep it with "
          + "'// objectbox: uid = \(entries[named].uid)' and rename the \(item.kind), or begin anew "
          + "without its data with '// objectbox: uid = \(uids.offer(for: item.fullName))'"
      )
    } else {
      report(
        uid.place,
        "'uid' needs a number: '\(item.name)' is new and has none in model.json; remove the "
          + "annotation, or to rename, put it on the old name first"
      )
    }
    return nil
  }

  /// What a database has to know of an entry that is found again.
  private static func rename(
    _ memory: inout ModelFile.Memory,
    from oldName: String,
    to name: String
  ) {
    guard oldName != name else { return }
    memory.formerNames.removeAll { $0 == name || $0 == oldName }
    memory.formerNames.append(oldName)
  }

  // MARK: - Entities

  private mutating func numberEntity(_ position: Int) {
    let entity = entities[position]
    let item = Item(kind: "entity", name: entity.name, uid: entity.uid, fullName: entity.name)
    var result: ModelFile.Entity
    switch entry(of: item, among: old.entities.map { ($0.name, $0.id.uid) }) {
    case .old(let index):
      origins.append(index)
      result = old.entities[index]
      Self.rename(&result.memory, from: result.name, to: entity.name)
      result.name = entity.name
    case .new(let uid):
      origins.append(nil)
      new.lastEntityId = IdUid(id: new.lastEntityId.id + 1, uid: uid)
      result = ModelFile.Entity(name: entity.name, id: new.lastEntityId)
    case nil:
      origins.append(nil)
      return
    }
    entities[position].id = result.id
    entities[position].formerNames = result.memory.formerNames
    new.entities.append(result)
  }

  private mutating func numberMembers(_ position: Int) {
    let previous = origins[position].map { old.entities[$0] }
    var result = new.entities[position]
    result.properties = []
    result.relations = []
    for index in entities[position].properties.indices {
      let property = entities[position].properties[index]
      switch property.kind {
      case .backlink: continue
      case .toMany:
        guard var relation = relation(property, of: result, previous) else { continue }
        relation.targetId = entities.first { $0.declaration.fullName == property.target }?.id
        update(position, index, relation.id, relation.memory)
        result.relations.append(relation)
      case .id, .value, .toOne:
        guard let entry = self.property(property, of: &result, previous) else { continue }
        update(position, index, entry.id, entry.memory)
        result.properties.append(entry)
      }
    }
    result.properties.sort { $0.id.id < $1.id.id }
    result.relations.sort { $0.id.id < $1.id.id }
    if let previous { remember(previous, in: &result) }
    new.entities[position] = result
  }

  private mutating func update(
    _ position: Int,
    _ index: Int,
    _ id: IdUid,
    _ memory: ModelFile.Memory
  ) {
    entities[position].properties[index].id = id
    entities[position].properties[index].formerNames = memory.formerNames
    entities[position].properties[index].replacesType = memory.replacesType
  }

  /// Keeps the names of properties and relations that are gone.
  private func remember(_ previous: ModelFile.Entity, in result: inout ModelFile.Entity) {
    let properties = Set(result.properties.map(\.id.uid))
    let relations = Set(result.relations.map(\.id.uid))
    let gone =
      previous.properties.filter { !properties.contains($0.id.uid) }.map(\.name)
      + previous.relations.filter { !relations.contains($0.id.uid) }.map(\.name)
    let names = Set(
      (result.properties.map(\.name) + result.relations.map(\.name)).map { $0.lowercased() }
    )
    result.memory.removedNames.removeAll(where: gone.contains)
    result.memory.removedNames += gone
    result.memory.removedNames.removeAll { names.contains($0.lowercased()) }
  }

  /// What a database has to know of a new property: whether its name had another meaning.
  private func memory(ofNew name: String, in previous: ModelFile.Entity?) -> ModelFile.Memory {
    guard let previous else { return ModelFile.Memory() }
    // What is renamed leaves its name free.
    let names =
      previous.properties.filter { !annotated.contains($0.id.uid) }.map(\.name)
      + previous.relations.filter { !annotated.contains($0.id.uid) }.map(\.name)
      + previous.memory.removedNames
    let isTaken = names.contains { $0.lowercased() == name.lowercased() }
    return ModelFile.Memory(replacesType: isTaken)
  }

  // MARK: - Properties

  private mutating func property(
    _ property: Entity.Property,
    of entity: inout ModelFile.Entity,
    _ previous: ModelFile.Entity?
  ) -> ModelFile.Property? {
    let entries = previous?.properties.map { (name: $0.name, uid: $0.id.uid) } ?? []
    var result: ModelFile.Property
    switch entry(of: item("property", property, of: entity), among: entries) {
    case .old(let index):
      guard let previous else { return nil }
      result = previous.properties[index]
      guard isSameType(property, result, of: entity) else { return nil }
      Self.rename(&result.memory, from: result.name, to: property.name)
    case .new(let uid):
      entity.lastPropertyId = IdUid(id: entity.lastPropertyId.id + 1, uid: uid)
      result = ModelFile.Property(name: property.name, id: entity.lastPropertyId)
      result.memory = memory(ofNew: property.name, in: previous)
    case nil: return nil
    }
    result.name = property.name
    result.type = property.type.number ?? result.type
    result.flags = property.flagBits
    result.relationTarget = targetName(of: property)
    if !property.hasIndex {
      result.indexId = nil
    } else if result.indexId == nil {
      let uid = uids.next(for: "index \(entity.name).\(property.name)")
      new.lastIndexId = IdUid(id: new.lastIndexId.id + 1, uid: uid)
      result.indexId = new.lastIndexId
    }
    return result
  }

  private func item(
    _ kind: String,
    _ property: Entity.Property,
    of entity: ModelFile.Entity
  ) -> Item {
    Item(
      kind: kind,
      name: property.name,
      uid: property.uid,
      fullName: "\(entity.name).\(property.name)"
    )
  }

  private func targetName(of property: Entity.Property) -> String? {
    property.target.flatMap { target in
      entities.first { $0.declaration.fullName == target }?.name
    }
  }

  private mutating func isSameType(
    _ property: Entity.Property,
    _ entry: ModelFile.Property,
    of entity: ModelFile.Entity
  ) -> Bool {
    var before: String?
    // Narrow integers are stored in another width without a sign.
    let isUnsigned = property.flags.contains(.unsigned)
    let changesSign =
      [2, 3, 5].contains(property.type.number)
      && isUnsigned != (entry.flags & PropertyFlag.unsigned.rawValue != 0)
    if let number = property.type.number, let type = entry.type, number != type || changesSign {
      before = PropertyType.description(of: type)
      if entry.flags & PropertyFlag.unsigned.rawValue != 0 { before = before.map { "U\($0)" } }
      if let target = entry.relationTarget { before = "ToOne<\(target)>" }
    } else if property.isToOne, let target = entry.relationTarget {
      let origin = old.entities.firstIndex { $0.name == target }
      let isSame =
        origin.map { origin in
          entities.indices.contains(where: { position in
            origins[position] == origin && entities[position].name == targetName(of: property)
          })
        } ?? (target == targetName(of: property))
      if !isSame { before = "ToOne<\(target)>" }
    }
    guard let before else { return true }
    report(property.place, typeChange(property, before, of: entity))
    return false
  }

  private mutating func typeChange(
    _ property: Entity.Property,
    _ before: String,
    of entity: ModelFile.Entity
  ) -> String {
    let uid = uids.offer(for: "\(entity.name).\(property.name)")
    return
      "'\(property.swiftName)' was \(before) before, and values of that type are stored; declare "
      + "it so again, or begin anew without them with '// objectbox: uid = \(uid)'"
  }

  // MARK: - Relations

  private mutating func relation(
    _ property: Entity.Property,
    of entity: ModelFile.Entity,
    _ previous: ModelFile.Entity?
  ) -> ModelFile.Relation? {
    let entries = previous?.relations.map { (name: $0.name, uid: $0.id.uid) } ?? []
    var result: ModelFile.Relation
    switch entry(of: item("relation", property, of: entity), among: entries) {
    case .old(let index):
      guard let previous else { return nil }
      result = previous.relations[index]
      let target = entities.first { $0.declaration.fullName == property.target }?.id.uid
      if let before = result.targetId?.uid, before != target {
        let name = old.entities.first { $0.id.uid == before }?.name ?? "…"
        report(property.place, typeChange(property, "ToMany<\(name)>", of: entity))
        return nil
      }
      Self.rename(&result.memory, from: result.name, to: property.name)
    case .new(let uid):
      new.lastRelationId = IdUid(id: new.lastRelationId.id + 1, uid: uid)
      result = ModelFile.Relation(name: property.name, id: new.lastRelationId)
      result.memory = memory(ofNew: property.name, in: previous)
    case nil: return nil
    }
    result.name = property.name
    return result
  }

  // MARK: - Retired numbers

  private mutating func retire() {
    let (before, after) = (old.entities, new.entities)
    new.retiredEntityUids += Self.gone(before.map(\.id.uid), after.map(\.id.uid))
    new.retiredPropertyUids += Self.gone(
      before.flatMap { $0.properties.map(\.id.uid) },
      after.flatMap { $0.properties.map(\.id.uid) }
    )
    new.retiredIndexUids += Self.gone(
      before.flatMap { $0.properties.compactMap(\.indexId?.uid) },
      after.flatMap { $0.properties.compactMap(\.indexId?.uid) }
    )
    new.retiredRelationUids += Self.gone(
      before.flatMap { $0.relations.map(\.id.uid) },
      after.flatMap { $0.relations.map(\.id.uid) }
    )
  }

  private static func gone(_ before: [Int64], _ after: [Int64]) -> [Int64] {
    before.filter { !after.contains($0) }
  }
}
