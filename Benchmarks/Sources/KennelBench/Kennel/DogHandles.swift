import KennelCore

/// The dogs by their numbers, as the program that made them keeps them: a key each.
struct DogHandles: RandomAccessCollection, Sendable {
  private let classKey: ClassKey
  private(set) var keys: [ObjectKey] = []

  init(_ classKey: ClassKey) { self.classKey = classKey }

  mutating func reserveCapacity(_ count: Int) { keys.reserveCapacity(count) }
  mutating func append(_ dog: ObjectIdentity) { keys.append(dog.key) }

  var startIndex: Int { 0 }
  var endIndex: Int { keys.count }
  subscript(number: Int) -> ObjectIdentity { ObjectIdentity(classKey, keys[number]) }
}
