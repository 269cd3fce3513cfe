extension Value {
  /// The word that stands for this scalar, if it is one of a word's kinds.
  @inlinable
  package var word: UInt64? {
    switch self {
    case .bool(let value): value.storedWord
    case .int(let value): value.storedWord
    case .float(let value): value.storedWord
    case .double(let value): value.storedWord
    case .link(let identity): identity.key.rawValue
    case .null, .string, .data, .date, .objectId, .uuid, .decimal128, .list, .set, .map: nil
    }
  }

  /// The two words that stand for this scalar, if it is one of a pair's kinds.
  package var pair: (UInt64, UInt64)? {
    switch self {
    case .date(let value): value.storedPair
    case .objectId(let value): value.storedPair
    case .uuid(let value): value.storedPair
    case .decimal128(let value): value.storedPair
    case .null, .bool, .int, .float, .double, .string, .data, .link, .list, .set, .map: nil
    }
  }
}
