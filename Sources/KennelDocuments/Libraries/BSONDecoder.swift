import CBSON
import Glibc
import KennelCore

/// Decodes BSON into documents, by libbson.
///
/// Every length, name and string is checked. Documents of a collection have the same names mostly:
/// the decoder keeps the names that it met, so that they are neither made nor compared with each
/// other again.
///
/// Safe to use: it owns what libbson walks with, and no pointer outlives the bytes that it is given.
@safe final class BSONDecoder {
  /// Safe to use without checks for exclusive access: no access contains another.
  @safe @exclusivity(unchecked) private var names = KnownNames()
  /// libbson's iterators, one for each level.
  private let walk = unsafe kennel_bson_walk(Int32(DocumentLimits.depth + 1))

  deinit {
    unsafe free(UnsafeMutableRawPointer(walk))
  }

  /// The document that makes up some bytes.
  func decode(_ bytes: [UInt8], in range: Range<Int>) throws(ValueProblem) -> Document {
    try unsafe bytes.withUnsafeBufferPointer { buffer throws(ValueProblem) in
      try unsafe decode(UnsafeBufferPointer(rebasing: buffer[range]))
    }
  }

  /// The document that makes up some memory.
  func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(ValueProblem) -> Document {
    guard unsafe kennel_bson_begin(walk, bytes.baseAddress, bytes.count),
      let iterator = unsafe kennel_bson_iterator(walk, 0)
    else { throw Self.damaged }
    return try unsafe self.document(iterator, level: 0)
  }

  private static let damaged = ValueProblem("the BSON is damaged: lengths contradict each other")

  private func document(
    _ iterator: OpaquePointer,
    level: Int
  ) throws(ValueProblem) -> Document {
    var members: [Document.Member] = []
    members.reserveCapacity(names.count(at: level))
    var isKnown = true
    while unsafe bson_iter_next(iterator) {
      let name: String
      if isKnown, let known = unsafe knownName(iterator, level, members.count) {
        name = known
      } else {
        isKnown = false
        name = try unsafe newName(iterator)
      }
      let value = try unsafe inside(".\(name)", try value(iterator, level: level))
      members.append(Document.Member(name, value))
    }
    if unsafe !kennel_bson_ended(iterator) { throw Self.damaged }
    if !isKnown { try names.remember(members, level) }
    return Document(members)
  }

  private func array(
    _ iterator: OpaquePointer,
    level: Int
  ) throws(ValueProblem) -> [DocumentValue] {
    var elements: [DocumentValue] = []
    while unsafe bson_iter_next(iterator) {
      elements.append(try unsafe inside("[\(elements.count)]", try value(iterator, level: level)))
    }
    if unsafe !kennel_bson_ended(iterator) { throw Self.damaged }
    return elements
  }

  // MARK: - Names

  /// The name at a position of the document before, where it is this one too.
  private func knownName(
    _ iterator: OpaquePointer,
    _ level: Int,
    _ position: Int
  ) -> String? {
    guard let name = names.name(level, position), let key = unsafe bson_iter_key(iterator)
    else { return nil }
    let length = unsafe Int(bson_iter_key_len(iterator))
    var known = name
    let isSame = known.withUTF8 { buffer in
      guard buffer.count == length else { return false }
      guard let start = buffer.baseAddress else { return true }
      return unsafe memcmp(start, key, length) == 0
    }
    return isSame ? name : nil
  }

  private func newName(_ iterator: OpaquePointer) throws(ValueProblem) -> String {
    guard let key = unsafe bson_iter_key(iterator),
      let name = unsafe Self.text(key, Int(bson_iter_key_len(iterator)))
    else { throw ValueProblem("a name is not valid UTF-8") }
    return name
  }

  // MARK: - Values

  private static func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String? {
    unsafe start.withMemoryRebound(to: UInt8.self, capacity: count) {
      let bytes = unsafe UnsafeBufferPointer(start: $0, count: count)
      // What is ASCII needs no validation, which costs more than all else here.
      if unsafe bytes.allSatisfy({ $0 < 0x80 }) {
        return unsafe String(decoding: bytes, as: UTF8.self)
      }
      return unsafe String(validating: bytes, as: UTF8.self)
    }
  }

  private func value(
    _ iterator: OpaquePointer,
    level: Int
  ) throws(ValueProblem) -> DocumentValue {
    switch unsafe bson_iter_type(iterator) {
    case BSON_TYPE_NULL: return .null
    case BSON_TYPE_BOOL: return unsafe .bool(bson_iter_bool(iterator))
    case BSON_TYPE_INT32: return unsafe .int32(bson_iter_int32(iterator))
    case BSON_TYPE_INT64: return unsafe .int64(bson_iter_int64(iterator))
    case BSON_TYPE_DOUBLE: return unsafe .double(bson_iter_double(iterator))
    case BSON_TYPE_UTF8:
      var count: UInt32 = 0
      guard let start = unsafe bson_iter_utf8(iterator, &count),
        let text = unsafe Self.text(start, Int(count))
      else { throw ValueProblem("the string is not valid UTF-8") }
      return .string(text)
    case BSON_TYPE_DECIMAL128:
      var number = bson_decimal128_t()
      guard unsafe bson_iter_decimal128(iterator, &number) else { throw Self.damaged }
      return .decimal128(Decimal128(high: number.high, low: number.low))
    case BSON_TYPE_DATE_TIME:
      return unsafe .date(Timestamp(milliseconds: bson_iter_date_time(iterator)))
    case BSON_TYPE_OID:
      guard let id = unsafe bson_iter_oid(iterator) else { throw Self.damaged }
      return unsafe .objectId(ObjectId(id.pointee))
    case BSON_TYPE_BINARY: return try unsafe binary(iterator)
    case BSON_TYPE_DOCUMENT, BSON_TYPE_ARRAY: return try unsafe nested(iterator, level: level)
    case let type:
      return .other(
        type: Self.typeNames[type.rawValue] ?? "\(type.rawValue)",
        text: try unsafe ExtendedJSON.text(of: iterator)
      )
    }
  }

  private func binary(_ iterator: OpaquePointer) throws(ValueProblem) -> DocumentValue {
    var subtype = BSON_SUBTYPE_BINARY
    var count: UInt32 = 0
    var start: UnsafePointer<UInt8>?
    unsafe bson_iter_binary(iterator, &subtype, &count, &start)
    guard let start = unsafe start else {
      return .binary(subtype: UInt8(subtype.rawValue & 0xFF), [])
    }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(count))
    return unsafe .binary(subtype: UInt8(subtype.rawValue & 0xFF), Array(bytes))
  }

  private func nested(
    _ iterator: OpaquePointer,
    level: Int
  ) throws(ValueProblem) -> DocumentValue {
    guard level < DocumentLimits.depth else { throw DocumentLimits.isTooDeep }
    let isArray = unsafe bson_iter_type(iterator) == BSON_TYPE_ARRAY
    guard let inner = unsafe kennel_bson_iterator(walk, Int32(level + 1)),
      unsafe bson_iter_recurse(iterator, inner)
    else { throw Self.damaged }
    if isArray { return unsafe .array(try array(inner, level: level + 1)) }
    return unsafe .document(try document(inner, level: level + 1))
  }

  private static let typeNames: [UInt32: String] = [
    BSON_TYPE_UNDEFINED.rawValue: "undefined", BSON_TYPE_REGEX.rawValue: "regex",
    BSON_TYPE_DBPOINTER.rawValue: "dbPointer", BSON_TYPE_CODE.rawValue: "javascript",
    BSON_TYPE_SYMBOL.rawValue: "symbol", BSON_TYPE_CODEWSCOPE.rawValue: "javascriptWithScope",
    BSON_TYPE_TIMESTAMP.rawValue: "timestamp", BSON_TYPE_MAXKEY.rawValue: "maxKey",
    BSON_TYPE_MINKEY.rawValue: "minKey",
  ]
}

extension ObjectId {
  fileprivate init(_ id: bson_oid_t) {
    self = unsafe withUnsafeBytes(of: id) { bytes in
      unsafe ObjectId(
        high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        low: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      )
    }
  }
}
