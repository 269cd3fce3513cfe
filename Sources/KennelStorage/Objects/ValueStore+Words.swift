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
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else {
      return false
    }
    let place = object.key.place
    guard cluster.isLive(place) else { return false }
    let column = try clusters.columnBody(cluster, property, place)
    column.pointee.words[place] = word ?? 0
    column.pointee.nulls[place] = word == nil
    return true
  }

  /// Sets a value of two words, or null.
  package func setPair(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ pair: (UInt64, UInt64)?
  ) throws(StorageError) -> Bool {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else {
      return false
    }
    let place = object.key.place
    guard cluster.isLive(place) else { return false }
    let column = try clusters.columnBody(cluster, property, place)
    column.pointee.words[2 * place] = pair?.0 ?? 0
    column.pointee.words[2 * place + 1] = pair?.1 ?? 0
    column.pointee.nulls[place] = pair == nil
    return true
  }

  /// Sets a text, or null.
  package func setText(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ text: String?
  ) throws(StorageError) -> Bool {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else {
      return false
    }
    let place = object.key.place
    guard cluster.isLive(place) else { return false }
    let column = try clusters.columnBody(cluster, property, place)
    if let location = column.pointee.external(at: place) { pieces.drop(location) }
    column.pointee.nulls[place] = text == nil
    guard var text else {
      column.pointee.setCell(.empty, at: place)
      return true
    }
    clusters.changedByteCount &+= text.utf8.count
    text.withUTF8 { column.pointee.setCell(UnsafeRawBufferPointer($0), at: place) }
    return true
  }
}
