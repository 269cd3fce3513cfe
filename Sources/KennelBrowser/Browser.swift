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
// | `History` | the views that were walked through: what each shows, its cursor, its scrolling |
// | `Command`, `Keymap` | what the keys do, said once |
// | `Overlay` | the dialog that has the keys, if any: an editor, a menu, a picker… |
// | `Jobs/` | work that may take long: queries, sorts, searches |
// | `Autosave` | the journal that the draft goes to, by jobs, so that it survives the program |
// | `Views/` | the panes, each drawn from its state and the model into a rectangle |
//
// Invariants:
//
// 1. What a cursor, a mark, a history entry or a bookmark points at is an `ObjectIdentity`, never
//    the number of a row; in a collection it is the owner, the property, the position and the value
//    that stood there. A sort or a commit of another process moves none of them to another object.
// 2. No key waits for a job. While a job runs, a table shows what it showed, and keys act on that.
// 3. Drawing reads only what is on the screen, and of each value only what a cell may show.
// 4. Nothing is written but by `Draft.commit`, and that is called only from the review.
// 5. Whatever deletes an object is shown first, and is confirmed by a key that asked for nothing.
// 6. No error of reading ends the browser: it is a sentence on the status line.
//
// A key goes: overlay, if there is one; else the key map of the context, which is the pane that has
// the focus; the command it names is run by `perform`. A sequence such as `gg` waits in
// `pendingKeys`, which the status line shows.

package import KennelCore

package final class Browser: TerminalProgram {
  let model: BrowserModel
  let settings: BrowserSettings
  let theme: Theme
  private let keymap = Keymap.standard

  var history: History
  /// The class that the cursor of the collections is on.
  var collection: ClassKey?
  var collectionTop = 0
  var changes = ChangesState()
  /// The lines of the review, as of a generation of the model.
  var shownChanges: (generation: Int, lines: [ChangeLine])?
  var overlay: Overlay?
  var message: Message?
  var isZoomed = false
  var isPeeking = false
  var takesMouse = false
  /// Whether the last press of the mouse was on something.
  var hasClicked = false
  var bookmarks: [Character: ObjectIdentity] = [:]
  /// The values that are open in the person's editor.
  var externalEdits: [Int: (spot: Spot, old: Value)] = [:]
  /// What was looked for last.
  var searchText: String?
  /// What was typed into each kind of prompt, the newest last.
  var typed: [PromptKind: [String]] = [:]
  var jobs: [RunningJob] = []
  /// What the person confirmed of the deletions that a commit carries out.
  var confirmedDeletions: BlastRadius?
  /// Whether the program is about to end: nothing is begun any more.
  var isEnding = false
  /// How the draft is kept beyond the end of the program.
  var keeping: Autosave
  var nextNumber = 1
  /// The size of the last picture, which says how far a page is.
  private(set) var size = Size(columns: 80, rows: 24)
  private(set) var pendingKeys: [Key] = []
  private var effects: [Effect] = []

  /// Opens a browser on a database, with the table of its first class.
  ///
  /// - Parameters:
  ///   - database: the database.
  ///   - settings: what the model outside is like.
  ///   - journal: what keeps the draft; `nil` where nothing does.
  ///   - kept: drafts that earlier sessions left, which the person is asked about first.
  /// - Throws: an error of the database where not even a snapshot can be had.
  package init(
    _ database: Database,
    settings: BrowserSettings,
    journal: DraftJournal? = nil,
    kept: [RecoveredDraft] = []
  ) throws(DatabaseError) {
    model = try BrowserModel(database)
    self.settings = settings
    keeping = Autosave(journal: journal)
    theme = Theme(hasColor: settings.hasColor)
    let schema = model.schema
    let first = schema.classes.first { !$0.isEmbedded } ?? schema.classes.first
    collection = first?.key
    let key = first?.key ?? ClassKey(rawValue: 0)
    var table = TableState(id: 0, definition: TableDefinition(classKey: key))
    table.moveToStart(in: model)
    var view = View(main: .table(table))
    view.focus = .collections
    history = History(view)
    model.changed()
    ask(about: kept)
  }

  /// How many changes are not committed.
  package var changeCount: Int { model.changeCount }

  // MARK: - TerminalProgram

  package func receive(_ event: Event) {
    switch event {
    case .key(let key):
      press(key)
    case .resize(let size):
      self.size = size
    case .mouse(let event):
      receive(event)
    case .job(let event):
      receive(event)
    case .tick:
      takeNews()
    case .edited(let token, let text):
      finishExternalEdit(token: token, text: text)
    case .copied(let place):
      say("Copied to \(place)")
    case .terminate:
      isEnding = true
      return keepDraft(atOnce: true)
    }
    keepDraft()
  }

  package func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  package func draw(_ size: Size) -> Screen {
    self.size = size
    var screen = Screen(size: size, charset: settings.charset)
    drawAll(on: &screen)
    return screen
  }

  func ask(_ effect: Effect) {
    effects.append(effect)
  }

  func newNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  // MARK: - Keys

  private func press(_ key: Key) {
    message = nil
    model.problem = nil
    if overlay != nil {
      handleInOverlay(key)
      return
    }
    pendingKeys.append(key)
    let sequence = KeySequence(pendingKeys)
    switch keymap.answer(to: sequence, in: context) {
    case .unfinished:
      return
    case .command(let id, let letter):
      pendingKeys = []
      perform(id, letter: letter)
    case .nothing:
      pendingKeys = []
      if case .paste = key.code { return }
      showError("\(sequence) does nothing here; ? lists the keys")
    }
  }

  var pendingText: String {
    pendingKeys.isEmpty ? "" : KeySequence(pendingKeys).description + "…"
  }

  /// Where a key is pressed: what the pane that has the focus shows.
  var context: Context {
    switch view.focus {
    case .collections: return .collections
    case .links: return .links
    case .changes: return .changes
    case .main: break
    }
    switch view.main {
    case .table: return .table
    case .object: return .object
    case .elements: return .elements
    }
  }

  var view: View {
    get { history.current }
    set { history.current = newValue }
  }

  // MARK: - Messages

  func say(_ text: String) {
    message = Message(text: text, isError: false)
  }

  /// Tells what is wrong; the file is named without its folders, behind which the reason would be lost.
  func showError(_ text: String) {
    let path = model.database.path
    let name = path.split(separator: "/").last.map { String($0) } ?? path
    let short = path.utf8.count > name.utf8.count ? text.replacing(path, with: name) : text
    message = Message(text: short, isError: true)
  }
}

/// A sentence on the status line, until the next key.
struct Message {
  var text: String
  var isError: Bool
}
