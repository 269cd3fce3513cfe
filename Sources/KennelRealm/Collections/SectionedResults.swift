// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation
import KennelCore

/// What sectioned results and their sections have in common.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined
where Index == Int {}

extension RealmSectionedResult {
  /// The first position.
  public var startIndex: Int { 0 }

  /// The position after the last.
  public var endIndex: Int { count }

  /// Whether it never changes.
  public var isFrozen: Bool { realm?.isFrozen ?? false }
}

/// The elements of a collection in sections, each with those that have a key in common.
///
/// ```swift
/// let byLetter = realm.objects(Dog.self).sectioned(by: \.firstLetter)
/// for section in byLetter {
///   print(section.key, section.map(\.name))
/// }
/// ```
///
/// They are live. The elements are sorted; a section stands where its first element does.
public struct SectionedResults<
  Key: _Persistable & Hashable,
  SectionElement: RealmCollectionValue
>: RealmSectionedResult {
  /// A section.
  public typealias Element = ResultsSection<Key, SectionElement>
  /// A position of a section.
  public typealias Index = Int

  internal let sectioning: Sectioning<Key, SectionElement>

  internal init(_ sectioning: Sectioning<Key, SectionElement>) {
    self.sectioning = sectioning
  }

  /// The realm.
  public var realm: Realm? { sectioning.results.realm }

  /// Whether they can no longer be used.
  public var isInvalidated: Bool { sectioning.results.isInvalidated }

  /// How many sections there are.
  public var count: Int { sectioning.sections.keys.count }

  /// The keys of the sections, in order.
  public var allKeys: [Key] { sectioning.sections.keys }

  /// The section at a position.
  public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
    let keys = sectioning.sections.keys
    requirePosition(position, below: keys.count)
    return ResultsSection(sectioning, keys[position])
  }

  /// The element at a position in a section.
  public subscript(indexPath: IndexPath) -> SectionElement {
    self[indexPath.section][indexPath.item]
  }

  /// They as they are now, for ever and on any thread.
  ///
  /// - Returns: The frozen sections; the sections themselves where they are frozen.
  public func freeze() -> SectionedResults {
    SectionedResults(Sectioning(sectioning.results.freeze(), sectioning.key))
  }

  /// What these frozen sections were made of, on this thread.
  ///
  /// - Returns: The live sections; `nil` where the object whose collection it was is gone.
  public func thaw() -> SectionedResults? {
    sectioning.results.thaw().map { SectionedResults(Sectioning($0, sectioning.key)) }
  }

  /// Whether both are the same sections, made once.
  public static func == (left: SectionedResults, right: SectionedResults) -> Bool {
    left.sectioning === right.sectioning
  }
}

/// The elements of a collection that have a key in common.
///
/// It is live; it is empty while no element has the key.
public struct ResultsSection<Key: _Persistable & Hashable, Element: RealmCollectionValue>:
  RealmSectionedResult, Identifiable
{
  /// A position in the section.
  public typealias Index = Int

  internal let sectioning: Sectioning<Key, Element>
  /// What the elements have in common.
  public let key: Key

  internal init(_ sectioning: Sectioning<Key, Element>, _ key: Key) {
    self.sectioning = sectioning
    self.key = key
  }

  /// The key.
  public var id: Key { key }

  /// The realm.
  public var realm: Realm? { sectioning.results.realm }

  /// Whether it can no longer be used.
  public var isInvalidated: Bool { sectioning.results.isInvalidated }

  private var positions: [Int] { sectioning.sections.positions[key] ?? [] }

  /// How many elements there are.
  public var count: Int { positions.count }

  /// The element at a position.
  public subscript(position: Int) -> Element {
    let positions = positions
    requirePosition(position, below: positions.count)
    return sectioning.results[positions[position]]
  }

  /// It as it is now, for ever and on any thread.
  ///
  /// - Returns: The frozen section; the section itself where it is frozen.
  public func freeze() -> ResultsSection {
    ResultsSection(Sectioning(sectioning.results.freeze(), sectioning.key), key)
  }

  /// What this frozen section was made of, on this thread.
  ///
  /// - Returns: The live section; `nil` where the object whose collection it was is gone.
  public func thaw() -> ResultsSection? {
    sectioning.results.thaw().map { ResultsSection(Sectioning($0, sectioning.key), key) }
  }

  /// Whether both are the section of one key of the same sections.
  public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
    left.sectioning === right.sectioning && left.key == right.key
  }
}

/// An iterator of sectioned results.
public typealias SectionedResultsIterator<Key, Element> = IndexingIterator<
  SectionedResults<Key, Element>
>
where Key: _Persistable & Hashable, Element: RealmCollectionValue

/// Puts the elements of results into sections, again whenever the realm has changed.
internal final class Sectioning<Key: Hashable, Element: RealmCollectionValue> {
  struct Sections {
    /// In the order of their first elements.
    var keys: [Key] = []
    /// The positions of the elements of each in the results.
    var positions: [Key: [Int]] = [:]
  }

  let results: Results<Element>
  let key: (Element) -> Key
  private var known = Sections()
  private var knownStamp: UInt64?

  init(_ results: Results<Element>, _ key: @escaping (Element) -> Key) {
    self.results = results
    self.key = key
  }

  var sections: Sections {
    let stamp = results.source.context.stamp
    if knownStamp == stamp, !results.isInvalidated { return known }
    var sections = Sections()
    for (position, element) in results.enumerated() {
      let key = key(element)
      if sections.positions[key] == nil { sections.keys.append(key) }
      sections.positions[key, default: []].append(position)
    }
    known = sections
    knownStamp = stamp
    return sections
  }
}

extension RealmCollection {
  /// The elements in sections, sorted as is said.
  ///
  /// - Parameters:
  ///   - block: What the elements of a section have in common.
  ///   - sortDescriptors: The properties that the elements are sorted by; what a section stands for
  ///     should come first.
  /// - Returns: The sections.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key,
    sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    if sortDescriptors.isEmpty {
      throwRealmException("There must be at least one SortDescriptor when using SectionedResults.")
    }
    return SectionedResults(Sectioning(sorted(by: sortDescriptors), block))
  }

  /// The values in sections, in their order.
  ///
  /// - Parameters:
  ///   - block: What the values of a section have in common.
  ///   - ascending: Whether the smallest value comes first.
  /// - Returns: The sections.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key,
    ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(
      by: block,
      sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)]
    )
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects in sections, in the order of a property.
  ///
  /// - Parameters:
  ///   - keyPath: What the objects of a section have in common: a property, or something computed of
  ///     one, by which they are sorted.
  ///   - ascending: Whether the smallest value comes first.
  /// - Returns: The sections.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(
      by: { $0[keyPath: keyPath] },
      sortDescriptors: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)]
    )
  }

  /// The objects in sections, sorted as is said.
  ///
  /// - Parameters:
  ///   - keyPath: What the objects of a section have in common.
  ///   - sortDescriptors: The properties that the objects are sorted by.
  /// - Returns: The sections.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }
}
