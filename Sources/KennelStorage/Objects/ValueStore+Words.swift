/// Setting values that come as words and bytes.
///
/// Each says whether the object lives. What the value means for an index or for other objects is the
/// caller's business.
extension ValueStore {
  /// Sets a value of one word, or null.
  package func setWord(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ word: UInt64?
  ) throws(StorageError) -> Bool {
    guard let column = try unsafe column(object, property) else { return false }
    let place = object.key.place
    unsafe column.pointee.words[place] = word ?? 0
    unsafe column.pointee.nulls[place] = word == nil
    return true
  }

  /// Sets a value of two words, or null.
  package func setPair(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ pair: (UInt64, UInt64)?
  ) throws(StorageError) -> Bool {
    guard let column = try unsafe column(object, property) else { return false }
    let place = object.key.place
    unsafe column.pointee.words[2 * place] = pair?.0 ?? 0
    unsafe column.pointee.words[2 * place + 1] = pair?.1 ?? 0
    unsafe column.pointee.nulls[place] = pair == nil
    return true
  }

  /// Sets a value of bytes, or null.
  package func setBytes<V: BytesValue>(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ value: V?
  ) throws(StorageError) -> Bool {
    guard let column = try unsafe column(object, property) else { return false }
    let place = object.key.place
    if let location = unsafe column.pointee.external(at: place) { pieces.drop(location) }
    unsafe column.pointee.nulls[place] = value == nil
    guard let value else {
      unsafe column.pointee.setCell(.empty, at: place)
      return true
    }
    value.withStoredBytes { bytes in
      clusters.changedByteCount &+= bytes.byteCount
      unsafe bytes.withUnsafeBytes { unsafe column.pointee.setCell($0, at: place) }
    }
    return true
  }

  /// The column of a property, to be changed; `nil` if the object does not live.
  private func column(
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(StorageError) -> UnsafeMutablePointer<ColumnStorage>? {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster),
      cluster.isLive(object.key.place)
    else { return nil }
    return try unsafe clusters.columnBody(cluster, property, object.key.place)
  }
}
