// The table of commands
//
// What a key does is said once, here: its keys, its words, where it works, what is in its way, what it
// does. A person may give it other keys (see `KeyBindings`). The key map, the hint line at the bottom of the screen, the help that runs the line one picks,
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

/// Why nothing can be written elsewhere, where not all is there.
private let incomplete: @Sendable (Browser) -> String? = { $0.settings.incompleteReason }

/// Why nothing of what is shown can be changed, where nothing can.
private let fixed: @Sendable (Browser) -> String? = { browser in
  let ofClass = browser.settings.declarations.classes[browser.entry.classKey]?.readOnlyReason
  return browser.readOnlyReason ?? ofClass.map { $0.prefix(1).uppercased() + $0.dropFirst() }
}

extension Command {
  /// All of them, in the order of the help.
  package static let all: [Command] = groups.flatMap(\.commands)

  /// The commands under the headings of the help.
  package static let groups: [(title: String, commands: [Command])] = [
    ("Moving", moving), ("Following links", walking), ("Finding", finding),
    ("Columns, groups and marks", arranging), ("Editing", editing),
    ("Changing the schema", schema),
    ("Reviewing and committing", reviewing), ("Files and the program", other),
  ]

  /// Commands that change what is shown, which is not possible where its class is read only, either.
  private static func changing(_ commands: [Command]) -> [Command] {
    commands.map { $0.unless(fixed) }
  }

  private static let moving = [
    Command("down", ["j", "Down"], "move down").times { Navigation($0).move(.lines($1)) },
    Command("up", ["k", "Up"], "move up").times { Navigation($0).move(.lines(-$1)) },
    Command("left", ["h", "Left"])
      .saying("move to the column on the left; in the diagram, back along the link")
      .works(in: [.table, .summary, .diagram]).hint(Label { _ in "back" })
      .times { Navigation($0).moveAcross(by: -$1) },
    Command("right", ["l", "Right"])
      .saying("move to the column on the right; in the diagram, along the link")
      .works(in: [.table, .summary, .diagram])
      .hint(Label { $0.table?.firstColumnHint(in: $0.model) })
      .times { Navigation($0).moveAcross(by: $1) },
    Command("top", ["gg", "Home"], "move to the first line, or to that of a number")
      .takes(.count) { Navigation($0).move(toLine: number($1) ?? 1) },
    Command("bottom", ["G", "End"], "move to the last line, or to that of a number")
      .takes(.count) { Navigation($0).move(toLine: number($1)) },
    Command("half-page-down", ["^D"], "move down half a screen")
      .times { Navigation($0).moveHalfPage($1) },
    Command("half-page-up", ["^U"], "move up half a screen")
      .times { Navigation($0).moveHalfPage(-$1) },
    Command("page-down", ["PgDn"], "move down a screen").times { Navigation($0).movePage($1) },
    Command("page-up", ["PgUp"], "move up a screen").times { Navigation($0).movePage(-$1) },
    Command("middle", ["zz"], "scroll so that the cursor is in the middle")
      .works(in: scrolled).runs { Navigation($0).scroll(cursorTo: .middle) },
    Command("to-top", ["zt"], "scroll so that the cursor is on the first line")
      .works(in: scrolled).runs { Navigation($0).scroll(cursorTo: .top) },
    Command("to-bottom", ["zb"], "scroll so that the cursor is on the last line")
      .works(in: scrolled).runs { Navigation($0).scroll(cursorTo: .bottom) },
    Command("first-column", [], "move to the first column")
      .works(in: [.table, .summary]).runs { Navigation($0).moveAcross(by: -Movement.far) },
    Command("last-column", [], "move to the last column")
      .works(in: [.table, .summary]).runs { Navigation($0).moveAcross(by: Movement.far) },
    Command("next-pane", ["Tab"], "go to the next pane")
      .hint("next pane").runs { Navigation($0).changePane(by: 1) },
    Command("previous-pane", ["S-Tab"], "go to the previous pane")
      .runs { Navigation($0).changePane(by: -1) },
    Command("collections", ["1"], "go to the collections")
      .runs { Navigation($0).focus(on: .collections) },
    Command("main", ["2"], "go to the table or the object")
      .hint(
        Label("table") { "back to the \($0.context == .changes ? "table" : $0.entry.main.word)" }
      )
      .runs { Navigation($0).focus(on: .main) },
    Command("links", ["3"], "go to the links of the object")
      .runs { Navigation($0).focus(on: .links) },
    Command("review", ["4", "gc"], "go to the changes that are not committed")
      .unless(readOnly).runs { Reviewing($0).open() },
  ]

  private static let walking = [
    Command("open", ["Enter", "gd"], "follow the link, open the list, or open the object")
      .hint(Label { $0[$0.entry.focus].openLabel(in: $0) }).runs { Navigation($0).open() },
    Command("references", ["gr"], "show what links to the object")
      .works(in: values).hint("backlinks").runs { LinkWalking($0).showReferences() },
    Command("graph", ["|"])
      .saying("show the object between what links to it and what it links to, or as before")
      .hint(Label("end the graph") { LinkWalking($0).isGraph ? "end the graph" : "graph" })
      .runs { LinkWalking($0).toggleGraph() },
    Command("walk-left", ["h", "Left"], "go towards what links to the object, and along the link")
      .works(in: [.object, .elements, .links]).hint("to what links here")
      .runs { LinkWalking($0).walkLeft() },
    Command("walk-right", ["l", "Right"])
      .saying(
        "go to what the object links to, along the link, or from the collections to the table"
      )
      .works(in: [.collections, .object, .links]).hint("to its links")
      .runs { LinkWalking($0).walkRight() },
    Command("why", ["gw"], "show how links lead to the object from one that nothing links to")
      .works(in: walkable).runs { Trails($0).findSupport() },
    Command("path", [])
      .saying("show the shortest way along links between two bookmarks, as in ‘path a b’")
      .takes(.text) { Trails($0).findPath(typed: $1) },
    Command("tab", ["t"], "open in a new tab what {open} would open here")
      .works(in: [.collections, .table, .object, .elements, .links]).runs { TabActions($0).open() },
    Command("previous-tab", ["[", "gT"], "go to the tab on the left")
      .runs { TabActions($0).change(by: -1) },
    Command("next-tab", ["]", "gt"], "go to the tab on the right")
      .runs { TabActions($0).change(by: 1) },
    Command("owner", ["gp"], "go to the owner of the embedded object")
      .works(in: walkable).hint(.owner).runs { Navigation($0).goToOwner() },
    Command("back", ["Bksp", "Alt-Left", "H", "<"], "go back to the previous view")
      .hint(Label { $0.history.canGoBack ? "back" : nil }).runs { Navigation($0).goBack() },
    Command("forward", ["Alt-Right", "L", ">"], "go forward again")
      .runs { Navigation($0).goForward() },
    Command("peek", ["K"])
      .saying("show the text or the target of the link without going there; again, what follows")
      .works(in: walkable).runs { Peek($0).turnPage() },
    Command("schema", ["i"], "show the schema of the class, where it can be changed")
      .runs { SchemaEditing($0).show() },
    Command("diagram", ["gs"], "show the classes and the links between them").runs {
      let shown = $0.preview?.classKey ?? $0.entry.classKey
      $0.entry.focus = .main
      Navigation($0).go(to: DiagramView(classKey: shown))
    },
  ]

  private static let finding = [
    Command("find", ["/"], "find text in the view").runs { Searching($0).openPrompt() },
    Command("find-expression", [])
      .saying("find what a regular expression (regex) fits; in {find} also by ^T")
      .runs { Searching($0).openPrompt(isExpression: true) },
    Command("find-next", ["n"], "find the next one")
      .hint(Label { _ in "next found" }).runs { Searching($0).findNext(isForward: true) },
    Command("find-previous", ["N"], "find the previous one")
      .runs { Searching($0).findNext(isForward: false) },
    Command("filter", ["f"], "edit the filter of the class, in the query language")
      .works(in: [.table, .object]).runs { TableActions($0).openFilter() },
    Command("clear-filter", ["F"], "show all objects again")
      .works(in: [.table]).hint(Label { $0.table?.definition.filter == nil ? nil : "show all" })
      .runs { TableActions($0).clearFilter() },
    Command("filter-by-value", [","], "add ‘this property has this value’ to the filter")
      .works(in: [.table]).runs { TableActions($0).filterByValue() },
    Command("save-query", [], "save the filter and the order by a name, as in ‘save-query NAME’")
      .works(in: [.table]).takes(.text) { SavedQueries($0).save(as: $1) },
    Command("queries", [], "open a saved query").takes(.text) { SavedQueries($0).open(typed: $1) },
    Command("forget-query", [], "forget a saved query, as in ‘forget-query NAME’")
      .takes(.text) { SavedQueries($0).forget(typed: $1) },
    Command("sort", ["s"], "sort by the property: ascending, descending, not at all")
      .works(in: [.table, .summary]).runs { $0.entry.main.sort(in: $0) },
    Command("add-sort", ["S"], "sort by this property, too")
      .works(in: [.table]).runs { TableActions($0).sort(adding: true) },
  ]

  private static let arranging = [
    Command("hide-property", ["-"], "hide the property")
      .works(in: [.table]).runs { TableActions($0).hideColumn() },
    Command("show-hidden", [], "show the hidden properties again")
      .works(in: [.table]).runs { TableActions($0).showHidden() },
    Command("column", ["+"], "add a column: a number of links or elements, a path, an aggregate")
      .works(in: [.table]).takes(.text) { TableActions($0).addColumn($1) },
    Command("widen", ["_"], "show the property wider, or as wide as before")
      .works(in: [.table]).runs { TableActions($0).widenColumn() },
    Command("pin", ["!"], "keep the property beside the key, or let it scroll")
      .works(in: [.table]).runs { TableActions($0).pinColumn() },
    Command("shift-left", ["{"], "move the property to the left")
      .works(in: [.table]).runs { TableActions($0).shiftColumn(by: -1) },
    Command("shift-right", ["}"], "move the property to the right")
      .works(in: [.table]).runs { TableActions($0).shiftColumn(by: 1) },
    Command("expand", ["("], "show the properties of the link’s target as columns")
      .works(in: [.table]).runs { TableActions($0).expandColumn(true) },
    Command("collapse", [")"], "show the link’s target in one column again")
      .works(in: [.table]).runs { TableActions($0).expandColumn(false) },
    Command("statistics", ["I"])
      .saying("count the values of the property: null, distinct, least, greatest, most frequent")
      .works(in: [.table]).hint("statistics").runs { Statistics($0).open() },
    Command("group", ["&"])
      .saying("count the objects by the property, or by a path, as in ‘group owner.city age’")
      .works(in: [.collections, .table, .object, .summary])
      .hint(Label("group") { $0.entry.main is SummaryView ? Summaries($0).groupLabel : "group" })
      .takes(.text) { Summaries($0).group(byTyped: $1) },
    Command("space", [], "show what takes space in the file, by class and property")
      .runs { Summaries($0).openSpace() },
    Command("mark", ["Space"], "mark the object; keys act on all that are marked")
      .works(in: [.table]).runs { Marking($0).toggle() },
    Command("mark-range", ["v"], "mark what the cursor passes, until {mark-range} again")
      .works(in: [.table]).hint(Label { $0.table?.range == nil ? nil : "end the range" })
      .runs { Marking($0).markRange() },
    Command("mark-all", ["gA"], "mark every object of a filtered table")
      .works(in: [.table]).runs { Marking($0).markAll() },
    Command("invert-marks", ["*"], "mark what is not marked")
      .works(in: [.table]).runs { Marking($0).invert() },
  ]

  private static let editing =
    changing([
      Command("edit", ["e", "c"], "edit the value in its place")
        .works(in: values).hint(Label { $0.editLabel("edit") }).runs { ValueEditing($0).edit() },
      Command("edit-externally", ["E"], "edit the text in $EDITOR")
        .works(in: values).runs { ValueEditing($0).editExternally() },
      Command("value", ["C"], "set null, empty or the default")
        .works(in: values).hint(Label("null, default…") { $0.editLabel("null, default…") })
        .runs { ValueMenus($0).openValueMenu() },
    ]) + [
      Command("hex", [], "show data as bytes; {open} does so on data, too")
        .works(in: values).runs { FileActions($0).showBytes() },
      Command("save", [])
        .saying("save the text or data under the cursor in a file, as in ‘save photo.png’")
        .works(in: values).takes(.text) { FileActions($0).saveValue(toTyped: $1) },
    ]
    + changing([
      Command("load", [])
        .saying(
          "set the text or data under the cursor to what a file holds, as in ‘load photo.png’"
        )
        .works(in: values).takes(.text) { FileActions($0).loadValue(fromTyped: $1) },
      Command("set", [])
        .saying(
          "compute a value and set it in many objects, as in ‘set age = age + 1 where age > 3’"
        )
        .works(in: values).takes(.text) { Assigning($0).open($1) },
      Command("create", ["o", "a"], "create an object, or add an element after this one")
        .works(in: values).hint(.create).runs { ObjectEditing($0).create() },
      Command("duplicate", ["O"], "create a copy of the object, or add an element before this one")
        .also("clone").works(in: values).runs { ObjectEditing($0).duplicate() },
      Command("delete", ["d"], "show what deleting the object would take with it")
        .works(in: values)
        .hint(Label("delete…") { $0.markCount.map { "delete \($0)…" } ?? "delete…" })
        .runs { Deleting($0).askToDelete() },
      Command("unlink", ["x"], "cut the link, or take the element out; its target stays")
        .works(in: values).hint(.unlink).runs { Deleting($0).unlink() },
      Command("element-down", ["gJ"], "move the element down")
        .works(in: ordered).hint(Label { $0.isOnListElement ? "move down" : nil })
        .runs { CollectionEditing($0).move(by: 1) },
      Command("element-up", ["gK"], "move the element up")
        .works(in: ordered).hint(Label { $0.isOnListElement ? "up" : nil })
        .runs { CollectionEditing($0).move(by: -1) },
      Command("move", [], "move the element to a position, as in ‘move 3’")
        .works(in: ordered).takes(.text) { CollectionEditing($0).move(toTyped: $1) },
    ])

  /// Commands that change the schema, which only that of a Kennel file can be.
  private static let schema: [Command] = [
    Command("add-property", ["o", "a"], "add a property, as in ‘city string?’")
      .works(in: [.schema]).hint("new property").runs { SchemaEditing($0).addProperty() },
    Command("retype", ["e", "c"], "change the type of the property, and convert its values")
      .works(in: [.schema])
      .hint(Label { ($0.entry.main as? SchemaView)?.property(in: $0) == nil ? nil : "type" }).runs {
        SchemaEditing($0).retype()
      },
    Command("rename", ["r"], "rename the property or the class")
      .works(in: [.schema, .collections]).hint("rename").runs { SchemaEditing($0).rename() },
    Command("delete-part", ["x", "d"], "delete the property, or the class, with all that it has")
      .works(in: [.schema, .collections]).hint("delete…").runs { SchemaEditing($0).delete() },
    Command("add-class", ["o", "a"], "add a class")
      .works(in: [.collections]).hint("new class").takes(.text) {
        SchemaEditing($0).addClass(typed: $1)
      },
  ].map { $0.unless { SchemaEditing.whyNot(in: $0) } }

  /// Commands that change the draft, which is not possible where the file is read only.
  private static let reviewing = [
    Command("undo", ["u"], "undo the last change").runs { Reviewing($0).undo() },
    Command("redo", ["^R", "U"], "redo what was undone").runs { Reviewing($0).redo() },
    Command("w", ["^S"], "commit, from the review of the changes")
      .hint("commit").runs { Committing($0).write() },
    Command("wq", [], "commit the changes, and end the program then")
      .runs { Committing($0).writeAndQuit() },
    Command("commit", ["w"], "commit the changes")
      .works(in: [.changes]).elsewhere { Committing($0).write() }
      .hint(Label { _ in "commit…" }).runs { Committing($0).askToCommit() },
    Command("leave-out", ["Space"], "leave the change out of the commit, or take it in again")
      .works(in: [.changes]).hint("leave out").runs { Reviewing($0).toggle() },
    Command("copy-sql", ["Y"], "copy what the commit says to an SQL database, and show it")
      .works(in: [.changes]).runs { Copying($0).copyStatements() },
    Command("drop", ["x"], "drop the change")
      .works(in: [.changes]).runs { Reviewing($0).drop() },
    Command("keep-mine", ["m"])
      .saying("resolve the conflict with my value; on the line of a class, all of its conflicts")
      .works(in: [.changes]).hint(Label { Reviewing($0).canKeepMine ? "mine" : nil })
      .runs { Reviewing($0).resolve(.mine) },
    Command("take-theirs", ["t"])
      .saying("resolve the conflict with their value; on the line of a class, all of its conflicts")
      .works(in: [.changes]).hint(Label { $0.model.draftOwner.conflicts.isEmpty ? nil : "theirs" })
      .runs { Reviewing($0).resolve(.theirs) },
    Command("keep-all-mine", ["M"], "resolve all conflicts with my values, where that is possible")
      .works(in: [.changes])
      .hint(
        Label {
          Reviewing($0).hasSeveralConflicts && Reviewing($0).canKeepMine ? "all mine" : nil
        }
      )
      .runs { Reviewing($0).resolveAll(.mine) },
    Command("take-all-theirs", ["T"], "resolve all conflicts with their values")
      .works(in: [.changes])
      .hint(Label { Reviewing($0).hasSeveralConflicts ? "all theirs" : nil })
      .runs { Reviewing($0).resolveAll(.theirs) },
    Command("rollback", [], "discard all changes").also("discard")
      .runs { Reviewing($0).rollback() },
    Command("take-back", [])
      .saying(
        "undo the last commit of this run in a draft, or that of a number, as in ‘take-back 7’"
      )
      .also("revert").takes(.count) { Commits($0).takeBack(Int($1)) },
  ].map { $0.unless(readOnly) }

  private static let other = [
    Command("copy", ["y"], "copy the value")
      .works(in: [.table, .object, .elements, .links, .summary])
      .hint(Label { $0.markCount.map { "copy \($0)" } ?? "copy" }).runs { Copying($0).copy() },
    Command("paste", ["p"])
      .saying("paste what was copied: a value into a property, objects as links or as copies")
      .works(in: values).unless(fixed).runs { Pasting($0).paste() },
    Command("copy-as", ["Y"], "copy the object in another form")
      .works(in: walkable).runs { Copying($0).openMenu() },
    Command("bookmark", ["m"], "remember the object under a letter")
      .works(in: walkable).takes(.letter) { Navigation($0).setBookmark($1.first) },
    Command("jump", ["'"], "go to the object of a letter")
      .takes(.letter) { Navigation($0).jump(to: $1.first) },
    Command("baseline", ["gb"])
      .saying("start listing what other programs commit; pressed again, show the list")
      .hint("commits").runs { Commits($0).open() },
    Command("commits", [], "list the commits of this run; one can be looked at and taken back")
      .also("history").runs { Commits($0).openOwn() },
    Command("doctor", [], "find orphans, islands, duplicates and wrong backlinks")
      .unless(incomplete).runs { Reports($0).examine() },
    Command("diff", [], "show what differs from an older file, as in ‘diff FILE’")
      .unless(incomplete).takes(.text) { Reports($0).perform(.compare, typed: $1) },
    Command("report", [], "show the last statistics, findings, differences or commits again")
      .runs { Reports($0).showLast() },
    Command("zoom", ["Z"], "show only this pane, or all again").runs { $0.isZoomed.toggle() },
    Command("refresh", ["R"], "reload everything").runs { News($0).refresh() },
    Command("redraw", ["^L"], "redraw the screen").runs { $0.ask(.redraw) },
    Command("palette", [":", "^P"], "go to a class, an object or a command by name")
      .runs { $0.dialog = PaletteDialog(in: $0) },
    Command("log", ["@"], "list what was done and said in this run")
      .runs { $0.dialog = LogDialog($0.log) },
    Command("help", ["?", "F1"], "list the keys that work here; Enter runs one")
      .runs { $0.dialog = HelpDialog(in: $0) },
    Command("save-copy", [])
      .saying("save what is shown, with the changes, in another file, as in ‘save-copy FILE’")
      .unless(incomplete).takes(.text) { FileActions($0).perform(.saveCopy, typed: $1) },
    Command("export", ["X"])
      .saying(
        "write objects to a file such as dogs.csv: the marked, those shown, or one and all it links to"
      )
      .works(in: values).hint("export").unless(incomplete)
      .takes(.text) { Exporting($0).export(toTyped: $1) },
    Command("open-file", [], "open another file instead, as in ‘open-file FILE’")
      .also("e").takes(.text) { FileActions($0).perform(.openFile, typed: $1) },
    Command("recent", [], "list the files that were opened before; Enter opens one")
      .runs { FileActions($0).showRecentFiles() },
    Command("mouse", ["%"], "turn the mouse on or off; Shift selects text while it is on")
      .runs { ProgramActions($0).toggleMouse() },
    Command("q", ["q"], "close the view; the last one ends the program")
      .hint(Label("close") { ProgramActions($0).canCloseView ? "close" : "quit" })
      .runs { ProgramActions($0).closeView() },
    Command("quit", ["Q"], "end the program").also("qa").runs { ProgramActions($0).quit() },
    Command("cancel", ["Esc", "^C"], "stop what is running, or clear what was found or marked")
      .hint(Label { _ in "clear marks" }).runs { ProgramActions($0).cancel() },
    Command("suspend", ["^Z"], "back to the shell; fg returns").runs { $0.ask(.suspend) },
  ]
}
