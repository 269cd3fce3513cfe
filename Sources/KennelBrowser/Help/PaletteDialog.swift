@_spi(Faces) internal import KennelCore

/// Where one can go by name: to a class, an object, a bookmark or a command.
struct PaletteDialog: SearchList {
  static let title = "The palette"
  static let keys = [
    Hint("Enter", "go"), Hint("Down", "next"), Hint("Up", "previous"), Hint("Esc", "back"),
    Hint("type", "search"),
  ]

  private struct Entry {
    let name: String
    let note: String
    /// The keys of a command.
    var keys = ""
    /// Goes there, with what follows the name.
    let action: (Browser, _ argument: String) -> Void
  }

  private let all: [Entry]
  /// The commands that work in other places, which are found by a part of their names.
  private let elsewhere: [Entry]
  private var shown: [Entry]
  let heading = "Go to a class, Class/key or command"
  let nothing = "no match"
  var line = LineEditor()
  var index = 0

  var count: Int { shown.count }

  init(in browser: Browser) {
    let model = browser.model
    var entries = model.schema.classes.map { schema in
      Entry(name: schema.name, note: "\(model.count(of: schema.key)) objects") { browser, _ in
        Navigation(browser).goToTable(TableDefinition(classKey: schema.key))
      }
    }
    let commands = browser.bindings.all.filter { $0.argument != .letter }
    let isHere = { (command: Command) in command.places.contains(browser.context) }
    entries += commands.filter(isHere).map(Self.entry)
    entries += browser.bookmarks.sorted { $0.key < $1.key }.map { letter, object in
      Entry(name: "'\(letter)", note: model.label(object)) { browser, _ in
        Navigation(browser).jump(to: letter)
      }
    }
    entries += Self.recentObjects(in: browser).map { Self.objectEntry($0, in: model, "visited  ") }
    all = entries
    elsewhere = commands.filter { !isHere($0) }.map(Self.entry)
    shown = entries
  }

  /// The objects that were visited last, the last one first.
  private static func recentObjects(in browser: Browser) -> [ObjectIdentity] {
    var objects: [ObjectIdentity] = []
    for entry in browser.history.path.reversed() where objects.count < mostRecent {
      guard let object = (entry.main as? ObjectView)?.object, !objects.contains(object) else {
        continue
      }
      if browser.model.contains(object) { objects.append(object) }
    }
    return objects
  }

  private static let mostRecent = 10

  private static func objectEntry(
    _ object: ObjectIdentity,
    in model: BrowserModel,
    _ remark: String = ""
  ) -> Entry {
    let note = remark + model.displayName(of: object)
    return Entry(name: model.text(object), note: note) { browser, _ in
      Navigation(browser).goToObject(object, step: nil)
    }
  }

  /// A command, which is run where it works: the collections give way to the table that they show.
  private static func entry(_ command: Command) -> Entry {
    let keys = command.keys.joined(separator: " ")
    return Entry(name: command.name, note: command.summary, keys: keys) { browser, argument in
      let isElsewhere = !command.places.contains(browser.context)
      if isElsewhere, browser.context == .collections { Navigation(browser).focus(on: .main) }
      guard command.places.contains(browser.context) else {
        return browser.showError("\(command.name) works in: \(command.places.text)")
      }
      browser.perform(command, argument)
    }
  }

  mutating func narrow(in browser: Browser) {
    shown = entries(in: browser.model)
    index = 0
  }

  mutating func choose(in browser: Browser) -> DialogState {
    guard shown.indices.contains(index) else {
      let word = line.text.trimmed.prefix { $0 != " " }
      let meant = NearestName.of(String(word), among: all.map(\.name))
      let suggestion = meant.map { "; did you mean \($0)?" } ?? ""
      browser.showError("No match for “\(line.text)”\(suggestion)")
      return .closed
    }
    let words = line.text.trimmed.split(separator: " ", maxSplits: 1)
    shown[index].action(browser, words.count > 1 ? String(words[1]).trimmed : "")
    return .closed
  }

  /// The entries that fit the text, the best first: by name, its beginning, a part of it, its letters.
  private func entries(in model: BrowserModel) -> [Entry] {
    let text = line.text.trimmed.lowercased()
    guard !text.isEmpty else { return all }
    var ranked: [(rank: Int, entry: Entry)] = []
    if let object = object(named: line.text.trimmed, in: model) {
      ranked.append((0, Self.objectEntry(object, in: model)))
    }
    let word = text.prefix { $0 != " " }
    for entry in all {
      let name = entry.name.lowercased()
      if name == text || name == word {
        ranked.append((0, entry))
      } else if name.hasPrefix(text) {
        ranked.append((1, entry))
      } else if name.contains(text) {
        ranked.append((2, entry))
      } else if "\(entry.note)  \(entry.keys)".lowercased().contains(text) {
        ranked.append((3, entry))
      } else if Self.hasLetters(of: text, name) {
        ranked.append((5, entry))
      }
    }
    for entry in elsewhere where entry.name == word || entry.name.contains(text) {
      ranked.append((entry.name == word ? 1 : 4, entry))
    }
    return ranked.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element.entry)
  }

  private static func hasLetters(of text: String, _ name: String) -> Bool {
    var rest = text[...]
    for character in name where character == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// `Dog/42`, or an object by its class and its primary key.
  private func object(named text: String, in model: BrowserModel) -> ObjectIdentity? {
    let parts = text.split(separator: "/", maxSplits: 1)
    guard parts.count == 2,
      let schema = model.schema.classes.first(where: {
        $0.name.lowercased() == parts[0].lowercased()
      })
    else { return nil }
    let text = String(parts[1])
    if let number = UInt64(text), number < ObjectKey.limit {
      let object = ObjectIdentity(schema.key, ObjectKey(rawValue: number))
      if model.contains(object) { return object }
    }
    guard let primaryKey = schema.primaryKey,
      case .success(let value) = ScalarText.parse(text, as: primaryKey.type)
    else { return nil }
    return model.find(schema.key, primaryKey: value)
  }

  /// A line of an entry: what it says of it gives way to its keys.
  func text(at index: Int, width: Int, _ charset: Charset, in browser: Browser) -> String {
    let entry = shown[index]
    let name = "\(TextWidth.pad(entry.name, to: 18, in: charset)) "
    guard !entry.keys.isEmpty else { return name + entry.note }
    let keys = "  \(entry.keys)"
    let room = width - TextWidth.width(of: name + keys, in: charset)
    return name + TextWidth.clip(entry.note, to: max(0, room), in: charset) + keys
  }
}
