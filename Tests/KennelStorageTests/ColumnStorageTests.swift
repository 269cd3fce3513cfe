import KennelStorage
import KennelTestSupport
import Testing

/// The memory of a decoded column against plain arrays.
@Suite struct `A decoded column` {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `keeps its keys through any insertions and removals`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let column = MutableColumn(.backlinks)
    column.grow(to: 40)
    var model = [[UInt64]](repeating: [], count: 40)
    for _ in 0..<4000 {
      let place = random.below(40)
      switch random.below(10) {
      case 0...4:
        let index = random.below(model[place].count + 1)
        let key = random.next()
        column.body.pointee.insertKey(key, at: index, place: place)
        model[place].insert(key, at: index)
      case 5...7 where !model[place].isEmpty:
        let index = random.below(model[place].count)
        #expect(
          column.body.pointee.removeKey(at: index, place: place)
            == model[place].remove(at: index)
        )
      case 8:
        model[place] = (0..<random.below(30)).map { _ in random.next() }
        column.keys[place] = .inline(model[place])
      default: break
      }
    }
    for place in 0..<40 { #expect(column.keys[place] == .inline(model[place])) }
    let copy = MutableColumn(copying: column)
    column.keys[0] = .inline([1, 2, 3])
    for place in 0..<40 { #expect(copy.keys[place] == .inline(model[place])) }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `keeps its bytes and locations through any changes`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let column = MutableColumn(ColumnType(.data))
    column.grow(to: 256)
    var model = [ChunkValue<[UInt8]>](repeating: .inline([]), count: 256)
    for _ in 0..<3000 {
      let place = random.below(256)
      model[place] =
        random.chance(20)
        ? .external(random.location())
        : .inline((0..<random.below(90)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      column.cells[place] = model[place]
    }
    for place in 0..<256 { #expect(column.cells[place] == model[place]) }
    // Bytes of the column itself are not lost on the way.
    if case .inline(let bytes) = model[3] {
      for place in 4..<256 {
        let own = column.body.pointee.cell(at: 3)
        column.body.pointee.setCell(own, at: place)
      }
      #expect(column.cells[255] == .inline(bytes))
    }
  }
}
