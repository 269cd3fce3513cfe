@_exported public import Foundation
public import KennelCore

/// A value as a file holds it, which what is stored of a property is made of; Realm's generic types call
/// their own parameter `Value`.
public typealias StoredValue = KennelCore.Value

/// A predicate as a file evaluates it: Foundation has a type of that name.
internal typealias StoredPredicate = KennelCore.Predicate
