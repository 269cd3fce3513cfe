internal import KennelCore

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
    if browser.jobs.contains(where: \.kind.canStop) {
      Jobs(browser).cancelAll()
    } else if browser.peek.isOpen {
      Peek(browser).close()
    } else if browser.preview != nil {
      browser.collections.show(entry.classKey)
    } else if browser.search.isShown {
      browser.search.isShown = false
    } else if Marking(browser).hasMarks {
      Marking(browser).clear()
    } else if let job = Jobs(browser).shown {
      say("\(job.title) cannot be stopped")
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
}
