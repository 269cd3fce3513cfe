public import KennelStorage

/// Reading the value at a path from many objects at once.
extension DatabaseReader {
  /// Returns the value at a path from each of some objects.
  ///
  /// Takes some tens of nanoseconds per object if the keys ascend and the path ends in a property;
  /// about a microsecond if it ends in an aggregate or in values of type decimal128 or mixed. For a
  /// property of numbers, every NaN is returned as the same NaN, and −0.0 as 0.0.
  ///
  /// - Parameters:
  ///   - objects: The objects, which must exist.
  ///   - path: The path, checked for their class in this reader's schema.
  /// - Returns: A value for each object, in their order; null where a link on the way is null.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func values(
    of objects: Objects,
    at path: ValuePath
  ) throws(DatabaseError) -> [Value] {
    try storing { () throws(StorageError) in
      try ValueGathering(reader: self, classKey: objects.classKey, path: path.checked)
        .values(of: objects.keys)
    }
  }
}

/// Makes values of the columns that a scanner gathers.
private struct ValueGathering {
  let reader: DatabaseReader
  let classKey: ClassKey
  let path: Condition.Path

  func values(of objects: [ObjectKey]) throws(StorageError) -> [Value] {
    guard path.aggregate == nil, let end = LinkSteps.directProperty(path.hops.last),
      let steps = LinkSteps(path.hops.dropLast(), from: classKey)
    else { return try interpreted(objects) }
    let scanner = reader.view.scanner
    let keys = try steps.targets(of: objects, scanner)
    switch ColumnType(end.type).form {
    case .words: return words(try scanner.gatherWords(steps.end, keys, end), end)
    case .pairs where end.type.kind.pairOrderMask != nil:
      return try pairs(try scanner.gatherPairs(steps.end, keys, end), end)
    case .cells where end.type.kind != .mixed:
      guard let found = try scanner.gatherText(steps.end, keys, end) else {
        return try interpreted(objects)
      }
      return try texts(found, end)
    case .pairs, .cells, .keys, .collections: return try interpreted(objects)
    }
  }

  private func words(_ found: GatheredWords, _ property: PropertySchema) -> [Value] {
    let order = WordOrder(property.type.kind)
    let target = property.target
    return found.words.indices.map { index in
      if !found.nulls.isEmpty, found.nulls[index] { return .null }
      let word = found.words[index]
      guard let target else { return order.value(ofRank: word) }
      return word == 0 ? .null : .link(ObjectIdentity(target, ObjectKey(rawValue: word)))
    }
  }

  private func pairs(
    _ found: GatheredPairs,
    _ property: PropertySchema
  ) throws(StorageError) -> [Value] {
    let kind = property.type.kind
    let turn = kind.pairOrderMask ?? 0
    var values: [Value] = []
    values.reserveCapacity(found.firsts.count)
    for index in found.firsts.indices {
      let isNull = !found.nulls.isEmpty && found.nulls[index]
      let pair = (found.firsts[index] ^ turn, found.seconds[index])
      values.append(isNull ? .null : try Value(pair: pair, kind: kind))
    }
    return values
  }

  private func texts(
    _ found: GatheredText,
    _ property: PropertySchema
  ) throws(StorageError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(found.starts.count - 1)
    for index in 0..<found.starts.count - 1 {
      if !found.nulls.isEmpty, found.nulls[index] {
        values.append(.null)
        continue
      }
      let bytes = found.bytes[Int(found.starts[index])..<Int(found.starts[index + 1])]
      values.append(
        property.type.kind == .data
          ? .data(Array(bytes)) : .string(String(decoding: bytes, as: UTF8.self))
      )
    }
    return values
  }

  /// What no column has: decimals, mixed values, aggregates.
  private func interpreted(_ objects: [ObjectKey]) throws(StorageError) -> [Value] {
    let interpreter = Interpreter(view: reader.view, links: reader.links)
    var values: [Value] = []
    values.reserveCapacity(objects.count)
    for key in objects {
      let object = ObjectIdentity(classKey, key)
      values.append(try interpreter.values(path, .init(object: object)).first ?? .null)
    }
    return values
  }
}
