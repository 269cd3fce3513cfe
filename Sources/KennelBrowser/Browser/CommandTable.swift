// The table of commands
//
// What a key does is said once, here: its keys, its words, where it works, what is in its way, what it
// does. A person may give it other keys (see `Bindings`). The key map, the hint line at the bottom of the screen, the help that runs the line one picks,
// the palette, Documentation/Browser.md and the manual page are all made from this table, so that they
// cannot disagree.
// The conventions behind the keys:
//
// 1. A key that means something else in a sibling tool does no harm here.
// 2. The key that confirms differs from the one that asked, and is never a bare Enter.
// 3. Nothing essential is only on a key that a terminal may keep for itself.
// 4. Each command has a name, by which the palette finds it.
//
// To add one: a row.

internal import KennelCore

/// Why nothing can be changed, where nothing can.
private let readOnly: @Sendable (Browser) -> String? = { $0.readOnlyReason }

extension Command {
  /// All of them, in the order of the help.
  package static let all: [Command] = groups.flatMap(\.commands)

  /// The commands under the headings of the help.
  package static let groups: [(title: String, commands: [Command])] = [
    ("Moving", moving), ("Following links", walking), ("Finding", finding),
    ("Columns, groups and marks", arranging), ("Editing", editing),
    ("Reviewing and committing", drafting), ("Files and the program", other),
  ]

  /// Commands that change the draft, which is not possible where the file is read only.
  private static func changing(_ commands: [Command]) -> [Command] {
    commands.map { $0.unless(readOnly) }
  }

  private static let moving = [
    Command("down", ["j", "Down"], "move down", times: { Navigation($0).move(.lines($1)) }),
    Command("up", ["k", "Up"], "move up", times: { Navigation($0).move(.lines(-$1)) }),
    Command(
      "left",
      ["h", "Left"],
      "move to the column on the left; in the diagram, back along the link",
      hint: Label { _ in "back" },
      in: [.table, .summary, .diagram],
      times: { Navigation($0).moveAcross(by: -$1) }
    ),
    Command(
      "right",
      ["l", "Right"],
      "move to the column on the right; in the diagram, along the link",
      hint: Label { $0.table?.firstColumnHint(in: $0.model) },
      in: [.table, .summary, .diagram],
      times: { Navigation($0).moveAcross(by: $1) }
    ),
    Command("top", ["gg", "Home"], "move to the first line, or to that of a number", takes: .count)
    {
      Navigation($0).move(toLine: number($1) ?? 1)
    },
    Command("bottom", ["G", "End"], "move to the last line, or to that of a number", takes: .count)
    {
      Navigation($0).move(toLine: number($1))
    },
    Command(
      "half-page-down",
      ["^D"],
      "move down half a screen",
      times: { Navigation($0).moveHalfPage($1) }
    ),
    Command(
      "half-page-up",
      ["^U"],
      "move up half a screen",
      times: { Navigation($0).moveHalfPage(-$1) }
    ),
    Command("page-down", ["PgDn"], "move down a screen", times: { Navigation($0).movePage($1) }),
    Command("page-up", ["PgUp"], "move up a screen", times: { Navigation($0).movePage(-$1) }),
    Command("middle", ["zz"], "scroll so that the cursor is in the middle", in: scrolled) {
      Navigation($0).scroll(cursorTo: .middle)
    },
    Command("to-top", ["zt"], "scroll so that the cursor is on the first line", in: scrolled) {
      Navigation($0).scroll(cursorTo: .top)
    },
    Command("to-bottom", ["zb"], "scroll so that the cursor is on the last line", in: scrolled) {
      Navigation($0).scroll(cursorTo: .bottom)
    },
    Command("first-column", [], "move to the first column", in: [.table, .summary]) {
      Navigation($0).moveAcross(by: -Movement.far)
    },
    Command("last-column", [], "move to the last column", in: [.table, .summary]) {
      Navigation($0).moveAcross(by: Movement.far)
    },
    Command("next-pane", ["Tab"], "go to the next pane", hint: "next pane") {
      Navigation($0).changePane(by: 1)
    },
    Command("previous-pane", ["S-Tab"], "go to the previous pane") {
      Navigation($0).changePane(by: -1)
    },
    Command("collections", ["1"], "go to the collections") {
      Navigation($0).focus(on: .collections)
    },
    Command(
      "main",
      ["2"],
      "go to the table or the object",
      hint: Label("table") {
        "back to the \($0.context == .changes ? "table" : $0.entry.main.word)"
      }
    ) {
      Navigation($0).focus(on: .main)
    },
    Command("links", ["3"], "go to the links of the object") {
      Navigation($0).focus(on: .links)
    },
    Command("review", ["4", "gc"], "go to the changes that are not committed", unless: readOnly) {
      Reviewing($0).open()
    },
  ]

  private static let walking = [
    Command(
      "open",
      ["Enter", "gd"],
      "follow the link, open the list, or open the object",
      hint: Label { $0[$0.entry.focus].openLabel(in: $0) }
    ) {
      Navigation($0).open()
    },
    Command("references", ["gr"], "show what links to the object", hint: "backlinks", in: values) {
      LinkWalking($0).showReferences()
    },
    Command(
      "graph",
      ["|"],
      "show the object between what links to it and what it links to, or as before",
      hint: Label("end the graph") { LinkWalking($0).isGraph ? "end the graph" : "graph" }
    ) { LinkWalking($0).toggleGraph() },
    Command(
      "walk-left",
      ["h", "Left"],
      "go towards what links to the object, and along the link",
      hint: "to what links here",
      in: [.object, .elements, .links]
    ) { LinkWalking($0).walkLeft() },
    Command(
      "walk-right",
      ["l", "Right"],
      "go towards what the object links to, and along the link",
      hint: "to its links",
      in: [.object, .links]
    ) { LinkWalking($0).walkRight() },
    Command(
      "why",
      ["gw"],
      "show how links lead to the object from one that nothing links to",
      in: walkable
    ) { Trails($0).findSupport() },
    Command(
      "path",
      [],
      "show the shortest way along links between two bookmarks, as in ‘path a b’",
      takes: .text
    ) { Trails($0).findPath(typed: $1) },
    Command(
      "tab",
      ["t"],
      "open in a new tab what {open} would open here",
      in: [.collections, .table, .object, .elements, .links]
    ) { TabActions($0).open() },
    Command("previous-tab", ["[", "gT"], "go to the tab on the left") {
      TabActions($0).change(by: -1)
    },
    Command("next-tab", ["]", "gt"], "go to the tab on the right") {
      TabActions($0).change(by: 1)
    },
    Command("owner", ["gp"], "go to the owner of the embedded object", hint: .owner, in: walkable) {
      Navigation($0).goToOwner()
    },
    Command(
      "back",
      ["Bksp", "Alt-Left", "H", "<"],
      "go back to the previous view",
      hint: Label { $0.history.canGoBack ? "back" : nil }
    ) {
      Navigation($0).goBack()
    },
    Command("forward", ["Alt-Right", "L", ">"], "go forward again") { Navigation($0).goForward() },
    Command("peek", ["K"], "show the target of the link without going there", in: walkable) {
      Navigation($0).togglePeek()
    },
    Command("schema", ["i"], "show the schema of the class") { ProgramActions($0).showSchema() },
    Command("diagram", ["gs"], "show the classes and the links between them") {
      let shown = $0.preview?.classKey ?? $0.entry.classKey
      $0.entry.focus = .main
      Navigation($0).go(to: DiagramView(classKey: shown))
    },
  ]

  private static let finding = [
    Command("find", ["/"], "find text in the view") { Searching($0).openPrompt() },
    Command("find-expression", [], "find what a regular expression fits; in {find} also by ^T") {
      Searching($0).openPrompt(isExpression: true)
    },
    Command("find-next", ["n"], "find the next one", hint: Label { _ in "next found" }) {
      Searching($0).findNext(isForward: true)
    },
    Command("find-previous", ["N"], "find the previous one") {
      Searching($0).findNext(isForward: false)
    },
    Command(
      "filter",
      ["f"],
      "edit the filter of the class, in the query language",
      in: [.table, .object]
    ) { TableActions($0).openFilter() },
    Command(
      "clear-filter",
      ["F"],
      "show all objects again",
      hint: Label { $0.table?.definition.filter == nil ? nil : "show all" },
      in: [.table]
    ) {
      TableActions($0).clearFilter()
    },
    Command(
      "filter-by-value",
      [","],
      "add ‘this property has this value’ to the filter",
      in: [.table]
    ) { TableActions($0).filterByValue() },
    Command(
      "save-query",
      [],
      "save the filter and the order by a name, as in ‘save-query NAME’",
      in: [.table],
      takes: .text
    ) { SavedQueries($0).save(as: $1) },
    Command("queries", [], "open a saved query", takes: .text) { SavedQueries($0).open(typed: $1) },
    Command("forget-query", [], "forget a saved query, as in ‘forget-query NAME’", takes: .text) {
      SavedQueries($0).forget(typed: $1)
    },
    Command(
      "sort",
      ["s"],
      "sort by the property: ascending, descending, not at all",
      in: [.table, .summary]
    ) { $0.entry.main.sort(in: $0) },
    Command("add-sort", ["S"], "sort by this property, too", in: [.table]) {
      TableActions($0).sort(adding: true)
    },
  ]

  private static let arranging = [
    Command("hide-property", ["-"], "hide the property", in: [.table]) {
      TableActions($0).hideColumn()
    },
    Command("show-hidden", [], "show the hidden properties again", in: [.table]) {
      TableActions($0).showHidden()
    },
    Command(
      "column",
      ["+"],
      "add a column: a number of links or elements, a path, an aggregate",
      in: [.table],
      takes: .text
    ) { TableActions($0).addColumn($1) },
    Command("widen", ["_"], "show the property wider, or as wide as before", in: [.table]) {
      TableActions($0).widenColumn()
    },
    Command("pin", ["!"], "keep the property beside the key, or let it scroll", in: [.table]) {
      TableActions($0).pinColumn()
    },
    Command("shift-left", ["{"], "move the property to the left", in: [.table]) {
      TableActions($0).shiftColumn(by: -1)
    },
    Command("shift-right", ["}"], "move the property to the right", in: [.table]) {
      TableActions($0).shiftColumn(by: 1)
    },
    Command("expand", ["("], "show the properties of the link’s target as columns", in: [.table]) {
      TableActions($0).expandColumn(true)
    },
    Command("collapse", [")"], "show the link’s target in one column again", in: [.table]) {
      TableActions($0).expandColumn(false)
    },
    Command(
      "statistics",
      ["I"],
      "count the values of the property: null, distinct, least, greatest, most frequent",
      hint: "statistics",
      in: [.table]
    ) { Statistics($0).open() },
    Command(
      "group",
      ["&"],
      "count the objects by the property, or by a path, as in ‘group owner.city age’",
      hint: Label("group") { $0.entry.main is SummaryView ? Summaries($0).groupLabel : "group" },
      in: [.collections, .table, .object, .summary],
      takes: .text
    ) { Summaries($0).group(byTyped: $1) },
    Command("space", [], "show what takes space in the file, by class and property") {
      Summaries($0).openSpace()
    },
    Command("mark", ["Space"], "mark the object; keys act on all that are marked", in: [.table]) {
      Marking($0).toggle()
    },
    Command(
      "mark-range",
      ["v"],
      "mark what the cursor passes, until {mark-range} again",
      hint: Label { $0.table?.range == nil ? nil : "end the range" },
      in: [.table]
    ) {
      Marking($0).markRange()
    },
    Command("mark-all", ["gA"], "mark every object of a filtered table", in: [.table]) {
      Marking($0).markAll()
    },
    Command("invert-marks", ["*"], "mark what is not marked", in: [.table]) {
      Marking($0).invert()
    },
  ]

  private static let editing =
    changing([
      Command(
        "edit",
        ["e", "c"],
        "edit the value in its place",
        hint: Label { $0.editLabel("edit") },
        in: values
      ) {
        ValueEditing($0).edit()
      },
      Command("edit-externally", ["E"], "edit the text in $EDITOR", in: values) {
        ValueEditing($0).editExternally()
      },
      Command(
        "value",
        ["C"],
        "set null, empty or the default",
        hint: Label("null, default…") { $0.editLabel("null, default…") },
        in: values
      ) { ValueMenus($0).openValueMenu() },
    ]) + [
      Command("hex", [], "show data as bytes; {open} does so on data, too", in: values) {
        FileActions($0).showBytes()
      },
      Command(
        "save",
        [],
        "save the text or data under the cursor in a file, as in ‘save photo.png’",
        in: values,
        takes: .text
      ) { FileActions($0).saveValue(toTyped: $1) },
    ]
    + changing([
      Command(
        "load",
        [],
        "set the text or data under the cursor to what a file holds, as in ‘load photo.png’",
        in: values,
        takes: .text
      ) { FileActions($0).loadValue(fromTyped: $1) },
      Command(
        "set",
        [],
        "compute a value and set it in many objects, as in ‘set age = age + 1 where age > 3’",
        in: values,
        takes: .text
      ) { Assigning($0).open($1) },
      Command(
        "create",
        ["o"],
        "create an object, or add an element after this one",
        hint: .create,
        in: values
      ) { ObjectEditing($0).create() },
      Command(
        "duplicate",
        ["O"],
        "create a copy of the object, or add an element before this one",
        in: values
      ) { ObjectEditing($0).duplicate() },
      Command(
        "delete",
        ["d"],
        "show what deleting the object would take with it",
        hint: Label("delete…") { $0.markCount.map { "delete \($0)…" } ?? "delete…" },
        in: values
      ) { Deleting($0).askToDelete() },
      Command(
        "unlink",
        ["x"],
        "cut the link, or take the element out; its target stays",
        hint: .unlink,
        in: values
      ) { Deleting($0).unlink() },
      Command(
        "element-down",
        ["gJ"],
        "move the element down",
        hint: Label { $0.isOnListElement ? "move down" : nil },
        in: ordered
      ) {
        CollectionEditing($0).move(by: 1)
      },
      Command(
        "element-up",
        ["gK"],
        "move the element up",
        hint: Label { $0.isOnListElement ? "up" : nil },
        in: ordered
      ) {
        CollectionEditing($0).move(by: -1)
      },
      Command(
        "move",
        [],
        "move the element to a position, as in ‘move 3’",
        in: ordered,
        takes: .text
      ) { CollectionEditing($0).move(toTyped: $1) },
    ])

  private static let drafting = changing([
    Command("undo", ["u"], "undo the last change") { Reviewing($0).undo() },
    Command("redo", ["^R", "U"], "redo what was undone") {
      Reviewing($0).redo()
    },
    Command("w", ["^S"], "commit, from the review of the changes", hint: "commit") {
      Committing($0).write()
    },
    Command("commit", ["w"], "commit the changes", hint: Label { _ in "commit…" }, in: [.changes]) {
      Committing($0).askToCommit()
    },
    Command(
      "leave-out",
      ["Space"],
      "leave the change out of the commit, or take it in again",
      hint: "leave out",
      in: [.changes]
    ) { Reviewing($0).toggle() },
    Command("drop", ["x"], "drop the change", in: [.changes]) {
      Reviewing($0).drop()
    },
    Command(
      "keep-mine",
      ["m"],
      "resolve the conflict with my value",
      hint: Label { $0.model.draftOwner.conflicts.contains(where: \.canKeepMine) ? "mine" : nil },
      in: [.changes]
    ) { Reviewing($0).resolve(.mine) },
    Command(
      "take-theirs",
      ["t"],
      "resolve the conflict with their value",
      hint: Label { $0.model.draftOwner.conflicts.isEmpty ? nil : "theirs" },
      in: [.changes]
    ) { Reviewing($0).resolve(.theirs) },
    Command("rollback", [], "discard all changes") {
      Reviewing($0).rollback()
    },
  ])

  private static let other = [
    Command(
      "copy",
      ["y"],
      "copy the value",
      hint: Label { $0.markCount.map { "copy \($0)" } ?? "copy" },
      in: [.table, .object, .elements, .links, .summary]
    ) {
      Copying($0).copy()
    },
    Command(
      "paste",
      ["p"],
      "paste what was copied: a value into a property, objects as links or as copies",
      in: values,
      unless: readOnly
    ) { Pasting($0).paste() },
    Command("copy-as", ["Y"], "copy the object in another form", in: walkable) {
      Copying($0).openMenu()
    },
    Command("bookmark", ["m"], "remember the object under a letter", in: walkable, takes: .letter) {
      Navigation($0).setBookmark($1.first)
    },
    Command("jump", ["'"], "go to the object of a letter", takes: .letter) {
      Navigation($0).jump(to: $1.first)
    },
    Command(
      "baseline",
      ["gb"],
      "start listing what other programs commit; pressed again, show the list",
      hint: "commits"
    ) { Commits($0).open() },
    Command("doctor", [], "find orphans, islands, duplicates and wrong backlinks") {
      Reports($0).examine()
    },
    Command("diff", [], "show what differs from an older file, as in ‘diff FILE’", takes: .text) {
      Reports($0).compare(withTyped: $1)
    },
    Command("report", [], "show the last statistics, findings, differences or commits again") {
      Reports($0).showLast()
    },
    Command("zoom", ["Z"], "show only this pane, or all again") { $0.isZoomed.toggle() },
    Command("refresh", ["R"], "reload everything") { News($0).refresh() },
    Command("redraw", ["^L"], "redraw the screen") { $0.ask(.redraw) },
    Command("palette", [":", "^P"], "go to a class, an object or a command by name") {
      $0.dialog = PaletteDialog(in: $0)
    },
    Command("log", ["@"], "list what was done and said in this run") {
      $0.dialog = LogDialog($0.log)
    },
    Command("help", ["?", "F1"], "list the keys that work here; Enter runs one") {
      $0.dialog = HelpDialog(in: $0)
    },
    Command(
      "save-copy",
      [],
      "save what is shown, with the changes, in another file, as in ‘save-copy FILE’",
      takes: .text
    ) { FileActions($0).saveCopy(toTyped: $1) },
    Command(
      "export",
      ["X"],
      "write objects to a file such as dogs.csv: the marked, those shown, or one and all it links to",
      hint: "export",
      in: values,
      takes: .text
    ) { Exporting($0).export(toTyped: $1) },
    Command("open-file", [], "open another file instead, as in ‘open-file FILE’", takes: .text) {
      FileActions($0).openFile(toTyped: $1)
    },
    Command("recent", [], "list the files that were opened before; Enter opens one") {
      FileActions($0).showRecentFiles()
    },
    Command("mouse", ["%"], "turn the mouse on or off; Shift selects text while it is on") {
      ProgramActions($0).toggleMouse()
    },
    Command(
      "q",
      ["q"],
      "close the view; the last one ends the program",
      hint: Label("close") { ProgramActions($0).canCloseView ? "close" : "quit" }
    ) {
      ProgramActions($0).closeView()
    },
    Command("quit", ["Q"], "end the program") { ProgramActions($0).quit() },
    Command(
      "cancel",
      ["Esc", "^C"],
      "stop what is running, or clear what was found or marked",
      hint: Label { _ in "clear marks" }
    ) {
      ProgramActions($0).cancel()
    },
    Command("suspend", ["^Z"], "back to the shell; fg returns") { $0.ask(.suspend) },
  ]
}
