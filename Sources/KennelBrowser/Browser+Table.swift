internal import KennelCore

// What a person arranges in a table: marks and columns.

extension Browser {
  var hasMarks: Bool {
    if case .table(let table) = view.main { !table.marks.isEmpty } else { false }
  }

  func toggleMark() {
    guard case .table(var table) = view.main, let cursor = table.cursor else { return }
    if table.marks.remove(cursor) == nil { table.marks.insert(cursor) }
    table.lastMark = cursor
    table.move(by: 1, in: model)
    view.main = .table(table)
    sayMarks()
  }

  private func sayMarks() {
    guard case .table(let table) = view.main else { return }
    say("\(count(table.marks.count, "object")) marked; Esc takes the marks away")
  }

  /// More than these are better deleted by a program than by hand.
  private static let mostMarked = 100_000

  /// `v`: everything between the last mark and the cursor, both included.
  func markRange() {
    guard case .table(var table) = view.main, isFound(table), let cursor = table.cursor else {
      return
    }
    let rows = table.rows(in: model)
    guard let start = table.lastMark, rows.contains(start),
      let one = rows.position(of: start), let other = rows.position(of: cursor)
    else {
      toggleMark()
      return
    }
    let count = abs(one - other) + 1
    guard count <= Self.mostMarked else {
      showError("\(count) objects are too many to mark")
      return
    }
    let first = one < other ? start : cursor
    table.marks.formUnion(rows.window(from: first, limit: count, hint: min(one, other)))
    table.lastMark = cursor
    view.main = .table(table)
    sayMarks()
  }

  /// The keys of all rows, where they are few enough to be marked.
  private func allKeys(_ table: TableState) -> [ObjectKey]? {
    let rows = table.rows(in: model)
    guard rows.count <= Self.mostMarked else {
      showError("\(rows.count) objects are too many to mark; f filters them")
      return nil
    }
    return rows.window(from: nil, limit: rows.count)
  }

  func markAll() {
    guard case .table(var table) = view.main, isFound(table), let keys = allKeys(table) else {
      return
    }
    table.marks.formUnion(keys)
    view.main = .table(table)
    sayMarks()
  }

  /// Whether the table shows what was asked for last; who typed ahead means what is not there yet.
  private func isFound(_ table: TableState) -> Bool {
    guard let pending = table.pending, pending != table.definition else { return true }
    showError(Self.notFoundYet)
    return false
  }

  static let notFoundYet = "Nothing is marked: the objects that were asked for are not found yet"

  func invertMarks() {
    guard case .table(var table) = view.main, isFound(table), let keys = allKeys(table) else {
      return
    }
    table.marks = Set(keys).subtracting(table.marks)
    view.main = .table(table)
    sayMarks()
  }

  func hideColumn() {
    guard case .table(var table) = view.main, let column = table.column else {
      say("The key is always shown; l moves to a property")
      return
    }
    let columns = table.columns(in: model.schema)
    let index = columns.firstIndex { $0.key == column } ?? 0
    table.hidden.insert(column)
    let rest = table.columns(in: model.schema)
    table.column = rest.isEmpty ? nil : rest[min(index, rest.count - 1)].key
    if table.firstColumn == column { table.firstColumn = table.column }
    view.main = .table(table)
    let name = model.schema.property(column, of: table.classKey)?.name ?? "?"
    say("\(name) is hidden; :show-hidden shows it again")
  }

  /// As wide as a property becomes at most.
  private static let widest = 60

  func widenColumn() {
    guard case .table(var table) = view.main, let column = table.column else {
      say("l moves to a property")
      return
    }
    if table.widths[column] == Self.widest {
      table.widths[column] = nil
    } else {
      table.widths[column] = Self.widest
    }
    view.main = .table(table)
  }

  // MARK: - Copying

  /// `y`: the value under the cursor, or the names of the marked objects.
  func copy() {
    if view.focus == .main, case .table(let table) = view.main, !table.marks.isEmpty {
      let names = table.marks.sorted().map { model.text(ObjectIdentity(table.classKey, $0)) }
      ask(.copy(names.joined(separator: "\n")))
      return
    }
    guard view.focus == .main, let spot, let value = value(at: spot) else {
      if let subject = peekTarget { ask(.copy(model.text(subject))) }
      return
    }
    if case .link(let target) = value {
      ask(.copy(model.text(target)))
    } else {
      ask(.copy(value.isNull ? "null" : ScalarText.text(of: value)))
    }
  }

  func openCopyMenu() {
    guard let subject = peekTarget else { return }
    var choices = [
      Menu.Choice(letter: "i", label: "\(model.text(subject))") { browser in
        browser.ask(.copy(browser.model.text(subject)))
      }
    ]
    if let snapshot = model.snapshot {
      choices += settings.copyForms.map { form in
        Menu.Choice(letter: form.letter, label: form.title) { browser in
          guard let text = form.text(snapshot, subject) else {
            browser.showError("\(browser.model.text(subject)) cannot be written as \(form.title)")
            return
          }
          browser.ask(.copy(text))
        }
      }
    }
    overlay = .menu(Menu(title: "Copy \(model.text(subject)) as", choices: choices))
  }

  // MARK: - Schema

  func showSchema() {
    let key = view.focus == .collections ? collection ?? view.classKey : view.classKey
    guard let schema = model.schema[key] else { return }
    var lines: [String] = []
    let nameWidth = schema.properties.map(\.name.count).max() ?? 0
    for property in schema.properties {
      let padding = String(repeating: " ", count: max(0, nameWidth - property.name.count))
      var notes: [String] = []
      if property.isPrimaryKey { notes.append("primary key") }
      if property.isIndexed, !property.isPrimaryKey { notes.append("indexed") }
      if property.isEmbedded { notes.append("embedded") }
      if property.deleteRule != .nullify { notes.append("on deletion: \(property.deleteRule)") }
      let note = notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
      lines.append("\(property.name)\(padding)  \(property.type)\(note)")
    }
    for backlink in schema.backlinks {
      let origin = model.schema[backlink.origin]
      let name = origin?[backlink.property]?.name ?? "?"
      lines.append("\(backlink.name)  ← \(origin?.name ?? "?").\(name)")
    }
    let kind = schema.isEmbedded ? "embedded class" : "class"
    overlay = .text(TextDialog(title: "\(kind) \(schema.name)", lines: lines))
  }
}
