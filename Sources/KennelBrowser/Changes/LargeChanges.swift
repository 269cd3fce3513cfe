internal import KennelCore

/// Changes of very many objects, and of a draft with such changes: a job makes them and has the draft
/// meanwhile, while the screen shows what the draft was.
struct LargeChanges: BrowserPart {
  let browser: Browser

  /// So many objects are changed while a person waits.
  static let mostAtOnce = 1_000

  /// Says why a change was not made; the error is `nil` where it was stopped.
  typealias Refusal = (Browser, DatabaseError?) -> Void

  static func sayWhyNot(_ browser: Browser, _ error: DatabaseError?) {
    error.map { browser.showError($0.message) } ?? browser.say("Nothing was changed")
  }

  /// Whether what is done with the draft as a whole takes longer than a person waits.
  var isDraftLarge: Bool {
    let draft = model.draftOwner
    return draft.deletionCount + draft.operationCount + draft.schemaWork > Self.mostAtOnce
  }

  /// Does something with the draft: at once where that is soon done, else as a job that has the draft
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - title: What is done.
  ///   - use: What it is for the steps of undo.
  ///   - isLarge: Whether it takes longer than a person waits.
  ///   - canStop: Whether a person can stop the job.
  ///   - work: Does it.
  ///   - finish: Shows the result, and whether the draft has changed.
  ///   - abandon: Says why it failed; without an error where it was stopped.
  /// - Returns: Whether it is done, or a job is at it.
  @discardableResult
  func perform<Found: Sendable>(
    _ title: String,
    as use: DraftOwner.Use = .step,
    isLarge: Bool,
    canStop: Bool = false,
    _ work: @escaping @Sendable (Draft, JobContext) throws(DatabaseError) -> Found,
    finish: @escaping (Browser, Found, _ hasChanged: Bool) -> Void,
    abandon: @escaping Refusal = Self.sayWhyNot
  ) -> Bool {
    if let reason = browser.readOnlyReason {
      showError(reason)
      return false
    }
    guard isLarge, let draft = model.draftOwner.lend() else {
      do throws(DatabaseError) {
        let context = JobContext { _ in }
        let done = try model.draftOwner.perform(as: use) { draft throws(DatabaseError) in
          try work(draft, context)
        }
        if let done { finish(browser, done.found, done.hasChanged) }
        return true
      } catch {
        abandon(browser, error)
        return false
      }
    }
    Jobs(browser).launch(title, .change(canStop: canStop)) { context in
      Result { () throws(DatabaseError) in try work(draft, context) }
    } finish: { browser, result in
      switch result {
      case .success(let found):
        finish(browser, found, browser.model.draftOwner.takeBack(as: use))
      case .failure(let error):
        browser.model.draftOwner.takeBack(as: .step)
        abandon(browser, error.code == .cancelled ? nil : error)
      }
    } abandon: { browser in
      browser.model.draftOwner.takeBack(as: .step)
      abandon(browser, nil)
    }
    return true
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
    perform(title, isLarge: count > Self.mostAtOnce, canStop: true) {
      draft,
      context throws(DatabaseError) in
      try draft.changeAsWhole { draft throws(DatabaseError) in
        for index in 0..<count {
          if index % 256 == 0 {
            if context.isCancelled { throw DatabaseError(.cancelled, "It was stopped") }
            context.report(progress: Double(index) / Double(count))
          }
          try body(draft, index)
        }
      }
    } finish: { browser, _, hasChanged in
      browser.say(done, hasChanged: hasChanged)
    }
  }
}
