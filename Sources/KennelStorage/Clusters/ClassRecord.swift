/// The record of a class beside its schema, in the tree `meta`.
///
/// | bytes | what |
/// |---|---|
/// | 0…7 | the next object key to give out |
/// | 8…15 | how many objects live |
/// | 16…23 | the last cluster, all ones where there is none |
@usableFromInline
package struct ClassRecord: Hashable, Sendable {
  @usableFromInline package var nextKey: UInt64 = 1
  @usableFromInline package var count: UInt64 = 0
  package var lastCluster: UInt64?

  package init() {}

  package static func key(of classKey: ClassKey) -> UInt64 {
    0x1000 + UInt64(classKey.rawValue)
  }

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: nextKey)
    bytes.append(number: count)
    bytes.append(number: lastCluster ?? .max)
    return bytes
  }

  package init(decoding bytes: StoredBytes, for classKey: ClassKey) throws(StorageError) {
    var reader = ByteReader(bytes, key: Self.key(of: classKey), what: "class record")
    nextKey = try reader.read(UInt64.self)
    count = try reader.read(UInt64.self)
    let last = try reader.read(UInt64.self)
    lastCluster = last == .max ? nil : last
    // The last cluster is the one of the last key that was given out.
    let expected: UInt64? = nextKey == 1 ? nil : (nextKey &- 1) >> 8
    guard reader.isAtEnd, nextKey >= 1, nextKey <= ObjectKey.firstProvisional, count < nextKey,
      lastCluster == expected
    else {
      throw reader.damage("its counts do not fit together")
    }
  }
}
