extension RandomAccessCollection {
  /// The first index whose element fulfils a condition that holds from some index on.
  package func partitioningIndex(where isPast: (Element) -> Bool) -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if isPast(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}

extension [UInt16] {
  /// Whether an ascending array contains a number.
  internal func containsSorted(_ number: UInt16) -> Bool {
    let index = partitioningIndex { $0 >= number }
    return index < count && self[index] == number
  }
}
