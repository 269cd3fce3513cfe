import KennelPages

/// Whether the file of a test is encrypted: a store must do the same with both.
enum FileForm: CaseIterable {
  case open
  case encrypted

  /// The form that some of the random tests have.
  init(seed: Int) { self = seed % 3 == 1 ? .encrypted : .open }

  var key: (any PageKey)? { self == .encrypted ? TestKey() : nil }
}

/// A cipher that hides and proves nothing to an adversary, and tells everything else: what a page store does with one
/// can be tried without a library.
private struct TestKey: PageKey {
  func makeSlots(
    for file: FileID
  ) throws(CipherFailure) -> (slots: [UInt8], cipher: any PageCipher) {
    ([1, 2, 3], TestCipher(file))
  }

  func cipher(
    slots: [UInt8],
    for file: FileID
  ) throws(CipherFailure) -> any PageCipher {
    guard slots == [1, 2, 3] else { throw .wrongKey }
    return TestCipher(file)
  }
}

private final class TestCipher: PageCipher {
  private let file: FileID

  init(_ file: FileID) { self.file = file }

  private func tag(_ contents: UnsafeRawBufferPointer, _ place: UnitPlace) -> UInt64 {
    unsafe PageSum.of(Array(contents), seed: file.high ^ UInt64(place.number) << 32 ^ place.commit)
  }

  func seal(
    _ unit: UnsafeMutableRawBufferPointer,
    at place: UnitPlace
  ) throws(CipherFailure) {
    let end = unit.count - 48
    for index in 0..<end { unsafe unit[index] ^= 0x5A }
    for index in end..<unit.count { unsafe unit[index] = .random(in: 0...255) }
    let contents = unsafe UnsafeRawBufferPointer(rebasing: unit[..<end])
    unsafe unit.storeBytes(of: place.commit, toByteOffset: end, as: UInt64.self)
    let sum = unsafe tag(contents, place)
    unsafe unit.storeBytes(of: sum, toByteOffset: unit.count - 8, as: UInt64.self)
  }

  func open(
    _ unit: UnsafeRawBufferPointer,
    at place: UnitPlace,
    into memory: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let end = unit.count - 48
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    let contents = unsafe UnsafeRawBufferPointer(rebasing: unit[..<end])
    let stored = unsafe unit.loadUnaligned(fromByteOffset: unit.count - 8, as: UInt64.self)
    guard unsafe stored == tag(contents, place) else { return false }
    for index in 0..<end { unsafe memory[index] = unit[index] ^ 0x5A }
    return true
  }
}
