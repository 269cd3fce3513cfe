extension Value {
  /// The word that stands for this value, if it is a link or of one of a word's kinds.
  @inlinable
  package var word: UInt64? {
    if case .int(let number) = self { return number.storedWord }
    switch shape {
    case .link(let target): return target.key.rawValue
    case .scalar(let scalar):
      if case .word(let word, _) = scalar.stored { return word } else { return nil }
    case .null, .list, .set, .map: return nil
    }
  }

  /// The two words that stand for this value, if it is one of a pair's kinds.
  package var pair: (UInt64, UInt64)? {
    guard case .scalar(let scalar) = shape, case .pair(let first, let second, _) = scalar.stored
    else { return nil }
    return (first, second)
  }

  /// The value as a number, if it is one.
  public var number: NumericValue? {
    if case .scalar(let scalar) = shape { scalar.number } else { nil }
  }

  /// The elements of a list or set; `nil` for every other value.
  public var listed: [Value]? {
    switch shape {
    case .list(let values), .set(let values): values
    case .null, .scalar, .link, .map: nil
    }
  }
}
