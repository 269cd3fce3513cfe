internal import KennelCore

/// The line of a filter: its mistakes, what it leaves, and what may come next.
extension PromptDialog {
  /// Reads the filter, and has a job count what it leaves.
  mutating func checkFilter(_ classKey: ClassKey, in browser: Browser) {
    let text = line.text
    Jobs(browser).cancel(.count)
    guard !text.trimmed.isEmpty else { return }
    do throws(PredicateError) {
      let filter = try TableActions(browser).readFilter(text, classKey)
      let meaning = filter.text == text ? "" : "\(filter.text): "
      countMatches(filter.found, classKey, meaning, in: browser)
    } catch {
      let column = Self.isOpen(text) ? line.characters.count + 1 : error.column
      problem = (Self.sentence(error, text, column), column)
    }
  }

  /// Reads an assignment.
  mutating func checkAssignment(_ classKey: ClassKey, in browser: Browser) {
    guard !line.text.trimmed.isEmpty else { return }
    do throws(PredicateError) {
      _ = try Assigning(browser).parse(line.text, classKey)
    } catch {
      problem = (error.sentence, error.column)
    }
  }

  /// Reads the path of a column.
  mutating func checkPath(_ classKey: ClassKey, in browser: Browser) {
    guard !line.text.trimmed.isEmpty else { return }
    do throws(PredicateError) {
      _ = try ValuePath(line.text, of: classKey, in: browser.model.schema)
    } catch {
      problem = (Self.sentence(error, line.text, error.column), error.column)
    }
  }

  /// Whether a text in quotes is being typed.
  private static func isOpen(_ text: String) -> Bool {
    guard let last = Predicate.pieces(of: text).last, last.kind == .unreadable else { return false }
    let first = Array(text)[last.range.lowerBound]
    return first == "\"" || first == "'" || first == "`"
  }

  /// The mistake, and what to write instead.
  private static func sentence(_ error: PredicateError, _ text: String, _ column: Int) -> String {
    // Of a line that only goes on, what comes next is all there is to say.
    if let expected = error.expected, column > text.count { return "Expected \(expected)" }
    return error.sentence
  }

  /// Has a job count what a filter leaves.
  ///
  /// - Parameters:
  ///   - predicate: The filter.
  ///   - classKey: The class.
  ///   - meaning: Says what the line means, before the count, where its dates are not written out.
  ///   - browser: The browser.
  private func countMatches(
    _ predicate: Predicate,
    _ classKey: ClassKey,
    _ meaning: String,
    in browser: Browser
  ) {
    let text = line.text
    Jobs(browser).launch(
      "Counting",
      .reading(.count),
      reading: { snapshot, context throws(DatabaseError) in
        try snapshot.count(of: classKey, where: predicate, progress: QueryProgress(of: context))
      },
      finish: { browser, count in
        browser.updateDialog(PromptDialog.self) { prompt in
          if prompt.line.text == text { prompt.note = "\(meaning)\(count) found; Enter shows them" }
        }
      }
    )
  }

  /// Stops what was begun for the line.
  func cancelJobs(in browser: Browser) {
    Jobs(browser).cancel(.count)
    Jobs(browser).cancel(.values)
  }

  // MARK: - Completing

  /// Completes the line at the cursor; has a job look for the values where they are not known yet.
  mutating func completions(in browser: Browser) -> [Candidate] {
    let classKey: ClassKey
    var isPath = false
    switch kind.syntax {
    case .filter(let key): classKey = key
    case .path(let key), .paths(let key), .assignment(let key):
      classKey = key
      isPath = true
    case .queryName:
      let whole = 0..<line.characters.count
      return Candidate.found(SavedQueries(browser).candidates, by: line.text).filter {
        $0.text != line.text
      }.map { $0.placed(at: whole) }
    case .text, .search, .regularExpression: return []
    }
    let known = values
    let completion = FilterCompletion(
      of: line,
      classKey,
      in: browser.model.schema,
      now: browser.settings.now(),
      values: { known[$0] ?? [] }
    )
    if let property = completion.valued, values[property] == nil {
      values[property] = []
      findValues(of: property, in: browser)
    }
    return completion.candidates.filter { !isPath || $0.kind == .property }
  }

  private func findValues(of property: ValuedProperty, in browser: Browser) {
    let search = FrequentValueSearch(property: property)
    Jobs(browser).launch(
      "Looking at values",
      .reading(.values),
      reading: search.run,
      finish: { browser, found in
        browser.updateDialog(PromptDialog.self) { prompt in
          prompt.values[property] = found
          if prompt.list.choice == nil { prompt.showList(in: browser) }
        }
      },
      abandon: { browser in
        browser.updateDialog(PromptDialog.self) { $0.values[property] = nil }
      }
    )
  }
}
