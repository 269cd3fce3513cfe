@_spi(Faces) import KennelCore

/// Numbers the objects of a snapshot from 0, so that an array can say something of each.
///
/// It takes 16 bytes for 64 neighbouring keys. The numbers have gaps where keys have none.
struct ObjectNumbers {
  /// 64 neighbouring keys, and which of them are those of objects.
  private struct Block {
    let number: UInt64
    var live: UInt64
  }

  private struct Class {
    let key: ClassKey
    /// The number of the first key of the first block.
    let start: Int
    var blocks: [Block] = []
    var end: Int { start + blocks.count * 64 }
  }

  private let schema: Schema
  /// In the order of the schema.
  private var classes: [Class] = []

  /// Linear in the number of objects.
  ///
  /// - Throws: `DatabaseError` if the file is damaged, or the work was cancelled.
  init(_ snapshot: Snapshot, _ progress: QueryProgress) throws(DatabaseError) {
    schema = snapshot.schema
    for classSchema in schema.classes {
      var numbered = Class(key: classSchema.key, start: classes.last?.end ?? 0)
      try snapshot.visitObjects(of: classSchema.key) { (_) throws(DatabaseError) in
        try progress.show(0, of: 1)
      } _: { object throws(DatabaseError) in
        let block = object.key.rawValue >> 6
        if numbered.blocks.last?.number != block {
          numbered.blocks.append(Block(number: block, live: 0))
        }
        numbered.blocks[numbered.blocks.count - 1].live |= 1 << (object.key.rawValue & 63)
      }
      classes.append(numbered)
    }
  }

  /// How many numbers there are, with the gaps.
  var count: Int { classes.last?.end ?? 0 }

  /// The numbers of a class.
  func range(of classKey: ClassKey) -> Range<Int> {
    guard let position = schema.position(of: classKey) else { return 0..<0 }
    return classes[position].start..<classes[position].end
  }

  /// The number of an object; `nil` if there is no such object.
  func number(of object: ObjectIdentity) -> Int? {
    guard let position = schema.position(of: object.classKey) else { return nil }
    let blocks = classes[position].blocks
    guard let index = Self.index(of: object.key.rawValue >> 6, in: blocks),
      blocks[index].live >> (object.key.rawValue & 63) & 1 == 1
    else { return nil }
    return classes[position].start + index * 64 + Int(object.key.rawValue & 63)
  }

  private static func index(of number: UInt64, in blocks: [Block]) -> Int? {
    guard let first = blocks.first, number >= first.number else { return nil }
    // Most classes have no gaps.
    let guess = number - first.number
    if guess < UInt64(blocks.count), blocks[Int(guess)].number == number { return Int(guess) }
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < blocks.count && blocks[low].number == number ? low : nil
  }

  /// The object with a number that ``number(of:)`` returned.
  func object(_ number: Int) -> ObjectIdentity? {
    guard let numbered = classes.first(where: { $0.start <= number && number < $0.end }) else {
      return nil
    }
    let block = numbered.blocks[(number - numbered.start) / 64]
    let key = block.number << 6 | UInt64((number - numbered.start) % 64)
    return ObjectIdentity(numbered.key, ObjectKey(rawValue: key))
  }

  /// Calls a body with the number of every object of a class, ascending.
  func forEach(
    of classKey: ClassKey,
    _ body: (Int, ObjectIdentity) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    guard let position = schema.position(of: classKey) else { return }
    var start = classes[position].start
    for block in classes[position].blocks {
      var live = block.live
      while live != 0 {
        let place = live.trailingZeroBitCount
        live &= live - 1
        let key = ObjectKey(rawValue: block.number << 6 | UInt64(place))
        try body(start + place, ObjectIdentity(classKey, key))
      }
      start += 64
    }
  }
}
