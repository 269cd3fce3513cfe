internal import KennelCore

/// A part of what the browser does, such as moving, editing, finding or drawing.
///
/// The state is the browser's; a part has only methods. What follows is what all parts need.
protocol BrowserPart {
  var browser: Browser { get }
}

extension Browser {
  var navigation: Navigation { Navigation(browser: self) }
  var tables: TableActions { TableActions(browser: self) }
  var linkWalking: LinkWalking { LinkWalking(browser: self) }
  var trails: Trails { Trails(browser: self) }
  var tabbing: TabActions { TabActions(browser: self) }
  var marking: Marking { Marking(browser: self) }
  var queries: SavedQueries { SavedQueries(browser: self) }
  var finding: Finding { Finding(browser: self) }
  var statistics: Statistics { Statistics(browser: self) }
  var summaries: Summaries { Summaries(browser: self) }
  var reports: Reports { Reports(browser: self) }
  var commits: Commits { Commits(browser: self) }
  var copying: Copying { Copying(browser: self) }
  var pasting: Pasting { Pasting(browser: self) }
  var editing: ValueEditing { ValueEditing(browser: self) }
  var menus: ValueMenus { ValueMenus(browser: self) }
  var elements: CollectionEditing { CollectionEditing(browser: self) }
  var assigning: Assigning { Assigning(browser: self) }
  var objects: ObjectEditing { ObjectEditing(browser: self) }
  var deleting: Deleting { Deleting(browser: self) }
  var largeChanges: LargeChanges { LargeChanges(browser: self) }
  var reviewing: Reviewing { Reviewing(browser: self) }
  var committing: Committing { Committing(browser: self) }
  var program: ProgramActions { ProgramActions(browser: self) }
  var exporting: Exporting { Exporting(browser: self) }
  var files: FileActions { FileActions(browser: self) }
  var news: News { News(browser: self) }
  var sessions: Sessions { Sessions(browser: self) }
  var mouse: MouseActions { MouseActions(browser: self) }
}

extension BrowserPart {
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
    let hasChanged: Bool
    do throws(DatabaseError) {
      hasChanged = try model.draft.change(body)
    } catch {
      showError(error.message)
      return false
    }
    say(done() + (hasChanged ? "; \(browser.key(of: "undo")) undoes" : "; nothing has changed"))
    return true
  }
}
