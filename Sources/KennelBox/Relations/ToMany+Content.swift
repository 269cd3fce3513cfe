extension ToMany {
  /// The objects that were read, with the changes; it is used with the lock of the relation held.
  ///
  /// It is an object of its own, so that a relation that nobody asks for is small.
  @usableFromInline
  final class Content {
    @usableFromInline var elements: [S]
    /// Objects that ``applyToDb()`` adds and removes; of a relation without a store, it adds all elements.
    @usableFromInline var added: [S] = []
    @usableFromInline var removed: [S] = []
    /// How many threads write changes that they took.
    var writes = 0
    /// How often the elements changed.
    @usableFromInline private(set) var changeCount = 0

    @usableFromInline
    init(_ elements: [S]) { self.elements = elements }

    /// Whether the database lacks a change, or is about to get it.
    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || writes > 0 }

    /// Replaces a range of the elements, and returns what was there.
    @inlinable
    func replace(_ range: Range<Int>, with new: some Collection<S>, isNoted: Bool) -> [S] {
      let leaving = Array(elements[range])
      if isNoted {
        if leaving.isEmpty, removed.isEmpty {
          added.append(contentsOf: new)
        } else {
          note(leaving: leaving, entering: Array(new))
        }
      }
      elements.replaceSubrange(range, with: new)
      changeCount &+= 1
      return leaving
    }

    /// Notes which objects left the relation and which came into it.
    @usableFromInline
    func note(leaving: [S], entering: [S]) {
      if entering.isEmpty, leaving.count == 1 || added.isEmpty, let object = leaving.first {
        // One by one from an end, or none of the added ones: nothing is to be searched.
        if added.isEmpty { return removed.append(contentsOf: leaving) }
        if ObjectBag.isSame(object, added.last) {
          added.removeLast()
          return
        }
        if ObjectBag.isSame(object, added.first) {
          added.removeFirst()
          return
        }
      }
      var leaving = ObjectBag(leaving)
      var unlinked = ObjectBag(removed)
      for object in entering where leaving.take(object) == nil {
        if unlinked.take(object) == nil { added.append(object) }
      }
      removed = unlinked.objects
      var linked = ObjectBag(added)
      for object in leaving.objects where linked.take(object) == nil { removed.append(object) }
      added = linked.objects
    }

    /// Changes that a thread took to write them.
    @usableFromInline
    struct Changes {
      let content: Content
      @usableFromInline let added: [S]
      @usableFromInline let removed: [S]
      /// What removes the ids that objects got when the changes were written, if nothing is committed.
      @usableFromInline var newTargets: [() -> Void] = []
    }

    func takeChanges() -> Changes? {
      guard !added.isEmpty || !removed.isEmpty else { return nil }
      defer {
        added = []
        removed = []
        writes += 1
      }
      return Changes(content: self, added: added, removed: removed)
    }

    /// Makes changes that were not written pending again, before those that were made meanwhile.
    func putBack(_ changes: Changes) {
      writes -= 1
      var unlinked = ObjectBag(removed)
      var linked = ObjectBag(added)
      let unwritten = changes.added.filter { unlinked.take($0) == nil }
      let kept = changes.removed.filter { linked.take($0) == nil }
      added = unwritten + linked.objects
      removed = kept + unlinked.objects
    }
  }
}

/// Objects in their order, found as instances or by their id.
///
/// Another thread may put an object, and so give it an id, while it is in a bag.
struct ObjectBag<S: EntityInspectable> where S == S.EntityBindingType.EntityType {
  private enum Reference: Hashable {
    case id(Id)
    case instance(ObjectIdentifier)
  }

  private var slots: [S?]
  private var positions: [Reference: [Int]] = [:]

  init(_ objects: some Sequence<S>) {
    slots = objects.map(Optional.some)
    for (position, object) in slots.enumerated() {
      guard let object else { continue }
      for reference in Self.references(object) {
        positions[reference, default: []].append(position)
      }
    }
  }

  var objects: [S] { slots.compactMap(\.self) }

  /// Takes an object out; `nil` if it is not in.
  mutating func take(_ object: S) -> S? {
    guard !positions.isEmpty else { return nil }
    for reference in Self.references(object) {
      while let position = positions[reference]?.popLast() {
        // It may have been taken by its other reference.
        guard let found = slots[position] else { continue }
        slots[position] = nil
        return found
      }
    }
    return nil
  }

  static func isSame(_ object: S, _ other: S?) -> Bool {
    guard let other else { return false }
    if S.self is AnyObject.Type, (object as AnyObject) === (other as AnyObject) { return true }
    let id = S.entityBinding.id(of: object)
    return id != 0 && id == S.entityBinding.id(of: other)
  }

  /// The instance, and the id where there is one; a structure that was never put has none.
  private static func references(_ object: S) -> [Reference] {
    let id = S.entityBinding.id(of: object)
    let byId = id == 0 ? [] : [Reference.id(id)]
    guard S.self is AnyObject.Type else { return byId }
    return [.instance(ObjectIdentifier(object as AnyObject))] + byId
  }
}
