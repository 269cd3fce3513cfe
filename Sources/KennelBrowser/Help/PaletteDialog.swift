@_spi(Faces) internal import KennelCore

/// Where one can go by name: to a class, an object, a bookmark or a command.
struct PaletteDialog: SearchList {
  static let title = "The palette"
  static let keys = [
    Hint("Enter", "go"), Hint("Down", "next"), Hint("Up", "previous"), Hint("Esc", "back"),
    Hint("type", "search"),
  ]

  private struct Entry {
    /// The names, the first of which is shown, and is also found by its beginning.
    let names: [String]
    let note: String
    /// The keys of a command.
    var keys: [String] = []
    /// Whether something may follow a name.
    var takesArgument = false
    /// Goes there, with what follows the name.
    let action: (Browser, _ argument: String) -> Void

    var name: String { names[0] }
  }

  /// How well an entry fits what was typed, the best first.
  private enum Fit: Int {
    /// It is the name.
    case name
    /// The name begins with it.
    case beginning
    /// A word of the name begins with it.
    case word
    /// It is a key.
    case key
    /// It is inside the name.
    case inside
    /// The description has it.
    case note
  }

  private let all: [Entry]
  /// The commands that work in other places, which are found by a part of their names.
  private let elsewhere: [Entry]
  private var shown: [Entry]
  let heading = "Go to a class, Class/key or command"
  let nothing = "no match"
  var line = LineEditor()
  /// What Enter runs: what is named, or what was chosen by moving.
  var index = -1

  var count: Int { shown.count }

  init(in browser: Browser) {
    let model = browser.model
    var entries = model.schema.classes.map { schema in
      Entry(names: [schema.name], note: "\(model.count(of: schema.key)) objects") { browser, _ in
        Navigation(browser).goToTable(TableDefinition(classKey: schema.key))
      }
    }
    let commands = browser.bindings.all.filter { $0.argument != .letter }
    let isHere = { (command: Command) in command.places.contains(browser.context) }
    entries += commands.filter(isHere).map(Self.entry)
    entries += browser.bookmarks.sorted { $0.key < $1.key }.map { letter, object in
      Entry(names: ["'\(letter)"], note: model.label(object)) { browser, _ in
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
    let name = model.displayName(of: object)
    let names = [model.text(object), name, model.address(object)]
    return Entry(names: names, note: remark + name) { browser, _ in
      Navigation(browser).goToObject(object, step: nil)
    }
  }

  /// A command, which is run where it works: the collections give way to the table that they show.
  private static func entry(_ command: Command) -> Entry {
    Entry(
      names: command.names,
      note: command.summary,
      keys: command.keys,
      takesArgument: command.argument == .text || command.argument == .count
    ) { browser, argument in
      let isElsewhere = !command.places.contains(browser.context)
      if isElsewhere, browser.context == .collections { Navigation(browser).focus(on: .main) }
      guard command.places.contains(browser.context) else {
        if let elsewhere = command.elsewhere { return elsewhere(browser) }
        return browser.showError("\(command.name) works in: \(command.places.text)")
      }
      browser.perform(command, argument)
    }
  }

  mutating func narrow(in browser: Browser) {
    let fitting = entries(in: browser.model)
    shown = fitting.map(\.entry)
    index = Self.named(in: fitting) ?? -1
  }

  mutating func choose(in browser: Browser) -> DialogState {
    guard shown.indices.contains(index) else {
      browser.showError(whyNothing)
      return .open
    }
    let words = line.text.trimmed.split(separator: " ", maxSplits: 1)
    shown[index].action(browser, words.count > 1 ? String(words[1]).trimmed : "")
    return .closed
  }

  /// Why Enter does nothing.
  private var whyNothing: String {
    let text = line.text.trimmed
    if text.isEmpty { return "Type a name, or choose one with Down" }
    let fits = shown.compactMap { entry in fit(of: entry).map { ($0, entry.name) } }
    if let best = fits.first?.0, best == .beginning || best == .word {
      let names = fits.filter { $0.0 == best }.map(\.1)
      let list = names.prefix(Self.mostNamed).joined(separator: ", ")
      let rest = names.count > Self.mostNamed ? ", …" : ""
      return "“\(text)” may be \(list)\(rest); type more, or choose with Down"
    }
    let word = text.prefix { $0 != " " }
    let meant = NearestName.of(String(word), among: all.flatMap(\.names))
    let suggestion = meant.map { "; did you mean \($0)?" } ?? ""
    if shown.isEmpty || meant != nil { return "No match for “\(text)”\(suggestion)" }
    return "Nothing is called “\(text)”; Down chooses from the list"
  }

  private static let mostNamed = 4

  /// The place of the entry that was named: by its name, or by the beginning of it, or of a word of
  /// it, that no other one has, of what works here before what works elsewhere.
  private static func named(in entries: [(fit: Fit, isHere: Bool, entry: Entry)]) -> Int? {
    if let exact = entries.firstIndex(where: { $0.fit == .name }) { return exact }
    for isHere in [true, false] {
      for fit in [Fit.beginning, .word] {
        let places = entries.indices.filter {
          entries[$0].fit == fit && entries[$0].isHere == isHere
        }
        if places.count == 1 { return places[0] }
        if !places.isEmpty { return nil }
      }
    }
    return nil
  }

  /// The entries that fit the text, the best first.
  private func entries(in model: BrowserModel) -> [(fit: Fit, isHere: Bool, entry: Entry)] {
    let text = line.text.trimmed
    guard !text.isEmpty else { return all.map { (.note, true, $0) } }
    var fitting: [(fit: Fit, isHere: Bool, entry: Entry)] = []
    if let number = Command.number(text) {
      let entry = Entry(names: [text], note: "go to line \(number)") { browser, _ in
        Navigation(browser).move(toLine: number)
      }
      fitting.append((.name, true, entry))
    }
    if let object = object(named: text, in: model) {
      fitting.append((.name, true, Self.objectEntry(object, in: model)))
    }
    for entry in all { fit(of: entry).map { fitting.append(($0, true, entry)) } }
    for entry in elsewhere {
      // Descriptions of what works elsewhere would hide the names of what works here.
      if let fit = fit(of: entry), fit != .note { fitting.append((fit, false, entry)) }
    }
    return fitting.enumerated().sorted { one, other in
      (one.element.fit.rawValue, one.element.isHere ? 0 : 1, one.offset)
        < (other.element.fit.rawValue, other.element.isHere ? 0 : 1, other.offset)
    }.map(\.element)
  }

  /// How well an entry fits what was typed; `nil` where it does not.
  private func fit(of entry: Entry) -> Fit? {
    let typed = line.text.trimmed
    let text = typed.lowercased()
    let sought = entry.takesArgument ? String(text.prefix { $0 != " " }) : text
    if entry.names.contains(where: { $0.lowercased() == sought }) { return .name }
    let name = entry.name.lowercased()
    if name.hasPrefix(sought) { return .beginning }
    if name.split(separator: "-").contains(where: { $0.hasPrefix(sought) }) { return .word }
    if entry.keys.contains(typed) { return .key }
    if name.contains(sought) { return .inside }
    return text.count > 1 && entry.note.lowercased().contains(text) ? .note : nil
  }

  /// `Dog/42`, or `Order#1001`, an object by its primary key, which may follow `/`, too, where that is
  /// no key.
  private func object(named text: String, in model: BrowserModel) -> ObjectIdentity? {
    let mark = text.first { $0 == "/" || $0 == "#" } ?? "/"
    let parts = text.split(separator: mark, maxSplits: 1)
    guard parts.count == 2,
      let schema = model.schema.classes.first(where: {
        $0.name.lowercased() == parts[0].lowercased()
      })
    else { return nil }
    let text = String(parts[1])
    if mark == "/", let number = UInt64(text), number < ObjectKey.limit {
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
    let keys = "  \(entry.keys.joined(separator: " "))"
    let room = width - TextWidth.width(of: name + keys, in: charset)
    return name + TextWidth.clip(entry.note, to: max(0, room), in: charset) + keys
  }
}
