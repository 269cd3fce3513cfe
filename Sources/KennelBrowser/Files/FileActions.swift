internal import KennelCore

/// The file below the screen: it may be deleted or replaced while it is open, and what is shown can be
/// saved in another.
struct FileActions: BrowserPart {
  let browser: Browser

  /// Whether the database is the private copy of another program's file.
  var isPrivate: Bool {
    browser.settings.proposedName != nil || browser.settings.original != nil
  }

  /// Looks whether the file is still at its path, and tells what became of it.
  func checkPlace() {
    checkOriginal()
    // A private copy may be thrown away while it is open.
    if isPrivate { return }
    let place = model.database.filePlace
    guard place != model.filePlace else { return }
    model.filePlace = place
    if place == .overwritten {
      // Nothing may be read any more: what is in memory is the file's, and has changed with it.
      browser.farewell =
        "Another program has overwritten \(model.database.path) with other data; open it again"
      browser.isEnding = true
      Jobs(browser).cancelAll()
      return ask(.quit(exitCode: 1))
    }
    if let sentence = model.fileSentence {
      showError(sentence)
      ask(.bell)
    } else {
      say("The file is back at its place")
    }
  }

  /// Says why the copy is not what is in the database that it is a copy of, once for each reason.
  private func checkOriginal() {
    let problem = browser.settings.original?.problem
    defer { model.originalProblem = problem }
    guard let problem, problem != model.originalProblem else { return }
    showError(problem)
    ask(.bell)
  }

  /// Ends the browser if another program has overwritten the file: what is shown is read from there.
  func endsOverwritten() -> Bool {
    guard !isPrivate, model.database.filePlace == .overwritten else { return false }
    checkPlace()
    return true
  }

  /// Has a job wait until all of the database is read, of which the first rows are shown.
  func awaitReading() {
    guard let reading = browser.settings.reading else { return }
    Jobs(browser).launch("Reading all of it", .wholeReading) { context in
      reading.wait(for: context)
    } finish: { _, _ in
    }
  }

  /// Goes on to the whole database when it is read, nothing is open over the first rows, and what a
  /// person asked for has been done with them.
  func goOnWhenRead() {
    guard let reading = browser.settings.reading, reading.isFinished, browser.dialog == nil,
      !browser.isEnding, !browser.jobs.contains(where: \.kind.canStop)
    else { return }
    browser.nextFile = browser.settings.path
    ProgramActions(browser).end()
  }

  /// Ends this browser and opens another file; asks first where changes are not committed.
  func openFile(_ path: String) {
    guard browser.settings.canOpenFiles else {
      return showError("No other file can be opened from here; \(key(of: "q")) ends the program")
    }
    browser.nextFile = path
    ProgramActions(browser).quit()
  }

  /// `:recent`, the files that were opened before.
  ///
  /// - Parameter escape: What Esc leads to.
  func showRecentFiles(escape: String = "back") {
    guard !browser.settings.recentFiles.isEmpty else {
      return say("No other file was opened yet; ‘:open-file FILE’ opens one")
    }
    open(RecentFilesDialog(browser.settings.recentFiles, escape: escape))
  }

  /// Asks for the file that a private copy and its changes are committed to.
  ///
  /// - Parameters:
  ///   - name: The name to begin with.
  ///   - isProposal: Whether nobody has typed the name yet.
  func askForNewFile(_ name: String, isProposal: Bool) {
    open(PromptDialog(.newFile, text: name, isProposal: isProposal, in: browser))
    say("The original stays as it is; the new file has all of it, with your changes")
  }

  /// Writes a private copy with its changes to a file that must not be there, and goes on with that.
  func commit(to path: String) {
    save(to: path, as: "Committing to \(path)") { browser in
      browser.model.draftOwner.discard()
      browser.say("Committed to \(path)")
      if browser.settings.canOpenFiles { FileActions(browser).openFile(path) }
    } abandon: { browser in
      // The name can be mended.
      if browser.dialog == nil { FileActions(browser).askForNewFile(path, isProposal: false) }
    }
  }

  /// Writes what is shown to a file that must not be there.
  func save(to path: String) {
    save(to: path, as: "Saving a copy in \(path)") { browser in
      browser.say("Saved in \(path)")
    } abandon: { browser in
      browser.say("No copy was made")
    }
  }

  private func save(
    to path: String,
    as title: String,
    finish: @escaping (Browser) -> Void,
    abandon: @escaping (Browser) -> Void
  ) {
    if model.draftOwner.isLent, let reason = browser.readOnlyReason { return showError(reason) }
    let database = model.database
    let copy = model.draftOwner.copy
    Jobs(browser).launch(title, .copy) { context throws(DatabaseError) in
      if let copy {
        try copy.write(to: path) { context.isCancelled }
      } else {
        try database.writeCopy(to: path) { context.isCancelled }
      }
    } finish: { browser, _ in
      finish(browser)
    } abandon: { browser in
      abandon(browser)
    }
  }
}

extension BrowserModel {
  /// Says what to do where the file is no longer at its path.
  var fileSentence: String? {
    switch filePlace {
    case .unchanged, .overwritten: nil
    case .gone: "The file was deleted or renamed; ‘:save-copy FILE’ saves what is shown"
    case .replaced: "Another file has its name now; ‘:save-copy FILE’ saves what is shown"
    }
  }
}
