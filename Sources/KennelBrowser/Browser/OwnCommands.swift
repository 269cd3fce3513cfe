internal import KennelCore

/// Runs the commands of a person's own.
///
/// The shell gets what the cursor is on in variables, never as a part of the line: a value that looks like
/// a command is none.
struct OwnCommands: BrowserPart {
  let browser: Browser

  /// More bytes than one variable can have.
  private static let mostBytes = 100_000

  func run(_ command: OwnCommand) {
    guard let runShell = browser.settings.runShell else {
      return showError("No command is run here")
    }
    let spot = browser.editedSpot
    if command.output == .value {
      if let reason = browser.readOnlyReason { return showError(reason) }
      guard spot.flatMap(property) != nil else {
        return showError("There is no value under the cursor for ‘\(command.name)’ to set")
      }
    }
    let variables = variables
    if let bad = variables.first(where: { !Self.fits($0.value) }) {
      return showError("$\(bad.key) is too long for ‘\(command.name)’, or has a zero in it")
    }
    Jobs(browser).launch("‘\(command.name)’", .command) { context in
      runShell(command.script, variables) { context.isCancelled }
    } finish: { browser, outcome in
      OwnCommands(browser).finish(command, outcome, spot)
    }
  }

  private static func fits(_ text: String) -> Bool {
    text.utf8.count <= mostBytes && !text.utf8.contains(0)
  }

  /// What the cursor is on, by the names of the variables.
  private var variables: [String: String] {
    var found = ["file": browser.settings.path]
    let object = (entry.focus == .links ? browser.peekTarget : nil) ?? entry.subject
    if let object, model.contains(object) {
      found["class"] = model.name(of: object.classKey)
      found["object"] = model.address(object)
      found["key"] = key(of: object)
      let json = browser.settings.copyForms.first { $0.title == "JSON" }
      found["json"] = model.reader.flatMap { json?.text($0, [object]) }
    }
    if let spot, let property = property(of: spot) {
      found["property"] = property.name
      found["value"] = value(at: spot).map(text) ?? ""
    }
    return found
  }

  /// The primary key, or else the number of the object.
  private func key(of object: ObjectIdentity) -> String {
    let property = model.schema[object.classKey]?.primaryKey
    return property.map { text(model.value(of: object, $0.key)) } ?? "\(object.key.rawValue)"
  }

  private func text(_ value: Value) -> String {
    if case .link(let target) = value { return model.address(target) }
    return value.isNull ? "" : ScalarText.text(of: value)
  }

  private func finish(_ command: OwnCommand, _ outcome: ShellOutcome, _ spot: Spot?) {
    let name = "‘\(command.name)’"
    switch outcome {
    case .notRun(let reason): showError("\(name) was not run: \(reason)")
    case .ended(let status, let output, let errors):
      let text = output + errors
      guard status == 0 else {
        let reason = errors.split(separator: "\n").last.map { ": \($0)" } ?? ""
        if command.output == .show, !output.isEmpty {
          open(TextDialog(heading: "\(name) ended with \(status)", text: text))
        }
        return showError("\(name) ended with \(status)\(reason)")
      }
      switch command.output {
      case .show:
        guard !text.isEmpty else { return say("\(name) is done, and wrote nothing") }
        open(TextDialog(heading: name, text: text))
      case .value: set(spot, to: output, command)
      case .refresh:
        News(browser).refresh()
        say("\(name) is done")
      }
    }
  }

  /// Makes the output the value, as if it had been typed.
  private func set(_ spot: Spot?, to output: String, _ command: OwnCommand) {
    guard let spot, let property = property(of: spot) else { return }
    let text = output.hasSuffix("\n") ? String(output.dropLast()) : output
    let type = property.type.element
    guard type.kind != .link else {
      return showError("\(property.name) is a link, which no text of ‘\(command.name)’ sets")
    }
    switch ScalarText.parse(text, as: type, now: browser.settings.now()) {
    case .success(let value): ValueEditing(browser).assign(value, to: spot)
    case .failure(let refusal):
      showError("What ‘\(command.name)’ wrote is no value: \(refusal.message)")
    }
  }
}

/// The outcome of a line of the shell.
package enum ShellOutcome: Sendable {
  /// With its exit code, and what it wrote.
  case ended(status: Int, output: String, errors: String)
  /// Why it was not run or not to its end, as a part of a sentence.
  case notRun(String)
}
