@_spi(Faces) public import KennelCore

/// A list, set or map, with what is needed to read its elements from where they are stored.
public class CollectionHost: AccessorHost {
  /// Where the collection is stored; `nil` while it is unmanaged.
  ///
  /// Safe to use without checks for exclusive access, as the properties of ``AccessorHost``.
  @safe @exclusivity(unchecked) internal final var place: ManagedPlace?
  /// Where to note what is read; see ``ObjectBase``.
  internal final var recorder: PathRecorder?

  /// Whether elements are in a realm, or noted by a recorder: they are not kept here.
  @usableFromInline internal final var isElsewhere: Bool { place != nil || recorder != nil }

  /// The realm; `nil` if the collection is unmanaged.
  public final var realm: Realm? { place.map { Realm($0.context) } }

  /// Whether the object that has the collection was deleted, or the realm was invalidated.
  public final var isInvalidated: Bool { place.map { !$0.isValid } ?? false }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation, NoLeadingUnderscores
  public final var _source: ResultsSource {
    guard let place else {
      throwRealmException(
        "This method may only be called on \(kind) instances of objects of a Realm: add the object "
          + "first"
      )
    }
    return ResultsSource(place.context, .collection(place))
  }

  /// The name of the type without that of its elements.
  private final var kind: String { String("\(type(of: self))".prefix { $0 != "<" }) }

  /// The stored collection that is to be changed, after checks; `nil` for an unmanaged one.
  internal final func writable() -> ManagedPlace? {
    place?.requireWritable(kind)
    return place
  }

  internal final func keep(by object: ObjectBase, _ key: PropertyKey) {
    object.keep(self, Int(key.rawValue))
  }

  /// Connects the collection to what is stored.
  @usableFromInline
  internal final func attach(stored object: ObjectBase, _ key: PropertyKey) {
    place = object.context.map { ManagedPlace(object, $0, key) }
  }

  internal final override func renew(_ key: ObjectKey, _ age: UInt64) { place?.renew(key, age) }

  /// Gets ready to hand out elements, where they are objects of exactly the wanted class.
  internal final func prepare(for type: Any.Type) {
    guard !isWalkable, let place, place.links != nil, !place.context.isFrozen,
      let target = place.context.view.schema[place.identity.classKey]?[place.key]?.target
    else { return }
    prepare(place.context, target, for: type)
  }

  internal final override func begin(
    _ keys: inout ObjectWalk.Keys,
    _ rest: inout [ObjectWalk.Rest]
  ) -> Int {
    beginWalk()
    let count = withLinks { object, links, snapshot in
      snapshot.copyTargets(of: object, links, into: &keys)
    }
    if let count, count <= 8 { return count }
    guard case .objects(_, let all)? = place?.found else { return 0 }
    return ObjectWalk.begin(all, &keys, &rest)
  }

  /// The element at a position, as an object; `nil` if there is none.
  @usableFromInline
  internal final func element(at position: Int) -> ObjectBase? {
    let key = withLinks { owner, links, snapshot -> ObjectKey? in
      do throws(DatabaseError) {
        guard position >= 0, position < (try snapshot.count(in: owner, property: links)) else {
          return nil
        }
        return try snapshot.target(at: position, in: owner, property: links).key
      } catch {
        elementRealm?.fail(error)
        return nil
      }
    }
    return key.map { object($0) }
  }

  /// The single value under a key of a map in a mixed value, as long as that is what it was when it was
  /// asked for; `nil` where more has to be looked at.
  @usableFromInline
  internal final func unchangedValue(_ key: String) -> AnyRealmValue?? {
    guard let path = (place?.path).map(Borrowed.init),
      let realm = (place?.context).map(Borrowed.init),
      let object = place?.identity, let age = place?.age
    else { return nil }
    return realm.use { realm in
      realm.requireConfinement()
      guard realm.isCurrent(object, age), let bytes = path.use({ $0.unchanged(realm) }) else {
        return nil
      }
      guard let value = realm.attempt({ try bytes.entry(key) }) else { return .some(nil) }
      if value.isCollection { return nil }
      return .some(AnyRealmValue._decode(value, realm))
    }
  }

  /// Calls a body with the object whose links these are, where the host hands objects out.
  @inline(__always)
  private final func withLinks<Answer>(
    _ body: (ObjectIdentity, TypedProperty<[ObjectIdentity]>, DatabaseReader) -> Answer?
  ) -> Answer? {
    guard let realm = elementRealm.map(Borrowed.init), let object = place?.identity,
      let age = place?.age, let links = place?.links
    else { return nil }
    return realm.use { realm in
      realm.requireConfinement()
      if !realm.isCurrent(object, age) { place?.throwInvalidated() }
      return Borrowed(realm.shown).use { body(object, links, $0) }
    }
  }
}
