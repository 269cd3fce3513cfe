internal import KennelCore

// The palette goes to a class, an object, a bookmark or a command by name.

extension Browser {
  func openPalette() {
    var entries: [Palette.Entry] = []
    for schema in model.schema.classes {
      entries.append(
        Palette.Entry(
          destination: .classTable(schema.key),
          name: schema.name,
          note: "\(model.count(of: schema.key)) objects"
        )
      )
    }
    for command in Command.all where command.contexts.contains(context) && !command.takesLetter {
      let keys = command.keys.joined(separator: " ")
      entries.append(
        Palette.Entry(
          destination: .command(command.id),
          name: command.name,
          note: command.summary + (keys.isEmpty ? "" : "  \(keys)")
        )
      )
    }
    for (letter, object) in bookmarks.sorted(by: { $0.key < $1.key }) {
      entries.append(
        Palette.Entry(destination: .bookmark(letter), name: "'\(letter)", note: model.label(object))
      )
    }
    overlay = .palette(Palette(all: entries, shown: entries))
  }

  func handle(_ key: Key, in palette: Palette) {
    var palette = palette
    if key.code == .enter {
      run(palette)
      return
    }
    if let distance = distance(of: key, allowsLetters: false) {
      palette.index = min(max(0, palette.index + distance), max(0, palette.shown.count - 1))
    } else if palette.line.handle(key) {
      palette.shown = entries(of: palette)
      palette.index = 0
    }
    overlay = .palette(palette)
  }

  /// What fits the text, the best first: the name itself, its beginning, a part of it, its letters.
  private func entries(of palette: Palette) -> [Palette.Entry] {
    let text = palette.line.text.trimmed.lowercased()
    guard !text.isEmpty else { return palette.all }
    var ranked: [(rank: Int, entry: Palette.Entry)] = []
    if let object = object(named: palette.line.text.trimmed) {
      let name = model.text(object)
      ranked.append(
        (
          0,
          Palette.Entry(
            destination: .object(object),
            name: name,
            note: model.displayName(of: object)
          )
        )
      )
    }
    let word = text.prefix { $0 != " " }
    for entry in palette.all {
      let name = entry.name.lowercased()
      if name == text || name == word {
        ranked.append((0, entry))
      } else if name.hasPrefix(text) {
        ranked.append((1, entry))
      } else if name.contains(text) {
        ranked.append((2, entry))
      } else if entry.note.lowercased().contains(text) {
        ranked.append((3, entry))
      } else if Self.hasLetters(of: text, name) {
        ranked.append((4, entry))
      }
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

  /// `Dog/42`, or the primary key of an object of the class on the screen.
  private func object(named text: String) -> ObjectIdentity? {
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

  private func run(_ palette: Palette) {
    overlay = nil
    guard palette.shown.indices.contains(palette.index) else {
      showError("Nothing is named “\(palette.line.text)”")
      return
    }
    switch palette.shown[palette.index].destination {
    case .command(let id):
      let words = palette.line.text.trimmed.split(separator: " ", maxSplits: 1)
      run(id, argument: words.count > 1 ? String(words[1]).trimmed : nil)
    case .classTable(let key):
      goToTable(TableDefinition(classKey: key))
    case .object(let object):
      goToObject(object, step: ":")
    case .bookmark(let letter):
      jump(to: letter)
    }
  }

  private func run(_ id: CommandID, argument: String?) {
    if id == .saveCopy, let argument {
      saveCopy(to: argument)
      return
    }
    guard id == .moveElement, let argument else {
      perform(id)
      return
    }
    if let reason = readOnlyReason {
      showError(reason)
    } else if let index = Int(argument) {
      moveElement(to: index)
    } else {
      showError("“\(argument)” is no position; the first element is 0")
    }
  }
}
