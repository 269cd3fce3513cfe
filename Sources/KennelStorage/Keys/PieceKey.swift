/// The keys of the tree of pieces: 44 bits of id, 20 bits of piece.
package enum PieceKey {
  /// One past the greatest number of a piece.
  package static let limit: UInt32 = 1 << 20
  /// One past the greatest id.
  package static let idLimit: UInt64 = 1 << 44

  package static func of(_ id: UInt64, _ piece: UInt32) -> UInt64 {
    id << 20 | UInt64(piece)
  }
}
