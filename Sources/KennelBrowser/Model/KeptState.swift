/// The state kept from one run to the next: texts and lists of texts, which any file can hold.
///
/// Classes, properties and objects are named as a person names them, so that a changed schema only
/// drops what it no longer has.
package struct KeptState: Hashable, Sendable {
  /// The session of the database that is open.
  package var session = BrowserSession()
  /// The lines typed into each kind of prompt, the newest last; shared by all databases.
  package var histories: [String: [String]] = [:]
  /// Whether the person was told how text is selected while the mouse is on.
  package var knowsMouse = false

  package init() {}

  /// More lines than these are not kept of a prompt.
  package static let longestHistory = 100

  /// Takes what a browser of the first rows of the same database left behind.
  package mutating func goOn(from left: KeptState) {
    session.view = left.session.view
    session.before = left.session.before
    session.after = left.session.after
    session.collection = left.session.collection
    session.looks.merge(left.session.looks) { $1 }
    session.bookmarks.merge(left.session.bookmarks) { $1 }
    session.queries.merge(left.session.queries) { $1 }
    for (name, lines) in left.histories {
      for line in lines { remember(line, in: name) }
    }
  }

  /// Adds a line to the history of a prompt, as its newest one.
  package mutating func remember(_ line: String, in history: String) {
    guard !line.isEmpty else { return }
    var lines = histories[history] ?? []
    lines.removeAll { $0 == line }
    lines.append(line)
    histories[history] = lines.suffix(Self.longestHistory)
  }
}

/// The views, columns, bookmarks and queries of a database.
package struct BrowserSession: Hashable, Sendable {
  /// The view on the screen.
  package var view: SavedView?
  /// The views of the tabs to its left.
  package var before: [SavedView] = []
  /// The views of the tabs to its right.
  package var after: [SavedView] = []
  /// The class under the cursor of the collections, where these have the focus; not for another run.
  package var collection: String?
  /// The columns of the tables of each class, by its name.
  ///
  /// A look is lists of columns by what they are for, such as `hidden`. Lists that this version does
  /// not know are kept.
  package var looks: [String: [String: [String]]] = [:]
  /// The objects under letters, as in `Dog/42`.
  package var bookmarks: [String: String] = [:]
  /// The queries that were saved, by their names.
  package var queries: [String: SavedQuery] = [:]

  package init() {}

  /// Forgets what was on the screen, but not what was made.
  package mutating func forgetViews() {
    (view, before, after) = (nil, [], [])
  }
}

/// A table: a class, a filter and an order.
package struct SavedQuery: Hashable, Sendable {
  package var className: String
  /// In the query language; `nil` for all objects.
  package var filter: String?
  /// The order of the objects, as in `age DESC`.
  package var orders: [String]

  package init(className: String, filter: String? = nil, orders: [String] = []) {
    self.className = className
    self.filter = filter
    self.orders = orders
  }
}

/// A view: a table, where its cursor is, and the object that was opened from it.
package struct SavedView: Hashable, Sendable {
  package var query: SavedQuery
  /// The key of the object under the cursor.
  package var cursor: UInt64?
  /// The column of the cursor; `nil` for the key.
  package var column: String?
  /// The object that is shown instead of the table, as in `Dog/42`.
  package var object: String?

  package init(
    query: SavedQuery,
    cursor: UInt64? = nil,
    column: String? = nil,
    object: String? = nil
  ) {
    self.query = query
    self.cursor = cursor
    self.column = column
    self.object = object
  }
}

// MARK: - Several browsers at once

extension KeptState {
  /// The state to store where another browser may have stored one since this one began.
  ///
  /// A change of this browser counts, else the stored state. Lines typed here follow those that
  /// were typed elsewhere.
  ///
  /// - Parameters:
  ///   - stored: What is stored by now.
  ///   - base: What was stored when this browser began.
  /// - Returns: The joined state.
  package func merged(into stored: KeptState, since base: KeptState) -> KeptState {
    var result = stored
    result.session.view = session.view
    result.session.before = session.before
    result.session.after = session.after
    result.knowsMouse = knowsMouse || stored.knowsMouse
    result.session.take(\.looks, of: session, since: base.session)
    result.session.take(\.bookmarks, of: session, since: base.session)
    result.session.take(\.queries, of: session, since: base.session)
    for (name, lines) in histories where lines != base.histories[name] {
      for line in Self.new(in: lines, since: base.histories[name] ?? []) {
        result.remember(line, in: name)
      }
    }
    return result
  }

  /// The lines that were typed since a history was another one: those behind what is left of it.
  private static func new(in lines: [String], since base: [String]) -> ArraySlice<String> {
    var old = base[...]
    let first = lines.firstIndex { line in
      guard let place = old.firstIndex(of: line) else { return true }
      old = old[(place + 1)...]
      return false
    }
    return first.map { lines[$0...] } ?? []
  }
}

extension BrowserSession {
  /// Takes what another session has changed of a part since it was another one.
  fileprivate mutating func take<Value: Equatable>(
    _ part: WritableKeyPath<BrowserSession, [String: Value]>,
    of mine: BrowserSession,
    since base: BrowserSession
  ) {
    let (mine, base) = (mine[keyPath: part], base[keyPath: part])
    for name in Set(mine.keys).union(base.keys) where mine[name] != base[name] {
      self[keyPath: part][name] = mine[name]
    }
  }
}
