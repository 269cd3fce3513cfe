import KennelDocuments
import Synchronization

/// Replaces by escapes what a terminal would obey: the values and names of a file come from anywhere.
///
/// `FileOutput` passes all that it writes to a terminal through one.
final class TerminalFilter: Sendable {
  private struct State {
    /// The first bytes of a character whose others have not come.
    var rest: [UInt8] = []
    /// Whether a carriage return has come, which stays only before a line feed.
    var hasReturn = false
  }

  private let state = Mutex(State())

  /// Returns what is shown in place of the next bytes.
  func shown(_ bytes: [UInt8]) -> [UInt8] {
    state.withLock { state in
      let all = state.rest + bytes
      let end = Self.endOfCharacters(all)
      state.rest = Array(all[end...])
      var shown = ""
      for scalar in String(decoding: all[..<end], as: UTF8.self).unicodeScalars {
        if state.hasReturn { shown += scalar == "\n" ? "\r" : TerminalText.escaped("\r") }
        state.hasReturn = scalar == "\r"
        if state.hasReturn { continue }
        if scalar == "\n" || scalar == "\t" || !TerminalText.isHidden(scalar) {
          shown.unicodeScalars.append(scalar)
        } else {
          shown += TerminalText.escaped(scalar)
        }
      }
      return Array(shown.utf8)
    }
  }

  /// Where the last character begins, if it is not complete, or else the end.
  private static func endOfCharacters(_ bytes: [UInt8]) -> Int {
    guard let start = bytes.suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }) else {
      return bytes.count
    }
    let length =
      switch bytes[start] {
      case 0xC0..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0...: 4
      default: 1
      }
    return start + length > bytes.count ? start : bytes.count
  }
}
