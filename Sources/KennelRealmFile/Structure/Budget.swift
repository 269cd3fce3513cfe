/// Bounds what a reading may produce, and finds what is read twice.
///
/// A node of 16 million nulls takes eight bytes of a file, and nodes of a hostile file can share
/// their children. Realm writes neither, but in short lists of nulls or zeros.
final class Budget {
  /// The bytes that nodes whose elements take fewer than `densest` may still become.
  private var left: Int
  /// All that was read, in bytes of memory, and what may be.
  private var work = 0
  private let mostWork: Int
  private var seen: Set<Int> = []

  /// The bytes that a value takes in memory.
  private static let value = MemoryLayout<RealmValue>.stride
  /// The bytes of values that a byte of the file holds at most, if elements take a bit or more.
  private static let densest = 8 * value
  /// The work of visiting a node.
  private static let node = 256

  private init(sparse: Int, work: Int) {
    left = sparse
    mostWork = work
  }

  /// For one column of a cluster: what is in memory at a time.
  static func ofColumn() -> Budget {
    Budget(sparse: 128 << 20, work: .max)
  }

  /// For all objects of a class: what takes time.
  static func ofClass(fileSize: Int) -> Budget {
    let work = fileSize.multipliedReportingOverflow(by: 2048)
    return Budget(sparse: .max, work: work.overflow ? .max : max(1 << 30, work.partialValue))
  }

  /// Whether nothing more may be read.
  var isSpent: Bool { work == mostWork }

  /// Takes the elements of a node, which must not have been visited.
  func visit(_ node: Node) throws(RealmFileError) {
    guard seen.insert(node.offset).inserted else {
      throw damaged("a node that two others refer to", at: node.offset)
    }
    let values = node.packing == .blob ? 0 : node.count * Self.value
    let sparse = max(0, values - node.byteCount * Self.densest)
    guard sparse <= left else {
      throw damaged("values that are far larger than the file", at: node.offset)
    }
    left -= sparse
    work += Self.node + node.byteCount + values
  }

  /// Takes what was read with another budget.
  func spend(_ other: Budget, at offset: Int) throws(RealmFileError) {
    guard other.work <= mostWork - work else {
      work = mostWork
      throw damaged("objects that are far larger than the file", at: offset)
    }
    work += other.work
  }
}
