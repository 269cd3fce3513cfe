/// A committed state of a Realm file, for reading.
///
/// The reader takes no lock and writes nothing, neither to the file nor beside it. Another program
/// may have the file open. Realm does not write to the pages of its newest commit, but later commits
/// reuse them: after the last reading, `changedUnderneath` tells whether all of it was of one state.
///
/// Nothing in the file is trusted: a damaged file gives `RealmFileError.damaged`.
public struct RealmFile: Sendable {
  /// The format of the file.
  public var formatVersion: Int { header.format }
  /// The number of the commit.
  public var commitVersion: UInt64 { state.version }
  /// The classes of the file, and Realm's own tables, in the order of the file.
  public var classes: [RealmClass] { state.classes }
  /// Whether the file is encrypted.
  public var isEncrypted: Bool { bytes.isEncrypted }

  let bytes: FileBytes
  /// The reference to the top node; 0 if nothing was committed.
  var topReference: Int64 { header.top }
  private let header: Header
  /// The first bytes of the file, which change with each commit.
  private let start: [UInt8]
  private var state: State
  /// The names of the tables of a damaged file that cannot be read.
  var lostClasses: [String] { state.lostClasses }
  /// What is whole of a damaged file; `nil` where all of it is taken to be.
  private(set) var salvage: RealmSalvage?

  /// Opens the newest commit of a file.
  ///
  /// A key is needed if the file is encrypted, and ignored if it is not. It is released with the
  /// file. Costs as much as the file has classes and properties.
  ///
  /// Throws `RealmFileError` if the file cannot be read or has no schema that can be.
  public init(path: String, key: RealmEncryptionKey? = nil) throws(RealmFileError) {
    let bytes = try FileBytes.open(path, key: key)
    start = try bytes.current(0, count: Header.size)
    let header = try Header(of: bytes)
    try header.requireKnownFormat()
    self.bytes = bytes
    self.header = header
    do throws(RealmFileError) {
      state = try bytes.reading { () throws(RealmFileError) in try State(header, bytes) }
    } catch {
      // A commit since the header was read explains damage.
      throw try bytes.current(0, count: Header.size) == start ? error : .changedWhileReading
    }
  }

  /// A commit of a damaged file, whose classes are those that can be read.
  ///
  /// Throws `RealmFileError` if the commit's list of classes cannot be read.
  init(damaged bytes: FileBytes, _ header: Header) throws(RealmFileError) {
    self.bytes = bytes
    self.header = header
    start = try bytes.current(0, count: Header.size)
    state = try bytes.reading { () throws(RealmFileError) in
      try State(header, bytes, isDamaged: true)
    }
  }

  /// The same commit, of which only what is whole is read.
  init(_ file: RealmFile, _ classes: [RealmClass], _ salvage: RealmSalvage) {
    self = file
    state.classes = classes
    self.salvage = salvage
  }

  /// Whether a file begins as a Realm file does.
  ///
  /// Of an encrypted file, only its key can tell: `false`.
  public static func looksLikeRealm(path: String) -> Bool {
    (try? FileBytes.open(path, key: nil)) != nil
  }

  /// The class whose table has a key, as in links; `nil` if there is none.
  public func realmClass(withKey tableKey: Int) -> RealmClass? {
    classes.first { $0.tableKey == tableKey }
  }

  /// Whether a newer state was committed since the file was opened, or the file was replaced.
  ///
  /// Throws `notReadable` if the file cannot be read any more.
  public func changedUnderneath() throws(RealmFileError) -> Bool {
    guard bytes.isInPlace() else { return true }
    do throws(RealmFileError) {
      guard try bytes.current(0, count: Header.size) == start else { return true }
      return try bytes.current(Int(header.top), count: state.top.count) != state.top
    } catch {
      if case .notReadable = error { throw error }
      return true
    }
  }

  /// Performs a reading; damage is no damage if the file has changed.
  func reading<Result: Sendable>(
    _ body: () throws(RealmFileError) -> Result
  ) throws(RealmFileError) -> Result {
    do throws(RealmFileError) {
      return try bytes.reading(body)
    } catch {
      if error.isDamage, try changedUnderneath() { throw .changedWhileReading }
      throw error
    }
  }
}

/// The state of a commit, from its top node.
private struct State: Sendable {
  private(set) var version: UInt64 = 0
  fileprivate(set) var classes: [RealmClass] = []
  private(set) var top: [UInt8] = []
  /// The names of the tables that cannot be read, where that is not thrown.
  private(set) var lostClasses: [String] = []

  init(
    _ header: Header,
    _ bytes: FileBytes,
    isDamaged: Bool = false
  ) throws(RealmFileError) {
    guard header.top != 0 else { return }
    // The top is what a commit writes last, and in a file that was cut it is what is missing.
    guard header.top <= bytes.count - Node.headerSize else {
      throw .truncated(expected: nil, found: bytes.count)
    }
    let node = try bytes.node(at: header.top)
    let size = try node.optionalTagged(2) ?? 0
    let commit = try node.optionalTagged(6) ?? 0
    guard size >= 0, commit >= 0 else {
      throw damaged("a negative size or number of a commit", at: node.offset)
    }
    guard isDamaged || size <= bytes.count else {
      throw .truncated(expected: Int(size), found: bytes.count)
    }
    top = try bytes.current(node.offset, count: Node.headerSize + node.byteCount)
    version = UInt64(commit)
    guard node.count >= 2 else { throw damaged("a top without tables", at: node.offset) }
    let names = try TextReader(node: node.child(0, in: bytes), bytes: bytes)
    let tables = try node.child(1, in: bytes)
    let reader = ClassReader(bytes: bytes, format: header.format, isDamaged: isDamaged)
    var keys: Set<Int> = []
    for index in 0..<tables.count {
      // A removed table leaves an integer.
      guard try tables.tagged(index) == nil else { continue }
      let ref = try tables.reference(index)
      guard ref != 0 else { continue }
      guard let name = try names.text(index) else {
        throw damaged("a table without a name", at: names.offset)
      }
      do throws(RealmFileError) {
        let found = try reader.read(name: name, at: ref)
        guard keys.insert(found.tableKey).inserted else {
          throw damaged("two tables with one key", at: Int(ref))
        }
        classes.append(found)
      } catch {
        guard isDamaged, error.isDamage else { throw error }
        lostClasses.append(name)
      }
    }
  }
}
