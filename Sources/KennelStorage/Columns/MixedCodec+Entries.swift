import KennelPages

/// Looking into the bytes of a mixed value without making a value of all of them.
extension MixedCodec {
  /// Whether bytes are those of a list, set or map.
  package static func isCollection(_ bytes: StoredBytes) -> Bool {
    bytes.first.map { $0 >= listTag } ?? false
  }

  /// Whether bytes are those of a map.
  package static func isMap(_ bytes: StoredBytes) -> Bool {
    bytes.first == mapTag
  }

  /// The value under a key of a map; `nil` if there is none, or the bytes are no map's.
  ///
  /// Linear in the number of entries before it; makes no other value.
  package static func entry(_ key: String, of bytes: StoredBytes) throws(StorageError) -> Value? {
    do {
      var rest = ByteWindow(bytes)
      guard try rest.take(1)[0] == mapTag else { return nil }
      let wanted = unsafe key.utf8Span.span.bytes
      while !rest.isEmpty {
        let found = try takeNested(&rest)
        let value = try takeNested(&rest)
        if unsafe found.buffer.bytes.hasSameBytes(as: wanted) {
          return try decode(value, depth: 1)
        }
      }
      return nil
    } catch {
      throw .damaged(in: "a mixed value", error.what)
    }
  }

  /// The number of entries or elements of a map, list or set.
  package static func elementCount(_ bytes: StoredBytes) throws(StorageError) -> Int {
    do {
      var rest = ByteWindow(bytes)
      let tag = try rest.take(1)[0]
      return tag < listTag ? 0 : try elementCount(rest, isMap: tag == mapTag)
    } catch {
      throw .damaged(in: "a mixed value", error.what)
    }
  }

  /// Whether a value links to an object, itself or inside it; true for bytes that are none's.
  package static func mayLink(_ bytes: StoredBytes) -> Bool {
    guard let tag = bytes.first else { return false }
    guard tag >= listTag else { return tag == ValueKind.link.rawValue }
    var rest = ByteWindow(bytes.slice(1..<bytes.count))
    do {
      while !rest.isEmpty {
        if tag == mapTag { _ = try takeNested(&rest) }
        if try mayLink(takeNested(&rest)) { return true }
      }
      return false
    } catch {
      return true
    }
  }
}
