/// The key slots of an encrypted file, as they lie behind both meta pages.
///
/// | bytes | what |
/// |---|---|
/// | 8 | "KnlSlots" |
/// | 16 | the id of the file |
/// | 8 | a number that is one more after each change |
/// | 4 | the byte count of the slots |
/// | … | the slots, which only a ``PageKey`` knows |
/// | 8 | the checksum of all bytes before |
///
/// A change writes one place, and the other when the first is on the disk, so that one of them is whole at
/// any time.
struct SlotTable: Equatable {
  static let mostByteCount = Format.metaByteCount - Format.slotsOffset
  private static let magic: UInt64 = 0x7374_6F6C_536C_6E4B
  private static let headByteCount = 36

  var fileID: FileID
  var version: UInt64 = 1
  var slots: [UInt8]

  init(fileID: FileID, slots: [UInt8]) {
    self.fileID = fileID
    self.slots = slots
  }

  private init?(decoding bytes: [UInt8]) {
    guard bytes.count >= Self.headByteCount + 8 else { return nil }
    var reader = HeadReader(bytes: bytes)
    guard reader.word() == Self.magic else { return nil }
    fileID = FileID(high: reader.word(), low: reader.word())
    version = reader.word()
    let count = Int(reader.half())
    guard count <= bytes.count - Self.headByteCount - 8 else { return nil }
    let end = Self.headByteCount + count
    slots = Array(bytes[Self.headByteCount..<end])
    reader.offset = end
    guard reader.word() == PageSum.of(Array(bytes[..<end]), seed: Self.magic) else { return nil }
  }

  private var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(word: Self.magic)
    bytes.append(word: fileID.high)
    bytes.append(word: fileID.low)
    bytes.append(word: version)
    bytes.append(half: UInt32(slots.count))
    bytes += slots
    bytes.append(word: PageSum.of(bytes, seed: Self.magic))
    return bytes
  }

  private static func offset(_ index: Int) -> Int {
    index * Format.metaByteCount + Format.slotsOffset
  }

  /// Reads the newest one that is whole; `nil` if none is.
  ///
  /// - Throws: A `SystemError` if one cannot be read and the other is not whole.
  static func read(_ descriptor: Int32) throws(SystemError) -> SlotTable? {
    var found: [SlotTable] = []
    var failure: SystemError?
    for index in [0, 1] {
      do throws(SystemError) {
        let bytes = try System.read(descriptor, at: offset(index), count: mostByteCount)
        if let table = SlotTable(decoding: bytes) { found.append(table) }
      } catch {
        failure = error
      }
    }
    if found.isEmpty, let failure { throw failure }
    return found.max { $0.version < $1.version }
  }

  /// Writes both, one after the other.
  ///
  /// What a longer one before had behind it becomes zero.
  func write(to file: any DataFile) throws(SystemError) {
    let bytes = encoded
    let rest = [UInt8](repeating: 0, count: max(0, Self.mostByteCount - bytes.count))
    for index in [0, 1] {
      try file.write(bytes + rest, at: Self.offset(index))
      try file.synchronize()
    }
  }
}
