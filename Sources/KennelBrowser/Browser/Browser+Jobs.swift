internal import KennelCore

// Work beside the screen. A job is launched with its work and with what is done with the result, which
// has the type that the work returns.

extension Browser {
  /// Launches work on a snapshot of its own.
  @discardableResult
  func launch<Found: Sendable>(
    _ title: String,
    _ kind: JobKind,
    reading work: @escaping @Sendable (Snapshot, JobContext) throws(DatabaseError) -> Found,
    finish: @escaping (Browser, Found) -> Void,
    abandon: @escaping (Browser) -> Void = { _ in }
  ) -> JobID? {
    guard let snapshot = model.draft.detached() else { return nil }
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
    cancelJobs { kind.replaces($0) }
    let id = JobID(newNumber())
    let result = JobResult<Found>()
    let running = RunningJob(id: id, title: title, kind: kind) { browser, isStopped in
      switch isStopped ? nil : result.take() {
      case .success(let found)?:
        finish(browser, found)
      case .failure(let error)?:
        abandon(browser)
        browser.showError(kind.endsLater ? error.message : "\(title): \(error.message)")
      case nil:
        abandon(browser)
      }
    }
    jobs.append(running)
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
    guard let index = jobs.firstIndex(where: { $0.id == event.id }) else { return }
    let job = jobs[index]
    // Nobody looks any more; what has changed the draft or saved it counts.
    if isEnding, !job.kind.hasDraft, !job.kind.isUrgent { return }
    switch event {
    case .progress(_, let fraction): jobs[index].progress = fraction
    case .finished: end(job, isStopped: false)
    case .cancelled: end(job, isStopped: !job.kind.endsLater)
    }
  }

  private func end(_ job: RunningJob, isStopped: Bool) {
    jobs.removeAll { $0.id == job.id }
    if job.kind.hasDraft, message?.text == job.refusal { message = nil }
    job.end(self, isStopped)
  }

  /// Stops a job; one that ends later tells by its last event what it did.
  func cancelJob(_ id: JobID) {
    ask(.cancel(id))
    guard let job = jobs.first(where: { $0.id == id }), !job.kind.endsLater else { return }
    end(job, isStopped: true)
  }

  /// Takes a commit back that waits for the writer's lock; false where it has begun.
  func withdrawCommit() -> Bool {
    for job in jobs {
      guard case .commit(let turn) = job.kind else { continue }
      guard turn.withdraw() else { return false }
      ask(.cancel(job.id))
      end(job, isStopped: true)
    }
    return true
  }

  func cancelAllJobs() {
    let stopped = jobs.filter(\.kind.canStop)
    guard !stopped.isEmpty else {
      if let job = shownJob { say("\(job.title) cannot be stopped") }
      return
    }
    let verb = stopped.contains(where: \.kind.endsLater) ? "Stopping" : "Stopped"
    say("\(verb): \(stopped.map(\.title).joined(separator: ", "))")
    for job in stopped { cancelJob(job.id) }
  }

  func cancelJobs(where isWanted: (JobKind) -> Bool) {
    for job in jobs where isWanted(job.kind) { cancelJob(job.id) }
  }

  /// The newest job that the screen tells of.
  var shownJob: RunningJob? { jobs.last { !$0.kind.isUrgent } }
}
