import Foundation
import Testing

/// Who may import whom.
///
/// Every import goes down, to a neighbour; `kennel` wires.
private let mayImport: [String: Set<String>] = [
  "KennelPages": ["Glibc", "Musl", "Darwin", "Synchronization"],
  "KennelValues": ["Glibc"],
  "KennelStorage": ["KennelPages", "KennelValues", "CMemory", "Glibc", "Synchronization"],
  "KennelCore": ["KennelStorage", "Glibc", "Synchronization"],
  "KennelEncryption": [
    "KennelCore", "KennelStorage", "KennelPages", "COpenSSL", "Glibc", "Synchronization",
  ],
  "Kennel": ["KennelCore", "KennelValues", "Glibc", "Synchronization", "Dispatch"],
  "KennelFoundation": ["KennelCore", "Foundation"],
  "KennelFoundationValues": ["Kennel", "KennelCore", "KennelFoundation", "Foundation"],
  "KennelBox": ["KennelCore", "KennelFoundation", "Foundation", "Synchronization"],
  "KennelRealm": [
    "KennelCore", "KennelEncryption", "KennelFoundation", "CRealmSupport", "Foundation",
    "Synchronization",
  ],
  "KennelDocuments": ["KennelCore", "CBSON", "CZlib", "Glibc"],
  "KennelRealmFile": ["COpenSSL", "Glibc", "Synchronization"],
  "KennelConversion": ["KennelCore", "KennelRealmFile"],
  "KennelSQL": ["KennelCore", "CSQLite3", "CPostgreSQL", "Glibc", "Synchronization"],
  "SwiftScanning": [],
  "KennelModels": ["KennelCore", "SwiftScanning"],
  "BoxGeneration": ["SwiftScanning", "FoundationEssentials"],
  "KennelBoxGenerator": ["BoxGeneration", "FoundationEssentials", "Glibc"],
  "KennelReports": ["KennelCore"],
  "KennelPatterns": ["KennelCore", "KennelStorage", "CPCRE2", "Synchronization"],
  "KennelBrowser": ["KennelCore", "KennelReports", "KennelPatterns", "Synchronization"],
  "KennelTerminal": [
    "KennelBrowser", "CNCurses", "CTerminalSignals", "Glibc", "Synchronization",
  ],
  "kennel": [
    "KennelTerminal", "KennelBrowser", "KennelReports", "KennelDocuments", "KennelModels",
    "KennelConversion", "KennelEncryption", "KennelPatterns", "KennelRealmFile", "KennelSQL",
    "KennelCore", "SwiftScanning", "CToml", "ArgumentParser", "Glibc", "Synchronization",
  ],
]

/// The targets that users see: what they declare is `public` or `internal`.
private let publicTargets: Set = [
  "KennelCore", "Kennel", "KennelFoundation", "KennelFoundationValues", "KennelBox",
  "KennelDocuments", "KennelRealm", "KennelRealmFile", "SwiftScanning",
]

/// Where unsafe code may be: the targets that call C or read the bytes of files, and named folders.
///
/// A system call that takes a path is unsafe code, too.
private let mayBeUnsafe = [
  "Sources/KennelPages/", "Sources/KennelValues/", "Sources/KennelStorage/",
  "Sources/KennelEncryption/", "Sources/KennelTerminal/", "Sources/KennelPatterns/",
  "Sources/KennelCore/Journal/", "Sources/KennelCore/Transactions/DraftCopy.swift",
  "Sources/KennelDocuments/Libraries/",
  "Sources/Kennel/Models/", "Sources/KennelRealm/Memory/", "Sources/KennelRealmFile/Bytes/",
  "Sources/KennelSQL/SQLite/", "Sources/KennelSQL/PostgreSQL/",
  "Sources/kennel/Foreign/",
  "Sources/kennel/Support/",
]

private let longestFile = 600
private let longestFunction = 70
private let mostMembers = 80

private let sources = SourceTree.swiftFiles(in: "Sources")
private let tests = SourceTree.swiftFiles(in: "Tests")
/// The packages beside this one, with the same rules.
private let otherSources =
  SourceTree.swiftFiles(in: "Benchmarks/Sources")
  + SourceTree.swiftFiles(in: "Examples/Box/Sources")
  + SourceTree.swiftFiles(in: "Examples/Family/Sources")
  + SourceTree.swiftFiles(in: "LegacyModels/Sources")
private let otherTests = SourceTree.swiftFiles(in: "LegacyModels/Tests")
private let rulesOfThisFile = "Tests/TidyTests/"

@Suite struct `The tree is tidy` {
  @Test func `there are sources to look at`() {
    #expect(Set(sources.map(\.target)) == Set(mayImport.keys))
    #expect(sources.contains { !$0.imports.isEmpty })
    #expect(sources.contains { !$0.functions.isEmpty })
    #expect(!otherSources.isEmpty && !otherTests.isEmpty)
  }

  @Test(arguments: mayImport.keys.sorted())
  func `imports go down, to a neighbour`(target: String) {
    for file in sources where file.target == target {
      let surplus = Set(file.imports).subtracting(mayImport[target] ?? [])
      #expect(surplus.isEmpty, "\(file) imports \(surplus.sorted()), which \(target) may not")
    }
  }

  @Test(arguments: publicTargets.sorted())
  func `nothing of the public targets is package`(target: String) {
    let declaration = /\bpackage(?:\(set\))? +(?:\w+)/
    for file in sources where file.target == target {
      let code = file.lines(with: ["package"], matching: declaration).filter { !$0.contains("//") }
      #expect(code.isEmpty, "\(code.joined(separator: "\n"))")
    }
  }

  @Test func `unsafe code stays in its folders`() {
    // The compiler wants the word in front of all that is unsafe.
    for file in sources where !mayBeUnsafe.contains(where: file.path.hasPrefix) {
      let lines = file.lines(
        with: ["unsafe ", "Unsafe", "OpaquePointer"],
        matching: /^(?! *\/\/).*\b(?:unsafe |Unsafe|OpaquePointer)/
      )
      #expect(lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
  }

  @Test func `the classes of Realm are unsafe in one folder`() {
    let folder = "Sources/KennelRealm/Memory/"
    let unsafe = /\bUnmanaged\b[.<(]|\bunsafe\w+\(|unowned\(unsafe|[wW]ithUnsafe|@_silgen_name/
    for file in sources where file.target == "KennelRealm" {
      let words = ["Unmanaged", "nsafe", "@_silgen_name"]
      let lines =
        file.path.hasPrefix(folder) ? [] : file.lines(with: words, matching: unsafe)
      #expect(lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
  }

  @Test func `nothing is promised to the optimizer`() {
    for file in sources {
      let lines = file.lines(with: ["@_effects"], matching: /@_effects/)
      #expect(lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
  }

  @Test func `the browser reads no clock, file or environment and prints nothing`() {
    for file in sources where file.target == "KennelBrowser" {
      let lines = file.lines(
        with: ["rint(", "getenv", "readLine", "Clock"],
        matching: /\b(?:print|debugPrint|getenv|readLine)\(|(?:Continuous|Suspending)Clock/
      )
      #expect(lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
  }

  @Test func `only the helper for the caller's mistakes stops the program`() {
    for file in sources where !file.text.contains("func callerMistake(") {
      let pattern = /\b(?:fatalError|precondition|preconditionFailure|assertionFailure)\(/
      let lines = file.lines(with: ["fatalError", "precondition", "assertion"], matching: pattern)
      #expect(lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
  }

  @Test func `no file is too long`() {
    for file in sources + tests + otherSources + otherTests {
      #expect(file.lines.count <= longestFile, "\(file) has \(file.lines.count) lines")
    }
  }

  @Test func `every function fits a screen`() {
    for file in sources + otherSources {
      for function in file.functions where function.length > longestFunction {
        Issue.record("\(file):\(function.line): \(function.length) lines: \(function.name)")
      }
    }
  }

  @Test func `main is short`() throws {
    let lines = try SourceTree.text("Sources/kennel/main.swift").split(separator: "\n")
    #expect(lines.count <= 40)
  }

  @Test func `nothing is left to do later`() {
    let pattern = /\b(?:TODO|FIXME|XXX|HACK)\b|(?i)\bfor now\b/
    for file in sources + tests + otherSources + otherTests
    where !file.path.hasPrefix(rulesOfThisFile) {
      let words = ["TODO", "FIXME", "XXX", "HACK", "or now"]
      let lines = file.lines(with: words, matching: pattern)
      #expect(lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
  }

  @Test func `tests use what the targets offer`() {
    for file in tests + otherTests where !file.path.hasPrefix(rulesOfThisFile) {
      let lines = file.lines(
        with: ["@testable", "XCTest", ".disabled("],
        matching: /@testable|import XCTest|\.disabled\(/
      )
      #expect(lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
  }

  @Test func `files have names that say something`() {
    let names = /(?:Utils?|Helpers?|Common|Misc)\.swift$|\s/
    for file in sources + tests + otherSources + otherTests {
      #expect(file.path.firstMatch(of: names) == nil, "\(file)")
    }
  }

  @Test func `no path of a machine is written down`() {
    let pattern = /\/(?:work|root|Users)\/\w|file:\/\/\//
    let kinds = [".swift", ".md", ".sh", ".yml", ".walk", ".kennel-text", ".c", ".h"]
    let texts =
      SourceTree.files(in: "Sources") { path in kinds.contains { path.hasSuffix($0) } }
      + SourceTree.files(in: "Tests") { path in kinds.contains { path.hasSuffix($0) } }
      + otherSources + otherTests
      + SourceTree.files(in: "Documentation") { path in kinds.contains { path.hasSuffix($0) } }
      + ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile"]
      .compactMap { SourceFile(path: $0) }
    for file in texts where !file.path.hasPrefix(rulesOfThisFile) {
      let lines = file.lines(with: ["/work", "/root", "/Users", "file:"], matching: pattern)
      #expect(lines.isEmpty, "\(lines.joined(separator: "\n"))")
    }
  }

  @Test func `the links of the documentation lead somewhere`() throws {
    let documents =
      SourceTree.files(in: "Documentation") { $0.hasSuffix(".md") }
      + ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
      .compactMap { SourceFile(path: $0) }
    #expect(documents.count >= 4)
    for document in documents {
      let folder = SourceTree.root.appendingPathComponent(document.path)
        .deletingLastPathComponent()
      for match in document.text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
        let target = folder.appendingPathComponent(String(match.output.1)).path
        #expect(
          FileManager.default.fileExists(atPath: target),
          "\(document) points to \(match.output.1)"
        )
      }
    }
  }

  @Test(arguments: ["Kennel", "KennelRealm"])
  func `the examples of the reference are run`(module: String) throws {
    let run = try lines(of: SourceTree.text("Tests/\(module)Tests/ReferenceExampleTests.swift"))
    let pages = SourceTree.files(in: "Sources/\(module)/\(module).docc") { $0.hasSuffix(".md") }
    #expect(pages.count >= 5)
    for page in pages {
      let parts = page.text.components(separatedBy: "```")
      for (index, part) in parts.enumerated() where index % 2 == 1 {
        let example = lines(of: String(part.drop { $0 != "\n" }))
        #expect(!run.ranges(of: example).isEmpty, "\(page): \(example.first ?? "")")
      }
    }
  }

  @Test(arguments: [
    ("Kennel", "Kennel"), ("KennelBox", "KennelBox"), ("KennelValues", "KennelCore"),
    ("KennelStorage", "KennelCore"), ("KennelCore", "KennelCore"),
    ("KennelDocuments", "KennelDocuments"), ("KennelRealm", "KennelRealm"),
    ("SwiftScanning", "SwiftScanning"),
  ])
  func `the examples of doc comments are run`(target: String, publicThrough: String) throws {
    let folder = "Tests/\(publicThrough)Tests"
    let names = ["\(folder)/DocumentationExamples", "\(folder)/ReferenceExampleTests"]
    let tests = SourceTree.files(in: folder) { $0.hasSuffix(".swift") }
      .filter { file in names.contains(where: file.path.hasPrefix) }
    let run = lines(of: tests.map(\.text).joined(separator: "\n"))
    let files = sources.filter { $0.target == target }
    #expect(files.contains { !$0.examples.isEmpty })
    for file in files {
      for example in file.examples {
        let example = lines(of: example.joined(separator: "\n"))
        #expect(!run.ranges(of: example).isEmpty, "\(file): \(example.first ?? "")")
      }
    }
  }

  /// Those that are not empty, without what they are indented by.
  private func lines(of text: String) -> [String] {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  @Test func `no build product is in the repository`() throws {
    let ignored = try SourceTree.text(".gitignore").split(separator: "\n")
    for name in [".build/", "Package.resolved", "*.kennel"] {
      #expect(ignored.contains(Substring(name)), "\(name)")
    }
    let tracked = try git("ls-files", "-ci", "--exclude-standard")
    #expect(tracked.status == 0 && tracked.output == "")
  }

  @Test func `every planted bug fits the sources`() throws {
    let bugs = SourceTree.files(in: "Tests/PlantedBugs") { $0.hasSuffix(".patch") }
    #expect(bugs.count >= 17)
    for bug in bugs { #expect(try git("apply", "--check", bug.path).status == 0, "\(bug)") }
  }

  @Test func `a view is added to the browser by one file and one row`() throws {
    let patch = "Tests/Additions/a-view.patch"
    #expect(try git("apply", "--check", patch).status == 0)
    let added = try git("apply", "--numstat", patch).output.split(separator: "\n")
    #expect(added.count == 2)
    #expect(added.contains { $0.hasPrefix("1\t0\t") && $0.hasSuffix("/CommandTable.swift") })
  }

  @Test func `a kind of value is added in at most twelve files`() throws {
    let patch = "Tests/Additions/a-kind.patch"
    #expect(try git("apply", "--check", patch).status == 0)
    let added = try git("apply", "--numstat", patch).output.split(separator: "\n")
    #expect(added.count <= 12)
  }

  @Test func `no type of the browser has too many members`() {
    let declaration = /^(?:\w+ )*(?:struct|class|enum|protocol|extension) (\w+)/
    let member = /^  (?:@\w+ |\w+(?:\(set\))? )*(?:var|let|func|init|case|subscript)\b/
    var members: [String: Int] = [:]
    for file in sources where file.target == "KennelBrowser" {
      var type = ""
      for line in file.lines {
        if let found = line.firstMatch(of: declaration) { type = String(found.1) }
        if line.firstMatch(of: member) != nil { members[type, default: 0] += 1 }
      }
    }
    for (type, count) in members where count > mostMembers {
      Issue.record("\(type) has \(count) members")
    }
  }

  private func git(_ arguments: String...) throws -> (status: Int32, output: String) {
    let git = Process()
    let pipe = Pipe()
    git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    git.arguments = ["git", "-C", SourceTree.root.path] + arguments
    git.standardOutput = pipe
    try git.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    git.waitUntilExit()
    return (git.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test func `the program of the README is the example that is run`() throws {
    let program = try SourceTree.text("Examples/Family/Sources/Family/main.swift")
    #expect(try SourceTree.text("README.md").contains("```swift\n\(program)```"))
  }

  @Test func `the README is short`() throws {
    #expect(try SourceTree.text("README.md").split(separator: "\n").count <= 150)
  }
}
