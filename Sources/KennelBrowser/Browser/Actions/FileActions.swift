internal import KennelCore

/// The file below the screen: it may be deleted or replaced while it is open, and what is shown can be
/// saved in another.
struct FileActions: BrowserPart {
  let browser: Browser

  /// Looks whether the file is still at its path, and tells what became of it.
  func look() {
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

  /// `:save-copy`, with or without a name.
  func saveCopy(toTyped path: String) {
    path.isEmpty
      ? open(PromptDialog(.saveCopy, label: "save a copy in", in: browser)) : save(to: path)
  }

  /// `:export`, with or without a name.
  func export(toTyped path: String) {
    path.isEmpty
      ? open(PromptDialog(.export, label: "export to", in: browser)) : export(to: path)
  }

  /// `:open-file`, with or without a name.
  func openFile(toTyped path: String) {
    path.isEmpty ? open(PromptDialog(.openFile, label: "open", in: browser)) : openFile(path)
  }

  /// Ends this browser and opens another file; asks first where changes are not committed.
  func openFile(_ path: String) {
    guard browser.settings.canOpenFiles else {
      return showError("No other file can be opened from here; q ends the program")
    }
    browser.nextFile = path
    browser.program.quit()
  }

  /// `:recent`, the files that were opened before.
  func showRecentFiles() {
    guard !browser.settings.recentFiles.isEmpty else {
      return say("No other file was opened yet; ‘:open-file FILE’ opens one")
    }
    open(RecentFilesDialog(browser.settings.recentFiles))
  }

  /// Writes the marked objects, else the rows of the table, else the object to a file.
  func export(to path: String) {
    guard let export = browser.settings.export else { return }
    guard !model.draft.touched.values.contains(.created) else {
      return showError("Commit first: an object that is new has no key yet that a file could name")
    }
    let marked = browser.markedObjects
    let (classKey, keys): (ClassKey, [ObjectKey]?)
    switch view.main {
    case .table(let table):
      let rows = table.rows(in: model)
      let all = table.definition.isPlain ? nil : rows.result?.keys ?? []
      (classKey, keys) = (table.classKey, marked.isEmpty ? all : marked.map(\.key))
    case .object(let object): (classKey, keys) = (object.object.classKey, [object.object.key])
    case .elements(let elements):
      (classKey, keys) = (elements.object.classKey, [elements.object.key])
    case .summary, .diagram: return
    }
    let name = model.schema[classKey]?.name ?? "?"
    let what = "\(keys?.count ?? model.count(of: classKey)) \(name)"
    browser.launch(
      "Exporting \(what)",
      .copy,
      reading: { snapshot, context in
        let request = ExportRequest(
          snapshot: snapshot,
          classKey: classKey,
          keys: keys,
          path: path
        )
        return export(request, context)
      },
      finish: { browser, outcome in
        switch outcome {
        case .written: browser.say("Wrote \(what) to \(path)")
        case .failed(let reason): browser.showError(reason)
        }
      },
      abandon: { browser in
        browser.say("Nothing was written")
      }
    )
  }

  /// Writes what is shown to a file that must not be there.
  func save(to path: String) {
    if model.draft.isLent, let reason = browser.readOnlyReason { return showError(reason) }
    let database = model.database
    let copy = model.draft.copy
    browser.launch("Saving a copy in \(path)", .copy) { context throws(DatabaseError) in
      if let copy {
        try copy.write(to: path) { context.isCancelled }
      } else {
        try database.writeCopy(to: path) { context.isCancelled }
      }
    } finish: { browser, _ in
      browser.say("Saved in \(path)")
    } abandon: { browser in
      browser.say("No copy was made")
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
