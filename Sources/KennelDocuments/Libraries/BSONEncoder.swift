import CBSON
import Glibc
import KennelCore

/// Encodes documents as BSON, by libbson.
///
/// It keeps libbson's buffers from one document to the next.
///
/// Safe to use: it owns its buffers and copies their bytes out.
@safe final class BSONEncoder {
  /// One of libbson's documents for each level of nesting; a nested one is built inside its parent.
  private let levels: OpaquePointer
  private let limit: Int

  init(limit: Int = DocumentLimits.bsonByteCount) {
    self.limit = limit
    unsafe levels = kennel_bson_row(Int32(DocumentLimits.depth + 1))
    unsafe bson_init(levels)
  }

  deinit {
    unsafe bson_destroy(levels)
    unsafe free(UnsafeMutableRawPointer(levels))
  }

  /// Appends the bytes of a document.
  func encode(_ document: Document, into bytes: inout [UInt8]) throws(ValueProblem) {
    unsafe bson_reinit(levels)
    try append(document, level: 0)
    let count = unsafe Int(kennel_bson_length(levels))
    guard count <= limit else {
      throw ValueProblem(
        "the document has \(count) bytes as BSON, and MongoDB's limit is \(limit); export it as jsonl"
      )
    }
    guard let start = unsafe bson_get_data(levels) else { throw Self.isTooLarge }
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
  }

  private static let isTooLarge = ValueProblem("the document is too large for BSON")

  private func append(_ document: Document, level: Int) throws(ValueProblem) {
    for member in document.members {
      var name = member.name
      let length = name.utf8.count
      let result = name.withUTF8 { buffer in
        unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
          Result { () throws(ValueProblem) in
            if let start = buffer.baseAddress, unsafe memchr(start, 0, length) != nil {
              throw ValueProblem("a name has a character 0, which BSON's names cannot have")
            }
            try unsafe append(member.value, level, characters.baseAddress, Int32(length))
          }
        }
      }
      try inside(".\(member.name)", try result.get())
    }
  }

  private func append(_ elements: [DocumentValue], level: Int) throws(ValueProblem) {
    for (position, element) in elements.enumerated() {
      // The names of an array's elements are their positions.
      let result = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { buffer in
        var name: UnsafePointer<CChar>?
        let length = unsafe bson_uint32_to_string(UInt32(position), &name, buffer.baseAddress, 16)
        return Result { () throws(ValueProblem) in
          try unsafe append(element, level, name, Int32(length))
        }
      }
      try inside("[\(position)]", try result.get())
    }
  }

  private func append(
    _ value: DocumentValue,
    _ level: Int,
    _ name: UnsafePointer<CChar>?,
    _ length: Int32
  ) throws(ValueProblem) {
    guard let target = unsafe kennel_bson_at(levels, Int32(level)) else { return }
    let isDone: Bool
    switch value {
    case .null: isDone = unsafe bson_append_null(target, name, length)
    case .bool(let value): isDone = unsafe bson_append_bool(target, name, length, value)
    case .int32(let value): isDone = unsafe bson_append_int32(target, name, length, value)
    case .int64(let value): isDone = unsafe bson_append_int64(target, name, length, value)
    case .double(let value): isDone = unsafe bson_append_double(target, name, length, value)
    case .decimal128(let value):
      var number = bson_decimal128_t(low: value.low, high: value.high)
      isDone = unsafe bson_append_decimal128(target, name, length, &number)
    case .string(var text):
      isDone = text.withUTF8 { buffer in
        unsafe buffer.withMemoryRebound(to: CChar.self) {
          unsafe bson_append_utf8(target, name, length, $0.baseAddress, Int32(clamping: $0.count))
        }
      }
    case .date(let date):
      guard let milliseconds = date.milliseconds else {
        throw ValueProblem("\(date) has a fraction of a millisecond, which BSON cannot hold")
      }
      isDone = unsafe bson_append_date_time(target, name, length, milliseconds)
    case .objectId(let id):
      var bytes = bson_oid_t(id)
      isDone = unsafe bson_append_oid(target, name, length, &bytes)
    case .binary(let subtype, let bytes):
      isDone = unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe bson_append_binary(
          target,
          name,
          length,
          bson_subtype_t(UInt32(subtype)),
          buffer.baseAddress,
          UInt32(clamping: buffer.count)
        )
      }
    case .array(let elements):
      try requireRoom(below: level)
      let inner = unsafe kennel_bson_at(levels, Int32(level + 1))
      isDone = unsafe bson_append_array_begin(target, name, length, inner)
      try append(elements, level: level + 1)
      _ = unsafe bson_append_array_end(target, inner)
    case .document(let document):
      try requireRoom(below: level)
      let inner = unsafe kennel_bson_at(levels, Int32(level + 1))
      isDone = unsafe bson_append_document_begin(target, name, length, inner)
      try append(document, level: level + 1)
      _ = unsafe bson_append_document_end(target, inner)
    case .other(let type, _):
      throw ValueProblem("a value of type \(type) cannot be written")
    }
    if !isDone { throw Self.isTooLarge }
  }

  private func requireRoom(below level: Int) throws(ValueProblem) {
    if level >= DocumentLimits.depth { throw DocumentLimits.isTooDeep }
  }
}

extension bson_oid_t {
  init(_ id: ObjectId) {
    self.init()
    unsafe withUnsafeMutableBytes(of: &self) { bytes in
      unsafe bytes.storeBytes(of: id.high.bigEndian, as: UInt64.self)
      unsafe bytes.storeBytes(of: id.low.bigEndian, toByteOffset: 8, as: UInt32.self)
    }
  }
}
