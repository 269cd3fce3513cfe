import Testing

/// The folders of modules, from the lowest to the highest; `""` has the files beside the folders.
///
/// A file uses what its own folder and the folders before it declare. Folders in one text are one
/// layer. A module joins with one row.
private let layers: [String: [String]] = [
  "Kennel": ["", "Models", "Objects Queries", "Database", "Changes"],
  "KennelBox": ["", "Entities", "Relations", "Boxes", "Queries", "Observers"],
  "KennelBrowser": [
    "Screen", "Program", "Model", "Work",
    "Browser Changes Collections Configuration Deletion Diagram Elements Files Frame Help Links "
      + "Object Prompt Reports Schema Summary Table Values Views",
  ],
  "KennelCore": [
    "", "Objects", "Schema", "Reading", "Links", "Queries", "Transactions", "Typed", "Changes",
    "Check", "Recovery", "Journal",
  ],
  "KennelRealm": [
    "", "Memory", "Context", "Values", "Schema", "Accessors", "Collections", "Objects", "Queries",
    "Opening", "Notifications", "Writing", "Threads", "Projections",
  ],
  "KennelRealmFile": ["Bytes Model", "Structure", "Values", "File", "Check", "Recovery"],
  "KennelReports": ["Objects", "Deletion", "Difference", "Doctor", "Statistics", "Trails"],
  "KennelSQL": ["Catalog", "Mapping", "Reading", "SQLite PostgreSQL", "Filling", "Writing"],
  "KennelStorage": [
    "", "Bytes", "Keys", "Columns", "Schema", "Trees", "Pieces", "Clusters", "Objects",
    "Scans", "Sorting", "Indexes", "Store", "Check", "Recovery", "Journal",
  ],
]

@Suite struct `Folders are layers` {
  @Test(arguments: layers.keys.sorted())
  func `a file uses its own folder and those below`(module: String) throws {
    let order = try #require(layers[module])
    let files = SourceTree.swiftFiles(in: "Sources/\(module)").map { file in
      LayeredFile(path: String(file.path.dropFirst("Sources/\(module)/".count)), text: file.text)
    }
    #expect(Set(files.map(\.folder)) == Set(order.flatMap(folders)))
    for use in upwardUses(in: files, order) { Issue.record("Sources/\(module)/\(use)") }
  }

  @Test(arguments: [
    ("struct Low { let high: High? }", "High"),
    ("extension Low { func f() -> Int { 1.doubled } }", "doubled"),
  ])
  func `a use of a higher folder is found`(code: String, name: String) {
    let high = """
      package struct High {}

      extension Int {
        var doubled: Int { 2 * self }
      }
      """
    let files = [
      LayeredFile(path: "Low/Low.swift", text: "struct Low {}"),
      LayeredFile(path: "Low/User.swift", text: code),
      LayeredFile(path: "High/High.swift", text: high),
    ]
    #expect(upwardUses(in: files, ["Low", "High"]) == ["Low/User.swift uses \(name) of High"])
    #expect(upwardUses(in: files, ["High", "Low"]).isEmpty)
  }

  @Test func `folders of one layer use each other`() {
    let files = [
      LayeredFile(path: "Low/Low.swift", text: "open class Low { var high: High? }"),
      LayeredFile(path: "High/High.swift", text: "struct High { let low: Low }"),
    ]
    #expect(upwardUses(in: files, ["Low High"]).isEmpty)
    #expect(upwardUses(in: files, ["High", "Low"]) == ["High/High.swift uses Low of Low"])
  }

  @Test(arguments: [#"let a = "a \" High" // High"#, "let a: KennelCore.High? = nil"])
  func `comments, texts and names of other modules use nothing`(code: String) {
    let files = [
      LayeredFile(path: "Low/Low.swift", text: code),
      LayeredFile(path: "High/High.swift", text: "struct High {}"),
    ]
    #expect(upwardUses(in: files, ["Low", "High"]).isEmpty)
  }

  private func folders(_ layer: String) -> [String] {
    layer.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
  }

  /// The uses of what a higher folder declares.
  private func upwardUses(in files: [LayeredFile], _ order: [String]) -> [String] {
    let ranks = order.enumerated().flatMap { rank, layer in folders(layer).map { ($0, rank) } }
    let rank = Dictionary(uniqueKeysWithValues: ranks)
    var types: [String: Set<String>] = [:]
    var declared: [String: Set<String>] = [:]
    for file in files {
      for name in file.types { types[name, default: []].insert(file.folder) }
      for name in file.declarations { declared[name, default: []].insert(file.folder) }
    }
    var members: [String: String] = [:]
    for file in files {
      // A member that extends a type of elsewhere, by a name that no other folder has.
      for (type, name) in file.extensionMembers
      where types[type]?.contains(file.folder) != true && declared[name] == [file.folder] {
        members[name] = file.folder
      }
    }
    var found: [String] = []
    for file in files {
      let own = rank[file.folder] ?? .max
      let usedTypes = file.names.compactMap { name in
        types[name].flatMap { folders in
          folders.allSatisfy { rank[$0] ?? 0 > own } ? (name, folders.sorted()[0]) : nil
        }
      }
      let usedMembers = file.uses.compactMap { name in
        members[name].flatMap { rank[$0] ?? 0 > own ? (name, $0) : nil }
      }
      found += (usedTypes + usedMembers).map { "\(file.path) uses \($0.0) of \($0.1)" }.sorted()
    }
    return found
  }
}

/// What a source file declares and what it names, found word by word.
private struct LayeredFile {
  let path: String
  let folder: String
  /// The types declared at the top level that other files can name.
  private(set) var types: [String] = []
  /// What extensions declare, with the type that each extends.
  private(set) var extensionMembers: [(type: String, name: String)] = []
  /// Every function, variable, constant and case, wherever it is declared.
  private(set) var declarations: Set<String> = []
  /// Every word of the code.
  private(set) var names: Set<String> = []
  /// The words that are used as members of something, or called.
  private(set) var uses: Set<String> = []

  init(path: String, text: String) {
    self.path = path
    let parts = path.split(separator: "/")
    folder = parts.count > 1 ? String(parts[0]) : ""
    var extended: String?
    var isText = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let code = Self.code(of: line, &isText)
      let words = Self.words(of: code)
      if !words.isEmpty, !code.hasPrefix(" "), code.first != "}" {
        extended = readDeclaration(words.map(\.name))
      } else if let extended, code.hasPrefix("  "), !code.hasPrefix("   ") {
        readMember(words.map(\.name), of: extended)
      }
      read(words)
    }
  }

  private static let modifiers: Set = [
    "package", "public", "open", "internal", "final", "indirect", "static", "mutating",
    "nonisolated",
  ]

  /// Notes a type that a line declares; the type that it extends otherwise.
  private mutating func readDeclaration(_ words: [String]) -> String? {
    let rest = words.drop { Self.modifiers.contains($0) || $0.hasPrefix("@") }
    guard let keyword = rest.first, let name = rest.dropFirst().first else { return nil }
    if ["struct", "class", "enum", "protocol", "actor", "typealias"].contains(keyword) {
      types.append(name)
    }
    return keyword == "extension" ? name : nil
  }

  private mutating func readMember(_ words: [String], of type: String) {
    let rest = words.drop { Self.modifiers.contains($0) || $0.hasPrefix("@") }
    guard let keyword = rest.first, keyword == "func" || keyword == "var",
      let name = rest.dropFirst().first
    else { return }
    extensionMembers.append((type, name))
  }

  private mutating func read(_ words: [Word]) {
    for (index, word) in words.enumerated() {
      names.insert(word.name)
      if word.isMember || (word.isCalled && !word.followsDot) { uses.insert(word.name) }
      guard index > 0, !word.followsDot else { continue }
      if ["func", "var", "let", "case"].contains(words[index - 1].name) {
        declarations.insert(word.name)
      }
    }
  }

  // MARK: - Words

  private struct Word {
    let name: String
    let followsDot: Bool
    /// Whether it stands behind a value and a dot.
    let isMember: Bool
    let isCalled: Bool
  }

  /// A line without its comment and without what stands between quotes.
  private static func code(of line: Substring, _ isText: inout Bool) -> String {
    var code = ""
    var isQuoted = false
    var rest = line[...]
    while let character = rest.first {
      if rest.hasPrefix("\"\"\"") {
        isText.toggle()
        rest = rest.dropFirst(3)
      } else if isText {
        rest = rest.dropFirst()
      } else if isQuoted {
        if character == "\"" { isQuoted = false }
        rest = rest.dropFirst(character == "\\" ? 2 : 1)
      } else if rest.hasPrefix("//") {
        break
      } else {
        if character == "\"" { isQuoted = true } else { code.append(character) }
        rest = rest.dropFirst()
      }
    }
    return code
  }

  private static func words(of code: String) -> [Word] {
    var words: [Word] = []
    let bytes = Array(code.utf8)
    var position = 0
    while position < bytes.count {
      guard isWord(bytes[position]) else {
        position += 1
        continue
      }
      var end = position
      while end < bytes.count, isWord(bytes[end]) { end += 1 }
      let followsDot = position > 0 && bytes[position - 1] == UInt8(ascii: ".")
      let base = followsDot && position > 1 ? bytes[position - 2] : UInt8(ascii: " ")
      if followsDot, isWord(base), let last = words.last?.name, isOtherModule(last) {
        position = end
        continue
      }
      words.append(
        Word(
          name: String(decoding: bytes[position..<end], as: UTF8.self),
          followsDot: followsDot,
          isMember: followsDot && (isWord(base) || [0x29, 0x5D, 0x3F, 0x7D].contains(base)),
          isCalled: end < bytes.count && bytes[end] == UInt8(ascii: "(")
        )
      )
      position = end
    }
    return words
  }

  /// Whether a name with a dot behind it says that the next one is declared elsewhere.
  private static func isOtherModule(_ name: String) -> Bool {
    ["KennelCore", "KennelStorage", "KennelValues"].contains(name)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"):
      true
    default: false
    }
  }
}
