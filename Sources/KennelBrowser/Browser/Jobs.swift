internal import KennelCore

/// Work beside the screen.
///
/// A job is launched with its work and with what is done with the result, which has the type that the
/// work returns.
struct Jobs: BrowserPart {
  let browser: Browser

  /// Launches work on a snapshot of its own.
  @discardableResult
  func launch<Found: Sendable>(
    _ title: String,
    _ kind: JobKind,
    reading work: @escaping @Sendable (Snapshot, JobContext) throws(DatabaseError) -> Found,
    finish: @escaping (Browser, Found) -> Void,
    abandon: @escaping (Browser) -> Void = { _ in }
  ) -> JobID? {
    guard let snapshot = model.draftOwner.detached() else { return nil }
    return launch(
      title,
      kind,
      work: { context throws(DatabaseError) in try work(snapshot, context) },
      finish: finish,
      abandon: abandon
    )
  }

  /// Launches work.
  ///
  /// - Parameters:
  ///   - title: What the job does, for the screen.
  ///   - kind: What it is for.
  ///   - work: The work, which runs on another thread.
  ///   - finish: What is done with its result, back on this one.
  ///   - abandon: What is done instead where it fails or is stopped; a failure is told afterwards.
  /// - Returns: The job.
  @discardableResult
  func launch<Found: Sendable>(
    _ title: String,
    _ kind: JobKind,
    work: @escaping @Sendable (JobContext) throws(DatabaseError) -> Found,
    finish: @escaping (Browser, Found) -> Void,
    abandon: @escaping (Browser) -> Void = { _ in }
  ) -> JobID {
    if let purpose = kind.purpose { cancel(purpose) }
    let id = JobID(browser.newNumber())
    let result = JobResult<Found>()
    let running = RunningJob(id: id, title: title, kind: kind) { browser, isStopped in
      switch isStopped ? nil : result.value {
      case .success(let found)?:
        finish(browser, found)
      case .failure(let error)?:
        abandon(browser)
        browser.showError(kind.endsLater ? error.message : "\(title): \(error.message)")
      case nil:
        abandon(browser)
      }
    }
    browser.jobs.append(running)
    let job = Job(id: id, title: title, isUrgent: kind.isUrgent) { context in
      do throws(DatabaseError) {
        result.put(.success(try work(context)))
      } catch {
        // That work which was stopped has failed is no news.
        if !context.isCancelled { result.put(.failure(error)) }
      }
    }
    ask(.run(job))
    return id
  }

  func receive(_ event: JobEvent) {
    guard let index = browser.jobs.firstIndex(where: { $0.id == event.id }) else { return }
    let job = browser.jobs[index]
    // Nobody looks any more; what has changed the draft or saved it counts.
    if browser.isEnding, !job.kind.hasDraft, !job.kind.isUrgent { return }
    switch event {
    case .progress(_, let fraction): browser.jobs[index].progress = fraction
    case .finished: end(job, isStopped: false)
    case .cancelled: end(job, isStopped: !job.kind.endsLater)
    }
  }

  private func end(_ job: RunningJob, isStopped: Bool) {
    browser.jobs.removeAll { $0.id == job.id }
    if job.kind.hasDraft, message?.text == job.refusal(in: browser) { message = nil }
    job.end(browser, isStopped)
  }

  /// Stops a job; one that ends later tells by its last event what it did.
  func cancel(_ id: JobID) {
    ask(.cancel(id))
    guard let job = browser.jobs.first(where: { $0.id == id }), !job.kind.endsLater else { return }
    end(job, isStopped: true)
  }

  /// Takes a commit back that waits for the writer's lock; false where it has begun.
  func withdrawCommit() -> Bool {
    for job in browser.jobs {
      guard let turn = job.kind.turn else { continue }
      guard turn.withdraw() else { return false }
      ask(.cancel(job.id))
      end(job, isStopped: true)
    }
    return true
  }

  func cancelAll() {
    let stopped = browser.jobs.filter(\.kind.canStop)
    if stopped.isEmpty { return }
    let verb = stopped.contains(where: \.kind.endsLater) ? "Stopping" : "Stopped"
    say("\(verb): \(stopped.map(\.title).joined(separator: ", "))")
    for job in stopped { cancel(job.id) }
  }

  /// Stops the jobs of a purpose.
  func cancel(_ purpose: JobKind.Purpose) {
    for job in browser.jobs where job.kind.purpose == purpose { cancel(job.id) }
  }

  /// The newest job that the screen tells of.
  var shown: RunningJob? { browser.jobs.last { !$0.kind.isUrgent } }

  /// Whether a commit waits for the writer's lock or has it.
  var isCommitting: Bool {
    browser.jobs.contains { $0.kind.turn != nil }
  }

  /// Whether a commit has the writer's lock.
  var isStoring: Bool {
    browser.jobs.contains { $0.kind.turn?.hasBegun == true }
  }
}
