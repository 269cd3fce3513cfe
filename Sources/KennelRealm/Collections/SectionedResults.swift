// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation
import KennelCore

/// The common protocol of sectioned results and their sections.
///
/// ```swift
/// func describe(_ result: some RealmSectionedResult) -> String { "\(result.count) elements" }
/// let sections = realm.objects(Ship.self).sectioned(by: \.tons)
/// print(describe(sections), describe(sections[0]))
/// ```
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined
where Index == Int {}

extension RealmSectionedResult {
  /// The first position.
  public var startIndex: Int { 0 }

  /// The position after the last.
  public var endIndex: Int { count }
}

/// The elements of a collection, grouped into sections by a key.
///
/// ```swift
/// for section in realm.objects(Ship.self).sectioned(by: \.tons) {
///   print(section.key, section.map(\.name))
/// }
/// ```
///
/// They are live. The elements are sorted; sections are in the order of their first elements.
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

  /// Whether the sections can no longer be used.
  public var isInvalidated: Bool { sectioning.results.isInvalidated }

  /// The number of sections.
  public var count: Int { sectioning.sections.keys.count }

  /// The keys of the sections, in order.
  public var allKeys: [Key] { sectioning.sections.keys }

  /// Returns the section at a position.
  public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
    let keys = sectioning.sections.keys
    requirePosition(position, below: keys.count)
    return ResultsSection(sectioning, keys[position])
  }

  /// Returns the element at a position in a section.
  public subscript(indexPath: IndexPath) -> SectionElement {
    self[indexPath.section][indexPath.item]
  }

  /// Returns a frozen copy, for any thread.
  ///
  /// - Returns: The frozen sections, or these sections if they are already frozen.
  public func freeze() -> SectionedResults {
    SectionedResults(Sectioning(sectioning.results.freeze(), sectioning.key))
  }

  /// Returns the live sections of frozen ones, on this thread.
  ///
  /// - Returns: The live sections; `nil` if the object that has the collection was deleted.
  public func thaw() -> SectionedResults? {
    sectioning.results.thaw().map { SectionedResults(Sectioning($0, sectioning.key)) }
  }

  /// Returns whether both are the same sections.
  public static func == (left: SectionedResults, right: SectionedResults) -> Bool {
    left.sectioning === right.sectioning
  }
}

/// The elements of a collection with a common key.
///
/// ```swift
/// for section in realm.objects(Ship.self).sectioned(by: \.tons) {
///   print(section.key, section.map(\.name))
/// }
/// ```
///
/// It is live, and empty while no element has the key.
public struct ResultsSection<Key: _Persistable & Hashable, Element: RealmCollectionValue>:
  RealmSectionedResult, Identifiable
{
  /// A position in the section.
  public typealias Index = Int

  internal let sectioning: Sectioning<Key, Element>
  /// The common key of the elements.
  public let key: Key

  internal init(_ sectioning: Sectioning<Key, Element>, _ key: Key) {
    self.sectioning = sectioning
    self.key = key
  }

  /// The key.
  public var id: Key { key }

  /// The realm.
  public var realm: Realm? { sectioning.results.realm }

  /// Whether the collection can no longer be used.
  public var isInvalidated: Bool { sectioning.results.isInvalidated }

  private var positions: [Int] { sectioning.sections.positions[key] ?? [] }

  /// The number of elements.
  public var count: Int { positions.count }

  /// Returns the element at a position.
  public subscript(position: Int) -> Element {
    let positions = positions
    requirePosition(position, below: positions.count)
    return sectioning.results[positions[position]]
  }

  /// Returns a frozen copy, for any thread.
  ///
  /// - Returns: The frozen section, or this section if it is already frozen.
  public func freeze() -> ResultsSection {
    ResultsSection(Sectioning(sectioning.results.freeze(), sectioning.key), key)
  }

  /// Returns the live section of a frozen one, on this thread.
  ///
  /// - Returns: The live section; `nil` if the object that has the collection was deleted.
  public func thaw() -> ResultsSection? {
    sectioning.results.thaw().map { ResultsSection(Sectioning($0, sectioning.key), key) }
  }

  /// Returns whether both have the same key in the same sections.
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
  /// Returns the elements in sections, sorted by properties.
  ///
  /// - Parameters:
  ///   - block: Returns the key of an element.
  ///   - sortDescriptors: The sort order; it should begin with the key.
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

  /// Returns the values in sections, sorted by value.
  ///
  /// - Parameters:
  ///   - block: Returns the key of a value.
  ///   - ascending: Whether the smallest value sorts first.
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

extension RealmCollection where Element: KeypathSortable {
  /// Returns the objects in sections, sorted by a property.
  ///
  /// - Parameters:
  ///   - keyPath: The key of an object: a property, or a value computed from one.
  ///   - ascending: Whether the smallest value sorts first.
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

  /// Returns the objects in sections, sorted by properties.
  ///
  /// - Parameters:
  ///   - keyPath: The key of an object.
  ///   - sortDescriptors: The sort order.
  /// - Returns: The sections.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>,
    sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }
}
