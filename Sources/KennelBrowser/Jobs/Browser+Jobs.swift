internal import KennelCore

extension Browser {
  /// Starts work on a snapshot of its own.
  @discardableResult
  func start(
    _ title: String,
    _ purpose: RunningJob.Purpose,
    _ work: @escaping @Sendable (Snapshot, JobContext) throws(DatabaseError) -> JobResult
  ) -> JobID? {
    guard let snapshot = model.detached() else { return nil }
    return launch(title, purpose) { context throws(DatabaseError) in try work(snapshot, context) }
  }

  /// Starts work that needs no snapshot.
  func launch(
    _ title: String,
    _ purpose: RunningJob.Purpose,
    _ work: @escaping @Sendable (JobContext) throws(DatabaseError) -> JobResult
  ) -> JobID {
    let id = JobID(newNumber())
    jobs.append(RunningJob(id: id, title: title, purpose: purpose))
    let job = Job(id: id, title: title) { context in
      do throws(DatabaseError) {
        return try work(context)
      } catch {
        return JobResult.failure(error.message)
      }
    }
    ask(.run(job))
    return id
  }

  func receive(_ event: JobEvent) {
    if event.id == keeping.job { return finishKeeping(event) }
    guard let index = jobs.firstIndex(where: { $0.id == event.id }) else { return }
    let job = jobs[index]
    // Nobody looks any more; what has changed the draft counts.
    if isEnding, !job.hasDraft { return }
    switch event {
    case .progress(_, let progress):
      jobs[index].progress = progress.fraction
    case .cancelled:
      jobs.remove(at: index)
      forget(job)
      // Who ends the program stops all jobs; what a commit did by then is done.
      if case .store = job.purpose { worldChanged() }
      if case .copy(let outcome) = job.purpose {
        say(outcome.isWritten ? "Saved in \(outcome.path)" : "No copy is made")
      }
    case .finished(_, let result):
      jobs.remove(at: index)
      guard let result = result as? JobResult else {
        forget(job)
        return
      }
      finish(job, result)
    }
  }

  private func finish(_ job: RunningJob, _ result: JobResult) {
    if case .failure(let text) = result {
      forget(job)
      switch job.purpose {
      case .commit, .store:
        worldChanged()
        showError(text)
      case .copy, .delete, .step: showError(text)
      default: showError("\(job.title): \(text)")
      }
      return
    }
    switch (job.purpose, result) {
    case (.rows(let table, let definition), .keys(let keys, let generation)):
      let result = ResultKeys(keys, generation: generation)
      history.updateTable(table) { $0.take(result, for: definition, in: model) }
      if message?.text == Self.notFoundYet { message = nil }
      settleQuietly()
      renewResult()
    case (.find(let text, let searched), .place(let place)):
      if SearchedView(view.main) == searched { show(place, text) }
    case (.pick, .keys(let keys, _)):
      guard case .picker(var picker) = overlay, picker.job == job.id else { return }
      picker.found = keys
      picker.cursor = keys.first
      picker.job = nil
      overlay = .picker(picker)
    case (.count(let text), .count(let count)):
      guard case .prompt(let prompt) = overlay, prompt.line.text == text else { return }
      say("\(count) found; Enter shows them")
    case (.commit, .transaction(let transaction)):
      forget(job)
      store(in: transaction)
    case (.store, .outcome(let outcome)):
      forget(job)
      finishCommit(outcome)
    case (.plan(let deletion), .radius(let radius)):
      guard case .planning(job.id) = overlay else { return }
      overlay = nil
      ask(deletion, radius)
    case (.delete(let deletion), .grown(let radius)):
      takeBackDraft(deletion)
      ask(deletion, radius)
      showError("Another program committed: now it takes this with it")
    case (.delete(let deletion), _):
      takeBackDraft(deletion)
    case (.step(let finish), .step(let found)):
      if message?.text == job.refusal { message = nil }
      finish(self, found)
    case (.copy(let outcome), .done):
      say("Saved in \(outcome.path)")
    default:
      break
    }
  }

  /// Takes back what a job that was stopped was for.
  private func forget(_ job: RunningJob) {
    if case .rows(let table, _) = job.purpose {
      history.updateTable(table) { $0.pending = nil }
    }
    if case .picker(var picker) = overlay, picker.job == job.id {
      picker.job = nil
      overlay = .picker(picker)
    }
    if case .waiting(job.id) = overlay { overlay = nil }
    if case .committing(job.id) = overlay { overlay = nil }
    if case .planning(job.id) = overlay { overlay = nil }
    if case .delete(let deletion) = job.purpose { takeBackDraft(deletion) }
    if case .store = job.purpose { model.returnDraft() }
    if case .step = job.purpose {
      model.returnDraft()
      worldChanged()
    }
  }

  private func settleQuietly() {
    let before = message
    settle()
    if message == nil { message = before }
  }

  func cancelJob(_ id: JobID) {
    ask(.cancel(id))
    guard let index = jobs.firstIndex(where: { $0.id == id }) else { return }
    // The draft, or what became of a copy, comes with the job's last event.
    if jobs[index].endsLater { return }
    let job = jobs.remove(at: index)
    forget(job)
  }

  func cancelAllJobs() {
    let jobs = jobs.filter(\.canStop)
    guard !jobs.isEmpty else {
      if let job = self.jobs.last { say("\(job.title) cannot be stopped") }
      return
    }
    let verb = jobs.contains(where: \.endsLater) ? "Stopping" : "Stopped"
    say("\(verb): \(jobs.map(\.title).joined(separator: ", "))")
    for job in jobs { cancelJob(job.id) }
  }

  /// Stops the jobs of a kind, before another of the same kind begins.
  func cancelJobs(where isOld: (RunningJob.Purpose) -> Bool) {
    for job in jobs where isOld(job.purpose) { cancelJob(job.id) }
  }
}

extension TableState {
  /// Shows what a job found.
  mutating func take(_ result: ResultKeys, for definition: TableDefinition, in model: BrowserModel)
  {
    pending = nil
    let isOther = definition != self.definition
    self.definition = definition
    self.result = result
    guard let cursor else {
      self.cursor = result.keys.first
      return
    }
    let rows = rows(in: model)
    if rows.contains(cursor, hint: cursorHint) {
      cursorHint = rows.position(of: cursor, hint: cursorHint) ?? 0
    } else if isOther {
      self.cursor = result.keys.first
      cursorHint = 0
    }
    if let top, !rows.contains(top, hint: topHint) { self.top = nil }
  }
}
