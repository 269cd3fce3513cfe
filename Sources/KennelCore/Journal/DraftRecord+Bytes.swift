import KennelStorage

extension DraftRecord {
  /// The greatest number that is believed.
  private static let limit = 1 << 53
  /// An operation with the commit that it was made on; the first journals have none.
  private static let kind: UInt8 = 3
  private static let firstKind: UInt8 = 1
  /// An operation whose objects have names.
  private static let namedKind: UInt8 = 4

  /// The record as an entry, with the names of its objects where they have names.
  internal func encoded(_ names: DraftNames?) -> [UInt8] {
    var writer = JournalBodyWriter()
    writer.append(names == nil ? Self.kind : Self.namedKind)
    writer.append(UInt64(number))
    writer.append(UInt64(step))
    writer.append(UInt64(request.commit))
    writer.append(UInt8(created == nil ? 0 : 1))
    if let created { writer.append(created) }
    writer.append(operation)
    writer.append(seen)
    writer.append(confirmed)
    names?.write(request.objects, to: &writer)
    return writer.bytes
  }

  /// Reads a record; what follows one before it has a greater number.
  internal init(
    _ body: ArraySlice<UInt8>,
    after last: DraftRecord?,
    by names: DraftNames?
  ) throws(JournalFault) {
    var reader = JournalBodyReader(body)
    let kind: UInt8 = try reader.number()
    guard [Self.kind, Self.firstKind, Self.namedKind].contains(kind) else {
      throw .damaged("it is of an unknown kind")
    }
    let number: UInt64 = try reader.number()
    let step: UInt64 = try reader.number()
    let first = UInt64(last?.number ?? 0)
    let isInOrder =
      number > first && number < Self.limit && step > 0 && step <= number
      && step >= UInt64(last?.step ?? 0)
    guard isInOrder else { throw .damaged("its number is out of order") }
    let commit: UInt64 = kind == Self.firstKind ? 0 : try reader.number()
    let created = try reader.flag() ? try reader.object() : nil
    var request = DraftRequest(
      try reader.operation(),
      seen: try reader.currentPrecondition(),
      created: created,
      confirmed: try reader.confirmation(),
      commit: Int(clamping: commit)
    )
    if kind == Self.namedKind {
      var keys = try DraftNames.read(&reader, by: names)
      for object in request.objects where keys[object] == nil { keys[object] = object.neverThere }
      if names != nil {
        request = request.changed(
          operation: request.operation.mapped(keys),
          seen: request.seen.mapped(keys),
          confirmed: BlastRadius()
        )
      }
    }
    self.init(number: Int(number), step: Int(step), request)
    guard reader.isAtEnd else { throw .damaged("it is too long") }
    guard isPlausible else { throw .damaged("the object that it makes is none of a draft") }
  }

  /// Whether only what makes an object has made one, under a key that a draft could have given.
  private var isPlausible: Bool {
    guard let created else { return true }
    // No draft makes more objects than this of one class; as many more would be looked for.
    let isNew =
      created.key.isProvisional && created.key.rawValue < ObjectKey.firstProvisional + 1 << 26
    switch operation {
    case .create(let classKey, _): return isNew && created.classKey == classKey
    case .change(_, let change): return change == .create && isNew
    case .delete, .schema: return false
    }
  }
}
