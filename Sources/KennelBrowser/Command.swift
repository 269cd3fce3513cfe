// The table of commands
//
// What a key does is said once, here. The key map, the hint line at the bottom of the screen, the
// help that runs the line one picks, the palette and Documentation/Keys.md are all made from this
// table, so that they cannot disagree. The conventions behind the keys:
//
// 1. A key that means something else in a sibling tool does no harm here.
// 2. The key that confirms differs from the one that asked, and is never a bare Enter.
// 3. Nothing essential is only on a key that a terminal may keep for itself.
// 4. Each command has a name, by which the palette finds it.
//
// To add one: a case, a row in `all`, and a case in one of the methods of `Browser+Perform.swift`.

/// What the browser can be asked to do.
package enum CommandID: String, CaseIterable, Sendable {
  case moveDown, moveUp, moveLeft, moveRight, pageDown, pageUp, screenDown, screenUp, top, bottom
  case nextPane, previousPane, goCollections, goMain, goLinks, review
  case open, references, owner, back, forward, peek
  case find, findNext, findPrevious, filter, clearFilter, filterByValue, sort, addSort
  case hide, showHidden, widen, mark, markRange, markAll, invertMarks
  case edit, editExternally, valueMenu, create, duplicate, delete, unlink, elementDown, elementUp
  case moveElement
  case undo, redo, commit, write, rollback, drop, keepMine, takeTheirs
  case copy, copyAs, bookmark, jump, schema, zoom, refresh, redraw
  case palette, help, mouse, saveCopy, close, quit, cancel, suspend
}

/// Where a key is pressed.
package enum Context: String, CaseIterable, Sendable {
  case collections, table, object, elements, links, changes
}

package struct Command: Sendable {
  package let id: CommandID
  /// What the palette and `:` call it.
  package let name: String
  /// The keys, the first of which the hint line names.
  package let keys: [String]
  /// The contexts in which it does something.
  package let contexts: Set<Context>
  /// What it does, for the help and the manual.
  package let summary: String
  /// What it does in a word or two, for the hint line.
  package let hint: String
  /// Whether a letter follows the key, as in `ma`.
  package let takesLetter: Bool

  init(
    _ id: CommandID,
    _ name: String,
    _ keys: [String],
    in contexts: Set<Context> = Set(Context.allCases),
    _ summary: String,
    hint: String = "",
    takesLetter: Bool = false
  ) {
    self.id = id
    self.name = name
    self.keys = keys
    self.contexts = contexts
    self.summary = summary
    self.hint = hint.isEmpty ? name : hint
    self.takesLetter = takesLetter
  }
}

extension Command {
  private static let main: Set<Context> = [.table, .object, .elements]
  private static let walkable: Set<Context> = [.table, .object, .elements, .links]
  private static let values: Set<Context> = [.table, .object, .elements]

  /// All of them, in the order of the help.
  package static let all: [Command] = moving + walking + finding + editing + drafting + other

  private static let moving = [
    Command(.moveDown, "down", ["j", "Down"], "move down"),
    Command(.moveUp, "up", ["k", "Up"], "move up"),
    Command(.moveLeft, "left", ["h", "Left"], in: [.table], "move to the property on the left"),
    Command(
      .moveRight,
      "right",
      ["l", "Right"],
      in: [.table],
      "move to the property on the right"
    ),
    Command(.top, "top", ["gg", "Home"], "move to the first line"),
    Command(.bottom, "bottom", ["G", "End"], "move to the last line"),
    Command(.pageDown, "half-page-down", ["^D"], "move down half a screen"),
    Command(.pageUp, "half-page-up", ["^U"], "move up half a screen"),
    Command(.screenDown, "page-down", ["PgDn"], "move down a screen"),
    Command(.screenUp, "page-up", ["PgUp"], "move up a screen"),
    Command(.nextPane, "next-pane", ["Tab"], "go to the next pane", hint: "next pane"),
    Command(.previousPane, "previous-pane", ["S-Tab"], "go to the previous pane"),
    Command(.goCollections, "collections", ["1"], "go to the collections"),
    Command(.goMain, "main", ["2"], "go to the table or the object", hint: "table"),
    Command(.goLinks, "links", ["3"], "go to the links of the object"),
    Command(
      .review,
      "review",
      ["4", "gc"],
      "go to the changes that are not committed",
      hint: "review"
    ),
  ]

  private static let walking = [
    Command(
      .open,
      "open",
      ["Enter", "gd"],
      "follow the link, open the list, or open the object",
      hint: "open"
    ),
    Command(
      .references,
      "references",
      ["gr"],
      in: main,
      "show who points at the object",
      hint: "backlinks"
    ),
    Command(.owner, "owner", ["gp"], in: walkable, "go to the owner of the embedded object"),
    Command(.back, "back", ["Bksp", "Alt-Left", "H", "<"], "go back to the view before"),
    Command(.forward, "forward", ["Alt-Right", "L", ">"], "go forward again"),
    Command(.peek, "peek", ["K"], in: walkable, "show the target of the link without going there"),
    Command(.schema, "schema", ["i"], "show the schema of the class"),
  ]

  private static let finding = [
    Command(.find, "find", ["/"], "find text in the view"),
    Command(.findNext, "find-next", ["n"], "find the next one"),
    Command(.findPrevious, "find-previous", ["N"], "find the one before"),
    Command(.filter, "filter", ["f"], in: [.table], "edit the filter, in the query language"),
    Command(.clearFilter, "clear-filter", ["F"], in: [.table], "show all objects again"),
    Command(
      .filterByValue,
      "filter-by-value",
      [","],
      in: [.table],
      "add ‘this property has this value’ to the filter"
    ),
    Command(
      .sort,
      "sort",
      ["s"],
      in: [.table],
      "sort by the property: ascending, descending, not at all"
    ),
    Command(.addSort, "add-sort", ["S"], in: [.table], "sort by this property next"),
    Command(.hide, "hide-property", ["-"], in: [.table], "hide the property"),
    Command(.showHidden, "show-hidden", [], in: [.table], "show the hidden properties again"),
    Command(.widen, "widen", ["_"], in: [.table], "show the property wider, or as wide as before"),
    Command(.mark, "mark", ["Space"], in: [.table], "mark the object, for d and y"),
    Command(.markRange, "mark-range", ["v"], in: [.table], "mark all from the last mark to here"),
    Command(.markAll, "mark-all", ["gA"], in: [.table], "mark every object of a filtered table"),
    Command(.invertMarks, "invert-marks", ["*"], in: [.table], "mark what is not marked"),
  ]

  private static let editing = [
    Command(.edit, "edit", ["e", "c"], in: values, "edit the value in its place"),
    Command(.editExternally, "edit-externally", ["E"], in: values, "edit the text in $EDITOR"),
    Command(
      .valueMenu,
      "value",
      ["C"],
      in: values,
      "set null, empty or the default",
      hint: "null, default…"
    ),
    Command(.create, "create", ["o"], in: values, "create an object, or add an element"),
    Command(.duplicate, "duplicate", ["O"], in: [.table, .object], "create a copy of the object"),
    Command(
      .delete,
      "delete",
      ["d"],
      in: values,
      "show what deleting the object would take with it",
      hint: "delete…"
    ),
    Command(
      .unlink,
      "unlink",
      ["x"],
      in: values,
      "cut the link, or take the element out; its target stays",
      hint: "unlink"
    ),
    Command(
      .elementDown,
      "element-down",
      ["gJ"],
      in: [.object, .elements],
      "move the element down"
    ),
    Command(.elementUp, "element-up", ["gK"], in: [.object, .elements], "move the element up"),
    Command(
      .moveElement,
      "move",
      [],
      in: [.object, .elements],
      "move the element to a position, as in ‘move 3’"
    ),
  ]

  private static let drafting = [
    Command(.undo, "undo", ["u"], "undo the last change"),
    Command(.redo, "redo", ["^R", "U"], "redo what was undone"),
    Command(.write, "w", ["^S"], "commit, from the review of the changes", hint: "commit"),
    Command(.commit, "commit", ["w"], in: [.changes], "commit the changes"),
    Command(.drop, "drop", ["x", "Space"], in: [.changes], "drop the change"),
    Command(.keepMine, "keep-mine", ["m"], in: [.changes], "solve the conflict with my value"),
    Command(
      .takeTheirs,
      "take-theirs",
      ["t"],
      in: [.changes],
      "solve the conflict with their value"
    ),
    Command(.rollback, "rollback", [], "throw all changes away"),
  ]

  private static let other = [
    Command(.copy, "copy", ["y"], in: walkable, "copy the value, or the marked objects"),
    Command(.copyAs, "copy-as", ["Y"], in: walkable, "copy the object in another form"),
    Command(
      .bookmark,
      "bookmark",
      ["m"],
      in: walkable,
      "remember the object under a letter",
      takesLetter: true
    ),
    Command(.jump, "jump", ["'"], "go to the object of a letter", takesLetter: true),
    Command(.zoom, "zoom", ["z"], "show only this pane, or all again"),
    Command(.refresh, "refresh", ["R"], "read everything anew"),
    Command(.redraw, "redraw", ["^L"], "paint the screen anew"),
    Command(.palette, "palette", [":", "^P"], "go to a class, an object or a command by name"),
    Command(.help, "help", ["?", "F1"], "list the keys that work here; Enter runs one"),
    Command(
      .saveCopy,
      "save-copy",
      [],
      "save what is shown, with the changes, in another file, as in ‘save-copy FILE’"
    ),
    Command(.mouse, "mouse", ["%"], "begin or end taking the mouse"),
    Command(.close, "q", ["q"], "close the view; the last one ends the program", hint: "close"),
    Command(.quit, "quit", ["Q"], "end the program"),
    Command(.cancel, "cancel", ["^C", "Esc"], "stop what is running, or take the marks away"),
    Command(.suspend, "suspend", ["^Z"], "back to the shell; fg returns"),
  ]

  package static let byID: [CommandID: Command] = Dictionary(
    all.map { ($0.id, $0) },
    uniquingKeysWith: { first, _ in first }
  )
}

/// A fixed key of a dialog, for its hint line and the manual.
package struct DialogKey: Sendable {
  package let keys: String
  package let summary: String

  init(_ keys: String, _ summary: String) {
    self.keys = keys
    self.summary = summary
  }
}

/// The dialogs, whose keys are their own.
package enum Dialog: String, CaseIterable, Sendable {
  case editor, prompt, menu, picker, palette, help, deletion, quitting, kept, text, waiting
  case planning, committing

  package var title: String {
    switch self {
    case .editor: "Editing a value"
    case .prompt: "Typing on the status line"
    case .menu: "Choosing from a menu"
    case .picker: "Picking the target of a link"
    case .palette: "The palette"
    case .help: "The help"
    case .deletion: "What a deletion takes with it"
    case .quitting: "Quitting with changes"
    case .kept: "Beginning where a session left changes"
    case .text: "Reading a text"
    case .waiting: "Waiting to commit while another program writes"
    case .planning: "Finding out what a deletion of many takes with it"
    case .committing: "Committing"
    }
  }

  package var keys: [DialogKey] {
    switch self {
    case .editor:
      [
        DialogKey("Enter", "set"), DialogKey("Esc", "leave as it was"),
        DialogKey("^U", "clear"), DialogKey("^A", "start"), DialogKey("^E", "end"),
      ]
    case .prompt:
      [
        DialogKey("Enter", "do it"), DialogKey("Esc", "back"),
        DialogKey("Up", "what was typed before"), DialogKey("Tab", "complete"),
      ]
    case .menu:
      [
        DialogKey("Enter", "choose"), DialogKey("j", "down"), DialogKey("k", "up"),
        DialogKey("Esc", "back"),
      ]
    case .picker:
      [
        DialogKey("Enter", "link to it"), DialogKey("Down", "next"), DialogKey("Up", "previous"),
        DialogKey("Esc", "back"), DialogKey("type", "search"),
      ]
    case .palette:
      [
        DialogKey("Enter", "go"), DialogKey("Down", "next"), DialogKey("Up", "previous"),
        DialogKey("Esc", "back"), DialogKey("type", "search"),
      ]
    case .help:
      [
        DialogKey("Enter", "run the line"), DialogKey("j", "down"), DialogKey("k", "up"),
        DialogKey("Esc", "back"),
      ]
    case .deletion:
      [
        DialogKey("D", "delete"), DialogKey("Esc", "leave everything as it is"),
        DialogKey("j", "down"), DialogKey("k", "up"),
      ]
    case .quitting:
      [
        DialogKey("r", "review them"), DialogKey("k", "keep them, and quit"),
        DialogKey("D", "throw them away and quit"), DialogKey("Esc", "stay"),
      ]
    case .kept:
      [
        DialogKey("r", "restore as a draft"), DialogKey("l", "look later, and keep until then"),
        DialogKey("d", "discard, after asking again"), DialogKey("Esc", "look later, or back"),
      ]
    case .text:
      [DialogKey("j", "down"), DialogKey("k", "up"), DialogKey("Esc", "back")]
    case .waiting:
      [DialogKey("Esc", "stop waiting and commit nothing")]
    case .planning:
      [DialogKey("Esc", "stop and delete nothing")]
    case .committing:
      []
    }
  }
}
