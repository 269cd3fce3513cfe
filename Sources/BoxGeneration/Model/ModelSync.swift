import SwiftScanning

/// Gives entities the numbers that `model.json` has for them, and new ones to what is new.
///
/// A name finds its entry whatever its case; a `uid` finds it by number, which renames it.
struct ModelSync {
  private(set) var entities: [EntityModel]
  private(set) var diagnostics: [Diagnostic] = []
  private let old: ModelFile
  private var new: ModelFile
  private var uids: UidSource
  /// Numbers of the annotations: a name does not find an entry that one of them finds.
  private var annotated: Set<Int64> = []

  init(_ entities: [EntityModel], _ file: ModelFile) {
    self.entities = entities
    old = file
    new = file
    new.entities = []
    uids = UidSource(file)
  }

  /// The file to write: with mistakes, the old one with the numbers that messages offer.
  var file: ModelFile {
    var file = diagnostics.isEmpty ? new : old
    file.newUidPool = diagnostics.isEmpty ? uids.free : uids.offered
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
    /// The names of those of its kind beside it that have no UID in the code, and are found by name.
    let others: [String]
  }

  /// The entry of an item.
  private enum Entry {
    /// The position of an old one.
    case old(Int)
    /// The number of a new one, and the position of the old one that has its name.
    case new(Int64, instead: Int?)
  }

  /// Finds the entry of an item among those of the file.
  private mutating func entry(
    of item: Item,
    among entries: [(name: String, uid: Int64)]
  ) -> Entry? {
    let named = entries.firstIndex {
      $0.name.hasSameName(as: item.name)
        && (!annotated.contains($0.uid) || item.uid?.number == $0.uid)
    }
    guard let uid = item.uid else {
      if let named { return .old(named) }
      return .new(uids.next(for: item.fullName), instead: nil)
    }
    if let number = uid.number {
      if let index = entries.firstIndex(where: { $0.uid == number }) {
        if let other = item.others.first(where: { $0.hasSameName(as: entries[index].name) }) {
          reportTaken(uid.place, number, by: other, item)
          return nil
        }
        return .old(index)
      }
      if uids.claim(number) { return .new(number, instead: named) }
      report(
        uid.place,
        "No \(item.kind) has the UID \(number) in model.json; write 'uid' alone on an existing "
          + "\(item.kind) to be told its UID"
      )
    } else if let named {
      // The objects of an entity stay in the file, whatever its number.
      let orReplace =
        item.kind == "entity"
        ? ""
        : ", or change its type and drop its values with '// objectbox: uid = "
          + "\(uids.offer(for: item.fullName))'"
      report(
        uid.place,
        "'uid' needs a number. The UID of '\(item.name)' is \(entries[named].uid): keep it with "
          + "'// objectbox: uid = \(entries[named].uid)' and rename the \(item.kind)\(orReplace)"
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

  /// Tells that a UID would take the values of something that is still there.
  private mutating func reportTaken(
    _ place: Place,
    _ number: Int64,
    by other: String,
    _ item: Item
  ) {
    report(
      place,
      "The UID \(number) is that of the \(item.kind) '\(other)', which exists, too; remove the "
        + "annotation, or to rename '\(other)' to '\(item.name)', remove the declaration of "
        + "'\(other)' (a new \(item.kind) of that name can be added after a build)"
    )
  }

  /// Tells that a file would not notice the new number of what has the same name and type.
  private mutating func reportKept(_ name: String, _ uid: UidAnnotation?, before: IdUid) {
    guard let uid else { return }
    report(
      uid.place,
      "A new UID removes nothing that is stored under the same name and type; keep "
        + "'// objectbox: uid = \(before.uid)', or give '\(name)' another name to begin anew"
    )
  }

  /// Notes that an entry has another name now.
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
    let item = Item(
      kind: "entity",
      name: entity.name,
      uid: entity.uid,
      fullName: entity.name,
      others: entities.filter { $0.uid == nil }.map(\.name)
    )
    var result: ModelFile.Entity
    switch entry(of: item, among: old.entities.map { ($0.name, $0.id.uid) }) {
    case .old(let index):
      result = old.entities[index]
      Self.rename(&result.memory, from: result.name, to: entity.name)
      result.name = entity.name
    case .new(_, let before?):
      reportKept(entity.name, entity.uid, before: old.entities[before].id)
      return
    case .new(let uid, nil):
      new.lastEntityId = IdUid(id: new.lastEntityId.id + 1, uid: uid)
      result = ModelFile.Entity(name: entity.name, id: new.lastEntityId)
    case nil: return
    }
    entities[position].id = result.id
    entities[position].formerNames = result.memory.formerNames
    new.entities.append(result)
  }

  private mutating func numberMembers(_ position: Int) {
    var result = new.entities[position]
    let previous = old.entities.first { $0.id == result.id }
    result.properties = []
    result.relations = []
    for property in entities[position].properties where !property.isBacklink {
      guard let member = member(property, of: &result, previous) else { continue }
      result[keyPath: property.members].append(member)
    }
    result.properties.sort { $0.id.id < $1.id.id }
    result.relations.sort { $0.id.id < $1.id.id }
    if let previous { Self.remember(previous, in: &result) }
    new.entities[position] = result
    for index in entities[position].properties.indices {
      update(&entities[position].properties[index], from: result)
    }
  }

  /// Tells a property what the file says of it.
  private func update(_ property: inout EntityModel.Property, from entity: ModelFile.Entity) {
    let members = entity[keyPath: property.members]
    guard let member = members.first(where: { $0.name == property.name }) else { return }
    property.id = member.id
    property.formerNames = member.memory.formerNames
    property.replacesType = member.memory.replacesType
  }

  /// Keeps the names of what is gone; what is new and has one of them replaces values of another
  /// type.
  private static func remember(_ previous: ModelFile.Entity, in result: inout ModelFile.Entity) {
    let lists = [\ModelFile.Entity.properties, \ModelFile.Entity.relations]
    let gone = lists.flatMap { list in
      previous[keyPath: list].filter { old in
        !result[keyPath: list].contains { $0.id == old.id }
      }.flatMap { $0.memory.formerNames + [$0.name] }
    }
    let removed = previous.memory.removedNames.filter { !gone.contains($0) } + gone
    let names = Set(removed.map { $0.lowercased() })
    var taken: Set<String> = []
    for list in lists {
      for index in result[keyPath: list].indices {
        let name = result[keyPath: list][index].name.lowercased()
        guard names.contains(name) else { continue }
        result[keyPath: list][index].memory.replacesType = true
        taken.insert(name)
      }
    }
    result.memory.removedNames = removed.filter { !taken.contains($0.lowercased()) }
  }

  // MARK: - Properties and relations

  private mutating func member(
    _ property: EntityModel.Property,
    of entity: inout ModelFile.Entity,
    _ previous: ModelFile.Entity?
  ) -> ModelFile.Member? {
    let known = previous?[keyPath: property.members] ?? []
    let isToMany = property.isToMany
    var result: ModelFile.Member
    switch entry(of: item(property, of: entity), among: known.map { ($0.name, $0.id.uid) }) {
    case .old(let index):
      result = known[index]
      if let before = formerType(of: property, result) {
        report(property.place, typeChange(property, before, of: entity))
        return nil
      }
      Self.rename(&result.memory, from: result.name, to: property.name)
    case .new(let uid, let instead):
      // Nobody knows what the type of another module is stored as.
      if let before = instead.map({ known[$0] }),
        isToMany || before.type != nil && property.type.number != nil,
        formerType(of: property, before) == nil
      {
        reportKept(property.name, property.uid, before: before.id)
        return nil
      }
      let last = isToMany ? new.lastRelationId : entity.lastPropertyId
      let id = IdUid(id: last.id + 1, uid: uid)
      if isToMany { new.lastRelationId = id } else { entity.lastPropertyId = id }
      result = ModelFile.Member(id: id)
    case nil: return nil
    }
    result.name = property.name
    let target = target(of: property)
    if isToMany {
      result.targetId = target?.id
      return result
    }
    if property.type.isAlias, result.type == nil {
      result.flags = property.flagBits & ~PropertyFlag.unsigned.rawValue
    } else {
      result.type = property.type.number ?? result.type
      result.flags = property.flagBits
    }
    result.relationTarget = target?.name
    if !property.hasIndex {
      result.indexId = nil
    } else if result.indexId == nil {
      let uid = uids.next(for: "index \(entity.name).\(property.name)")
      new.lastIndexId = IdUid(id: new.lastIndexId.id + 1, uid: uid)
      result.indexId = new.lastIndexId
    }
    return result
  }

  private func item(_ property: EntityModel.Property, of entity: ModelFile.Entity) -> Item {
    let all = entities.first { $0.id == entity.id }?.properties ?? []
    let others = all.filter { other in
      other.uid == nil && !other.isBacklink && other.isToMany == property.isToMany
    }
    return Item(
      kind: property.isToMany ? "relation" : "property",
      name: property.name,
      uid: property.uid,
      fullName: "\(entity.name).\(property.name)",
      others: others.map(\.name)
    )
  }

  /// The type that an entry has, if the file stores the property in another way now, or a relation leads
  /// to another entity.
  private func formerType(
    of property: EntityModel.Property,
    _ entry: ModelFile.Member
  ) -> String? {
    let target = target(of: property)
    if property.isToMany {
      guard let before = entry.targetId?.uid, before != target?.id.uid else { return nil }
      return "ToMany<\(old.entities.first { $0.id.uid == before }?.name ?? "…")>"
    }
    if property.isToOne, let name = entry.relationTarget {
      // The target may have another name now.
      let before = old.entities.first { $0.name == name }
      let isSame = before.map { $0.id == target?.id } ?? (name == target?.name)
      return isSame ? nil : "ToOne<\(name)>"
    }
    guard let type = entry.type, let number = property.type.number else { return nil }
    let isUnsigned = entry.flags & PropertyFlag.unsigned.rawValue != 0
    let before = EntityPropertyType.stored(type, isUnsigned: isUnsigned)
    let now = EntityPropertyType.stored(number, isUnsigned: property.type.isUnsigned)
    if before == now { return nil }
    if let target = entry.relationTarget { return "ToOne<\(target)>" }
    return (isUnsigned ? "U" : "") + EntityPropertyType.description(of: type)
  }

  private mutating func typeChange(
    _ property: EntityModel.Property,
    _ before: String,
    of entity: ModelFile.Entity
  ) -> String {
    let uid = uids.offer(for: "\(entity.name).\(property.name)")
    return
      "'\(property.swiftName)' was \(before) before, and values of that type are stored; declare "
      + "it so again, or begin anew without them with '// objectbox: uid = \(uid)'"
  }

  private func target(of property: EntityModel.Property) -> EntityModel? {
    entities.first { $0.declaration.fullName == property.target }
  }

  // MARK: - Retired numbers

  private mutating func retire() {
    retire(\.retiredEntityUids) { [$0.id.uid] }
    retire(\.retiredPropertyUids) { $0.properties.map(\.id.uid) }
    retire(\.retiredIndexUids) { $0.properties.compactMap(\.indexId?.uid) }
    retire(\.retiredRelationUids) { $0.relations.map(\.id.uid) }
  }

  /// Adds the numbers to a list that entities of the old file have and those of the new one have not.
  private mutating func retire(
    _ list: WritableKeyPath<ModelFile, [Int64]>,
    _ uids: (ModelFile.Entity) -> [Int64]
  ) {
    let kept = Set(new.entities.flatMap(uids))
    new[keyPath: list] += old.entities.flatMap(uids).filter { !kept.contains($0) }
  }
}

extension String {
  /// Names that differ in case alone are the same.
  fileprivate func hasSameName(as other: String) -> Bool { lowercased() == other.lowercased() }
}
