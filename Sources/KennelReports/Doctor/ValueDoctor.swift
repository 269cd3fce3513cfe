@_spi(Faces) import KennelCore

/// Reads the values of one class that are no links.
struct ValueDoctor {
  let classSchema: ClassSchema
  let snapshot: Snapshot

  /// Finds unexpected nulls, elements that are in a list twice, and primary keys that lead elsewhere.
  func run(step: QueryProgress.Step) throws(DatabaseError) -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    for property in classSchema.properties where !property.isCollection && !property.type.isOptional
    {
      if let nulls = try nulls(of: property) { findings.append(nulls) }
    }
    for property in classSchema.properties {
      if let values = try danglingValues(in: property) { findings.append(values) }
    }
    let lists = classSchema.properties.filter(Self.hasNames)
    guard classSchema.primaryKey != nil || !lists.isEmpty else { return findings }
    var doubled = Array(repeating: FoundObjects(), count: lists.count)
    var misled = FoundObjects()
    try snapshot.visitObjects(of: classSchema.key, step: step) { object throws(DatabaseError) in
      for (index, list) in lists.enumerated() where try hasDuplicates(object, list) {
        doubled[index].add(object)
      }
      if try isMisled(object) { misled.add(object) }
    }
    for (list, objects) in zip(lists, doubled) where objects.count > 0 {
      let name = "\(classSchema.name).\(list.name)"
      let text = "\(name) has the same value twice in \(counted(objects.count, "object"))"
      findings.append(DoctorFinding(.duplicateElement, objects, of: classSchema, list.name, text))
    }
    if let property = classSchema.primaryKey, misled.count > 0 {
      let text =
        "The primary key of \(counted(misled.count, "object")) of \(classSchema.name) "
        + "leads to another object or none"
      findings.append(DoctorFinding(.wrongPrimaryKey, misled, of: classSchema, property.name, text))
    }
    return findings
  }

  /// Whether the values of a list are names of something, so that none is expected twice.
  private static func hasNames(_ property: PropertySchema) -> Bool {
    guard property.type.collection == .list else { return false }
    return property.type.kind.canBePrimaryKey && !property.type.kind.isNumber
  }

  private func nulls(of property: PropertySchema) throws(DatabaseError) -> DoctorFinding? {
    try finding(.unexpectedNull, property, .equal) { name, count in
      "\(name) is null in \(count), which its type does not allow"
    }
  }

  /// Finds what the foreign keys of an SQL database referred to and did not find, which is kept beside the
  /// link that it would be.
  private func danglingValues(
    in property: PropertySchema
  ) throws(DatabaseError) -> DoctorFinding? {
    let ending = "_dangling"
    guard property.name.hasSuffix(ending),
      classSchema[String(property.name.dropLast(ending.count))]?.target != nil
    else { return nil }
    return try finding(.danglingLink, property, .notEqual) { name, count in
      "\(name.dropLast(ending.count)) refers to what does not exist in \(count)"
    }
  }

  /// A finding about the objects whose value of a property is null or not.
  private func finding(
    _ kind: DoctorFinding.Kind,
    _ property: PropertySchema,
    _ comparator: Predicate.Comparator,
    _ text: (_ name: String, _ count: String) -> String
  ) throws(DatabaseError) -> DoctorFinding? {
    let path = Predicate.Path([.property(property.name)])
    let condition = Predicate.comparison(.init(.path(path), comparator, .literal(.null)))
    let found = try snapshot.objects(of: classSchema.key, where: condition)
    guard !found.isEmpty else { return nil }
    var objects = FoundObjects()
    for object in found { objects.add(object) }
    return DoctorFinding(
      kind,
      objects,
      of: classSchema,
      property.name,
      query: condition.description,
      text("\(classSchema.name).\(property.name)", counted(found.count, "object"))
    )
  }

  private func hasDuplicates(
    _ object: ObjectIdentity,
    _ list: PropertySchema
  ) throws(DatabaseError) -> Bool {
    guard try snapshot.elementCount(of: object, property: list.key) > 1,
      case .list(let values) = try snapshot.value(of: object, property: list.key)
    else { return false }
    let names = values.filter { !$0.isNull }
    return Set(names).count < names.count
  }

  /// Whether the primary key of an object finds another object or none.
  private func isMisled(_ object: ObjectIdentity) throws(DatabaseError) -> Bool {
    guard let property = classSchema.primaryKey else { return false }
    let value = try snapshot.value(of: object, property: property.key)
    return try snapshot.find(classSchema.key, primaryKey: value) != object
  }
}
