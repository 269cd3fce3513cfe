/// The order of keys that are bytes.
package enum ByteOrder {
  /// The order of bytes, as `memcmp` has it; of two that begin alike the shorter is less.
  ///
  /// Negative, zero or positive. Eight bytes at a time: most keys are too short for a call.
  @inlinable
  @inline(__always)
  package static func compare(
    _ one: UnsafeRawBufferPointer,
    _ other: UnsafeRawBufferPointer
  ) -> Int {
    let common = min(one.count, other.count)
    guard common > 0, let left = one.baseAddress, let right = other.baseAddress else {
      return one.count &- other.count
    }
    var offset = 0
    while offset &+ 8 <= common {
      let own = unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
      let its = unsafe right.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
      if own != its { return own < its ? -1 : 1 }
      offset &+= 8
    }
    while offset < common {
      let own = unsafe left.load(fromByteOffset: offset, as: UInt8.self)
      let its = unsafe right.load(fromByteOffset: offset, as: UInt8.self)
      if own != its { return own < its ? -1 : 1 }
      offset &+= 1
    }
    return one.count &- other.count
  }
}
