internal import KennelCore

extension Browser {
  /// Runs a command, as its key does.
  func perform(_ id: CommandID, letter: Character? = nil) {
    switch id {
    case .moveDown: move(.lines(1))
    case .moveUp: move(.lines(-1))
    case .pageDown: move(.lines(max(1, pageSize / 2)))
    case .pageUp: move(.lines(-max(1, pageSize / 2)))
    case .screenDown: move(.lines(pageSize))
    case .screenUp: move(.lines(-pageSize))
    case .top: move(.start)
    case .bottom: move(.end)
    case .moveLeft: updateTable { $0.moveColumn(by: -1, in: model) }
    case .moveRight: updateTable { $0.moveColumn(by: 1, in: model) }
    case .nextPane: changePane(by: 1)
    case .previousPane: changePane(by: -1)
    case .goCollections: view.focus = .collections
    case .goMain: view.focus = .main
    case .goLinks: view.focus = .links
    case .review: openReview()
    case .open, .references, .owner, .back, .forward, .peek, .schema, .bookmark, .jump:
      walk(id, letter: letter)
    case .find, .findNext, .findPrevious, .filter, .clearFilter, .filterByValue, .sort, .addSort:
      search(id)
    case .hide, .showHidden, .widen, .mark, .markRange, .markAll, .invertMarks:
      arrange(id)
    case .edit, .editExternally, .valueMenu, .create, .duplicate, .delete, .unlink, .elementDown,
      .elementUp, .moveElement:
      edit(id)
    case .undo, .redo, .commit, .write, .rollback, .drop, .keepMine, .takeTheirs:
      draft(id)
    case .copy, .copyAs, .zoom, .refresh, .redraw, .palette, .help, .mouse, .saveCopy, .close,
      .quit, .cancel, .suspend:
      attend(id)
    }
  }

  private func walk(_ id: CommandID, letter: Character?) {
    switch id {
    case .open: open()
    case .references: showReferences()
    case .owner: goToOwner()
    case .back: goBack()
    case .forward: goForward()
    case .peek: isPeeking.toggle()
    case .schema: showSchema()
    case .bookmark: setBookmark(letter)
    default: jump(to: letter)
    }
  }

  private func search(_ id: CommandID) {
    switch id {
    case .find: openFind()
    case .findNext: findAgain(forward: true)
    case .findPrevious: findAgain(forward: false)
    case .filter: openFilter()
    case .clearFilter: clearFilter()
    case .filterByValue: filterByValue()
    case .sort: sort(adding: false)
    default: sort(adding: true)
    }
  }

  private func arrange(_ id: CommandID) {
    switch id {
    case .hide: hideColumn()
    case .showHidden:
      updateTable { table in
        table.hidden = []
        table.firstColumn = nil
      }
    case .widen: widenColumn()
    case .mark: toggleMark()
    case .markRange: markRange()
    case .markAll: markAll()
    default: invertMarks()
    }
  }

  private func edit(_ id: CommandID) {
    if let reason = readOnlyReason {
      showError(reason)
      return
    }
    switch id {
    case .edit: editValue()
    case .editExternally: editExternally()
    case .valueMenu: openValueMenu()
    case .create: create()
    case .duplicate: duplicate()
    case .delete: askToDelete()
    case .unlink: unlink()
    case .elementDown: moveElement(by: 1)
    case .elementUp: moveElement(by: -1)
    default: showError("Say where to, as in ‘:move 3’")
    }
  }

  private func draft(_ id: CommandID) {
    if let reason = readOnlyReason {
      showError(reason)
      return
    }
    switch id {
    case .undo: undo()
    case .redo: redo()
    case .commit: commit()
    case .write: write()
    case .rollback: rollback()
    case .drop: dropChange()
    case .keepMine: resolve(.mine)
    default: resolve(.theirs)
    }
  }

  private func attend(_ id: CommandID) {
    switch id {
    case .copy: copy()
    case .copyAs: openCopyMenu()
    case .zoom: isZoomed.toggle()
    case .refresh: refresh()
    case .redraw: ask(.redraw)
    case .palette: openPalette()
    case .help: openHelp()
    case .mouse: toggleMouse()
    case .saveCopy: askWhereToSave()
    case .close: closeView()
    case .quit: quit()
    case .cancel: cancel()
    default: ask(.suspend)
    }
  }

  /// Why nothing can be changed, where nothing can.
  var readOnlyReason: String? {
    guard model.draft == nil else { return nil }
    if model.hasDraft {
      return jobs.first(where: \.hasDraft)?.refusal ?? "A change is under way"
    }
    return "This file is read only: \(model.database.readOnlyReason ?? "it was opened so")"
  }
}

// MARK: - What is about the program

extension Browser {
  private func refresh() {
    takeNews()
    worldChanged()
    say("Commit \(model.snapshot?.commitNumber ?? 0) is on the screen")
  }

  private func toggleMouse() {
    takesMouse.toggle()
    ask(.mouse(takesMouse))
    say(takesMouse ? "The mouse works here; % gives it back" : "The mouse is the terminal's again")
  }

  private func cancel() {
    if isPeeking, jobs.isEmpty {
      isPeeking = false
    } else if jobs.isEmpty, hasMarks {
      updateTable { $0.marks = [] }
      say("Nothing is marked")
    } else if jobs.isEmpty {
      say("Nothing runs; q closes the view, Q ends the program")
    } else {
      cancelAllJobs()
    }
  }

  private func closeView() {
    if view.focus == .changes {
      view.focus = .main
    } else if history.canGoBack {
      goBack()
    } else {
      quit()
    }
  }
}
