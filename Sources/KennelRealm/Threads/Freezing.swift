// swift-format-ignore-file: NoLeadingUnderscores

import Foundation
import KennelCore

extension Realm {
  /// Returns a frozen copy of the realm, for any thread.
  ///
  /// A frozen realm, its objects and collections cannot be changed or observed. While one of them
  /// exists the file keeps the pages of its commit and grows with later commits. Inside a write
  /// transaction, the copy shows the state before the transaction.
  ///
  /// - Returns: The frozen realm, or this realm if it is already frozen.
  public func freeze() -> Realm { Realm(context.freeze()) }

  /// Returns the live realm of a frozen one, on this thread.
  ///
  /// - Returns: The live realm, or this realm if it is not frozen.
  public func thaw() -> Realm { Realm(context.thaw()) }

  /// Returns a frozen copy of an object, for any thread.
  ///
  /// - Parameter object: A managed object.
  /// - Returns: The frozen object.
  public func freeze<T: ObjectBase>(_ object: T) -> T { object.freeze() }

  /// Returns the live object of a frozen one, on this thread.
  ///
  /// - Parameter object: A frozen object.
  /// - Returns: The object; `nil` if it was deleted.
  public func thaw<T: ObjectBase>(_ object: T) -> T? { object.thaw() }

  /// Returns a frozen copy of a collection, for any thread.
  ///
  /// - Parameter collection: A managed collection.
  /// - Returns: The frozen collection.
  public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection {
    collection.freeze()
  }

  /// Returns the live collection of a frozen one, on this thread.
  ///
  /// - Parameter collection: A frozen collection.
  /// - Returns: The collection; `nil` if the object that has it was deleted.
  public func thaw<Collection: RealmCollection>(_ collection: Collection) -> Collection? {
    collection.thaw()
  }
}

extension RealmContext {
  internal func freeze() -> RealmContext {
    if isFrozen { return self }
    requireConfinement()
    isRead = true
    if let frozen { return frozen }
    let snapshot = transaction == nil ? view.copy() : attempt { try file.database.snapshot() }
    let frozen = RealmContext(freezing: self, at: snapshot)
    if transaction == nil { self.frozen = frozen }
    return frozen
  }

  internal func thaw() -> RealmContext {
    requireConfinement()
    guard isFrozen else { return self }
    return attempt { try RealmOpening.open(configuration, on: nil) }
  }
}

// MARK: - Objects

extension ObjectBase {
  /// Returns a frozen copy of the object, for any thread.
  ///
  /// Objects and collections that it links to are frozen too. See ``Realm/freeze()``.
  ///
  /// - Returns: The frozen object, or this object if it is already frozen.
  public final func freeze() -> Self {
    guard let context else { throwRealmException("Unmanaged objects cannot be frozen.") }
    context.requireConfinement()
    if context.isFrozen { return self }
    guard context.isValid(self) else { context.throwDeleted() }
    let frozen = context.freeze()
    guard frozen.attempt({ try frozen.view.contains(identity) }) else {
      throwRealmException(
        "Cannot freeze an object in the same write transaction as it was created in."
      )
    }
    return known(frozen.accessors.make(identity, as: type(of: self)), as: Self.self)
  }

  /// Returns the live object of a frozen one, on this thread.
  ///
  /// - Returns: The live object, or this object if it is not frozen; `nil` if it was deleted.
  public final func thaw() -> Self? {
    guard let context else { throwRealmException("Unmanaged objects cannot be thawed.") }
    context.requireConfinement()
    guard context.isFrozen else { return self }
    let live = context.thaw()
    guard live.attempt({ try live.view.contains(identity) }) else { return nil }
    return known(live.accessors.make(identity, as: type(of: self)), as: Self.self)
  }
}

// MARK: - Collections

extension _TransferableCollection {
  /// Returns a frozen copy of the collection, for any thread.
  ///
  /// - Returns: The frozen collection, or this collection if it is already frozen.
  public func freeze() -> Self {
    guard let context = realm?.context else {
      throwRealmException("Unmanaged collections cannot be frozen: add the object first")
    }
    if context.isFrozen { return self }
    if isInvalidated {
      throwRealmException("Access to invalidated Collection object: it cannot be frozen")
    }
    guard let frozen = transferred(to: context.freeze()), !frozen.isInvalidated else {
      throwRealmException(
        "Cannot freeze a collection in the same write transaction as its object was created in."
      )
    }
    return frozen
  }

  /// Returns the live collection of a frozen one, on this thread.
  ///
  /// - Returns: The collection; `nil` if the object that has it was deleted.
  public func thaw() -> Self? {
    guard let context = realm?.context else {
      throwRealmException("Unmanaged collections cannot be thawed: they are not frozen")
    }
    guard context.isFrozen else { return self }
    guard let live = transferred(to: context.thaw()), !live.isInvalidated else { return nil }
    return live
  }
}

extension Results: _TransferableCollection {}
extension LinkingObjects: _TransferableCollection {}
extension AnyRealmCollection: _TransferableCollection {}
