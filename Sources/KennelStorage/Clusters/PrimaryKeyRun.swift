import Glibc

/// New objects of a class with primary keys that are whole numbers, each greater than all before it.
///
/// Most programs give out such keys. One that exceeds every other of the class is unique without a
/// look at the index, and a run of them comes to the index in order: noting one takes 2 ns where
/// looking it up and noting it in ``IndexChanges`` took 400. Whoever wants to know of the changes of
/// an index has a run settled first (``IndexStore``).
@unsafe struct PrimaryKeyRun {
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
    unsafe self.property = property
    unsafe self.greatest = greatest
    unsafe isOpen = true
  }

  /// Whether a value is greater than every primary key of the class.
  @inline(__always)
  func takes(_ property: PropertyKey, _ value: Int64) -> Bool {
    unsafe isOpen && value > greatest && property == self.property
  }

  /// Notes a value that the run takes.
  @inline(__always)
  mutating func append(_ value: Int64, _ key: UInt64) {
    if unsafe count == capacity { unsafe grow() }
    guard let entries = unsafe entries else { return }
    unsafe (entries + count).initialize(to: Entry(value: value, key: key))
    unsafe count &+= 1
    unsafe greatest = value
  }

  subscript(position: Int) -> Entry? { unsafe entries.map { unsafe $0[position] } }

  /// Forgets the entries; what is greatest stays known.
  mutating func removeAll() {
    unsafe free(entries)
    unsafe entries = nil
    unsafe count = 0
    unsafe capacity = 0
  }

  private mutating func grow() {
    unsafe capacity = max(256, 2 * capacity)
    let byteCount = unsafe capacity * MemoryLayout<Entry>.stride
    guard let larger = unsafe realloc(entries, byteCount) else { abort() }
    unsafe entries = larger.bindMemory(to: Entry.self, capacity: capacity)
  }
}
