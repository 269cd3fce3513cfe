import Foundation

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

/// The bytes of a page file that tests change or look at.
package enum PageBytes {
  /// Whether a write is a meta page that says that its commit's pages are on the disk.
  package static func isSynchronizedMetaPage(_ offset: Int, _ bytes: [UInt8]) -> Bool {
    [0, 4096].contains(offset) && bytes.starts(with: "KennelDB".utf8) && bytes[48] == 1
  }

  /// Copies a file as a power failure leaves it that takes a page which a commit wrote.
  package static func copy(_ path: String, to copy: String, cuttingCommit commit: Int) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // A page begins with the number of the commit that wrote it.
    let mark = unsafe withUnsafeBytes(of: commit.littleEndian) { unsafe Data($0) }
    let page = stride(from: 8192, to: bytes.count, by: 4096).first { start in
      bytes[start..<start + 8] == mark
    }
    guard let page else { throw TestFailure("commit \(commit) wrote no page") }
    bytes.replaceSubrange(page..<page + 4096, with: Data(count: 4096))
    try bytes.write(to: URL(fileURLWithPath: copy))
  }
}
