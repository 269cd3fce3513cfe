internal import KennelCore
internal import KennelReports

/// The mouse, the end of the program, and what Esc stops.
struct ProgramActions: BrowserPart {
  let browser: Browser

  func toggleMouse() {
    reportMouse(!browser.takesMouse)
    say(
      browser.takesMouse
        ? "The mouse is on: \(Self.selecting); \(key(of: "mouse")) turns it off"
        : "The mouse is off; \(key(of: "mouse")) turns it on"
    )
  }

  /// How text is selected while the mouse is on.
  static let selecting = "hold Shift to select text"

  func reportMouse(_ isOn: Bool) {
    browser.takesMouse = isOn
    ask(.mouse(isOn))
  }

  /// Esc, where no dialog is open.
  func cancel() {
    if Jobs(browser).shown != nil {
      Jobs(browser).cancelAll()
    } else if browser.peek.isOpen {
      Peek(browser).close()
    } else if browser.preview != nil {
      browser.collections.show(entry.classKey)
    } else if browser.search.isShown {
      browser.search.isShown = false
    } else if Marking(browser).hasMarks {
      Marking(browser).clear()
    } else {
      say(
        "Nothing is running; \(key(of: "q")) closes the view, \(key(of: "quit")) ends the program"
      )
    }
  }

  /// Whether `q` closes a view or a tab rather than ending the program.
  var canCloseView: Bool {
    browser.history.canGoBack || browser.context == .changes || browser.tabs.count > 1
  }

  func closeView() {
    if entry.focus == .changes {
      entry.focus = .main
    } else if browser.history.canGoBack {
      Navigation(browser).goBack()
    } else if !TabActions(browser).close() {
      quit()
    }
  }

  /// Ends the program, or asks where changes would be lost.
  func quit() {
    if model.changeCount > 0 {
      open(QuitDialog())
    } else {
      end()
    }
  }

  func end() {
    browser.isEnding = true
    Jobs(browser).cancelAll()
    ask(.quit(exitCode: 0))
  }

  func showSchema() {
    let key =
      entry.focus == .collections ? browser.collections.cursor ?? entry.classKey : entry.classKey
    guard let schema = model.schema[key] else { return }
    var lines: [String] = []
    let nameWidth = schema.properties.map(\.name.count).max() ?? 0
    for property in schema.properties {
      let padding = String(repeating: " ", count: max(0, nameWidth - property.name.count))
      var notes = property.keyTraits
      if property.isEmbedded { notes.append("embedded") }
      if property.deleteRule != .nullify { notes.append("on deletion: \(property.deleteRule)") }
      if property.targetRule != .nullify {
        notes.append("on deletion of its target: \(property.targetRule)")
      }
      let others = browser.settings.declarations.notes(on: property.key, of: key)
      notes += others.traits
      let note = notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
      lines.append("\(property.name)\(padding)  \(property.type)\(note)")
      lines += others.remarks.map { "  ! \($0)" }
    }
    for backlink in schema.backlinks {
      let origin = model.schema[backlink.origin]
      let name = origin?[backlink.property]?.name ?? "?"
      lines.append("\(backlink.name)  ← \(origin?.name ?? "?").\(name)")
    }
    let kind = schema.isEmbedded ? "embedded class" : "class"
    let traits = browser.settings.declarations.traits(of: key).map { ", \($0)" }.joined()
    let heading = "\(kind) \(schema.name)\(traits)"
    open(TextDialog(heading: heading, text: lines.joined(separator: "\n")))
  }
}
