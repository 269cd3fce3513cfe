/// The values of one property of many objects, in the order in which the objects were given.
package struct GatheredWords {
  /// Ranks by ``WordOrder``, or object keys of links; 0 where null.
  package var words: [UInt64] = []
  /// Empty where no value is null.
  package var nulls: [Bool] = []

  package init(words: [UInt64] = []) {
    self.words = words
  }
}

/// The values of one property of many objects, two words each.
package struct GatheredPairs {
  /// In the order of the values: the sign bit of seconds is turned.
  package var firsts: [UInt64] = []
  package var seconds: [UInt64] = []
  package var nulls: [Bool] = []

  package init() {}
}

/// The texts of one property of many objects.
package struct GatheredText {
  /// All texts one after the other.
  package var bytes: [UInt8] = []
  /// Where each text begins, and at last the end.
  package var starts: [Int] = [0]
  /// The first eight bytes of each text, where they were set aside: most texts differ in these.
  package var prefixes: [UInt64] = []
  package var nulls: [Bool] = []

  package init() {}
}

/// Reading one property of many objects at once.
///
/// The keys may be in any order and 0 where there is no object, which reads as null; it is fastest
/// where neighbours follow each other.
extension StoreView {
  /// The ranks of words, or the keys of links.
  package func gatherWords(
    _ classKey: ClassKey,
    _ keys: [UInt64],
    _ property: PropertySchema
  ) throws(StorageError) -> GatheredWords {
    let order = WordOrder(property.type.kind)
    var result = GatheredWords()
    result.words.reserveCapacity(keys.count)
    var walk = ColumnWalk(self, classKey, property)
    let absent = property.absentValue.word
    for key in keys {
      var word: UInt64?
      switch try walk.state(key) {
      case .stored(let view)?:
        let place = Int(truncatingIfNeeded: key & 255)
        word = place >= view.count ? absent : view.isNull(place) ? nil : view.word(place)
      case .decoded(let column, _)?:
        let place = Int(truncatingIfNeeded: key & 255)
        word =
          place >= column.count ? absent : column.isNull(place) ? nil : column.words[place]
      case .absent?, .unknown?: word = absent
      case nil: word = nil
      }
      result.words.append(word.map(order.rank) ?? 0)
      note(isNull: word == nil, &result.nulls, result.words.count)
    }
    return result
  }

  /// Dates and identifiers.
  package func gatherPairs(
    _ classKey: ClassKey,
    _ keys: [UInt64],
    _ property: PropertySchema
  ) throws(StorageError) -> GatheredPairs {
    let turn = PairTest.turn(of: property.type.kind)
    var result = GatheredPairs()
    var walk = ColumnWalk(self, classKey, property)
    let absent = property.absentValue.pair
    for key in keys {
      let place = Int(truncatingIfNeeded: key & 255)
      var pair: (UInt64, UInt64)?
      switch try walk.state(key) {
      case .stored(let view)?:
        pair = place >= view.count ? absent : view.isNull(place) ? nil : view.pair(place)
      case .decoded(let column, _)?:
        if place >= column.count {
          pair = absent
        } else if !column.isNull(place) {
          pair = (column.pairs[2 * place], column.pairs[2 * place + 1])
        }
      case .absent?, .unknown?: pair = absent
      case nil: break
      }
      result.firsts.append(pair.map { $0.0 ^ turn } ?? 0)
      result.seconds.append(pair?.1 ?? 0)
      note(isNull: pair == nil, &result.nulls, result.firsts.count)
    }
    return result
  }

  /// Strings and data.
  package func gatherText(
    _ classKey: ClassKey,
    _ keys: [UInt64],
    _ property: PropertySchema
  ) throws(StorageError) -> GatheredText {
    var result = GatheredText()
    result.starts.reserveCapacity(keys.count + 1)
    var walk = ColumnWalk(self, classKey, property)
    let absent = property.absentValue.cellBytes(kind: property.type.kind)
    for key in keys {
      let place = Int(truncatingIfNeeded: key & 255)
      var isNull = false
      switch try walk.state(key) {
      case .stored(let view)? where place < view.count:
        isNull = view.isNull(place)
        if !isNull {
          switch view.cell(place) {
          case .inline(let bytes): result.bytes.append(contentsOf: bytes)
          case .external(let location):
            result.bytes.append(contentsOf: try externalBytes(location))
          }
        }
      case .decoded(let column, _)? where place < column.count:
        isNull = column.isNull(place)
        if !isNull {
          switch column.cells[place] {
          case .inline(let bytes): result.bytes.append(contentsOf: bytes)
          case .external(let location):
            result.bytes.append(contentsOf: try externalBytes(location))
          }
        }
      case .some:
        isNull = absent == nil
        result.bytes.append(contentsOf: absent ?? [])
      case nil: isNull = true
      }
      result.starts.append(result.bytes.count)
      note(isNull: isNull, &result.nulls, result.starts.count - 1)
    }
    result.prefixes = keys.indices.map { result.digit($0, 0) }
    return result
  }

  /// Keeps the array of nulls empty until the first one.
  @inline(__always)
  private func note(isNull: Bool, _ nulls: inout [Bool], _ count: Int) {
    if isNull || !nulls.isEmpty {
      while nulls.count < count - 1 { nulls.append(false) }
      nulls.append(isNull)
    }
  }
}

/// The chunk of a property that holds an object, looked up once per run of neighbours.
private struct ColumnWalk {
  private let view: StoreView
  private let classKey: ClassKey
  private let property: PropertySchema
  private var number = UInt64.max
  private var current: ChunkState?

  init(_ view: StoreView, _ classKey: ClassKey, _ property: PropertySchema) {
    self.view = view
    self.classKey = classKey
    self.property = property
  }

  /// The chunk; `nil` where there is no such object.
  @inline(__always)
  mutating func state(_ key: UInt64) throws(StorageError) -> ChunkState? {
    if key &>> 8 == number, key != 0 { return current }
    return try move(to: key)
  }

  private mutating func move(to key: UInt64) throws(StorageError) -> ChunkState? {
    guard key != 0 else { return nil }
    number = key >> 8
    current = nil
    if let cluster = try view.cluster(classKey, number) {
      current = try view.chunk(cluster, property)
    }
    return current
  }
}
