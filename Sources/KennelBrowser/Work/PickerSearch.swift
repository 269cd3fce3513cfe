internal import KennelCore

/// Finds objects by a part of their text.
struct PickerSearch: Sendable {
  let text: String
  let target: ClassKey
  let limit: Int

  func run(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> [ObjectKey] {
    guard let schema = snapshot.schema[target] else { return [] }
    var keys: [ObjectKey] = []
    if let number = UInt64(text), number > 0, number < ObjectKey.firstProvisional {
      let key = ObjectKey(rawValue: number)
      if try snapshot.contains(ObjectIdentity(target, key)) { keys.append(key) }
    }
    if let primaryKey = schema.primaryKey,
      case .success(let value) = ScalarText.parse(text, as: primaryKey.type),
      let object = try snapshot.find(target, primaryKey: value), !keys.contains(object.key)
    {
      keys.append(object.key)
    }
    let texts = schema.properties.filter { $0.type.kind == .string && !$0.isCollection }
    let query = texts.indices.map { "\(texts[$0].name) CONTAINS[c] $0" }
    let predicate = try? Predicate.parse(
      query.joined(separator: " OR "),
      for: target,
      in: snapshot.schema,
      arguments: [.string(text)]
    )
    guard !texts.isEmpty, let predicate else { return keys }
    let progress = QueryProgress(of: context)
    let found = try snapshot.objects(of: target, where: predicate, limit: limit, progress: progress)
      .keys
    return keys + found.filter { !keys.contains($0) }
  }
}
