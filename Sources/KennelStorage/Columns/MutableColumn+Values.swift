extension MutableColumn {
  /// Sets a place that the column has; the value must be of the column's type.
  package func set(_ place: Int, _ value: Value) {
    switch type.form {
    case .words:
      setNull(place, value.isNull)
      words[place] = value.word ?? 0
    case .pairs:
      setNull(place, value.isNull)
      words[pair: place] = value.pair ?? (0, 0)
    case .cells:
      let bytes = value.isNull ? nil : value.cellBytes(kind: type.kind)
      setNull(place, bytes == nil)
      cells[place] = .inline(bytes ?? [])
    case .keys:
      keys[place] = .inline(value.linkedKeys)
    case .collections:
      collections[place] = .inline(value)
    }
  }

  /// Where the value of a place lies, if it lies outside the chunk.
  package func external(at place: Int) -> ExternalLocation? {
    guard place < count else { return nil }
    switch type.form {
    case .words, .pairs: return nil
    case .cells, .keys: return body.pointee.external(at: place)
    case .collections:
      if case .external(let location) = collections[place] { return location }
    }
    return nil
  }
}
