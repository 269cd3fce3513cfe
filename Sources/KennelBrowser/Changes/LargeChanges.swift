internal import KennelCore

/// Changes of very many objects, and of a draft with such changes: a job makes them and has the draft
/// meanwhile, while the screen shows what the draft was.
struct LargeChanges: BrowserPart {
  let browser: Browser

  /// So many objects are changed while a person waits.
  static let mostAtOnce = 1_000

  /// Whether what is done with the draft as a whole takes longer than a person waits.
  var isDraftLarge: Bool {
    model.draftOwner.deletionCount + model.draftOwner.operationCount > Self.mostAtOnce
  }

  /// Does something with the draft: at once where that is soon done, else as a job that has the draft
  /// meanwhile and that nobody can stop.
  ///
  /// - Parameters:
  ///   - title: What is done.
  ///   - use: What it is for the steps of undo.
  ///   - isLarge: Whether it takes longer than a person waits.
  ///   - work: Does it.
  ///   - finish: What is done with the result, and where the draft has changed.
  ///   - abandon: What is done instead with the reason where it fails.
  func perform<Found: Sendable>(
    _ title: String,
    as use: DraftOwner.Use = .step,
    isLarge: Bool,
    _ work: @escaping @Sendable (Draft) throws(DatabaseError) -> Found,
    finish: @escaping (Browser, Found, _ hasChanged: Bool) -> Void,
    abandon: @escaping (Browser, _ reason: String) -> Void = { $0.showError($1) }
  ) {
    guard isLarge else {
      do throws(DatabaseError) {
        if let done = try model.draftOwner.perform(as: use, work) {
          finish(browser, done.found, done.hasChanged)
        }
      } catch {
        abandon(browser, error.message)
      }
      return
    }
    change(title) { draft -> Result<Found, DatabaseError> in
      do throws(DatabaseError) { return .success(try work(draft)) } catch { return .failure(error) }
    } finish: { browser, result in
      switch result {
      case .success(let found):
        finish(browser, found, browser.model.draftOwner.takeBack(as: use))
      case .failure(let error):
        browser.model.draftOwner.takeBack(as: .noStep)
        abandon(browser, error.message)
      }
    }
  }

  /// Makes many changes as one step of undo, or none; a job makes very many, which can be stopped.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - title: What the job does.
  ///   - done: What is said when they are made.
  ///   - body: Makes one of them.
  /// - Returns: Whether they are made, or a job is at it.
  @discardableResult
  func changeEach(
    _ count: Int,
    title: String,
    done: String,
    _ body: @escaping @Sendable (Draft, Int) throws(DatabaseError) -> Void
  ) -> Bool {
    if count <= Self.mostAtOnce {
      return change(done) { draft throws(DatabaseError) in
        for index in 0..<count { try body(draft, index) }
      }
    }
    guard let draft = model.draftOwner.lend() else {
      showError(browser.readOnlyReason ?? "")
      return false
    }
    Jobs(browser).launch(title, .change(canStop: true)) { context throws(DatabaseError) in
      try draft.changeAsWhole { draft throws(DatabaseError) in
        for index in 0..<count {
          if index % 256 == 0 {
            if context.isCancelled { throw DatabaseError(.cancelled, "It was stopped") }
            context.report(progress: Double(index) / Double(count))
          }
          try body(draft, index)
        }
      }
    } finish: { browser, _ in
      browser.say(done, hasChanged: browser.model.draftOwner.takeBack(as: .step))
    } abandon: { browser in
      browser.model.draftOwner.takeBack(as: .step)
      browser.say("Nothing was changed")
    }
    return true
  }

  /// Lends the draft to a job, which nobody can stop.
  ///
  /// - Parameters:
  ///   - title: What the job does.
  ///   - work: What it does with the draft.
  ///   - finish: What is done with the result, first of all taking the draft back.
  func change<Found: Sendable>(
    _ title: String,
    work: @escaping @Sendable (Draft) throws(DatabaseError) -> Found,
    finish: @escaping (Browser, Found) -> Void
  ) {
    guard let draft = model.draftOwner.lend() else {
      return showError(browser.readOnlyReason ?? "")
    }
    Jobs(browser).launch(
      title,
      .change(canStop: false),
      work: { _ throws(DatabaseError) in try work(draft) },
      finish: finish,
      abandon: { $0.model.draftOwner.takeBack(as: .noStep) }
    )
  }
}
