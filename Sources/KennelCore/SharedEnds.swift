extension Array where Element: Equatable {
  /// Returns how many elements two arrays share at their start, and how many of the rest at their end.
  ///
  /// - Parameter other: The other array.
  /// - Returns: The numbers.
  @inlinable
  @_spi(Faces) public func sharedEnds(with other: Self) -> (start: Int, end: Int) {
    let shorter = Swift.min(count, other.count)
    var start = 0
    while start < shorter, self[start] == other[start] { start += 1 }
    var end = 0
    while end < shorter - start, self[count - 1 - end] == other[other.count - 1 - end] { end += 1 }
    return (start, end)
  }
}
