@_spi(Faces) internal import KennelCore

/// Which steps of undo of the draft are one change of the person, who undoes and redoes whole changes.
struct DraftSteps {
  /// How many steps each change took.
  private var undoGroups: [Int] = []
  private var redoGroups: [Int] = []
  /// The numbers of the operations that begin a change, in order.
  private var starts: [Int] = []

  /// How far a draft is.
  struct Mark {
    let stepCount: Int
    let nextNumber: Int

    init(_ draft: Draft) {
      stepCount = draft.undoStepCount
      nextNumber = draft.nextNumber
    }
  }

  /// How many steps the next undo takes; 0 where there is nothing to undo.
  var undoCount: Int { undoGroups.last ?? 0 }
  /// How many steps the next redo takes; 0 where there is nothing to redo.
  var redoCount: Int { redoGroups.last ?? 0 }

  /// Takes what was done since a mark for one change; whether anything was done.
  mutating func note(_ draft: Draft, since mark: Mark) -> Bool {
    // What was done and taken back at once is nothing to redo.
    if draft.nextNumber > mark.nextNumber { redoGroups = [] }
    let count = draft.undoStepCount - mark.stepCount
    guard count > 0 else { return false }
    undoGroups.append(count)
    redoGroups = []
    if draft.nextNumber > mark.nextNumber { starts.append(mark.nextNumber) }
    return true
  }

  mutating func noteUndo() {
    if let count = undoGroups.popLast() { redoGroups.append(count) }
  }

  mutating func noteRedo() {
    if let count = redoGroups.popLast() { undoGroups.append(count) }
  }

  mutating func forgetRedo() {
    redoGroups = []
  }

  /// Takes the steps of recovered operations for those of the draft.
  mutating func noteRestored(_ records: [DraftRecord]) {
    self = DraftSteps()
    for record in records {
      if record.step == starts.last, !undoGroups.isEmpty {
        undoGroups[undoGroups.count - 1] += 1
      } else {
        starts.append(record.step)
        undoGroups.append(1)
      }
    }
  }

  /// The operations with the number of the change that each belongs to.
  func numbered(_ records: [DraftRecord]) -> [DraftRecord] {
    var records = records
    var next = 0
    for index in records.indices {
      while next < starts.count, starts[next] <= records[index].number { next += 1 }
      if next > 0 { records[index].step = starts[next - 1] }
    }
    return records
  }
}

extension Draft {
  /// Undoes so many steps, or none where one fails; what the first of them was, and how many more.
  func undo(_ count: Int) throws(DatabaseError) -> String? {
    let sentences = try repeating(count, Draft.undo, back: Draft.redo)
    return sentences.last.map { count > 1 ? "\($0), and \(count - 1) more" : $0 }
  }

  /// Redoes so many steps, or none where one fails; what the first of them was, and how many more.
  func redo(_ count: Int) throws(DatabaseError) -> String? {
    let sentences = try repeating(count, Draft.redo, back: Draft.undo)
    return sentences.first.map { count > 1 ? "\($0), and \(count - 1) more" : $0 }
  }

  private func repeating(
    _ count: Int,
    _ step: (Draft) -> () throws(DatabaseError) -> String?,
    back: (Draft) -> () throws(DatabaseError) -> String?
  ) throws(DatabaseError) -> [String] {
    var sentences: [String] = []
    var done = 0
    do throws(DatabaseError) {
      while done < count {
        if let sentence = try step(self)() { sentences.append(sentence) }
        done += 1
      }
    } catch {
      // A file that cannot be read has the draft made anew; what is left of it stays in step.
      for _ in 0..<done { _ = try? back(self)() }
      throw error
    }
    return sentences
  }

  /// Changes the draft as a whole, or not at all.
  func changeAsWhole(_ body: (Draft) throws(DatabaseError) -> Void) throws(DatabaseError) {
    let before = operationCount
    do throws(DatabaseError) {
      try body(self)
    } catch {
      while operationCount > before { _ = try undo() }
      throw error
    }
  }
}
