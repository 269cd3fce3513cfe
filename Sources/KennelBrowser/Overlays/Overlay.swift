internal import KennelCore

/// The dialog that has the keys.
enum Overlay {
  case editor(CellEditor)
  case prompt(Prompt)
  case menu(Menu)
  case picker(Picker)
  case palette(Palette)
  case help(HelpList)
  case deletion(DeletionDialog)
  case quitting
  case kept(KeptDialog)
  case text(TextDialog)
  /// The job that waits for the writer's lock.
  case waiting(JobID)
  /// The job that commits.
  case committing(JobID)
  /// The job that finds out what a deletion takes with it.
  case planning(JobID)

  var dialog: Dialog {
    switch self {
    case .editor: .editor
    case .prompt: .prompt
    case .menu: .menu
    case .picker: .picker
    case .palette: .palette
    case .help: .help
    case .deletion: .deletion
    case .quitting: .quitting
    case .kept: .kept
    case .text: .text
    case .waiting: .waiting
    case .committing: .committing
    case .planning: .planning
    }
  }
}

/// Which history a prompt has.
enum PromptKind: Hashable {
  case find
  case filter(ClassKey)
  case saveCopy
}

/// A line that is typed on the status line.
struct Prompt {
  var kind: PromptKind
  var label: String
  var line: LineEditor
  /// What is wrong with the line so far, and at which character, from 1.
  var problem: (message: String, column: Int)?
}

/// A few choices with a letter each.
struct Menu {
  struct Choice {
    var letter: Character
    var label: String
    var action: (Browser) -> Void
  }

  var title: String
  var choices: [Choice]
  var index = 0
}

/// Drafts of earlier sessions, of which the first is asked about.
struct KeptDialog {
  var drafts: [RecoveredDraft]
  /// Whether the person wants to discard it, and is asked again.
  var isDiscarding = false
}

/// Lines to read.
struct TextDialog {
  var title: String
  var lines: [String]
  var top = 0
}

/// Every command that works where the help was asked for.
struct HelpList {
  var commands: [Command]
  var title: String
  var index = 0
  var top = 0
}

/// The object that a link is to point at.
struct Picker {
  var title: String
  var target: ClassKey
  var line = LineEditor()
  var found: [ObjectKey]
  /// The key that the cursor is on.
  var cursor: ObjectKey?
  /// The job that searches, if one does.
  var job: JobID?
  var action: (Browser, ObjectIdentity) -> Void

  mutating func move(by distance: Int) {
    guard !found.isEmpty else {
      cursor = nil
      return
    }
    let index = found.firstIndex { $0 == cursor } ?? 0
    cursor = found[min(max(0, index + distance), found.count - 1)]
  }
}

/// Where one can go by name.
struct Palette {
  enum Destination: Hashable {
    case command(CommandID)
    case classTable(ClassKey)
    case object(ObjectIdentity)
    case bookmark(Character)
  }

  struct Entry: Hashable {
    var destination: Destination
    var name: String
    var note: String
  }

  var line = LineEditor()
  var all: [Entry]
  var shown: [Entry]
  var index = 0
}

/// What a deletion takes with it, before it is staged.
struct DeletionDialog {
  var title: String
  var radius: BlastRadius
  var lines: [DeletionLine]
  var top = 0
  /// The number that has to be typed, where the deletion is a large one.
  var wantedCount: Int?
  var typedCount = LineEditor()
  /// Why it cannot be done at all.
  var refusal: String?
  /// The generation of the model that was asked.
  var generation: Int
  /// What it takes with it now.
  var renewed: () -> BlastRadius?
  var action: (Browser) -> Void
}

struct DeletionLine {
  var text: String
  var style: Style
}
