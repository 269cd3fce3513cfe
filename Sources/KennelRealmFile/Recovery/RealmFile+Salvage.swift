extension RealmFile {
  /// Opens what is whole of a damaged file, to be read like any other.
  ///
  /// Each cluster of objects that can be reached in the newest commit is used, and where parts of its trees
  /// are lost, those of the commit before it, all of which Realm keeps until the next one. Where neither
  /// can be found, the file is searched for the newest commit that was written and not overwritten. A lost
  /// value is null, or an empty collection, and its property can be null; links to what is lost are
  /// left out. What is missing is in ``losses``.
  ///
  /// Reads all values once, and takes memory for the keys of all objects; with freed rows, twice, and for
  /// the places of all nodes.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - key: The key of an encrypted file.
  ///   - includesFreed: Whether rows that were deleted or replaced are looked for in free space, too. Those of
  ///     a class `Dog` are objects of a class `FreedDog`, without the objects that they owned: nothing
  ///     says what their keys were, nor which of them is the newest.
  /// - Returns: The file, whose objects can be read without an error for damage.
  /// - Throws: `RealmFileError` if no commit of the file has a list of classes that can be read.
  public static func salvaging(
    path: String,
    key: RealmEncryptionKey? = nil,
    includesFreed: Bool = false
  ) throws(RealmFileError) -> RealmFile {
    let bytes = try FileBytes.open(path, key: key, isDamaged: true)
    var states: [RealmFile] = []
    var failure: RealmFileError?
    for isPrevious in [false, true] {
      do throws(RealmFileError) {
        let header = try Header(of: bytes, isPrevious: isPrevious)
        if !isPrevious { try header.requireKnownFormat() }
        if header.top != 0 { states.append(try RealmFile(damaged: bytes, header)) }
      } catch {
        switch error {
        // The last two are what a file is called whose first bytes are lost.
        case .truncated, .damaged, .notRealm, .wrongKey: if !isPrevious { failure = error }
        case .notReadable, .keyNeeded, .olderFormat, .newerFormat, .changedWhileReading: throw error
        }
      }
    }
    let isCertain = failure == nil
    if states.isEmpty { states = try TopSearch(bytes).newest().map { [$0] } ?? [] }
    guard let first = states.first else {
      throw failure ?? damaged("no commit that can be read", at: 0)
    }
    var reader = SalvageReader(states: states)
    if !isCertain { reader.losses.append(RealmLoss(.uncertainCommit)) }
    try reader.read()
    let file = RealmFile(first, reader.saved, reader.salvage)
    guard includesFreed else { return file }
    var search = FreedSearch(file, reader.salvage)
    try search.run()
    return RealmFile(first, reader.saved + search.classes, search.salvage)
  }

  /// What is lost of a damaged file that was opened by ``salvaging(path:key:)``.
  public var losses: [RealmLoss] { salvage?.losses ?? [] }

  /// The number of rows that were found in free space.
  public var freedCount: Int { salvage?.freedCount ?? 0 }
}

extension FileBytes {
  /// So many places are looked at in one reading, between which memory is given back.
  private static let step = 1 << 20

  /// Looks for nodes at all places of the file where one with its mark begins.
  func search<Found: Sendable>(
    _ body: (Node) throws(RealmFileError) -> Found?
  ) throws(RealmFileError) -> [Found] {
    var found: [Found] = []
    for start in stride(from: Header.size, to: count, by: Self.step) {
      found += try reading { () throws(RealmFileError) in
        var found: [Found] = []
        for offset in stride(from: start, to: min(start + Self.step, count), by: 8)
        where try hasMark(at: offset) {
          if let node = try? node(at: Int64(offset)), let item = try body(node) {
            found.append(item)
          }
        }
        return found
      }
    }
    return found
  }
}

/// Searches a file for the top of the newest commit that can be read.
private struct TopSearch {
  private let bytes: FileBytes
  private let format: Int

  init(_ bytes: FileBytes) {
    self.bytes = bytes
    let known = (try? Header(of: bytes))?.format ?? 0
    let formats = Header.oldestFormat...Header.newestFormat
    format = formats.contains(known) ? known : Header.newestFormat
  }

  /// No more tops are tried: a file that is made to do harm has millions.
  private static let mostTops = 1_000

  func newest() throws(RealmFileError) -> RealmFile? {
    var tops = try bytes.search { node in
      version(ofTop: node).map { Top(version: $0, offset: node.offset) }
    }
    tops.sort { ($0.version, $0.offset) > ($1.version, $1.offset) }
    for top in tops.prefix(Self.mostTops) {
      let header = Header(format: format, top: Int64(top.offset))
      do throws(RealmFileError) {
        return try RealmFile(damaged: bytes, header)
      } catch {
        guard error.isDamage else { throw error }
      }
    }
    return nil
  }

  private struct Top: Sendable {
    let version: Int64
    let offset: Int
  }

  /// The number of the commit whose top a node is; `nil` where it does not look like one.
  private func version(ofTop node: Node) -> Int64? {
    guard node.hasRefs, !node.isInner, (3...16).contains(node.count), node.width >= 8,
      let names = try? node.optionalChild(0, in: bytes), let tables = try? node.child(1, in: bytes),
      tables.hasRefs, names.count >= tables.count,
      let size = try? node.optionalTagged(2), size > 0
    else { return nil }
    let version = (try? node.optionalTagged(6)) ?? 0
    return version >= 0 ? version : nil
  }
}
