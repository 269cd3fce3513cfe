import KennelCore
import Synchronization

/// What was done to a list, in the order of the calls.
internal enum ListChange {
  /// Elements came; their positions afterwards.
  case insert(Range<Int>)
  case remove(Int)
  case removeAll
  case set(Int)
  case move(from: Int, to: Int)
  /// More than is worth following.
  case many
}

/// A list of a file.
internal struct ListPlace: Hashable {
  let object: ObjectIdentity
  let property: PropertyKey
}

/// What the program did to the lists of a file in its last commits.
///
/// Two states of a list do not tell whether elements were set or removed and inserted; those who
/// observe lists are told what was done. What others did to the file is not known here: then the
/// states are compared.
internal final class ListLog: Sendable {
  typealias Changes = [ListPlace: [ListChange]]

  private struct State {
    var observers = 0
    /// The changes by the commit that they were made after.
    var commits: [Int: Changes] = [:]
  }

  private let state = Mutex(State())
  private static let remembered = 100

  func addObserver() { state.withLock { $0.observers += 1 } }

  func removeObserver() {
    state.withLock { state in
      state.observers -= 1
      if state.observers == 0 { state.commits = [:] }
    }
  }

  /// An empty list of changes where somebody wants to know them.
  var begun: Changes? { state.withLock { $0.observers > 0 ? [:] : nil } }

  /// Keeps what a commit did; to be called while no other commit can be made.
  func note(_ changes: Changes?, after commit: Int) {
    state.withLock { state in
      state.commits[commit] = changes
      if commit > Self.remembered, state.commits.count > Self.remembered {
        state.commits = state.commits.filter { $0.key > commit - Self.remembered }
      }
    }
  }

  /// What was done to a list between two commits; `nil` if it is not known.
  func changes(of place: ListPlace, from old: Int, to new: Int) -> [ListChange]? {
    state.withLock { state in
      var changes: [ListChange] = []
      for commit in old..<new {
        guard let known = state.commits[commit] else { return nil }
        changes += known[place] ?? []
      }
      return changes
    }
  }
}

extension ManagedPlace {
  /// Notes a change for those who observe the list.
  func note(_ change: @autoclosure () -> ListChange) {
    guard context.listChanges != nil, path == nil else { return }
    context.note(change(), of: ListPlace(object: identity, property: key))
  }
}

extension RealmContext {
  fileprivate func note(_ change: ListChange, of place: ListPlace) {
    var changes = listChanges?.removeValue(forKey: place) ?? []
    switch (changes.last, change) {
    case (.many?, _): break
    case (.insert(let before)?, .insert(let range)) where before.upperBound == range.lowerBound:
      changes[changes.count - 1] = .insert(before.lowerBound..<range.upperBound)
    default: changes.append(changes.count < 1000 ? change : .many)
    }
    listChanges?[place] = changes
  }
}

extension CollectionChanges {
  /// What was done to a list, as positions; `nil` if that does not lead from one state to the
  /// other.
  ///
  /// - Parameters:
  ///   - log: What was done.
  ///   - old: The elements before.
  ///   - new: The elements after.
  ///   - isModified: Whether an element that stayed has other values.
  init?<Element: Equatable>(
    _ log: [ListChange],
    _ old: [Element],
    _ new: [Element],
    isModified: (Element) -> Bool
  ) {
    guard let traces = Self.traces(log, old.count), traces.count == new.count else { return nil }
    var stayed: Set<Int> = []
    for (position, trace) in traces.enumerated() {
      guard let origin = trace.origin else {
        insertions.append(position)
        continue
      }
      stayed.insert(origin)
      if trace.isSet || isModified(new[position]) { modifications.append(position) }
      if !trace.isSet, old[origin] != new[position] { return nil }
    }
    deletions = old.indices.filter { !stayed.contains($0) }
  }

  /// Where an element comes from.
  private struct Trace {
    /// Its position before; `nil` for one that was not there.
    var origin: Int?
    var isSet = false
  }

  private static func traces(_ log: [ListChange], _ count: Int) -> [Trace]? {
    var traces = (0..<count).map { Trace(origin: $0) }
    for change in log {
      switch change {
      case .insert(let range):
        guard range.lowerBound <= traces.count else { return nil }
        traces.insert(contentsOf: range.map { _ in Trace() }, at: range.lowerBound)
      case .remove(let position):
        guard position < traces.count else { return nil }
        traces.remove(at: position)
      case .removeAll: traces = []
      case .set(let position):
        guard position < traces.count else { return nil }
        traces[position].isSet = true
      case .move(let from, let to):
        guard from < traces.count, to < traces.count else { return nil }
        traces.remove(at: from)
        traces.insert(Trace(), at: to)
      case .many: return nil
      }
    }
    return traces
  }
}
