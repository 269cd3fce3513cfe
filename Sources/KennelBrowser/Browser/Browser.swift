// The browser: keys in, screens out
//
// A browser is a machine over values. It knows no terminal, no clock, no file and no environment:
// `receive` takes a key, a size, the result of a job or the news that time has passed; `draw` makes
// the picture of a size; `takeEffects` hands out what only the model outside can do. Tests drive it
// as text files; ncurses does in a terminal.
//
// | part | what it holds |
// |---|---|
// | `BrowserModel` | the newest snapshot, under the draft where there is one; the only reader |
// | `View` | what a pane shows: its state, its keys, its drawing; a type in a file or folder of its own |
// | `History` | the views that were walked through, with what is beside each |
// | `DraftOwner` | the draft; tells the browser of every change of it |
// | `Command`, `KeyBindings` | what the keys do, a row each |
// | `Configuration` | what the person has chosen in a file: colors, keys |
// | `BrowserPart` | what the commands do, in the folder of what a person sees of it |
// | `Dialog` | what has the keys, if anything has: an editor, a menu, a picker… |
// | `Jobs` | work that may take long: queries, sorts, searches, commits |
// | `Autosave` | the journal that the draft goes to, by jobs, so that it survives the program |
//
// Invariants:
//
// 1. What a cursor, a mark, a history entry or a bookmark points at is an `ObjectIdentity`, never
//    the number of a row; in a collection it is the owner, the property, the position and the value
//    that stood there. A sort or a commit of another process moves none of them to another object.
// 2. No key waits for a job. While a job runs, a table shows what it showed, and keys act on that.
// 3. Drawing reads only what is on the screen, and of each value only what a cell may show. It changes
//    nothing: each view scrolls to its cursor before it.
// 4. Nothing is written but by `Draft.commit`, and that is called only from the review.
// 5. Whatever deletes an object is shown first, and is confirmed by a key that asked for nothing.
// 6. No error of reading ends the browser: it is a sentence on the status line.
//
// A key goes: dialog, if there is one; else the key map of the context, which is the pane that has
// the focus; the command that it finds is run by `perform`. A sequence such as `gg` waits in
// `pending`, which the status line shows.

package import KennelCore

package final class Browser: TerminalProgram {
  let model: BrowserModel
  let settings: BrowserSettings

  var tabs: Tabs
  var collections: CollectionsView
  var changes = ChangesView()
  var dialog: (any Dialog)?
  var message: Message? { didSet { note(message) } }
  var log = ActionLog()
  var isZoomed = false
  var peek = Peek.State()
  /// Whether objects are shown between what links to them and what they link to.
  var showsGraph = false
  var takesMouse = false
  /// Whether the terminal draws pictures.
  private(set) var drawsPictures = false
  /// The clickable parts of the last picture around the panes.
  var clickTargets: [ClickTarget] = []
  /// Whether the last press of the mouse was on something.
  var hasClicked = false
  var bookmarks: [Character: ObjectIdentity] = [:]
  /// The values that are open in the person's editor.
  var externalEdits: [Int: (spot: Spot, old: Value)] = [:]
  /// Names what the clipboard is getting, for the sentence that it has it.
  var copiedThing: String?
  /// The values or objects that were copied last.
  var copied: Copied?
  /// The last search.
  var search = SearchState()
  /// The last report that was read, with its cursor.
  var report: Report?
  /// The commits of other programs, if the person wants them listed.
  var commitLog: CommitLog?
  /// The state kept between runs; see ``Sessions``.
  var kept: KeptState
  /// The file that is to be opened when this browser has ended.
  package internal(set) var nextFile: String?
  /// A sentence for the terminal after the end.
  package internal(set) var farewell: String?
  var jobs: [RunningJob] = []
  /// The deletions of the draft that the person has confirmed for the commit.
  var confirmedDeletions: BlastRadius?
  /// Whether the program is about to end: nothing is begun any more.
  var isEnding = false
  var autosave: Autosave
  private var nextNumber = 1
  /// The size of the last picture, which says how far a page is.
  private(set) var size = Size(columns: 80, rows: 24)
  /// Whether the panes show their cursors since the last event.
  private var isScrolled = false
  /// The keys that wait for more.
  var pending = PendingKeys()
  private var effects: [Effect] = []

  /// Opens a browser on a database, with the table of its first class.
  ///
  /// - Parameters:
  ///   - database: the database.
  ///   - settings: what the model outside is like.
  ///   - journal: what saves the draft; `nil` where nothing does.
  ///   - recovered: drafts that earlier sessions left, which the person is asked about first.
  /// - Throws: an error of the database where not even a snapshot can be had.
  package init(
    _ database: Database,
    settings: BrowserSettings,
    journal: DraftJournal? = nil,
    recovered: [RecoveredDraft] = []
  ) throws(DatabaseError) {
    model = try BrowserModel(
      database,
      theme: settings.theme,
      isReadOnly: settings.isReadOnly
    )
    self.settings = settings
    kept = settings.kept
    autosave = Autosave(journal: journal)
    let schema = model.schema
    let first = schema.classes.first { !$0.isEmbedded } ?? schema.classes.first
    collections = CollectionsView(cursor: first?.key)
    let key = first?.key ?? ClassKey(rawValue: 0)
    var table = TableView(id: 0, definition: TableDefinition(classKey: key))
    table.moveToStart(in: model)
    tabs = Tabs(all: [History(HistoryEntry(main: table))])
    entry.focus = .collections
    model.draftOwner.listener = { [weak self] in self?.draftChanged($0) }
    if settings.takesMouse { ProgramActions(self).reportMouse(true) }
    ask(.ask(background: settings.themes != nil))
    Sessions(self).begin()
    FileActions(self).awaitReading()
    RecoveryDialog.open(for: recovered, in: self)
  }

  /// The state to keep for the next run.
  package var keptState: KeptState { Sessions(self).current }

  /// The hints of the focused view that the table of commands does not have; a test expects none.
  package var unknownHints: [String] {
    self[entry.focus].hints(in: self).filter { bindings.command($0) == nil }
  }

  /// How many changes are not committed.
  package var changeCount: Int { model.changeCount }

  // MARK: - TerminalProgram

  package func receive(_ event: Event) {
    isScrolled = false
    if FileActions(self).endsOverwritten() { return saveDraft() }
    switch event {
    case .key(let key):
      KeyReading(self).press(key)
    case .resize(let size):
      self.size = size
    case .mouse(let event):
      MouseActions(self).receive(event)
    case .job(let event):
      Jobs(self).receive(event)
    case .tick:
      let before = News(self).state
      model.countTick()
      News(self).follow()
      if News(self).state != before { ask(.paint) }
    case .edited(let token, let edited):
      ValueEditing(self).finishExternalEdit(token: token, edited)
    case .background(let isLight):
      if let themes = settings.themes { model.theme = isLight ? themes.light : themes.dark }
    case .drawsPictures: drawsPictures = true
    case .opened(let problem):
      problem.map(showError) ?? say("Opened it in another program")
    case .copied(let place):
      say("Copied \(copiedThing ?? "the text") to \(place)")
    case .terminate:
      isEnding = true
      _ = Jobs(self).withdrawCommit()
      return saveDraft(atOnce: true)
    }
    FileActions(self).goOnWhenRead()
    saveDraft()
  }

  package func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// The picture; scrolls the panes first, where keys or the size have changed what they show.
  package func draw(_ size: Size) -> Screen {
    if size != self.size { isScrolled = false }
    self.size = size
    let drawing = ScreenDrawing(self)
    if !isScrolled { drawing.scrollPanes() }
    isScrolled = true
    var screen = Screen(size: size, charset: settings.charset)
    drawing.draw(on: &screen)
    clickTargets = screen.targets
    return screen
  }

  func ask(_ effect: Effect) {
    effects.append(effect)
  }

  func newNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  // MARK: - Dialogs and commands

  /// Changes the dialog that is open, where it is one of a type.
  func updateDialog<Wanted: Dialog>(_ type: Wanted.Type, _ change: (inout Wanted) -> Void) {
    guard var wanted = dialog as? Wanted else { return }
    change(&wanted)
    dialog = wanted
  }

  /// Runs a command, unless something is in its way.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - argument: The letter that followed its key, the number before it, or what followed its name
  ///     in the palette.
  func perform(_ command: Command, _ argument: String = "") {
    if let reason = command.whyNot(self) { return showError(reason) }
    if command.argument == .count, !argument.isEmpty, Int(argument) == nil {
      return showError("‘\(argument)’ is no number; write :\(command.name) 5")
    }
    command.action(self, argument)
  }

  var theme: Theme { model.theme }
  var bindings: KeyBindings { settings.bindings }

  /// How a sentence names a command: by its first key, or by its name after a colon.
  func key(of name: String) -> String { bindings.key(of: name) }

  /// Why nothing can be changed, where nothing can.
  var readOnlyReason: String? {
    if model.draftOwner.isAvailable { return nil }
    if model.draftOwner.exists {
      return jobs.first(where: \.kind.hasDraft)?.refusal(in: self) ?? "A change is under way"
    }
    if let reason = settings.incompleteReason { return reason }
    let reason = model.database.readOnlyReason ?? "it was opened read-only"
    let advice = settings.readOnlyAdvice.map { "; \($0)" } ?? ""
    return "This file is read only: \(reason)\(advice)"
  }

  /// Where a key is pressed: what the pane that has the focus shows.
  var context: Context { self[entry.focus].context }

  /// The views of the tab on the screen.
  var history: History {
    get { tabs.all[tabs.index] }
    set { tabs.all[tabs.index] = newValue }
  }

  var entry: HistoryEntry {
    get { history.current }
    set { tabs.all[tabs.index].current = newValue }
  }

  /// The table that the collections show in the main pane while their cursor is on its class.
  var preview: TableView? { entry.focus == .collections ? collections.preview : nil }

  /// The view of a pane.
  subscript(pane: Pane) -> any View {
    get {
      switch pane {
      case .collections: collections
      case .main: entry.main
      case .links: entry.links
      case .referrers: entry.referrers
      case .changes: changes
      }
    }
    set {
      switch (pane, newValue) {
      case (.main, let view): entry.main = view
      case (.links, let links as LinksView): entry.links = links
      case (.referrers, let links as LinksView): entry.referrers = links
      case (_, let view as CollectionsView): collections = view
      case (_, let view as ChangesView): changes = view
      case (.links, _), (.referrers, _), (.collections, _), (.changes, _): break
      }
    }
  }

  /// Changes what a pane shows.
  @discardableResult
  func update<Result>(_ pane: Pane, _ change: (inout any View) -> Result) -> Result {
    var view = self[pane]
    defer { self[pane] = view }
    return change(&view)
  }

  /// Changes what the main pane shows, where it is a view of one type.
  func updateMain<Shown: View>(_ change: (inout Shown) -> Void) {
    guard var shown = entry.main as? Shown else { return }
    change(&shown)
    entry.main = shown
  }

  /// Changes the view that a job works for, wherever it is.
  func updateView<Shown: View>(ofJobs id: Int, _ change: (inout Shown) -> Void) {
    updateHistories { $0.update(id, change) }
  }

  /// Changes the histories of all tabs.
  func updateHistories(_ change: (inout History) -> Void) {
    for index in tabs.all.indices { change(&tabs.all[index]) }
  }

  // MARK: - Messages

  func say(_ text: String) {
    message = Message(text: text, isError: false)
  }

  /// Says that something was done, and how to undo it.
  func say(_ done: String, hasChanged: Bool) {
    say(done + (hasChanged ? "; \(key(of: "undo")) undoes" : "; nothing has changed"))
  }

  /// Tells what is wrong; the file is named without its folders, behind which the reason would be lost.
  func showError(_ text: String) {
    let path = model.database.path
    let name = path.split(separator: "/").last.map { String($0) } ?? path
    let short = path.utf8.count > name.utf8.count ? text.replacing(path, with: name) : text
    message = Message(text: short, isError: true)
  }
}

// MARK: - The draft

extension Browser {
  /// Brings everything on the screen up to date after a change of the draft.
  private func draftChanged(_ renumbered: [ObjectIdentity: ObjectIdentity]) {
    if !renumbered.isEmpty {
      copied = copied?.replaced(renumbered)
      report?.replace(renumbered)
      updateHistories { $0.replace(renumbered) }
    }
    for (letter, object) in bookmarks { bookmarks[letter] = renumbered[object] ?? object }
    Navigation(self).repairCursor()
    entry.main.renew(in: self)
    changes.repairCursor(in: self)
  }

  /// Has a job save the draft, if it has changed and no other job is at it.
  ///
  /// - Parameter atOnce: whether no job will come after it, as when the terminal goes away.
  private func saveDraft(atOnce: Bool = false) {
    let isBusy = autosave.isWriting || Jobs(self).isCommitting
    guard !Jobs(self).isStoring, atOnce || !isBusy, let work = autosave.work(on: model.draftOwner)
    else {
      return
    }
    Jobs(self).launch("Saving the draft", .autosave) { _ in
      work()
    } finish: { browser, problem in
      if let problem = browser.autosave.finish(problem) { browser.showError(problem) }
    }
  }

  /// Saves the draft as it is when the program ends; why it could not, if so.
  package func saveDraftNow() -> String? {
    autosave.saveNow(model.draftOwner, isBeingCommitted: Jobs(self).isStoring)
  }
}

/// A sentence on the status line, until the next key.
struct Message {
  var text: String
  var isError: Bool

  /// As the status line shows it.
  var shown: String { (isError ? "! " : "") + text }
}
