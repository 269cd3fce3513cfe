internal import Glibc
internal import KennelBrowser

/// Opens texts in the person's own editor.
enum ExternalEditor {
  /// The text as the person saved it, or why there is none.
  static func edit(_ text: String) -> Edited {
    let folder = Terminal.variable("TMPDIR")
    var name = Array("\(folder.isEmpty ? "/tmp" : folder)/kennel-XXXXXX.txt".utf8CString)
    let file = unsafe mkstemps(&name, 4)
    guard file >= 0 else { return .failed("No temporary file can be made for the editor") }
    let path = unsafe name.withUnsafeBufferPointer {
      unsafe $0.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
    defer { unsafe unlink(path) }
    let isWritten = Terminal.write(Array(text.utf8), to: file)
    guard close(file) == 0, isWritten else {
      return .failed("The temporary file for the editor cannot be written")
    }

    let editor = ["VISUAL", "EDITOR"].map(Terminal.variable).first { !$0.isEmpty } ?? "vi"
    let status = run("\(editor) \"$1\"", argument: path)
    if status == 127 {
      return .failed("The editor “\(editor)” is not found; set EDITOR to one that is")
    }
    guard status == 0 else { return .failed("The editor “\(editor)” failed") }
    // Most editors write a new file in the place of the old one.
    let saved = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard saved >= 0 else { return .failed("The editor “\(editor)” left no file") }
    defer { close(saved) }
    guard let bytes = readAll(saved) else { return .failed("What was saved cannot be read") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return .failed("What “\(editor)” saved is not UTF-8")
    }
    return .saved(text)
  }

  private static func readAll(_ file: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(file, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += block.prefix(count)
    }
  }

  /// Runs a shell command with the terminal and waits for its end; its exit code, -1 for none.
  static func run(_ command: String, argument: String) -> Int32 {
    let child = Shell.start([command, "sh", argument])
    guard child > 0 else { return -1 }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    // The low bits are the signal that ended it.
    return status & 0x7f == 0 ? status >> 8 & 0xff : -1
  }
}
