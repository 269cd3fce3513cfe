internal import Glibc

/// Copies texts to the person's clipboard.
///
/// The terminal is asked first, by OSC 52, because it is where the person is, on whatever machine.
/// It may ignore that and does not answer, so the programs for copying on this machine are
/// tried as well. In tmux and screen, which keep such sequences to themselves, it is wrapped in one
/// that they pass on.
package enum Clipboard {
  /// Terminals drop longer sequences; this is the limit of the strictest that is common.
  static let mostEncoded = 74_994

  /// The limit of `screen` for one sequence.
  private static let longestScreenSequence = 700

  private static let programs: [(variable: String?, command: String)] = [
    ("TMUX", "tmux load-buffer -w -"),
    ("WAYLAND_DISPLAY", "wl-copy"),
    ("DISPLAY", "xclip -selection clipboard"),
    ("DISPLAY", "xsel --clipboard --input"),
    (nil, "pbcopy"),
  ]

  /// Copies by the first program that is there, and says where the text went.
  static func copy(_ text: String, isSent: Bool) -> String {
    for (variable, command) in programs {
      if let variable, Terminal.variable(variable).isEmpty { continue }
      if pipe(text, to: "exec \(command) >/dev/null 2>&1") {
        return "the clipboard, by \(command.prefix { $0 != " " })"
      }
    }
    return isSent
      ? "the clipboard of the terminal, by OSC 52"
      : "nowhere: it is too long for the terminal, and there is no program for it"
  }

  private static func pipe(_ text: String, to command: String) -> Bool {
    guard let stream = unsafe popen(command, "we") else { return false }
    var text = text
    text.withUTF8 { bytes in
      _ = unsafe fwrite(bytes.baseAddress, 1, bytes.count, stream)
    }
    return unsafe pclose(stream) == 0
  }

  /// The sequences that ask the terminal to copy a text, through what runs inside of it.
  package static func sequences(
    for text: String,
    isInTmux: Bool,
    isInScreen: Bool
  ) -> [UInt8] {
    let escape: UInt8 = 0x1b
    let sequence = [escape] + Array("]52;c;".utf8) + base64(Array(text.utf8)) + [0x07]
    if isInTmux {
      let doubled = sequence.flatMap { $0 == escape ? [$0, $0] : [$0] }
      // tmux takes the one, or passes the other on, as it is set up.
      return sequence + [escape] + Array("Ptmux;".utf8) + doubled + [escape, 0x5c]
    }
    guard isInScreen else { return sequence }
    return stride(from: 0, to: sequence.count, by: longestScreenSequence).flatMap { start in
      let end = min(start + longestScreenSequence, sequence.count)
      return [escape, 0x50] + sequence[start..<end] + [escape, 0x5c]
    }
  }

  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var value = 0
      for byte in group { value = value << 8 | Int(byte) }
      value <<= 8 * (3 - group.count)
      for position in 0..<4 {
        let isThere = position <= group.count
        result.append(isThere ? letters[value >> (18 - 6 * position) & 63] : UInt8(ascii: "="))
      }
    }
    return result
  }
}

extension Terminal {
  /// Sends a text to the terminal's clipboard; false where it is too long for one.
  func copyByEscape(_ text: String) -> Bool {
    guard text.utf8.count <= Clipboard.mostEncoded / 4 * 3 else { return false }
    send(
      Clipboard.sequences(
        for: text,
        isInTmux: !Terminal.variable("TMUX").isEmpty,
        isInScreen: !Terminal.variable("STY").isEmpty
      )
    )
    return true
  }
}
