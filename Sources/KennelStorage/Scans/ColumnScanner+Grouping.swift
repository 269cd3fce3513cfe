/// Numbering the values of many objects, and adding up numbers by them.
///
/// The keys are as those that are gathered, and what is done for each run of neighbours is done to the
/// whole chunk that has them.
extension ColumnScanner {
  /// The numbers of values that are kept as words; those of links to nothing are 0.
  package func numberWords(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema
  ) throws(StorageError) -> ValueNumbers {
    let order = WordOrder(property.type.kind)
    let absent = property.absentValue.word
    let isLink = property.target != nil
    var result = ValueNumbers(count: keys.count)
    var known = DistinctWords()
    var runs = KeyRuns(keys, nil)
    try unsafe withCluster { (words) throws(StorageError) in
      while let run = runs.next() {
        var nulls = try unsafe load(run, keys, classKey, property, absent, into: words)
        if isLink {
          for index in run.range where unsafe words[keys[index].place] == 0 {
            nulls[keys[index].place] = true
          }
        }
        result.note(run, keys, nulls: nulls) { place in
          unsafe known.number(of: order.rank(of: words[place]))
        } end: {
          known.end
        }
      }
    }
    return result
  }

  /// The numbers of strings and data, and the texts by number, where there are few different ones and
  /// none is long; `nil` elsewhere.
  func numberTexts(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema,
    report: ((Double) -> Void)? = nil
  ) throws(StorageError) -> (values: ValueNumbers, texts: DistinctTexts)? {
    var result = ValueNumbers(count: keys.count)
    var known = DistinctTexts()
    var runs = KeyRuns(keys, report)
    // What objects have whose column ends before them.
    let absent = property.absentValue.cellBytes(kind: property.type.kind)
    let absentNumber = absent.flatMap { text in
      unsafe text.withUnsafeBytes { bytes in unsafe known.number(of: bytes) }
    }
    let isFew = try unsafe withCluster { (words) throws(StorageError) in
      while let run = runs.next() {
        var nulls = PlaceSet()
        switch try state(classKey, run, property) {
        case .stored(let view)?:
          guard unsafe number(view, run, keys, &known, into: words) else { return false }
          if unsafe view.hasNulls { nulls = unsafe view.nullBits() }
          unsafe fill(words, &nulls, from: view.count, absentNumber.map(UInt64.init))
        case .absent?, .unknown?:
          unsafe fill(words, &nulls, from: 0, absentNumber.map(UInt64.init))
        case .decoded?: return false
        case nil: nulls = PlaceSet(all: true)
        }
        result.note(run, keys, nulls: nulls) { place in
          unsafe UInt32(truncatingIfNeeded: words[place])
        } end: {
          known.end
        }
      }
      return true
    }
    return isFew ? (result, known) : nil
  }

  /// The numbers of strings and data, where there are few different ones and none is long; `nil`
  /// elsewhere.
  package func numberTexts(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema
  ) throws(StorageError) -> ValueNumbers? {
    try numberTexts(classKey, keys, property, report: nil)?.values
  }

  /// Writes the number of each text of a run to its place; false where there are too many.
  private func number(
    _ view: ChunkView,
    _ run: KeyRun,
    _ keys: [ObjectKey],
    _ known: inout DistinctTexts,
    into words: UnsafeMutablePointer<UInt64>
  ) -> Bool {
    // Of a few objects, each text is looked up; of many, each entry of the dictionary.
    guard unsafe view.dictionaryCount == 0 || run.range.count < 16 else {
      return unsafe numberCodes(view, &known, into: words)
    }
    guard unsafe !view.hasExternals else { return false }
    for index in run.range {
      let place = keys[index].place
      if unsafe place >= view.count || view.isNull(place) { continue }
      guard case .inline(let bytes) = unsafe view.cell(place),
        let number = unsafe known.number(of: bytes)
      else { return false }
      unsafe words[place] = UInt64(number)
    }
    return true
  }

  /// Writes the number of each text of a chunk that has a dictionary to its place.
  private func numberCodes(
    _ view: ChunkView,
    _ known: inout DistinctTexts,
    into words: UnsafeMutablePointer<UInt64>
  ) -> Bool {
    var numbers: [256 of UInt64] = .init(repeating: 0)
    for code in unsafe 0..<min(view.dictionaryCount, 256) {
      guard let number = unsafe known.number(of: view.dictionaryCell(code)) else { return false }
      numbers[code] = UInt64(number)
    }
    unsafe view.unpackCodes(into: words)
    for place in unsafe 0..<view.count {
      unsafe words[place] = numbers[Int(truncatingIfNeeded: words[place] & 255)]
    }
    return true
  }

  /// Adds up whole numbers of objects by the number of each.
  package func addWholeNumbers(
    _ classKey: ClassKey,
    _ keys: [ObjectKey],
    _ property: PropertySchema,
    by numbers: [UInt32],
    count: Int
  ) throws(StorageError) -> WholeTotals {
    let absent = property.absentValue.word
    var totals = WholeTotals(count: count)
    var runs = KeyRuns(keys, nil)
    try unsafe withCluster { (words) throws(StorageError) in
      while let run = runs.next() {
        let nulls = try unsafe load(run, keys, classKey, property, absent, into: words)
        unsafe totals.add(run, keys, numbers, words, nulls)
      }
    }
    return totals
  }
}

/// What whole numbers add up to, for each number that objects have.
package struct WholeTotals {
  /// A total.
  package struct Total {
    package fileprivate(set) var count = 0
    package fileprivate(set) var sum: Int128 = 0
    package fileprivate(set) var least = Int64.max
    package fileprivate(set) var greatest = Int64.min
  }

  /// The total of each number.
  package private(set) var totals: [Total]

  fileprivate init(count: Int) {
    totals = Array(repeating: Total(), count: count)
  }

  @inline(__always)
  fileprivate mutating func add(
    _ run: KeyRun,
    _ keys: [ObjectKey],
    _ numbers: [UInt32],
    _ words: UnsafeMutablePointer<UInt64>,
    _ nulls: PlaceSet
  ) {
    let hasNulls = !nulls.isEmpty
    unsafe totals.withUnsafeMutableBufferPointer { totals in
      for index in run.range {
        let place = keys[index].place
        if hasNulls, nulls[place] { continue }
        let number = unsafe Int64(bitPattern: words[place])
        let group = Int(numbers[index])
        unsafe totals[group].count &+= 1
        unsafe totals[group].sum &+= Int128(number)
        if unsafe number < totals[group].least { unsafe totals[group].least = number }
        if unsafe number > totals[group].greatest { unsafe totals[group].greatest = number }
      }
    }
  }
}
