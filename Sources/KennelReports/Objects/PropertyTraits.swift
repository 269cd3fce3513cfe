package import KennelCore

extension PropertySchema {
  /// Whether it is a primary key, unique or indexed, in words.
  package var keyTraits: [String] {
    let index = isUnique ? "unique" : isIndexed && !isPrimaryKey ? "indexed" : nil
    return [isPrimaryKey ? "primary key" : nil, index].compactMap(\.self)
  }
}
