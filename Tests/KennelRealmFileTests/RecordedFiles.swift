import CZlib
import Foundation
import KennelRealmFile
import Testing

/// The files in `Recorded` and changed copies of them, in a folder that is removed in the end.
final class RecordedFiles: Sendable {
  static let sample = RecordedFiles.unpacked("sample.realm.gz")
  static let streamed = RecordedFiles.unpacked("sample-streamed.realm.gz")
  static let encrypted = RecordedFiles.bytes("sample-encrypted.realm")
  /// What Realm read from the sample.
  static let dump = JSON(unpacked("sample.full.json.gz"))
  static let hexKey = (0..<64).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/kennel-realm-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Writes a file and returns its path.
  func write(_ bytes: [UInt8], as name: String = "file.realm") throws -> String {
    let path = folder + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  static func bytes(_ name: String) -> [UInt8] {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    return [UInt8](FileManager.default.contents(atPath: path + "/Recorded/" + name) ?? Data())
  }

  static func unpacked(_ name: String) -> [UInt8] {
    var packed = bytes(name)
    // The end of a gzip file is the size of its content.
    let size = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    var content = [UInt8](repeating: 0, count: size)
    var stream = unsafe z_stream()
    guard unsafe kennel_begin_inflating(&stream) == Z_OK else { return [] }
    defer { unsafe inflateEnd(&stream) }
    let packedCount = UInt32(packed.count)
    let result = unsafe packed.withUnsafeMutableBufferPointer { packed in
      unsafe content.withUnsafeMutableBufferPointer { content in
        unsafe stream.next_in = packed.baseAddress
        unsafe stream.avail_in = packedCount
        unsafe stream.next_out = content.baseAddress
        unsafe stream.avail_out = UInt32(size)
        return unsafe inflate(&stream, Z_FINISH)
      }
    }
    return result == Z_STREAM_END ? content : []
  }

  static func key() throws -> RealmEncryptionKey {
    try #require(RealmEncryptionKey(bytes: 0..<64))
  }
}
