/// Values that lie outside their chunk.
///
/// A fault of one is told once, and its property is noted as unread.
extension FileCheck {
  /// The bytes of a value outside its chunk, which must be its own and have no piece too many;
  /// `nil` where they cannot be read.
  func ownBytes(_ location: ExternalLocation, _ owner: PieceOwner) -> [UInt8]? {
    guard noteOwner(of: location, owner) else { return nil }
    return reading(owner) { () throws(StorageError) in
      let size = UInt64(ExternalBytes.pieceByteCount)
      let pieceCount = max(location.count / size + (location.count % size == 0 ? 0 : 1), 1)
      guard pieceCount < UInt64(PieceKey.limit) else {
        throw .damaged(in: "long value \(location.id)", "its length cannot be")
      }
      for piece in 0..<UInt32(pieceCount) {
        guard try isThere(location.id, piece, owner) else { return nil }
      }
      var cursor = try source.cursor(.pieces)
      let end = PieceKey.of(location.id, UInt32(pieceCount))
      if try cursor.seek(atOrAfter: end), cursor.number >> 20 == location.id {
        stray(cursor.number, "behind the end of \(owner.name)")
      }
      return try view.pieces.bytes(of: location)
    }
  }

  /// The owner of a value outside its chunk.
  struct PieceOwner {
    let name: String
    /// The property that must not be compared if the value cannot be read.
    let origin: PropertyIdentity
  }

  func owner(_ object: ObjectIdentity, _ property: PropertySchema) -> PieceOwner {
    PieceOwner(
      name: name(object, property),
      origin: PropertyIdentity(object.classKey, property.key)
    )
  }

  func owner(of target: ObjectIdentity, backlinksFrom column: BacklinkColumn) -> PieceOwner {
    PieceOwner(
      name: "the backlinks of \(name(target)) from \(name(of: column))",
      origin: PropertyIdentity(column.origin, column.property)
    )
  }

  /// The keys of a list of links, or of backlinks, outside its chunk.
  func ownKeys(_ location: ExternalLocation, _ owner: PieceOwner) -> [UInt64]? {
    guard noteOwner(of: location, owner) else { return nil }
    let id = location.id
    return reading(owner) { () throws(StorageError) in
      guard try isThere(id, 0, owner),
        let directory = try source.get(.pieces, PieceKey.of(id, 0))
      else {
        return nil
      }
      let list = try LongKeyList(id: id, directory: directory)
      guard UInt64(list.count) == location.count else {
        throw .damaged(
          in: "long list \(id)",
          "it has \(list.count) elements, not \(location.count)"
        )
      }
      var known: Set<UInt64> = [PieceKey.of(id, 0)]
      for entry in list.entries {
        guard known.insert(PieceKey.of(id, entry.piece)).inserted else {
          throw .damaged(in: "long list \(id)", "its directory names piece \(entry.piece) twice")
        }
        guard try isThere(id, entry.piece, owner) else { return nil }
      }
      var cursor = try source.cursor(.pieces)
      var isMore = try cursor.seek(atOrAfter: PieceKey.of(id, 0))
      while isMore, cursor.number >> 20 == id {
        if !known.contains(cursor.number) {
          stray(cursor.number, "in no place of \(owner.name)")
        }
        isMore = try cursor.next()
      }
      var keys: [UInt64] = []
      keys.reserveCapacity(list.count)
      for index in list.entries.indices {
        keys += try list.keys(ofEntry: index) { (piece) throws(StorageError) in
          try view.pieces.loadPiece(id, piece)
        }
      }
      return keys
    }
  }

  /// Tells of what cannot be read.
  private func reading<Result>(
    _ owner: PieceOwner,
    _ body: () throws(StorageError) -> Result?
  ) -> Result? {
    do throws(StorageError) {
      if let result = try body() { return result }
    } catch {
      add(.damagedPiece, "\(owner.name): \(error.place)")
    }
    unread.insert(owner.origin)
    return nil
  }

  private func isThere(
    _ id: UInt64,
    _ piece: UInt32,
    _ owner: PieceOwner
  ) throws(StorageError) -> Bool {
    if try source.get(.pieces, PieceKey.of(id, piece)) != nil { return true }
    add(.missingPiece, "Piece \(piece) of long value \(id) is missing, which \(owner.name) needs")
    return false
  }

  /// Whether the pieces of a value are met for the first time.
  private func noteOwner(of location: ExternalLocation, _ owner: PieceOwner) -> Bool {
    if location.id >= view.header.nextPieceID {
      add(
        .header,
        "The header would give out the id \(location.id) of a long value again: \(owner.name) has it"
      )
    }
    guard location.id <= UInt64.max >> 20 else {
      add(.damagedPiece, "\(owner.name): long value \(location.id) cannot be")
      unread.insert(owner.origin)
      return false
    }
    if usedPieces.insert(location.id) { return true }
    add(.sharedPiece, "Long value \(location.id) of \(owner.name) belongs to another value too")
    unread.insert(owner.origin)
    return false
  }

  private func stray(_ key: UInt64, _ position: String) {
    add(.strayPiece, "Piece \(key & 0xF_FFFF) of long value \(key >> 20) lies \(position)")
  }

  /// Every piece must belong to a value that was met.
  func checkPieces() throws(StorageError) {
    guard !isPartial, unread.isEmpty else { return }
    var cursor = try source.cursor(.pieces)
    var isThere = try cursor.first()
    while isThere, advance() {
      let id = cursor.number >> 20
      if usedPieces.contains(id) {
        isThere = try cursor.next()
        continue
      }
      add(.strayPiece, "The pieces of long value \(id) belong to no value")
      guard id < UInt64.max >> 20 else { return }
      isThere = try cursor.seek(atOrAfter: (id + 1) << 20)
    }
  }
}
