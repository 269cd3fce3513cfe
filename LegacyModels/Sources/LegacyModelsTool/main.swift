import Glibc
import ModelRewriting
import SwiftScanning

// LegacyModelsTool SOURCE COPY …: writes a copy of each source with Realm's older model
// syntax rewritten. The plugin LegacyModels runs it.
//
// Calls of the system are all that is unsafe here: each gets bytes or text of a known length.

private func printLine(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
}

private func read(_ path: String) -> String? {
  guard let file = unsafe fopen(path, "r") else { return nil }
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe fread(&block, 1, block.count, file)
    if count == 0 { break }
    bytes += block[..<count]
  }
  return unsafe ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
}

private func write(_ text: String, to path: String) -> Bool {
  guard let file = unsafe fopen(path, "w") else { return false }
  let bytes = Array(text.utf8)
  let count = unsafe fwrite(bytes, 1, bytes.count, file)
  return unsafe fclose(file) == 0 && count == bytes.count
}

/// The system's message for the last error.
private func reason() -> String { unsafe String(cString: strerror(errno)) }

private func rewrite(_ source: String, to output: String) -> Bool {
  guard let text = read(source) else {
    printLine("\(source):1: error: Cannot read this file: \(reason())")
    return false
  }
  let result = ModelRewriter.rewrite(text, path: source)
  for diagnostic in result.diagnostics { printLine(diagnostic.description) }
  guard result.isUsable else { return false }
  guard write(ModelRewriter.located(result.text, path: source), to: output) else {
    printLine("\(output):1: error: Cannot write this file: \(reason())")
    return false
  }
  return true
}

private func run(_ arguments: [String]) -> Int32 {
  guard arguments.count >= 2, arguments.count.isMultiple(of: 2) else {
    printLine("usage: LegacyModelsTool SOURCE COPY [SOURCE COPY …]")
    return 2
  }
  var isGood = true
  for index in stride(from: 0, to: arguments.count, by: 2) {
    isGood = rewrite(arguments[index], to: arguments[index + 1]) && isGood
  }
  return isGood ? 0 : 1
}

exit(run(Array(CommandLine.arguments.dropFirst())))
