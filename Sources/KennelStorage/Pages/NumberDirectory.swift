import KennelLMDB
internal import Synchronization

/// The leaves of the index tree that hold the numbers of one property, in two arrays.
///
/// It takes the place of the branch pages above: halving one array of eleven or twelve steps takes
/// 20 ns, the way through two or three pages 60. It is made once a tenth as many numbers were looked
/// up as the tree has leaves, so that its 16 bytes per leaf are never a cost to whoever looks up
/// but a few.
@unsafe struct NumberDirectory {
  /// The class, property and kind that the keys begin with.
  let header: UInt64
  let count: Int
  /// No number of a leaf is less than its own here, or as great as that of the next; one more than
  /// there are leaves.
  let numbers: UnsafeMutablePointer<UInt64>
  let pages: UnsafeMutablePointer<UInt64>

  /// `leaves` must not be empty.
  init(header: UInt64, _ leaves: [(number: UInt64, page: UInt64)]) {
    unsafe self.header = header
    unsafe count = leaves.count
    unsafe numbers = .allocate(capacity: count + 1)
    unsafe pages = .allocate(capacity: count)
    for (index, leaf) in leaves.enumerated() {
      unsafe (numbers + index).initialize(to: leaf.number)
      unsafe (pages + index).initialize(to: leaf.page)
    }
    unsafe (numbers + count).initialize(to: .max)
  }

  func deallocate() {
    unsafe numbers.deallocate()
    unsafe pages.deallocate()
  }

  /// The leaf that has a number, if one has.
  @inline(__always)
  func index(of number: UInt64) -> Int {
    var index = 0
    var length = unsafe count
    while length > 1 {
      let half = length &>> 1
      let middle = index &+ half
      index = unsafe numbers[middle] <= number ? middle : index
      length &-= half
    }
    return index
  }

  @inline(__always)
  static func pointer(_ address: UInt) -> UnsafeMutablePointer<NumberDirectory>? {
    unsafe UnsafeMutablePointer(bitPattern: address)
  }
}

extension TreeReader {
  /// Whether enough numbers were looked up for a directory to be worth its making; true once.
  @inline(__always)
  func isDirectoryWorthwhile() -> Bool {
    unsafe numbers.pointee.countLookup() == lookupsBeforeDirectory
  }

  var lookupsBeforeDirectory: UInt64 { root.leafPages / 10 + 100 }

  /// Makes the directory of a property, unless its keys make that impossible.
  @inline(never)
  func makeDirectory(_ header: UInt64) throws(StorageError) {
    if depth < 2 { return }
    var leaves = DirectoryLeaves(header: header)
    try collect(rootPage, level: depth, &leaves)
    guard leaves.isSound, !leaves.found.isEmpty else { return }
    let made = UnsafeMutablePointer<NumberDirectory>.allocate(capacity: 1)
    unsafe made.initialize(to: NumberDirectory(header: header, leaves.found))
    let (isMine, _) = unsafe numbers.pointee.directory.compareExchange(
      expected: 0,
      desired: UInt(bitPattern: made),
      ordering: .acquiringAndReleasing
    )
    if !isMine {
      unsafe made.pointee.deallocate()
      unsafe made.deallocate()
    }
  }

  /// Walks the branches above the leaves with the header.
  private func collect(
    _ number: UInt64,
    level: Int,
    _ leaves: inout DirectoryLeaves
  ) throws(StorageError) {
    let (page, isLong) = try unsafe source.bytesPage(number, .bytesBranch, name)
    guard isLong else {
      leaves.isSound = false
      return
    }
    for index in unsafe 0..<page.nodeCount where leaves.isSound {
      // What comes before the first separator belongs to the one that led here.
      if index > 0 { unsafe leaves.enter(page.keyHeader(index), page.keyNumber(index)) }
      if leaves.isPast { return }
      let ends = unsafe index + 1 < page.nodeCount ? page.keyHeader(index + 1) : leaves.header
      if ends < leaves.header { continue }
      if level == 2 {
        unsafe leaves.add(page.child(index))
      } else {
        try unsafe collect(page.child(index), level: level - 1, &leaves)
      }
    }
  }
}

/// The leaves that a walk over the branches has met.
private struct DirectoryLeaves {
  let header: UInt64
  private(set) var found: [(number: UInt64, page: UInt64)] = []
  /// Whether all keys were long and ascending.
  var isSound = true
  /// Whether the keys have come past those with the header.
  private(set) var isPast = false
  /// The number before the next leaves; `nil` while what comes before has a smaller header.
  private var number: UInt64?

  init(header: UInt64) { self.header = header }

  /// Notes the separator before the next leaves.
  mutating func enter(_ separatorHeader: UInt64, _ separatorNumber: UInt64) {
    isPast = separatorHeader > header
    number = separatorHeader == header ? separatorNumber : nil
  }

  mutating func add(_ page: UInt64) {
    guard let number else {
      // Of the leaves that begin with a smaller header only the last can have the one meant.
      found = [(0, page)]
      return
    }
    if let last = found.last, last.number >= number { isSound = false }
    found.append((number, page))
  }
}
