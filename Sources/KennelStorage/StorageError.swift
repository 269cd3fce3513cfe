package import KennelPages

/// Why the storage could not do what was asked.
///
/// A damaged file is always an error and never a trap: every byte that comes from
/// the map may be wrong.
package enum StorageError: Error, Equatable, Sendable {
  /// The page store or the operating system refused.
  case file(PageStoreError)
  /// The file is damaged.
  case damaged(Damage)
  /// An intact file of pages, but nothing that Kennel wrote.
  case notKennel(path: String)
  /// The file has a format of a later version.
  case newerFormat(path: String, found: Int, supported: Int)
  /// A regular expression takes too many steps on a text.
  case tooManySteps

  /// Damage at a place.
  package static func damaged(in place: String, _ what: String) -> StorageError {
    .damaged(Damage(place: place, what: what))
  }

  /// Takes over an error of a page store: damage in a page is as any other.
  package init(_ error: PageStoreError) {
    if case .damaged(let place, let what) = error.problem, error.operation != .open {
      self = .damaged(in: place, what)
    } else {
      self = .file(error)
    }
  }
}

/// The fault in a damaged file, and its place.
package struct Damage: Error, Equatable, Sendable {
  /// Where it is, such as `page 12`.
  package let place: String
  /// The fault, as the end of a sentence: `its number says 13`.
  package let what: String

  package init(place: String, what: String) {
    self.place = place
    self.what = what
  }
}

extension StorageError {
  /// The error as a sentence.
  package var message: String {
    switch self {
    case .file(let error):
      error.description
    case .damaged(let damage):
      "The file is damaged: \(damage.place): \(damage.what)"
    case .notKennel(let path):
      "Cannot open \(path): it is a file of pages, but not one that Kennel wrote"
    case .newerFormat(let path, let found, let supported):
      "Cannot open \(path): it was written by format \(found), this program reads up to \(supported)"
    case .tooManySteps:
      "The regular expression takes too many steps on one of the texts; make it simpler"
    }
  }
}

/// Runs a body that uses the page store.
@inline(__always)
internal func inPages<Result: ~Copyable>(
  _ body: () throws(PageStoreError) -> Result
) throws(StorageError) -> Result {
  do throws(PageStoreError) {
    return try body()
  } catch {
    throw StorageError(error)
  }
}
