// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation
import KennelCore

/// A change of sectioned results, or of one section.
///
/// ```swift
/// let token = realm.objects(Ship.self).sectioned(by: \.tons).observe { change in
///   if case .update(let sections, _, _, _, _, _) = change { print(sections.count) }
/// }
/// token.invalidate()
/// ```
public enum SectionedResultsChange<Collection> {
  /// The initial state of the sections.
  case initial(Collection)
  /// The sections changed.
  ///
  /// `deletions` are positions in the old sections, without those of deleted sections; `insertions`
  /// are positions in the new ones. A modified element is in `modifications` if its position is the
  /// same, otherwise in `deletions` and `insertions`.
  case update(
    Collection,
    deletions: [IndexPath],
    insertions: [IndexPath],
    modifications: [IndexPath],
    sectionsToInsert: IndexSet,
    sectionsToDelete: IndexSet
  )
}

/// A sectioned collection that can be observed.
internal protocol ObservableSections: RealmSectionedResult {
  associatedtype Key: _Persistable & Hashable
  associatedtype SectionElement: RealmCollectionValue
  var sectioning: Sectioning<Key, SectionElement> { get }
  /// The section that is observed; `nil` for all.
  var observedKey: Key? { get }
  /// The same on another sectioning.
  func with(_ sectioning: Sectioning<Key, SectionElement>) -> Self
}

extension SectionedResults: ObservableSections {
  var observedKey: Key? { nil }
  func with(_ sectioning: Sectioning<Key, SectionElement>) -> SectionedResults {
    SectionedResults(sectioning)
  }
}

extension ResultsSection: ObservableSections {
  typealias SectionElement = Element
  var observedKey: Key? { key }
  func with(_ sectioning: Sectioning<Key, Element>) -> ResultsSection {
    ResultsSection(sectioning, key)
  }
}

extension ObservableSections {
  fileprivate func observe(
    _ observation: _Observation,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let results = sectioning.results
    return results.observe(
      observation,
      failed: { _ in },
      make: { moved, paths in
        let sections = moved == results ? self : with(Sectioning(moved, sectioning.key))
        return SectionsObserver(sections, paths, block)
      }
    )
  }
}

/// Notifies of the changes of sectioned results or of one section.
private final class SectionsObserver<S: ObservableSections>: ChangeObserver {
  private let sections: S
  private let paths: [[String]]?
  private let block: (SectionedResultsChange<S>) -> Void
  private var state = State()

  /// The sections at a time: of each the key and what its elements are.
  private struct State {
    var keys: [S.Key] = []
    var elements: [S.Key: [StoredValue]] = [:]
  }

  init(
    _ sections: S,
    _ paths: [[String]]?,
    _ block: @escaping (SectionedResultsChange<S>) -> Void
  ) {
    self.sections = sections
    self.paths = paths
    self.block = block
  }

  private var current: State {
    let results = sections.sectioning.results
    if results.isInvalidated { return State() }
    let found = results.source.elements()
    let sections = sections.sectioning.sections
    return State(
      keys: sections.keys,
      elements: sections.positions.mapValues { $0.map(found.value) }
    )
  }

  override func deliverInitial(_ context: RealmContext) {
    state = current
    block(.initial(sections))
  }

  override func recordState(_ context: RealmContext) { state = current }

  override func deliver(_ context: RealmContext, _ changes: ChangeSet) {
    let old = state
    let new = current
    state = new
    var difference = SectionsDifference()
    let classKey = sections.sectioning.results.source.classKey
    let modified = context.modified(classKey, paths, changes)
    let isObserved = { [sections] (key: S.Key) in sections.observedKey.map { $0 == key } ?? true }
    let newPositions = Dictionary(uniqueKeysWithValues: new.keys.enumerated().map { ($1, $0) })
    for (section, key) in old.keys.enumerated() where isObserved(key) {
      if let position = newPositions[key] {
        difference.compare(
          old.elements[key] ?? [],
          at: section,
          new.elements[key] ?? [],
          at: position,
          modified
        )
      } else {
        difference.deletedSections.insert(section)
      }
    }
    for (section, key) in new.keys.enumerated()
    where isObserved(key) && old.elements[key] == nil {
      difference.insert(section, new.elements[key]?.count ?? 0)
    }
    if difference.isEmpty { return }
    block(difference.change(of: sections))
  }
}

/// The differences between two states of sections.
private struct SectionsDifference {
  var deletions: [IndexPath] = []
  var insertions: [IndexPath] = []
  var modifications: [IndexPath] = []
  var insertedSections = IndexSet()
  var deletedSections = IndexSet()

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && insertedSections.isEmpty
      && deletedSections.isEmpty
  }

  /// A section that was not there, with all its elements.
  mutating func insert(_ section: Int, _ count: Int) {
    insertedSections.insert(section)
    insertions += (0..<count).map { IndexPath(item: $0, section: section) }
  }

  /// A section that was there before, perhaps elsewhere.
  mutating func compare(
    _ old: [StoredValue],
    at oldSection: Int,
    _ new: [StoredValue],
    at newSection: Int,
    _ modified: Set<ObjectKey>
  ) {
    let changes = CollectionChanges(exact: old, new)
    var deleted = Set(changes.deletions)
    var inserted = Set(changes.insertions)
    let stayed = zip(
      old.indices.filter { !deleted.contains($0) },
      new.indices.filter { !inserted.contains($0) }
    )
    for (before, after) in Array(stayed) {
      guard case .link(let object) = new[after], modified.contains(object.key) else { continue }
      if oldSection == newSection, before == after {
        modifications.append(IndexPath(item: after, section: newSection))
      } else {
        deleted.insert(before)
        inserted.insert(after)
      }
    }
    deletions += deleted.sorted().map { IndexPath(item: $0, section: oldSection) }
    insertions += inserted.sorted().map { IndexPath(item: $0, section: newSection) }
  }

  func change<C>(of collection: C) -> SectionedResultsChange<C> {
    .update(
      collection,
      deletions: deletions.sorted(),
      insertions: insertions.sorted(),
      modifications: modifications.sorted(),
      sectionsToInsert: insertedSections,
      sectionsToDelete: deletedSections
    )
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SectionedResults: _Observable {
  public typealias _Observed = SectionElement

  public func _observe(
    _ observation: _Observation,
    _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken { observe(observation, block) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ResultsSection: _Observable {
  public typealias _Observed = Element

  public func _observe(
    _ observation: _Observation,
    _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken { observe(observation, block) }
}
