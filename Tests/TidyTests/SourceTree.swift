import Foundation

/// The files of this checkout as the tests of tidiness read them.
enum SourceTree {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files under a folder of the checkout.
  static func swiftFiles(in folder: String) -> [SourceFile] {
    files(in: folder) { $0.hasSuffix(".swift") }
  }

  /// The files under a folder whose path the condition likes, in the order of their paths.
  static func files(in folder: String, where condition: (String) -> Bool) -> [SourceFile] {
    let base = root.appendingPathComponent(folder)
    guard let paths = FileManager.default.enumerator(atPath: base.path) else { return [] }
    return paths.compactMap { $0 as? String }
      .filter { !$0.hasPrefix(".build") && !$0.hasPrefix(".git/") && condition($0) }
      .sorted()
      .compactMap { SourceFile(path: folder.isEmpty ? $0 : folder + "/" + $0) }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}

/// A text file of the checkout.
struct SourceFile: CustomStringConvertible {
  let path: String
  let text: String
  let lines: [String]

  init?(path: String) {
    guard let text = try? SourceTree.text(path) else { return nil }
    self.path = path
    self.text = text
    lines = text.components(separatedBy: "\n")
  }

  var description: String { path }
  /// The second component: the target of a file in Sources or Tests.
  var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The lines that hold one of the words and match, with their numbers, comments and all.
  ///
  /// The words come first because looking for them is a hundred times faster than a pattern.
  func lines(with words: [String], matching pattern: Regex<some Any>) -> [String] {
    guard words.contains(where: { text.contains($0) }) else { return [] }
    return lines.enumerated()
      .filter { line in words.contains { line.element.contains($0) } }
      .filter { $0.element.firstMatch(of: pattern) != nil }
      .map { "\(path):\($0.offset + 1): \($0.element.trimmingCharacters(in: .whitespaces))" }
  }

  /// The modules that the file imports.
  var imports: [String] {
    lines.filter { $0.contains("import ") }.compactMap { line in
      line.firstMatch(
        of: /^(?:@\w+ )*(?:public |package |internal |private )?import (?:\w+ )?(\w+)(?:\.\w+)*$/
      ).map { String($0.output.1) }
    }
  }

  /// The examples in doc comments: the lines of each block of Swift.
  var examples: [[String]] {
    var found: [[String]] = []
    var isOpen = false
    for line in lines.map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line == "/// ```swift" {
        found.append([])
        isOpen = true
      } else if line == "/// ```" || !line.hasPrefix("///") {
        isOpen = false
      } else if isOpen {
        found[found.count - 1].append(String(line.dropFirst(4)))
      }
    }
    return found
  }

  /// Functions with the number of lines that each has, found by the formatter's indentation.
  var functions: [(name: String, line: Int, length: Int)] {
    var found: [(name: String, line: Int, length: Int)] = []
    for (start, line) in lines.enumerated() where line.contains("func ") || line.contains("init") {
      guard let match = line.firstMatch(of: /^( *)(?:[@\w()]+ )*(?:func |init[?(<])/),
        !line.contains("//"), let open = body(from: start)
      else { continue }
      let closing = String(match.output.1) + "}"
      guard let end = lines[open...].firstIndex(of: closing) else { continue }
      found.append((line.trimmingCharacters(in: .whitespaces), start + 1, end - start + 1))
    }
    return found
  }

  /// The line whose brace opens the body of the function that a line begins; `nil` for none.
  private func body(from start: Int) -> Int? {
    var depth = 0
    for (index, line) in lines[start...].enumerated().prefix(40) {
      depth += line.filter { $0 == "(" }.count - line.filter { $0 == ")" }.count
      guard depth <= 0 else { continue }
      if line.hasSuffix("{") { return start + index }
      let next = start + index + 1
      let indentation = lines[start].prefix { $0 == " " } + "  "
      guard next < lines.count,
        lines[next].firstMatch(of: /^ *(?:where |-> |throws)/) != nil
          || lines[next] == indentation.dropLast(2) + "{"
      else { return nil }
    }
    return nil
  }
}
