internal import KennelCore

/// The review of what is not committed.
struct ChangesState {
  enum LineID: Hashable {
    case object(ObjectIdentity)
    case item(DraftItem.ID)
    case conflict(Conflict.ID)
    /// A difference that several edits of a list or set made together.
    case difference(ObjectIdentity, PropertyKey, Int)
    /// A value of an object that is new.
    case value(ObjectIdentity, PropertyKey)
    case note(Int)
  }

  var cursor: LineID?
  var top = 0
  /// The changes that the next commit leaves in the draft.
  private(set) var excluded: Set<DraftItem.ID> = []
  /// The lines, as of a generation of the model.
  private var shown: (generation: Int, lines: [ChangeLine])?

  /// The lines, which are made anew only after something has changed.
  mutating func lines(generation: Int, _ make: () -> [ChangeLine]) -> [ChangeLine] {
    if let shown, shown.generation == generation { return shown.lines }
    let lines = make()
    shown = (generation, lines)
    return lines
  }

  func cursorIndex(in lines: [ChangeLine]) -> Int? {
    if let cursor, let index = lines.firstIndex(where: { $0.id == cursor }) { return index }
    return lines.firstIndex(where: \.isSelectable)
  }

  mutating func move(by distance: Int, in lines: [ChangeLine]) {
    let places = lines.indices.filter { lines[$0].isSelectable }
    guard let index = cursorIndex(in: lines), let place = places.firstIndex(of: index) else {
      return
    }
    cursor = lines[places[min(max(0, place + distance), places.count - 1)]].id
  }

  /// Puts the cursor on the change that is now where another one was on the screen.
  mutating func stay(at index: Int, in lines: [ChangeLine]) {
    cursor =
      lines.dropFirst(index).first(where: \.isChange)?.id ?? lines.last(where: \.isChange)?.id
  }

  /// Says which changes the next commit leaves out.
  mutating func exclude(_ items: Set<DraftItem.ID>) {
    excluded = items
    shown = nil
  }

  /// Forgets what is about changes that are gone.
  mutating func settle(in model: BrowserModel) {
    if model.changeCount == 0 {
      cursor = nil
      top = 0
      excluded = []
    }
  }
}

struct ChangeLine {
  var id: ChangesState.LineID
  var text: String
  var style: Style
  var object: ObjectIdentity?
  /// What x drops and Space leaves out.
  var items: [DraftItem.ID] = []
  var conflict: Conflict?
  /// Whether it tells what the deletions take with them.
  var isPlan = false
  /// Whether there is something to drop or to resolve.
  var isChange: Bool { object != nil || conflict != nil }
  /// Whether the cursor stops here; at the plan it does so that all of it can be read.
  var isSelectable: Bool { isChange || isPlan }
}
