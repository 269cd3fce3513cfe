internal import KennelCore

/// The places that a search finds in a table or a list, from the first row on.
struct SearchMatches {
  typealias Search = @Sendable (Snapshot, JobContext) throws(DatabaseError) -> [UInt64]

  /// More are not counted.
  static let most = 100_000

  let pattern: SearchPattern
  let view: AnyHashable
  let generation: Int
  /// One more than are counted where there are more.
  let places: [UInt64]
}
