import KennelStorage

extension DraftRecord {
  /// The greatest number that is believed.
  private static let limit = 1 << 53
  /// An operation with the commit that it was made on; the first journals have none.
  private static let kind: UInt8 = 3
  private static let firstKind: UInt8 = 1

  internal var encoded: [UInt8] {
    var writer = JournalBodyWriter()
    writer.append(Self.kind)
    writer.append(UInt64(number))
    writer.append(UInt64(step))
    writer.append(UInt64(commit))
    writer.append(UInt8(created == nil ? 0 : 1))
    if let created { writer.append(created) }
    writer.append(operation)
    writer.append(seen)
    writer.append(confirmed)
    return writer.bytes
  }

  /// Reads a record; what follows one before it has a greater number.
  internal init(
    _ body: ArraySlice<UInt8>,
    after last: DraftRecord?
  ) throws(JournalFault) {
    var reader = JournalBodyReader(body)
    let kind: UInt8 = try reader.number()
    guard kind == Self.kind || kind == Self.firstKind else {
      throw .damaged("it is of an unknown kind")
    }
    let number: UInt64 = try reader.number()
    let step: UInt64 = try reader.number()
    let first = UInt64(last?.number ?? 0)
    let isInOrder =
      number > first && number < Self.limit && step > 0 && step <= number
      && step >= UInt64(last?.step ?? 0)
    guard isInOrder else { throw .damaged("its number is out of order") }
    self.number = Int(number)
    self.step = Int(step)
    let commit: UInt64 = kind == Self.kind ? try reader.number() : 0
    self.commit = Int(clamping: commit)
    created = try reader.flag() ? try reader.object() : nil
    operation = try reader.operation()
    seen = try reader.currentPrecondition()
    confirmed = try reader.confirmation()
    stamp = DraftStamp()
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
    case .delete: return false
    }
  }
}
