import KennelCore

/// Which keys the objects of a class get from documents, and which object a document's key means.
struct ObjectKeys {
  /// Whether objects get the keys of the documents: no object of the class ever had one.
  private(set) var keepsKeys: Bool
  /// The keys that a dump says the next documents have, the first last.
  private var listed: [ClosedRange<UInt64>]
  /// The key that an object got whose document has another one.
  private var moved: [UInt64: UInt64] = [:]
  /// Keys that objects have and documents do not mean by the same number, ascending.
  private var others: [ClosedRange<UInt64>] = []

  init(keepsKeys: Bool, listed: [ClosedRange<UInt64>] = []) {
    self.keepsKeys = keepsKeys
    self.listed = listed.reversed()
  }

  /// The key that a dump says the next document's object has.
  mutating func nextListed() -> UInt64? {
    guard let range = listed.popLast() else { return nil }
    if range.count > 1 { listed.append(range.lowerBound + 1...range.upperBound) }
    return range.lowerBound
  }

  /// The key that an object can be given where its document says one; `nil` for the next free one.
  func key(for wanted: UInt64, next: ObjectKey) -> ObjectKey? {
    keepsKeys && wanted >= next.rawValue && wanted - next.rawValue < 1 << 40
      ? ObjectKey(rawValue: wanted) : nil
  }

  /// Notes which key an object got; false where its document's came before.
  mutating func note(_ key: ObjectKey, for wanted: UInt64?) -> Bool {
    guard let wanted else {
      others.append(key: key.rawValue)
      return true
    }
    guard wanted != key.rawValue else {
      return moved[wanted] == nil
    }
    others.append(key: key.rawValue)
    return moved.updateValue(key.rawValue, forKey: wanted) == nil
  }

  /// Whether a document with that key came, and its object kept it.
  func isKept(_ number: UInt64, next: ObjectKey) -> Bool {
    keepsKeys && number < next.rawValue && !isOther(number)
  }

  /// The key of the object that documents call by a number.
  func key(of number: UInt64) -> ObjectKey? {
    if let key = moved[number] { return ObjectKey(rawValue: key) }
    return keepsKeys && number > 0 && number < ObjectKey.firstProvisional && !isOther(number)
      ? ObjectKey(rawValue: number) : nil
  }

  private func isOther(_ number: UInt64) -> Bool {
    var low = 0
    var high = others.count
    while low < high {
      let middle = (low + high) / 2
      if others[middle].contains(number) { return true }
      if others[middle].lowerBound > number { high = middle } else { low = middle + 1 }
    }
    return false
  }
}

extension DatabaseError {
  /// A line has a key that is not greater than those before, where objects keep the keys of lines.
  static func notAscending(_ key: UInt64, after last: UInt64) -> DatabaseError {
    DatabaseError(
      .outOfRange,
      "the objects of a class must come in the order of their keys, each once: "
        + "\(key) comes after \(last)"
    )
  }
}

extension [ClosedRange<UInt64>] {
  /// Appends a key that is greater than all others.
  mutating func append(key: UInt64) {
    if let last, last.upperBound + 1 == key {
      self[count - 1] = last.lowerBound...key
    } else {
      append(key...key)
    }
  }
}
