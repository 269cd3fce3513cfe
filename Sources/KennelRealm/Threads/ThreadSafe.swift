import Foundation
import KennelCore

/// A property wrapper that makes an object or collection available on every thread.
///
/// ```swift
/// @ThreadSafe var ship = realm.objects(Ship.self).first
/// queue.async { [_ship] in
///   print(_ship.wrappedValue?.name ?? "it was deleted")
/// }
/// ```
///
/// Each read opens a realm on the current thread, refreshes it if it refreshes automatically, and
/// looks the object up. The value is `nil` if the object was deleted or the realm cannot be opened.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: @unchecked Sendable {
  private struct Held {
    let configuration: Realm.Configuration
    let make: (RealmContext) -> Any?
  }

  private let lock = NSLock()
  /// Guarded by the lock.
  private var held: Held?

  /// Creates a wrapper of an object or collection, or `nil`.
  ///
  /// - Parameter wrappedValue: A managed object or collection.
  public init(wrappedValue: Confined?) {
    held = Self.hold(wrappedValue)
  }

  /// The wrapper itself.
  public var projectedValue: ThreadSafe<Confined> { self }

  /// The object or collection, on this thread.
  public var wrappedValue: Confined? {
    get {
      guard let held = lock.withLock({ held }),
        let context = try? RealmOpening.open(held.configuration, on: nil)
      else { return nil }
      if context.transaction == nil, context.autorefresh { _ = context.refresh() }
      return held.make(context) as? Confined
    }
    set {
      let new = Self.hold(newValue)
      lock.withLock { held = new }
    }
  }

  private static func hold(_ value: Confined?) -> Held? {
    guard let value else { return nil }
    guard let context = value.realm?.context, let source = value as? any ReferableConfined else {
      throwRealmException("Only managed objects may be wrapped as thread safe.")
    }
    context.requireConfinement()
    if value.isInvalidated {
      throwRealmException("Cannot wrap an invalidated object as thread safe: it was deleted")
    }
    return Held(configuration: context.configuration, make: source.recipe())
  }
}
