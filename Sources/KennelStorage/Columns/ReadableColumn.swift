/// The values of a column, as a chunk stores them or as they were changed.
///
/// A place must lie below ``count``; only links and collections are read where there is null.
protocol ReadableColumn {
  var count: Int { get }
  func isNull(_ place: Int) -> Bool
  func word(_ place: Int) -> UInt64
  func pair(_ place: Int) -> (UInt64, UInt64)
  func cell(_ place: Int) -> ChunkValue<StoredBytes>
  /// The keys of linked objects.
  func linkedKeys(_ place: Int) -> ChunkValue<[UInt64]>
  /// A collection as a whole.
  ///
  /// - Throws: `StorageError` if an element is damaged.
  func collection(_ place: Int) throws(StorageError) -> ChunkValue<Value>
}

extension ChunkView: ReadableColumn {
  func linkedKeys(_ place: Int) -> ChunkValue<[UInt64]> {
    switch keys(place) {
    case .external(let location): .external(location)
    case .inline(let keys): .inline(keys.unpack())
    }
  }

  func collection(_ place: Int) throws(StorageError) -> ChunkValue<Value> {
    switch elements(place) {
    case .external(let location): .external(location)
    case .inline(let elements):
      switch collection {
      case .map: .inline(.map(try elements.entries()))
      case .set: .inline(.set(try elements.values()))
      case .list, .none: .inline(.list(try elements.values()))
      }
    }
  }
}

extension MutableColumn: ReadableColumn {
  func word(_ place: Int) -> UInt64 { words[place] }

  func pair(_ place: Int) -> (UInt64, UInt64) { words[pair: place] }

  func cell(_ place: Int) -> ChunkValue<StoredBytes> {
    if let location = body.pointee.external(at: place) { return .external(location) }
    return .inline(body.pointee.cell(at: place))
  }

  func linkedKeys(_ place: Int) -> ChunkValue<[UInt64]> { keys[place] }

  func collection(_ place: Int) -> ChunkValue<Value> { collections[place] }
}
