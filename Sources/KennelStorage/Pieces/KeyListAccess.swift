/// A list of keys wherever it lies.
package enum KeyListAccess {
  case none
  case array([UInt64])
  case stored(PackedKeys)
  case long(LongKeyList, PieceStore)

  package var count: Int {
    switch self {
    case .none: 0
    case .array(let keys): keys.count
    case .stored(let keys): keys.count
    case .long(let list, _): list.count
    }
  }

  /// A window of the list; the range must lie in `0..<count`.
  package func keys(_ range: Range<Int>) throws(StorageError) -> [UInt64] {
    switch self {
    case .none: []
    case .array(let keys): Array(keys[range])
    case .stored(let keys): range.map { keys[$0] }
    case .long(let list, let pieces): try pieces.keys(of: list, in: range)
    }
  }

  /// All keys of the list.
  package func keys() throws(StorageError) -> [UInt64] { try keys(0..<count) }
}
