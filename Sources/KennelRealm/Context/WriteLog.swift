import KennelCore
import Synchronization

/// A change of a property, in the order of the calls.
internal enum LoggedWrite {
  /// A value was assigned, which may be equal to the one before.
  case assign
  /// The value under a key of a map was assigned or removed.
  case entry(String)
  /// Elements came; their positions afterwards.
  case insert(Range<Int>)
  case remove(Int)
  case removeAll
  case set(Int)
  case move(from: Int, to: Int)
  /// An update that is to set what differs: only the states tell what it did.
  case update
  /// More than is worth following.
  case many
}

/// A property of an object of a file.
internal struct LoggedPlace: Hashable {
  let object: ObjectIdentity
  let property: PropertyKey
}

/// The changes of observed properties in the last commits of the program.
///
/// Two states do not tell that a value was assigned which was there before, nor whether the elements of
/// a list were set or removed and inserted; those who observe are told what was done, as in Realm. What
/// others did to the file is not known here: then the states are compared.
internal final class WriteLog: Sendable {
  typealias Writes = [LoggedPlace: [LoggedWrite]]

  private struct State {
    var observers = 0
    /// The writes by the commit that they were made after.
    var commits: [Int: Writes] = [:]
  }

  private let state = Mutex(State())
  private static let remembered = 100
  /// A transaction that writes to more properties is not followed.
  fileprivate static let mostPlaces = 100_000

  func addObserver() { state.withLock { $0.observers += 1 } }

  func removeObserver() {
    state.withLock { state in
      state.observers -= 1
      if state.observers == 0 { state.commits = [:] }
    }
  }

  /// No writes yet, where somebody wants to know them.
  var begun: Writes? { state.withLock { $0.observers > 0 ? [:] : nil } }

  /// Keeps what a commit did; to be called while no other commit can be made.
  func note(_ writes: Writes?, after commit: Int) {
    state.withLock { state in
      state.commits[commit] = writes
      if commit > Self.remembered, state.commits.count > Self.remembered {
        state.commits = state.commits.filter { $0.key > commit - Self.remembered }
      }
    }
  }

  /// Returns the changes of a property between two commits; `nil` if they are not known.
  func writes(to place: LoggedPlace, from old: Int, to new: Int) -> [LoggedWrite]? {
    state.withLock { state in
      var writes: [LoggedWrite] = []
      for commit in old..<new {
        guard let known = state.commits[commit] else { return nil }
        writes += known[place] ?? []
      }
      return writes
    }
  }

  /// The properties that were written to between two commits, as far as it is known, by object.
  func written(from old: Int, to new: Int) -> [ObjectIdentity: Set<PropertyKey>] {
    state.withLock { state in
      var written: [ObjectIdentity: Set<PropertyKey>] = [:]
      for (place, writes) in (old..<new).compactMap({ state.commits[$0] }).joined() {
        let isUpdate = writes.allSatisfy { if case .update = $0 { true } else { false } }
        if !isUpdate { written[place.object, default: []].insert(place.property) }
      }
      return written
    }
  }
}

extension RealmContext {
  /// Notes an assignment.
  internal func noteAssignment(_ object: ObjectIdentity, _ key: PropertyKey) {
    if writes == nil || adding.isNew { return }
    note(.assign, LoggedPlace(object: object, property: key))
  }

  internal func note(_ write: LoggedWrite, _ place: LoggedPlace) {
    let write = adding.policy == .modified ? .update : write
    var known = writes?.removeValue(forKey: place) ?? []
    switch (known.last, write) {
    case (.many?, _), (.assign?, .assign), (.update?, .update): break
    case (.insert(let before)?, .insert(let range)) where before.upperBound == range.lowerBound:
      known[known.count - 1] = .insert(before.lowerBound..<range.upperBound)
    case (nil, _), (.assign?, _), (.entry?, _), (.insert?, _), (.remove?, _), (.removeAll?, _),
      (.set?, _), (.move?, _), (.update?, _):
      known.append(known.count < 1000 ? write : .many)
    }
    writes?[place] = known
    if writes?.count ?? 0 > WriteLog.mostPlaces { writes = nil }
  }
}

extension CollectionChanges {
  /// Replays the changes of a list, as positions; `nil` if they do not lead from one state to the
  /// other.
  ///
  /// - Parameters:
  ///   - log: What was done.
  ///   - old: The elements before.
  ///   - new: The elements after.
  ///   - isModified: Whether an element that stayed has other values.
  init?<Element: Equatable>(
    _ log: [LoggedWrite],
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

  private static func traces(_ log: [LoggedWrite], _ count: Int) -> [Trace]? {
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
      case .assign, .entry, .update, .many: return nil
      }
    }
    return traces
  }
}
