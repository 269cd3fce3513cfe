internal import KennelCore

/// Opens, closes and changes tabs; each has views and a way back of its own.
struct TabActions: BrowserPart {
  let browser: Browser

  /// `t`: opens in a new tab what Enter would open here, or else what is shown.
  func open() {
    let origin = browser.history
    browser.history = History(entry)
    Navigation(browser).open()
    var opened = entry
    // Where nothing is to be opened, the tab is another one of what is shown.
    let said = browser.history.canGoBack ? message : nil
    browser.dialog = nil
    browser.history = origin
    if let id = opened.main.jobID, id == entry.main.jobID {
      opened.main.separate(as: browser.newNumber())
    }
    browser.tabs.open(opened)
    Navigation(browser).arrive()
    message = said
    if message == nil { say("Tab \(browser.tabs.number) of \(browser.tabs.count)") }
  }

  func change(by step: Int) {
    guard browser.tabs.count > 1 else {
      return say("There is no other tab; \(key(of: "tab")) opens one")
    }
    browser.tabs.change(by: step)
    Navigation(browser).arrive()
  }

  /// Closes the tab; whether there is another one.
  func close() -> Bool {
    guard browser.tabs.close() else { return false }
    Navigation(browser).arrive()
    return true
  }
}
