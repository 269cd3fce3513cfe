import Foundation
import KennelLMDB

/// What the disk may have of a file when the power fails before a sync: any of the parts that were
/// written since the last one.
package struct PowerLoss {
  private let before: Data
  private let after: Data
  /// The parts that differ.
  package let parts: [Range<Int>]

  /// A part is what the disk writes together: a page, or with 512 bytes a sector of it.
  package init(before: [UInt8], after: [UInt8], partByteCount: Int = 4096) {
    let (before, after) = (Data(before), Data(after))
    (self.before, self.after) = (before, after)
    parts = stride(from: 0, to: after.count, by: partByteCount).compactMap { start in
      let part = start..<min(start + partByteCount, after.count)
      if part.upperBound > before.count { return part }
      return before.subdata(in: part) == after.subdata(in: part) ? nil : part
    }
  }

  /// The file where the disk has only some parts, in the length that it has before or after.
  package func image(has isThere: (Int) -> Bool, isLong: Bool = true) -> [UInt8] {
    var image = before
    let kept = parts.indices.filter(isThere).map { parts[$0] }
    let end = isLong ? after.count : max(before.count, kept.last?.upperBound ?? 0)
    if image.count < end { image.append(Data(count: end - image.count)) }
    for part in kept { image.replaceSubrange(part, with: after.subdata(in: part)) }
    return Array(image)
  }
}

/// The proof in a meta page that a commit is whole (`CommitRecord`), byte by byte.
package enum CommitRecordBytes {
  /// How far the commit has come: 1 begun, 2 listed, 3 kept.
  package static func stage(of commit: UInt64, in bytes: [UInt8]) -> UInt8 {
    bytes[page(of: commit) + 160 + 16]
  }

  /// Whether a write is a commit record of a synced commit.
  package static func isKept(_ offset: Int, _ bytes: [UInt8]) -> Bool {
    [160, 4096 + 160].contains(offset) && bytes.count == 352 && bytes[16] == 3
  }

  /// The file as it was while a commit was being written: nothing is listed or synced yet.
  package static func begin(_ commit: UInt64, in bytes: inout [UInt8]) {
    bytes[page(of: commit) + 160 + 16] = 1
    sum(commit, in: &bytes)
  }

  /// Corrects the checksum of a changed commit record.
  package static func sum(_ commit: UInt64, in bytes: inout [UInt8]) {
    let record = page(of: commit) + 160
    let sum = unsafe bytes[record..<record + 344].withUnsafeBytes { unsafe PageSum.of($0) }
    unsafe withUnsafeBytes(of: sum.littleEndian) {
      unsafe bytes.replaceSubrange(record + 344..<record + 352, with: $0)
    }
  }

  /// Copies a file as it was while its newest commit was being written.
  package static func copy(
    _ path: String,
    to copy: String,
    beginningCommit commit: UInt64
  ) throws {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    begin(commit, in: &bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: copy))
  }

  /// Where the meta page of a commit begins.
  package static func page(of commit: UInt64) -> Int { Int(commit & 1) * 4096 }
}
