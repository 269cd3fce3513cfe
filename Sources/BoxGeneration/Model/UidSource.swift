/// Hands out the unique numbers of a model.
///
/// A number depends on the name that it is for, so that two branches which add the same property
/// agree, and a build without `model.json` gives the same one again.
struct UidSource {
  private var used: Set<Int64>
  /// The numbers that messages offered.
  private(set) var offered: [Int64]
  private var taken: Set<Int64> = []
  /// The numbers that nothing took since they were offered.
  var free: [Int64] { offered.filter { !taken.contains($0) } }

  init(_ file: ModelFile) {
    used = file.uids
    offered = file.newUidPool
  }

  /// A number that was never in use, or is one of these.
  mutating func next(for name: String, orOneOf known: [Int64] = []) -> Int64 {
    var salt = 0
    while true {
      let uid = Self.hash("\(name)#\(salt)")
      if known.contains(uid) || uid > 0 && used.insert(uid).inserted { return uid }
      salt += 1
    }
  }

  /// A number to offer in a message: the same one until it is taken.
  mutating func offer(for name: String) -> Int64 {
    let uid = next(for: "offer \(name)", orOneOf: free)
    if !offered.contains(uid) { offered.append(uid) }
    return uid
  }

  /// Takes an offered number, once.
  mutating func claim(_ uid: Int64) -> Bool {
    offered.contains(uid) && taken.insert(uid).inserted
  }

  /// FNV-1a with a final mix: positive, and a multiple of 256 as ObjectBox's numbers are.
  private static func hash(_ text: String) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ hash >> 31) &* 0x94d0_49bb_1331_11eb
    hash ^= hash >> 29
    return Int64(truncatingIfNeeded: hash & 0x7fff_ffff_ffff_ff00)
  }
}
