import Glibc

/// New objects of a class with primary keys that are whole numbers, each greater than all before it.
///
/// Most programs give out such keys. One that exceeds every other of the class is unique without a
/// look at the index, and a run of them comes to the index in order: noting one takes 2 ns where
/// looking it up and noting it in ``IndexChanges`` took 400. Whoever wants to know of the changes of
/// an index has a run settled first (``IndexStore``).
struct PrimaryKeyRun {
  private(set) var property = PropertyKey(rawValue: 0)
  /// Whether `greatest` is known: no object of the class has a greater key.
  private(set) var isOpen = false
  private(set) var greatest = Int64.min
  private var entries: UnsafeMutablePointer<Entry>?
  private(set) var count = 0
  private var capacity = 0

  struct Entry {
    let value: Int64
    let key: UInt64
  }

  static let bytesPerEntry = 16

  mutating func open(_ property: PropertyKey, greatest: Int64) {
    self.property = property
    self.greatest = greatest
    isOpen = true
  }

  /// Whether a value is greater than every primary key of the class.
  @inline(__always)
  func takes(_ property: PropertyKey, _ value: Int64) -> Bool {
    isOpen && value > greatest && property == self.property
  }

  /// Notes a value that the run takes.
  @inline(__always)
  mutating func append(_ value: Int64, _ key: UInt64) {
    if count == capacity { grow() }
    guard let entries else { return }
    (entries + count).initialize(to: Entry(value: value, key: key))
    count &+= 1
    greatest = value
  }

  /// Notes that a value was given to an object in another way.
  mutating func raise(_ property: PropertyKey, to value: Int64) {
    if property == self.property, value > greatest { greatest = value }
  }

  subscript(position: Int) -> Entry? { entries.map { $0[position] } }

  /// Forgets the entries; what is greatest stays known.
  mutating func removeAll() {
    free(entries)
    entries = nil
    count = 0
    capacity = 0
  }

  private mutating func grow() {
    capacity = max(256, 2 * capacity)
    let byteCount = capacity * MemoryLayout<Entry>.stride
    guard let larger = realloc(entries, byteCount) else { abort() }
    entries = larger.bindMemory(to: Entry.self, capacity: capacity)
  }
}
