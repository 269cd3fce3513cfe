internal import KennelCore

/// A part of what the browser does, such as moving, editing, finding or drawing.
///
/// The state is the browser's; a part has only methods. What follows is what all parts need.
protocol BrowserPart {
  var browser: Browser { get }
  init(browser: Browser)
}

extension BrowserPart {
  init(_ browser: Browser) { self.init(browser: browser) }

  var model: BrowserModel { browser.model }
  var theme: Theme { browser.theme }
  var entry: HistoryEntry {
    get { browser.entry }
    nonmutating set { browser.entry = newValue }
  }
  var message: Message? {
    get { browser.message }
    nonmutating set { browser.message = newValue }
  }
  var spot: Spot? { browser.spot }

  func property(of spot: Spot) -> PropertySchema? { browser.property(of: spot) }
  func value(at spot: Spot) -> Value? { browser.value(at: spot) }
  func name(of spot: Spot) -> String { browser.name(of: spot) }
  func linkTarget(_ spot: Spot) -> ObjectIdentity? { browser.linkTarget(spot) }
  func isInPlace(_ spot: Spot) -> Bool { browser.isInPlace(spot) }
  func updateTable(_ change: (inout TableView) -> Void) { browser.updateMain(change) }

  func key(of name: String) -> String { browser.key(of: name) }
  func say(_ text: String) { browser.say(text) }
  func showError(_ text: String) { browser.showError(text) }
  func ask(_ effect: Effect) { browser.ask(effect) }
  func open(_ dialog: any Dialog) { browser.dialog = dialog }

  /// Changes the draft, as one step of undo, and says so; whether it worked.
  @discardableResult
  func change(
    _ done: @autoclosure () -> String,
    _ body: (Draft) throws(DatabaseError) -> Void
  ) -> Bool {
    if let reason = browser.readOnlyReason {
      showError(reason)
      return false
    }
    do throws(DatabaseError) {
      let changed = try model.draftOwner.perform(as: .step) { draft throws(DatabaseError) in
        try draft.changeAsWhole(body)
      }
      browser.say(done(), hasChanged: changed?.hasChanged == true)
      return true
    } catch {
      showError(error.message)
      return false
    }
  }
}
