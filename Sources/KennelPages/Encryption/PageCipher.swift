/// Transforms the pages of an encrypted file on their way to the disk and back.
///
/// It is made for one file, and each thread may use it. What it transforms is a *unit*: a page, the pages of
/// a long value, or the contents of a meta page. The last ``PageLayout/tailByteCount`` bytes of a unit, its
/// *tail*, belong to the cipher:
///
/// | bytes | what |
/// |---|---|
/// | 8 | the commit that wrote the unit, open, so that a page can be opened to which no pointer leads |
/// | 24 | a random number that no other unit has |
/// | 16 | the tag, which shows that nobody without the key has made the unit |
///
/// A unit belongs to its file, its place and its commit: it cannot be opened as another.
package protocol PageCipher: AnyObject, Sendable {
  /// Encrypts a unit where it is, tail and all.
  ///
  /// - Throws: A `CipherFailure` if the system has no random numbers.
  func seal(
    _ unit: UnsafeMutableRawBufferPointer,
    at place: UnitPlace
  ) throws(CipherFailure)

  /// Decrypts a unit into other memory of the same size, whose tail becomes zero.
  ///
  /// - Returns: Whether the unit was made with the key for its place and its commit. If not, the memory is
  ///   zero.
  func open(
    _ unit: UnsafeRawBufferPointer,
    at place: UnitPlace,
    into memory: UnsafeMutableRawBufferPointer
  ) -> Bool
}

/// Where a unit belongs.
package struct UnitPlace: Equatable, Sendable {
  /// The number of its first page; for a meta page the highest number there is, or the one before.
  package let number: UInt32
  package let commit: UInt64

  package init(number: UInt32, commit: UInt64) {
    self.number = number
    self.commit = commit
  }

  init(metaPageOf commit: UInt64) {
    self.init(number: .max - UInt32(commit & 1), commit: commit)
  }
}

/// Why a cipher cannot do its work.
package enum CipherFailure: Error, Equatable, Sendable {
  /// No key slot belongs to the key.
  case wrongKey
  /// The key slots are not as this program knows them.
  case unknownSlots(String)
  /// The system gives no random numbers.
  case noRandomNumbers(code: Int32)
  /// The library for it does not do what it should.
  case library(String)
}

/// What a program opens an encrypted file with.
///
/// A file has a random key for its pages. Its *key slots* hold it several times, each time encrypted with a
/// key that somebody has.
package protocol PageKey: Sendable {
  /// Makes the key slots of a new file.
  func makeSlots(for file: FileID) throws(CipherFailure) -> (slots: [UInt8], cipher: any PageCipher)

  /// The cipher of a file, from the slot that belongs to this key.
  ///
  /// - Throws: `CipherFailure.wrongKey` if none does.
  func cipher(slots: [UInt8], for file: FileID) throws(CipherFailure) -> any PageCipher
}

/// A key that somebody has, for whose slots there is room beside others.
package protocol SlotKey: PageKey {
  /// Adds a slot for another key of the same kind of slots.
  ///
  /// - Throws: `CipherFailure` if this key has no slot, or there is no room.
  func adding(
    _ other: any SlotKey,
    to slots: [UInt8],
    for file: FileID
  ) throws(CipherFailure) -> [UInt8]

  /// Removes the slot of this key.
  ///
  /// - Throws: `CipherFailure` if it has none, or it is the only one.
  func removing(from slots: [UInt8], for file: FileID) throws(CipherFailure) -> [UInt8]
}

/// A cipher with the key slots of its file.
struct FileCipher: PageKey {
  /// The id that the key slots name, which is the one that pages belong to.
  let fileID: FileID
  let slots: [UInt8]
  let cipher: any PageCipher

  /// For a copy, which keeps the id.
  func makeSlots(
    for file: FileID
  ) throws(CipherFailure) -> (slots: [UInt8], cipher: any PageCipher) { (slots, cipher) }

  func cipher(
    slots: [UInt8],
    for file: FileID
  ) throws(CipherFailure) -> any PageCipher {
    guard slots == self.slots else { throw .wrongKey }
    return cipher
  }
}
