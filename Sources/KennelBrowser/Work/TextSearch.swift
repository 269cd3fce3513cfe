internal import KennelCore

/// Looks for a pattern in what the cells of a class show, from an object on and around the end.
struct TextSearch: Sendable {
  let pattern: SearchPattern
  let classKey: ClassKey
  let properties: [PropertySchema]
  /// The rows to search; `nil` for all objects in the order of their keys.
  let keys: ResultKeys?
  var start: ObjectKey?
  var isForward: Bool

  /// So many objects are searched between two reports of how far it is.
  private static let batch = 4_096
  /// A longer value is searched no further than the screen would show it.
  private static let mostBytes = 1_024

  /// Finds the next place.
  func run(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> FoundPlace? {
    try places(upTo: 1, in: snapshot, context).first
  }

  /// Finds all places from the first row on.
  func matches(in snapshot: Snapshot, _ context: JobContext) throws(DatabaseError) -> [UInt64] {
    var all = self
    (all.start, all.isForward) = (nil, true)
    return try all.places(upTo: SearchMatches.most + 1, in: snapshot, context).map(\.number)
  }

  /// Finds so many places, in their order.
  private func places(
    upTo most: Int,
    in snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> [FoundPlace] {
    if pattern.isExpression {
      let properties = properties.filter { !$0.isCollection }
      return try scan(found: [], properties, upTo: most, in: snapshot, context)
    }
    let (texts, others) = try conditions(in: snapshot, context)
    var found: [ObjectKey] = []
    if !texts.isEmpty {
      let progress = QueryProgress(of: context)
      found = try snapshot.objects(of: classKey, where: .or(texts), progress: progress).keys
    }
    return try scan(found: found, others, upTo: most, in: snapshot, context)
  }

  // MARK: - Texts, which the query engine finds

  /// The conditions for the text in strings and in the names of targets, and the other properties that may
  /// show it.
  private func conditions(
    in snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> (texts: [Predicate], others: [PropertySchema]) {
    let schema = snapshot.schema
    let needle = pattern.folded
    var texts: [Predicate] = []
    var others: [PropertySchema] = []
    for property in properties where !property.isCollection {
      switch property.type.kind {
      case .string: texts.append(condition([.property(property.name)]))
      case .link:
        let target = property.target.flatMap { schema[$0] }
        let names = target?.properties.filter { $0.type.kind == .string && !$0.isCollection } ?? []
        // The name of an object without a text is its class and its key.
        let isKey = needle.allSatisfy { byte in
          Self.digits.contains(byte)
            || SearchPattern.folded("\(target?.name ?? "") /").contains(byte)
        }
        if names.isEmpty || isKey { others.append(property) }
        texts += names.map { condition([.property(property.name), .property($0.name)]) }
      case .mixed: others.append(property)
      case .int where !(try mayShow(property, in: snapshot, context)): continue
      case let kind:
        let letters = KindEditor(kind).letters ?? []
        if needle.allSatisfy(letters.contains) { others.append(property) }
      }
    }
    return (texts, others)
  }

  /// Whether any whole number may show the digits that are looked for: it is as great as they are.
  private func mayShow(
    _ property: PropertySchema,
    in snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> Bool {
    let digits = pattern.text.first == "-" ? pattern.text.dropFirst() : pattern.text[...]
    if digits.isEmpty { return true }
    guard digits.utf8.first != UInt8(ascii: "+"), let number = UInt64(digits),
      number <= Int64.min.magnitude
    else { return false }
    let least = Int64(clamping: number)
    func condition(_ comparator: Predicate.Comparator, _ bound: Int64) -> Predicate {
      let path = Predicate.Expression.path(Predicate.Path([.property(property.name)]))
      return .comparison(Predicate.Comparison(path, comparator, .literal(.int(bound))))
    }
    let far = Predicate.or([condition(.greaterOrEqual, least), condition(.lessOrEqual, -least)])
    let progress = QueryProgress(of: context)
    return try snapshot.count(of: classKey, where: far, progress: progress) > 0
  }

  private func condition(_ steps: [Predicate.Step]) -> Predicate {
    .comparison(
      Predicate.Comparison(
        .path(Predicate.Path(steps)),
        .contains,
        .literal(.string(pattern.text)),
        options: .caseInsensitive
      )
    )
  }

  private static let digits = Set("-0123456789".utf8)

  // MARK: - The rows, one after the other

  private func scan(
    found: [ObjectKey],
    _ others: [PropertySchema],
    upTo most: Int,
    in snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> [FoundPlace] {
    var places: [FoundPlace] = []
    // Where nothing else can show it, what was found is all there is to look at.
    let isAll = keys == nil && others.isEmpty
    let rows = isAll ? found : keys?.keys
    let found = isAll ? [] : Set(found)
    let total = max(1, rows?.count ?? snapshot.count(of: classKey))
    let columns = try columns(of: others, in: snapshot.schema)
    let others = others.filter { !KindEditor($0.type.kind).isColumn }
    var position = start
    var seen = 0
    var hasWrapped = false
    while seen < total + Self.batch, !context.isCancelled {
      let batch = try next(after: position, of: rows, in: snapshot)
      var shown: Set<ObjectKey> = []
      for path in columns { shown.formUnion(try matches(at: path, batch, in: snapshot)) }
      for key in batch {
        // An expression may take long in each object.
        if context.isCancelled { return places }
        let isStart = key == start
        let isFound = isAll || shown.contains(key) || found.contains(key)
        let looked = isFound ? properties : others
        if !looked.isEmpty, let property = try match(key, looked, in: snapshot) {
          places.append(FoundPlace(key: key, property: property, hasWrapped: hasWrapped))
          if places.count == most { return places }
        }
        if isStart, hasWrapped { return places }
      }
      seen += batch.count
      context.report(progress: Double(seen) / Double(total))
      position = batch.last
      if batch.count < Self.batch {
        if hasWrapped || start == nil { return places }
        hasWrapped = true
        position = nil
      }
    }
    return places
  }

  /// The paths to the values that are read from many objects at once.
  private func columns(
    of properties: [PropertySchema],
    in schema: Schema
  ) throws(DatabaseError) -> [ValuePath] {
    var paths: [ValuePath] = []
    for property in properties where KindEditor(property.type.kind).isColumn {
      do throws(PredicateError) {
        let path = Predicate.Path([.property(property.name)])
        paths.append(try ValuePath("\(path)", of: classKey, in: schema))
      } catch {
        throw DatabaseError(.invalidPredicate, error.message)
      }
    }
    return paths
  }

  /// The objects whose value at a path shows what is looked for.
  private func matches(
    at path: ValuePath,
    _ batch: [ObjectKey],
    in snapshot: Snapshot
  ) throws(DatabaseError) -> [ObjectKey] {
    // Ascending keys are read faster.
    let batch = isForward ? batch : batch.reversed()
    let values = try snapshot.values(of: Objects(classKey, batch), at: path)
    return zip(batch, values).compactMap { key, value in
      !value.isNull && pattern.isFound(in: ScalarText.text(of: value)) ? key : nil
    }
  }

  /// The rows behind one of them, which need not be in `rows` where these ascend; `nil` for all objects.
  private func next(
    after key: ObjectKey?,
    of rows: [ObjectKey]?,
    in snapshot: Snapshot
  ) throws(DatabaseError) -> [ObjectKey] {
    if let rows {
      let place = key.flatMap { key in
        rows.firstIndex { keys == nil ? $0 >= key : $0 == key }
      }
      if isForward {
        let isUnknown = key == nil || keys != nil
        let first = place.map { rows[$0] == key ? $0 + 1 : $0 } ?? (isUnknown ? 0 : rows.count)
        return Array(rows[first..<min(rows.count, first + Self.batch)])
      }
      let end = place ?? rows.count
      return rows[max(0, end - Self.batch)..<end].reversed()
    }
    guard isForward else {
      return try snapshot.objects(of: classKey, before: key, limit: Self.batch).keys
    }
    let from = key.map { ObjectKey(rawValue: $0.rawValue + 1) }
    return try snapshot.objects(of: classKey, from: from, limit: Self.batch).keys
  }

  private func match(
    _ key: ObjectKey,
    _ looked: [PropertySchema],
    in snapshot: Snapshot
  ) throws(DatabaseError) -> PropertyKey? {
    let object = ObjectIdentity(classKey, key)
    for property in looked where !property.isCollection {
      let value = try snapshot.preview(of: object, property: property.key, limit: Self.mostBytes)
        .value
      let shown: String
      switch value.shape {
      case .null: continue
      case .link(let target): shown = try snapshot.displayName(of: target, limit: 60)
      case .list, .set, .map:
        var names: [ObjectIdentity: String] = [:]
        for target in value.links where names[target] == nil {
          names[target] = try snapshot.displayName(of: target, limit: 60)
        }
        shown = NestedFormatter { names[$0] ?? "" }.text(value)
      case .scalar:
        shown = ScalarText.text(of: value)
      }
      if pattern.isFound(in: shown) { return property.key }
    }
    return nil
  }
}

/// Where a text was found.
struct FoundPlace: Hashable, Sendable {
  var key: ObjectKey
  var property: PropertyKey?
  /// The place of the element, in a collection.
  var index: Int?
  /// Whether the search went past the end and began again.
  var hasWrapped: Bool

  /// Tells the places of one view apart.
  var number: UInt64 { index.map { UInt64($0) } ?? key.rawValue }
}
