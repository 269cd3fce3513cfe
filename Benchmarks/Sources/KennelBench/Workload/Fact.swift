/// Something that must be true of every engine after a step, whatever its speed.
enum Fact: String, CaseIterable, Codable {
  case toOneSum
  case toManySum
  case backlinkSum
  case olderThanTen
  case olderBoxers
  case namesWith999
  /// A hash of the numbers of all dogs in the order that the sort gave.
  case sortOrder
  /// A hash of the first 50 names.
  case sortedNames
  case lookupSum
  case agesAfterSmallTransactions
  case agesAfterBulkUpdate
  case peopleAfterCascade
  case addressesAfterCascade
  case listLinksAfterCascade
  case backlinkSumAfterCascade
  case dogsAfterDeletion
  case listLinksAfterDeletion
  case nullFavouritesAfterDeletion
  case listedAgesAfterDeletion
  case reopenedBirthdate
}

/// A hash over a sequence, the same on every engine.
struct OrderHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ number: Int) {
    value = (value ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01b3
    value ^= value >> 29
  }

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(Int(byte)) }
    add(-1)
  }

  /// As a fact holds it.
  var fact: Int64 { Int64(bitPattern: value) }
}
