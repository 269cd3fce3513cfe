@_exported public import Foundation
internal import KennelCore

/// Foundation has a predicate of its own.
internal typealias Predicate = KennelCore.Predicate
