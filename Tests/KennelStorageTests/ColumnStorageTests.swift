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

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `keeps its keys and bytes in the memory of a pool that many share`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pool = ColumnPool()
    // Enough to leave the heap behind, and for columns that go and come.
    var lists = (0..<120).map { _ in MutableColumn(.backlinks, pool) }
    let cells = (0..<120).map { _ in MutableColumn(ColumnType(.string), pool) }
    var keys = [[UInt64]](repeating: [], count: 120 * 8)
    var texts = [ChunkValue<[UInt8]>](repeating: .inline([]), count: 120 * 8)
    for index in 0..<120 {
      lists[index].grow(to: 8)
      cells[index].grow(to: 8)
    }
    for step in 0..<30_000 {
      let index = random.below(120)
      let place = random.below(8)
      let slot = index * 8 + place
      switch random.below(3) {
      case 0:
        let key = random.next()
        let position = random.below(keys[slot].count + 1)
        lists[index].body.pointee.insertKey(key, at: position, place: place)
        keys[slot].insert(key, at: position)
      case 1 where !keys[slot].isEmpty:
        let position = random.below(keys[slot].count)
        let removed = lists[index].body.pointee.removeKey(at: position, place: place)
        #expect(removed == keys[slot].remove(at: position))
      default:
        let text = (0..<random.below(300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        cells[index].cells[place] = .inline(text)
        texts[slot] = .inline(text)
      }
      if step % 1000 == 999 {
        let copy = MutableColumn(copying: lists[index], pool)
        lists[index] = copy
      }
    }
    for slot in 0..<120 * 8 {
      #expect(lists[slot / 8].keys[slot % 8] == .inline(keys[slot]))
      #expect(cells[slot / 8].cells[slot % 8] == texts[slot])
    }
  }
}
