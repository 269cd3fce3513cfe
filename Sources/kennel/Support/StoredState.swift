import KennelBrowser
import KennelCore
import KennelDocuments

/// The state that the browser keeps between runs, for all files.
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

  /// The state that a browser on a file begins with.
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
    for case .document(let entry) in document["files"]?.elements ?? [] {
      guard let path = entry["path"]?.string else { continue }
      let file = File(
        path: path,
        identity: entry["identity"]?.string ?? "",
        time: entry["time"]?.integer ?? 0
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
    for member in entry["looks"]?.members ?? [] { session.looks[member.name] = lists(member.value) }
    for member in entry["bookmarks"]?.members ?? [] {
      session.bookmarks[member.name] = member.value.string
    }
    for member in entry["queries"]?.members ?? [] {
      session.queries[member.name] = query(member.value)
    }
    session.view = entry["view"].flatMap(view)
    session.before = entry["tabsBefore"]?.elements.compactMap(view) ?? []
    session.after = entry["tabsAfter"]?.elements.compactMap(view) ?? []
    return session
  }

  private static func view(_ value: DocumentValue) -> SavedView? {
    guard let query = query(value) else { return nil }
    return SavedView(
      query: query,
      cursor: value.member("cursor")?.integer.flatMap { UInt64(exactly: $0) },
      column: value.member("column")?.string,
      object: value.member("object")?.string
    )
  }

  private static func entry(_ file: File, _ session: BrowserSession) -> Document {
    func named(_ members: [String: DocumentValue]) -> DocumentValue? {
      let sorted = members.sorted { $0.key < $1.key }.map { Document.Member($0.key, $0.value) }
      return members.isEmpty ? nil : .document(Document(sorted))
    }
    func list(_ views: [SavedView]) -> DocumentValue? {
      views.isEmpty ? nil : .array(views.map { .document(document($0)) })
    }
    return [
      "path": .string(file.path), "identity": .string(file.identity), "time": .int64(file.time),
      "view": session.view.map { .document(document($0)) },
      "tabsBefore": list(session.before), "tabsAfter": list(session.after),
      "looks": named(session.looks.mapValues(value)),
      "bookmarks": named(session.bookmarks.mapValues { .string($0) }),
      "queries": named(session.queries.mapValues { .document(document($0)) }),
    ]
  }

  private static func document(_ view: SavedView) -> Document {
    let place: Document = [
      "cursor": view.cursor.flatMap { Int64(exactly: $0) }.map { .int64($0) },
      "column": view.column.map { .string($0) }, "object": view.object.map { .string($0) },
    ]
    return Document(document(view.query).members + place.members)
  }

  private static func query(_ value: DocumentValue) -> SavedQuery? {
    guard let name = value.member("class")?.string else { return nil }
    return SavedQuery(
      className: name,
      filter: value.member("filter")?.string,
      orders: value.member("orders")?.elements.compactMap(\.string) ?? []
    )
  }

  private static func document(_ query: SavedQuery) -> Document {
    [
      "class": .string(query.className), "filter": query.filter.map { .string($0) },
      "orders": query.orders.isEmpty ? nil : .array(query.orders.map { .string($0) }),
    ]
  }

  // MARK: Values; what has another type is left out

  private static func lists(_ value: DocumentValue?) -> [String: [String]] {
    var lists: [String: [String]] = [:]
    for member in value?.members ?? [] {
      lists[member.name] = member.value.elements.compactMap(\.string)
    }
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
