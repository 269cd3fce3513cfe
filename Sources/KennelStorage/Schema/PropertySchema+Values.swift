/// The values of a property that its schema knows.
extension PropertySchema {
  /// The value of a place that no chunk reaches.
  package var absentValue: Value {
    isCollection ? type.collection.empty : fillValue
  }

  /// The list or set of links to the target class with these keys.
  internal func collection(ofKeys keys: [UInt64]) -> Value {
    guard let target else { return type.collection.empty }
    let links = keys.map { Value.link(ObjectIdentity(target, ObjectKey(rawValue: $0))) }
    return type.collection == .set ? .set(links) : .list(links)
  }
}
