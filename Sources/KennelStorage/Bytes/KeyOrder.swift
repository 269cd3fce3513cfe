/// The order of the keys of a tree.
enum KeyOrder {
  case integer
  case bytes

  @inline(__always)
  func isLess(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    unsafe compare(left, right) < 0
  }

  /// Negative, zero, or positive.
  ///
  /// Integer keys have eight bytes: the caller knows.
  @inline(__always)
  func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    switch self {
    case .integer:
      let a = unsafe left.loadUnaligned(as: UInt64.self)
      let b = unsafe right.loadUnaligned(as: UInt64.self)
      return a < b ? -1 : a == b ? 0 : 1
    case .bytes:
      return unsafe KeyOrder.compareBytes(left, right)
    }
  }
}

extension KeyOrder {
  /// Compares like `memcmp`; of two keys where one begins with the other the shorter is less.
  ///
  /// Eight bytes at a time: keys of an index begin alike, and are too short for a call.
  @inline(__always)
  static func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    guard common > 0, let a = left.baseAddress, let b = right.baseAddress else {
      return left.count &- right.count
    }
    var offset = 0
    while offset &+ 8 <= common {
      let x = unsafe a.word64(offset).bigEndian
      let y = unsafe b.word64(offset).bigEndian
      if x != y { return x < y ? -1 : 1 }
      offset &+= 8
    }
    while offset < common {
      let x = unsafe a.load(fromByteOffset: offset, as: UInt8.self)
      let y = unsafe b.load(fromByteOffset: offset, as: UInt8.self)
      if x != y { return x < y ? -1 : 1 }
      offset &+= 1
    }
    return left.count &- right.count
  }
}
