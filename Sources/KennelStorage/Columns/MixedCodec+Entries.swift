import KennelPages

/// Looking into the bytes of a mixed value without making a value of all of them.
extension MixedCodec {
  /// Whether bytes are those of a list, set or map.
  package static func isCollection(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.first.map { $0 >= listTag } ?? false
  }

  /// Whether bytes are those of a map.
  package static func isMap(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.first == mapTag
  }

  /// The value under a key of a map; `nil` if there is none, or the bytes are no map's.
  ///
  /// Linear in the number of entries before it; makes no other value.
  package static func entry(
    _ key: String,
    of bytes: UnsafeRawBufferPointer
  ) throws(StorageError) -> Value? {
    do {
      var rest = unsafe ByteWindow(bytes)
      guard unsafe try rest.take(1)[0] == mapTag else { return nil }
      let wanted = unsafe key.utf8Span.span.bytes
      while !rest.isEmpty {
        let found = try unsafe takeNested(&rest)
        let value = try unsafe takeNested(&rest)
        if unsafe isEqual(found, wanted) { return try unsafe decode(value, depth: 1) }
      }
      return nil
    } catch {
      throw .damaged(in: "a mixed value", error.what)
    }
  }

  /// The number of entries or elements of a map, list or set.
  package static func elementCount(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> Int {
    do {
      var rest = unsafe ByteWindow(bytes)
      let tag = try unsafe rest.take(1)[0]
      return tag < listTag ? 0 : try elementCount(rest, isMap: tag == mapTag)
    } catch {
      throw .damaged(in: "a mixed value", error.what)
    }
  }

  /// Whether a value links to an object, itself or inside it; true for bytes that are none's.
  package static func mayLink(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let tag = unsafe bytes.first else { return false }
    guard tag >= listTag else { return tag == ValueKind.link.rawValue }
    var rest = unsafe ByteWindow(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
    do {
      while !rest.isEmpty {
        if tag == mapTag { _ = try unsafe takeNested(&rest) }
        if try unsafe mayLink(takeNested(&rest)) { return true }
      }
      return false
    } catch {
      return true
    }
  }

  private static func isEqual(_ bytes: UnsafeRawBufferPointer, _ other: RawSpan) -> Bool {
    guard bytes.count == other.byteCount else { return false }
    return unsafe other.withUnsafeBytes { unsafe ByteOrder.compare(bytes, $0) == 0 }
  }
}
