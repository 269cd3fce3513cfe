import KennelBrowser
import KennelCore
import KennelDocuments

/// What the browser keeps between runs, for all files.
struct StoredState {
  /// A database: its path, and its identity, which another file at the path does not have.
  struct File: Hashable {
    var path: String
    var identity: String
    /// When it was opened last, in seconds since 1970.
    var time: Int64
  }

  /// The files that were opened, the newest first.
  private(set) var files: [(file: File, session: BrowserSession)] = []
  private(set) var histories: [String: [String]] = [:]
  private(set) var knowsMouse = false

  init() {}

  /// What a browser on a file begins with.
  func state(for file: File) -> KeptState {
    var state = KeptState()
    state.histories = histories
    state.knowsMouse = knowsMouse
    let known = files.first { $0.file.path == file.path && $0.file.identity == file.identity }
    if let known { state.session = known.session }
    return state
  }

  /// Takes in what a browser leaves behind; see ``StateFile/keep(_:since:for:)``.
  mutating func keep(_ state: KeptState, since base: KeptState, for file: File, most: Int) {
    let merged = state.merged(into: self.state(for: file), since: base)
    histories = merged.histories
    knowsMouse = merged.knowsMouse
    files.removeAll { $0.file.path == file.path }
    files.insert((file, merged.session), at: 0)
    files = Array(files.prefix(most))
  }
}

// MARK: - As JSON

extension StoredState {
  /// The form of the file; a version of kennel that does not know it does not read it.
  private static let version: Int64 = 1

  init(_ document: Document) throws(CommandError) {
    guard document["version"] == .int64(Self.version) else {
      throw CommandError("it is of another version of kennel")
    }
    histories = Self.lists(document["histories"])
    knowsMouse = document["knowsMouse"] == .bool(true)
    for case .document(let entry) in Self.array(document["files"]) {
      guard let path = Self.string(entry["path"]) else { continue }
      let file = File(
        path: path,
        identity: Self.string(entry["identity"]) ?? "",
        time: Self.integer(entry["time"]) ?? 0
      )
      files.append((file, Self.session(entry)))
    }
  }

  var document: Document {
    [
      "version": .int64(Self.version),
      "files": .array(files.map { .document(Self.entry($0.file, $0.session)) }),
      "histories": Self.value(histories),
      "knowsMouse": .bool(knowsMouse),
    ]
  }

  private static func session(_ entry: Document) -> BrowserSession {
    var session = BrowserSession()
    for member in members(entry["looks"]) { session.looks[member.name] = lists(member.value) }
    for member in members(entry["bookmarks"]) {
      session.bookmarks[member.name] = string(member.value)
    }
    for member in members(entry["queries"]) {
      session.queries[member.name] = query(member.value)
    }
    session.view = entry["view"].flatMap(view)
    session.before = array(entry["tabsBefore"]).compactMap(view)
    session.after = array(entry["tabsAfter"]).compactMap(view)
    return session
  }

  private static func view(_ value: DocumentValue) -> SavedView? {
    guard let query = query(value), case .document(let view) = value else { return nil }
    return SavedView(
      query: query,
      cursor: integer(view["cursor"]).flatMap { UInt64(exactly: $0) },
      column: string(view["column"]),
      object: string(view["object"])
    )
  }

  private static func entry(_ file: File, _ session: BrowserSession) -> Document {
    var entry: Document = [
      "path": .string(file.path), "identity": .string(file.identity), "time": .int64(file.time),
    ]
    if let view = session.view { entry.members.append(.init("view", .document(document(view)))) }
    for (name, views) in [("tabsBefore", session.before), ("tabsAfter", session.after)]
    where !views.isEmpty {
      entry.members.append(.init(name, .array(views.map { .document(document($0)) })))
    }
    func add(_ name: String, _ members: [String: DocumentValue]) {
      guard !members.isEmpty else { return }
      let sorted = members.sorted { $0.key < $1.key }.map { Document.Member($0.key, $0.value) }
      entry.members.append(.init(name, .document(Document(sorted))))
    }
    add("looks", session.looks.mapValues(value))
    add("bookmarks", session.bookmarks.mapValues { .string($0) })
    add("queries", session.queries.mapValues { .document(document($0)) })
    return entry
  }

  private static func document(_ view: SavedView) -> Document {
    var document = document(view.query)
    if let cursor = view.cursor.flatMap({ Int64(exactly: $0) }) {
      document.members.append(.init("cursor", .int64(cursor)))
    }
    if let column = view.column { document.members.append(.init("column", .string(column))) }
    if let object = view.object { document.members.append(.init("object", .string(object))) }
    return document
  }

  private static func query(_ value: DocumentValue?) -> SavedQuery? {
    guard case .document(let document)? = value, let name = string(document["class"]) else {
      return nil
    }
    return SavedQuery(
      className: name,
      filter: string(document["filter"]),
      orders: array(document["orders"]).compactMap(string)
    )
  }

  private static func document(_ query: SavedQuery) -> Document {
    var document: Document = ["class": .string(query.className)]
    if let filter = query.filter { document.members.append(.init("filter", .string(filter))) }
    if !query.orders.isEmpty {
      document.members.append(.init("orders", .array(query.orders.map { .string($0) })))
    }
    return document
  }

  // MARK: Values; what has another type is left out

  private static func string(_ value: DocumentValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  private static func integer(_ value: DocumentValue?) -> Int64? {
    if case .int64(let number)? = value { number } else { nil }
  }

  private static func array(_ value: DocumentValue?) -> [DocumentValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private static func members(_ value: DocumentValue?) -> [Document.Member] {
    if case .document(let document)? = value { document.members } else { [] }
  }

  private static func lists(_ value: DocumentValue?) -> [String: [String]] {
    var lists: [String: [String]] = [:]
    for member in members(value) { lists[member.name] = array(member.value).compactMap(string) }
    return lists
  }

  private static func value(_ lists: [String: [String]]) -> DocumentValue {
    .document(
      Document(
        lists.sorted { $0.key < $1.key }.map { name, lines in
          Document.Member(name, .array(lines.map { .string($0) }))
        }
      )
    )
  }
}
