/// What a reading may still produce, in bytes.
///
/// A node of 16 million nulls takes eight bytes of a file, and many nodes can refer to the same
/// one. No Realm writes that, so a reading that produces too much for its file meets damage.
final class Budget {
  private var left: Int
  private let all: Int

  init(_ bytes: Int) {
    left = bytes
    all = bytes
  }

  /// For one column of a cluster: what is in memory at a time.
  static func ofColumn(fileSize: Int) -> Budget {
    Budget(96 << 20 + 4 * fileSize)
  }

  /// For all objects of a class.
  static func ofClass(fileSize: Int) -> Budget {
    Budget(1 << 30 + (fileSize.multipliedReportingOverflow(by: 1024).partialValue & .max))
  }

  /// What the visit of a node takes, for trees of nodes without elements.
  private static let node = 256

  /// Takes `count` elements, the bytes of them that are not in the elements, and visits of nodes.
  func spend(
    elements count: Int,
    bytes size: Int = 0,
    nodes: Int = 0,
    at offset: Int
  ) throws(RealmFileError) {
    let bytes = size + nodes * Self.node
    let cost = count.multipliedReportingOverflow(by: MemoryLayout<RealmValue>.stride)
    guard size >= 0, !cost.overflow, cost.partialValue <= left, bytes <= left - cost.partialValue
    else {
      throw damaged("values that are far larger than the file", at: offset)
    }
    left -= cost.partialValue + bytes
  }

  /// Takes what another budget spent.
  func spend(_ other: Budget, at offset: Int) throws(RealmFileError) {
    let cost = other.all - other.left
    guard cost <= left else {
      throw damaged("objects that are far larger than the file", at: offset)
    }
    left -= cost
  }
}
