/// Something that is wrong in a file.
///
/// ```swift
/// let findings = try database.check()
/// for finding in findings { print("\(finding.kind): \(finding.message)") }
/// ```
public struct Finding: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of what can be wrong.
  ///
  /// ```swift
  /// let dangling = try database.check().filter { $0.kind == .danglingLink }
  /// print(dangling.count)
  /// ```
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The pages of the file, or its free list, do not fit together.
    case structure
    /// The header of the file is wrong.
    case header
    /// The schema contradicts itself or what is stored.
    case schema
    /// The record of a class is missing or wrong.
    case classRecord
    /// A class says that it has another number of objects than it has.
    case objectCount
    /// A class would give out a key that it gave out before.
    case nextKey
    /// The chain of the clusters of a class is broken.
    case clusterChain
    /// The header of a cluster is damaged or contradicts itself.
    case clusterHeader
    /// Something is stored that belongs to nothing.
    case strayEntry
    /// A chunk is missing that its cluster names.
    case missingChunk
    /// A chunk is there that no cluster names.
    case strayChunk
    /// A chunk cannot be read.
    case damagedChunk
    /// A value cannot be one of its property's type.
    case invalidValue
    /// A number does not fit the declared width.
    case outOfRange
    /// A value is null that may not be.
    case unexpectedNull
    /// The members of a set or the entries of a map are out of order, or there twice.
    case collectionOrder
    /// A link leads to an object that does not exist.
    case danglingLink
    /// An embedded object has no owner.
    case missingOwner
    /// An embedded object has more than one owner.
    case severalOwners
    /// The target of a link does not know of it.
    case missingBacklink
    /// An object knows of a link to it that does not exist.
    case strayBacklink
    /// The backlinks of an object are out of order.
    case backlinkOrder
    /// A part of a value that lies outside its chunk is missing.
    case missingPiece
    /// A part of a value that lies outside its chunk cannot be read.
    case damagedPiece
    /// A part of a long value belongs to no value.
    case strayPiece
    /// Two values lie in the same place.
    case sharedPiece
    /// An object is missing in an index.
    case missingIndexEntry
    /// An index has an entry that no object has.
    case strayIndexEntry
    /// Two objects of a class have the same primary key.
    case duplicatePrimaryKey
    /// Two objects of a class have the same value of a unique property.
    case duplicateValue
    /// There is more that is wrong than is told.
    case tooMany
  }

  /// The kind of the fault.
  public let kind: Kind
  /// Says what is wrong, and with which class, object and property.
  public let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
