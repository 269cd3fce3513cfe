internal import KennelCore

// The file below the screen: it may be deleted or replaced while it is open, and what is shown can be
// saved in another.

extension Browser {
  /// Looks whether the file is still at its path, and tells what became of it.
  func lookAtFile() {
    let place = model.database.filePlace
    guard place != model.filePlace else { return }
    model.filePlace = place
    if let sentence = model.fileSentence {
      showError(sentence)
      ask(.bell)
    } else {
      say("The file is back at its place")
    }
  }

  /// `:save-copy` without a name.
  func askWhereToSave() {
    let line = LineEditor(history: typed[.saveCopy] ?? [])
    overlay = .prompt(Prompt(kind: .saveCopy, label: "save a copy in", line: line))
  }

  /// Writes what is shown to a file that must not be there.
  func saveCopy(to path: String) {
    guard model.draft != nil || !model.hasDraft else { return showError(readOnlyReason ?? "") }
    let database = model.database
    let copy = model.draft?.copy
    let outcome = CopyOutcome(path: path)
    _ = launch("Saving a copy in \(path)", .copy(outcome)) {
      context throws(DatabaseError) in
      if let copy {
        try copy.write(to: path) { context.isCancelled }
      } else {
        try database.writeCopy(to: path) { context.isCancelled }
      }
      outcome.note()
      return .done
    }
  }
}

extension BrowserModel {
  /// What to do where the file is no longer at its path.
  var fileSentence: String? {
    switch filePlace {
    case .unchanged: nil
    case .gone: "The file was deleted or renamed; ‘:save-copy FILE’ saves what is shown"
    case .replaced: "Another file has its name now; ‘:save-copy FILE’ saves what is shown"
    }
  }
}
