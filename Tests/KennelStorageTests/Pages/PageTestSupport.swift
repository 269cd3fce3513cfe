import Glibc
import KennelLMDB
import KennelStorage

/// A folder of its own that goes with the value.
final class PageFolder {
  let path: String

  init() {
    var template = Array("/tmp/kennel-pages-XXXXXX".utf8CString)
    path = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, let made = unsafe mkdtemp(base) else { return "/tmp" }
      return unsafe String(cString: made)
    }
  }

  var file: String { path + "/test.kennel" }

  deinit {
    for name in ["test.kennel", "test.kennel-lock", "copy.kennel", "copy.kennel-lock"] {
      unsafe unlink(path + "/" + name)
    }
    unsafe rmdir(path)
  }

  /// Opens the file, making it.
  func open() throws -> Environment { try .open(path: file, create: true) }
}

/// SplitMix64.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension WriteTransaction {
  func put(_ tree: Tree, _ key: UInt64, _ value: [UInt8], append: Bool = false) throws {
    try unsafe value.withUnsafeBytes { try unsafe put(tree, key, $0, append: append) }
  }

  func put(_ tree: Tree, _ key: [UInt8], _ value: [UInt8]) throws {
    try unsafe key.withUnsafeBytes { key in
      try unsafe value.withUnsafeBytes { try unsafe put(tree, key: key, $0) }
    }
  }

  func delete(_ tree: Tree, _ key: [UInt8]) throws -> Bool {
    try unsafe key.withUnsafeBytes { try unsafe delete(tree, key: $0) }
  }
}

extension TreeReader {
  func bytes(_ key: UInt64) throws -> [UInt8]? { try unsafe get(key).map { unsafe Array($0) } }

  func bytes(_ key: [UInt8]) throws -> [UInt8]? {
    try unsafe key.withUnsafeBytes { try unsafe get(bytes: $0).map { unsafe Array($0) } }
  }
}
