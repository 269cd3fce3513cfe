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

  private static let moving = [
    Command("down", ["j", "Down"], "move down", times: { $0.navigation.move(.lines($1)) }),
    Command("up", ["k", "Up"], "move up", times: { $0.navigation.move(.lines(-$1)) }),
    Command(
      "left",
      ["h", "Left"],
      "move to the column on the left; in the diagram, back along the link",
      label: { _ in "back" },
      in: [.table, .summary, .diagram],
      times: { $0.navigation.moveAcross(by: -$1) }
    ),
    Command(
      "right",
      ["l", "Right"],
      "move to the column on the right; in the diagram, along the link",
      label: { $0.table?.firstColumnHint(in: $0.model) },
      in: [.table, .summary, .diagram],
      times: { $0.navigation.moveAcross(by: $1) }
    ),
    Command("top", ["gg", "Home"], "move to the first line, or to that of a number", takes: .count)
    {
      $0.navigation.move(toLine: number($1) ?? 1)
    },
    Command("bottom", ["G", "End"], "move to the last line, or to that of a number", takes: .count)
    {
      $0.navigation.move(toLine: number($1))
    },
    Command(
      "half-page-down",
      ["^D"],
      "move down half a screen",
      times: { $0.navigation.moveHalfPage($1) }
    ),
    Command(
      "half-page-up",
      ["^U"],
      "move up half a screen",
      times: { $0.navigation.moveHalfPage(-$1) }
    ),
    Command("page-down", ["PgDn"], "move down a screen", times: { $0.navigation.movePage($1) }),
    Command("page-up", ["PgUp"], "move up a screen", times: { $0.navigation.movePage(-$1) }),
    Command("middle", ["zz"], "scroll so that the cursor is in the middle", in: scrolled) {
      $0.navigation.scroll(cursorTo: .middle)
    },
    Command("to-top", ["zt"], "scroll so that the cursor is on the first line", in: scrolled) {
      $0.navigation.scroll(cursorTo: .top)
    },
    Command("to-bottom", ["zb"], "scroll so that the cursor is on the last line", in: scrolled) {
      $0.navigation.scroll(cursorTo: .bottom)
    },
    Command("first-column", [], "move to the first column", in: [.table, .summary]) {
      $0.navigation.moveAcross(by: -Movement.far)
    },
    Command("last-column", [], "move to the last column", in: [.table, .summary]) {
      $0.navigation.moveAcross(by: Movement.far)
    },
    Command("next-pane", ["Tab"], "go to the next pane", hint: "next pane") {
      $0.navigation.changePane(by: 1)
    },
    Command("previous-pane", ["S-Tab"], "go to the previous pane") {
      $0.navigation.changePane(by: -1)
    },
    Command("collections", ["1"], "go to the collections") {
      $0.navigation.focus(on: .collections)
    },
    Command(
      "main",
      ["2"],
      "go to the table or the object",
      hint: "table",
      label: { "back to the \($0.context == .changes ? "table" : $0.entry.main.word)" }
    ) {
      $0.navigation.focus(on: .main)
    },
    Command("links", ["3"], "go to the links of the object") {
      $0.navigation.focus(on: .links)
    },
    Command(
      "review",
      ["4", "gc"],
      "go to the changes that are not committed",
      unless: readOnly
    ) { $0.reviewing.open() },
  ]

  private static let walking = [
    Command(
      "open",
      ["Enter", "gd"],
      "follow the link, open the list, or open the object",
      label: { $0[$0.entry.focus].openLabel(in: $0) }
    ) {
      $0.navigation.open()
    },
    Command(
      "references",
      ["gr"],
      "show what links to the object",
      hint: "backlinks",
      in: values
    ) { $0.linkWalking.showReferences() },
    Command(
      "graph",
      ["|"],
      "show the object between what links to it and what it links to, or as before",
      hint: "end the graph",
      label: { $0.linkWalking.isGraph ? "end the graph" : "graph" }
    ) { $0.linkWalking.toggleGraph() },
    Command(
      "walk-left",
      ["h", "Left"],
      "go towards what links to the object, and along the link",
      hint: "to what links here",
      in: [.object, .elements, .links]
    ) { $0.linkWalking.walkLeft() },
    Command(
      "walk-right",
      ["l", "Right"],
      "go towards what the object links to, and along the link",
      hint: "to its links",
      in: [.object, .links]
    ) { $0.linkWalking.walkRight() },
    Command(
      "why",
      ["gw"],
      "show how links lead to the object from one that nothing links to",
      in: walkable
    ) { $0.trails.findSupport() },
    Command(
      "path",
      [],
      "show the shortest way along links between two bookmarks, as in ‘path a b’",
      takes: .text
    ) { $0.trails.findPath(typed: $1) },
    Command(
      "tab",
      ["t"],
      "open in a new tab what Enter would open here",
      in: [.collections, .table, .object, .elements, .links]
    ) { $0.tabbing.open() },
    Command("previous-tab", ["[", "gT"], "go to the tab on the left") {
      $0.tabbing.change(by: -1)
    },
    Command("next-tab", ["]", "gt"], "go to the tab on the right") {
      $0.tabbing.change(by: 1)
    },
    Command(
      "owner",
      ["gp"],
      "go to the owner of the embedded object",
      label: { browser in
        browser.entry.subject.flatMap { browser.model.schema[$0.classKey] }?.isEmbedded == true
          ? "owner" : nil
      },
      in: walkable
    ) {
      $0.navigation.goToOwner()
    },
    Command(
      "back",
      ["Bksp", "Alt-Left", "H", "<"],
      "go back to the previous view",
      label: { $0.history.canGoBack ? "back" : nil }
    ) {
      $0.navigation.goBack()
    },
    Command("forward", ["Alt-Right", "L", ">"], "go forward again") { $0.navigation.goForward() },
    Command(
      "peek",
      ["K"],
      "show the target of the link without going there",
      in: walkable
    ) { $0.navigation.togglePeek() },
    Command("schema", ["i"], "show the schema of the class") { $0.program.showSchema() },
    Command("diagram", ["gs"], "show the classes and the links between them") {
      let shown = $0.preview?.classKey ?? $0.entry.classKey
      $0.entry.focus = .main
      $0.navigation.go(to: DiagramView(classKey: shown))
    },
  ]

  private static let finding = [
    Command("find", ["/"], "find text in the view") { $0.finding.openPrompt() },
    Command("find-expression", [], "find what a regular expression fits; in / also by ^T") {
      $0.finding.openPrompt(isExpression: true)
    },
    Command("find-next", ["n"], "find the next one", label: { _ in "next found" }) {
      $0.finding.findAgain(forward: true)
    },
    Command("find-previous", ["N"], "find the previous one") {
      $0.finding.findAgain(forward: false)
    },
    Command(
      "filter",
      ["f"],
      "edit the filter of the class, in the query language",
      in: [.table, .object]
    ) { $0.tables.openFilter() },
    Command(
      "clear-filter",
      ["F"],
      "show all objects again",
      label: { $0.table?.definition.filter == nil ? nil : "show all" },
      in: [.table]
    ) {
      $0.tables.clearFilter()
    },
    Command(
      "filter-by-value",
      [","],
      "add ‘this property has this value’ to the filter",
      in: [.table]
    ) { $0.tables.filterByValue() },
    Command(
      "save-query",
      [],
      "save the filter and the order by a name, as in ‘save-query NAME’",
      in: [.table],
      takes: .text
    ) { $0.queries.save(as: $1) },
    Command("queries", [], "open a saved query", takes: .text) { $0.queries.open(typed: $1) },
    Command("forget-query", [], "forget a saved query, as in ‘forget-query NAME’", takes: .text) {
      $0.queries.forget(typed: $1)
    },
    Command(
      "sort",
      ["s"],
      "sort by the property: ascending, descending, not at all",
      in: [.table, .summary]
    ) { $0.entry.main.sort(in: $0) },
    Command("add-sort", ["S"], "sort by this property, too", in: [.table]) {
      $0.tables.sort(adding: true)
    },
  ]

  private static let arranging = [
    Command("hide-property", ["-"], "hide the property", in: [.table]) { $0.tables.hideColumn() },
    Command("show-hidden", [], "show the hidden properties again", in: [.table]) {
      $0.tables.showHidden()
    },
    Command(
      "column",
      ["+"],
      "add a column: a number of links or elements, a path, an aggregate",
      in: [.table],
      takes: .text
    ) { $0.tables.addColumn($1) },
    Command("widen", ["_"], "show the property wider, or as wide as before", in: [.table]) {
      $0.tables.widenColumn()
    },
    Command("pin", ["!"], "keep the property beside the key, or let it scroll", in: [.table]) {
      $0.tables.pinColumn()
    },
    Command("shift-left", ["{"], "move the property to the left", in: [.table]) {
      $0.tables.shiftColumn(by: -1)
    },
    Command("shift-right", ["}"], "move the property to the right", in: [.table]) {
      $0.tables.shiftColumn(by: 1)
    },
    Command("expand", ["("], "show the properties of the link’s target as columns", in: [.table]) {
      $0.tables.expandColumn(true)
    },
    Command("collapse", [")"], "show the link’s target in one column again", in: [.table]) {
      $0.tables.expandColumn(false)
    },
    Command(
      "statistics",
      ["I"],
      "count the values of the property: null, distinct, least, greatest, most frequent",
      hint: "statistics",
      in: [.table]
    ) { $0.statistics.open() },
    Command(
      "group",
      ["&"],
      "count the objects by the property, or by a path, as in ‘group owner.city age’",
      hint: "group",
      label: { $0.entry.main is SummaryView ? $0.summaries.groupLabel : "group" },
      in: [.collections, .table, .object, .summary],
      takes: .text
    ) { $0.summaries.group(byTyped: $1) },
    Command("space", [], "show what takes space in the file, by class and property") {
      $0.summaries.openSpace()
    },
    Command("mark", ["Space"], "mark the object; keys act on all that are marked", in: [.table]) {
      $0.marking.toggle()
    },
    Command(
      "mark-range",
      ["v"],
      "mark what the cursor passes, until v again",
      label: { $0.table?.range == nil ? nil : "end the range" },
      in: [.table]
    ) {
      $0.marking.markRange()
    },
    Command("mark-all", ["gA"], "mark every object of a filtered table", in: [.table]) {
      $0.marking.markAll()
    },
    Command("invert-marks", ["*"], "mark what is not marked", in: [.table]) {
      $0.marking.invert()
    },
  ]

  private static let editing = [
    Command(
      "edit",
      ["e", "c"],
      "edit the value in its place",
      label: { $0.editLabel("edit") },
      in: values,
      unless: readOnly
    ) {
      $0.editing.edit()
    },
    Command(
      "edit-externally",
      ["E"],
      "edit the text in $EDITOR",
      in: values,
      unless: readOnly
    ) { $0.editing.editExternally() },
    Command(
      "value",
      ["C"],
      "set null, empty or the default",
      hint: "null, default…",
      label: { $0.editLabel("null, default…") },
      in: values,
      unless: readOnly
    ) { $0.menus.openValueMenu() },
    Command("hex", [], "show data as bytes; Enter does so on data, too", in: values) {
      $0.files.showBytes()
    },
    Command(
      "save",
      [],
      "save the text or data under the cursor in a file, as in ‘save photo.png’",
      in: values,
      takes: .text
    ) { $0.files.saveValue(toTyped: $1) },
    Command(
      "load",
      [],
      "set the text or data under the cursor to what a file holds, as in ‘load photo.png’",
      in: values,
      takes: .text,
      unless: readOnly
    ) { $0.files.loadValue(fromTyped: $1) },
    Command(
      "set",
      [],
      "compute a value and set it in many objects, as in ‘set age = age + 1 where age > 3’",
      in: values,
      takes: .text,
      unless: readOnly
    ) { $0.assigning.open($1) },
    Command(
      "create",
      ["o"],
      "create an object, or add an element after this one",
      label: {
        $0.context == .table
          ? "create"
          : $0.isOnWholeCollection || $0.context == .elements || $0.spot?.element != nil
            ? "add" : nil
      },
      in: values,
      unless: readOnly
    ) { $0.objects.create() },
    Command(
      "duplicate",
      ["O"],
      "create a copy of the object, or add an element before this one",
      in: values,
      unless: readOnly
    ) { $0.objects.duplicate() },
    Command(
      "delete",
      ["d"],
      "show what deleting the object would take with it",
      hint: "delete…",
      label: { $0.markCount.map { "delete \($0)…" } ?? "delete…" },
      in: values,
      unless: readOnly
    ) { $0.deleting.askToDelete() },
    Command(
      "unlink",
      ["x"],
      "cut the link, or take the element out; its target stays",
      label: { browser in
        browser.spot.flatMap {
          $0.element != nil ? "take out" : browser.linkTarget($0) != nil ? "unlink" : nil
        }
      },
      in: values,
      unless: readOnly
    ) { $0.deleting.unlink() },
    Command(
      "element-down",
      ["gJ"],
      "move the element down",
      label: { $0.isOnListElement ? "move down" : nil },
      in: ordered,
      unless: readOnly
    ) {
      $0.elements.move(by: 1)
    },
    Command(
      "element-up",
      ["gK"],
      "move the element up",
      label: { $0.isOnListElement ? "up" : nil },
      in: ordered,
      unless: readOnly
    ) {
      $0.elements.move(by: -1)
    },
    Command(
      "move",
      [],
      "move the element to a position, as in ‘move 3’",
      in: ordered,
      takes: .text,
      unless: readOnly
    ) { $0.elements.move(toTyped: $1) },
  ]

  private static let drafting = [
    Command("undo", ["u"], "undo the last change", unless: readOnly) { $0.reviewing.undo() },
    Command("redo", ["^R", "U"], "redo what was undone", unless: readOnly) {
      $0.reviewing.redo()
    },
    Command(
      "w",
      ["^S"],
      "commit, from the review of the changes",
      hint: "commit",
      unless: readOnly
    ) { $0.committing.write() },
    Command(
      "commit",
      ["w"],
      "commit the changes",
      label: { _ in "commit…" },
      in: [.changes],
      unless: readOnly
    ) {
      $0.committing.askToCommit()
    },
    Command(
      "leave-out",
      ["Space"],
      "leave the change out of the commit, or take it in again",
      hint: "leave out",
      in: [.changes],
      unless: readOnly
    ) { $0.reviewing.toggle() },
    Command("drop", ["x"], "drop the change", in: [.changes], unless: readOnly) {
      $0.reviewing.drop()
    },
    Command(
      "keep-mine",
      ["m"],
      "resolve the conflict with my value",
      label: { $0.model.draft.conflicts.contains(where: \.canKeepMine) ? "mine" : nil },
      in: [.changes],
      unless: readOnly
    ) { $0.reviewing.resolve(.mine) },
    Command(
      "take-theirs",
      ["t"],
      "resolve the conflict with their value",
      label: { $0.model.draft.conflicts.isEmpty ? nil : "theirs" },
      in: [.changes],
      unless: readOnly
    ) { $0.reviewing.resolve(.theirs) },
    Command("rollback", [], "discard all changes", unless: readOnly) {
      $0.reviewing.rollback()
    },
  ]

  private static let other = [
    Command(
      "copy",
      ["y"],
      "copy the value",
      label: { $0.markCount.map { "copy \($0)" } ?? "copy" },
      in: [.table, .object, .elements, .links, .summary]
    ) {
      $0.copying.copy()
    },
    Command(
      "paste",
      ["p"],
      "paste what was copied: a value into a property, objects as links or as copies",
      in: values,
      unless: readOnly
    ) { $0.pasting.paste() },
    Command("copy-as", ["Y"], "copy the object in another form", in: walkable) {
      $0.copying.openMenu()
    },
    Command(
      "bookmark",
      ["m"],
      "remember the object under a letter",
      in: walkable,
      takes: .letter
    ) { $0.navigation.setBookmark($1.first) },
    Command("jump", ["'"], "go to the object of a letter", takes: .letter) {
      $0.navigation.jump(to: $1.first)
    },
    Command(
      "baseline",
      ["gb"],
      "start listing what other programs commit; pressed again, show the list",
      hint: "commits"
    ) { $0.commits.open() },
    Command("doctor", [], "find orphans, islands, duplicates and wrong backlinks") {
      $0.reports.examine()
    },
    Command(
      "diff",
      [],
      "show what differs from an older file, as in ‘diff FILE’",
      takes: .text
    ) { $0.reports.compare(withTyped: $1) },
    Command("report", [], "show the last statistics, findings, differences or commits again") {
      $0.reports.showLast()
    },
    Command("zoom", ["Z"], "show only this pane, or all again") { $0.isZoomed.toggle() },
    Command("refresh", ["R"], "reload everything") { $0.news.refresh() },
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
    ) { $0.files.saveCopy(toTyped: $1) },
    Command(
      "export",
      ["X"],
      "write objects to a file such as dogs.csv: the marked, those shown, or one and all it links to",
      hint: "export",
      in: values,
      takes: .text
    ) { $0.exporting.export(toTyped: $1) },
    Command(
      "open-file",
      [],
      "open another file instead, as in ‘open-file FILE’",
      takes: .text
    ) { $0.files.openFile(toTyped: $1) },
    Command("recent", [], "list the files that were opened before; Enter opens one") {
      $0.files.showRecentFiles()
    },
    Command("mouse", ["%"], "turn the mouse on or off; Shift selects text while it is on") {
      $0.program.toggleMouse()
    },
    Command(
      "q",
      ["q"],
      "close the view; the last one ends the program",
      hint: "close",
      label: { $0.program.canCloseView ? "close" : "quit" }
    ) {
      $0.program.closeView()
    },
    Command("quit", ["Q"], "end the program") { $0.program.quit() },
    Command(
      "cancel",
      ["Esc", "^C"],
      "stop what is running, or clear what was found or marked",
      label: { _ in "clear marks" }
    ) {
      $0.program.cancel()
    },
    Command("suspend", ["^Z"], "back to the shell; fg returns") { $0.ask(.suspend) },
  ]
}
