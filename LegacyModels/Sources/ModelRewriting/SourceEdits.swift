import SwiftScanning

/// Replacements in a source text that keep line numbers.
struct SourceEdits {
  private let bytes: [UInt8]
  private var edits: [(range: Range<Int>, text: String)] = []

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func replace(_ range: Range<Int>, with text: String) {
    edits.append((range, text + newlines(in: range)))
  }

  /// Removes a range and the blanks after it, up to the end of its line.
  mutating func erase(_ range: Range<Int>) {
    var end = range.upperBound
    while end < bytes.count, bytes[end] == ASCII.space || bytes[end] == ASCII.tab { end += 1 }
    edits.append((range.lowerBound..<end, newlines(in: range)))
  }

  /// Drops the edits that begin at an offset.
  mutating func forget(at position: Int) {
    edits.removeAll { $0.range.lowerBound == position }
  }

  private func newlines(in range: Range<Int>) -> String {
    String(repeating: "\n", count: bytes[range].count { $0 == ASCII.newline })
  }

  /// The text with all edits applied.
  var result: String {
    var result: [UInt8] = []
    var position = 0
    for (range, text) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where range.lowerBound >= position {
      result += bytes[position..<range.lowerBound]
      result += text.utf8
      position = range.upperBound
    }
    result += bytes[position...]
    return String(decoding: result, as: UTF8.self)
  }
}
