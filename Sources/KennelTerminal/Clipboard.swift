internal import Glibc

/// Copies texts to the person's clipboard.
///
/// The terminal is asked first, by OSC 52, because it is where the person is, on whatever machine.
/// It may ignore that and does not answer, so the programs for copying on this machine are
/// tried as well.
enum Clipboard {
  /// Terminals drop longer sequences; this is the limit of the strictest that is common.
  static let mostEncoded = 74_994

  private static let programs: [(variable: String, command: String)] = [
    ("TMUX", "tmux load-buffer -w -"),
    ("WAYLAND_DISPLAY", "wl-copy"),
    ("DISPLAY", "xclip -selection clipboard"),
    ("DISPLAY", "xsel --clipboard --input"),
  ]

  /// Copies by the first program that is there, and says where the text went.
  static func copy(_ text: String, isSent: Bool) -> String {
    for (variable, command) in programs where !Terminal.variable(variable).isEmpty {
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

  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let letters = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
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
    send(Array("\u{1b}]52;c;".utf8) + Clipboard.base64(Array(text.utf8)) + [0x07])
    return true
  }
}
