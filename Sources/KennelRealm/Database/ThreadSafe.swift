import Foundation
import KennelCore

/// Holds an object or collection of a realm and gives it to every thread that asks.
///
/// ```swift
/// @ThreadSafe var dog = realm.objects(Dog.self).first
/// queue.async {
///   print(dog?.name ?? "it was deleted")
/// }
/// ```
///
/// Each reading opens a realm on the thread, lets it advance where it advances by itself, and finds the
/// object there. It is `nil` where that was deleted.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: @unchecked Sendable {
  private struct Held {
    let configuration: Realm.Configuration
    let make: (RealmContext) -> Any?
  }

  private let lock = NSLock()
  /// Guarded by the lock.
  private var held: Held?

  /// Holds an object or collection, or nothing.
  ///
  /// - Parameter wrappedValue: A managed object or collection.
  public init(wrappedValue: Confined?) {
    held = Self.hold(wrappedValue)
  }

  /// The holder itself.
  public var projectedValue: ThreadSafe<Confined> { self }

  /// What is held, for this thread.
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
