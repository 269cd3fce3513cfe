import KennelStorage

/// One primitive change, with what it takes to undo it.
///
/// A draft keeps the edits of each of its operations; undoing applies the inverses in reverse
/// order, redoing applies the edits again. Backlinks and indexes follow each of them by
/// themselves.
internal enum Edit: Hashable {
  /// An object came to be, without values.
  case created(ObjectIdentity)
  /// An object died; its values stay until they are stored.
  case erased(ObjectIdentity)
  /// An object that died lives again.
  case restored(ObjectIdentity)
  /// A property that is not a list or set of links got a value.
  case set(ObjectIdentity, PropertyKey, old: Value, new: Value)
  /// A key came into a list or set of links.
  case inserted(ObjectIdentity, PropertyKey, Int, UInt64)
  /// A key went out of a list or set of links.
  case removed(ObjectIdentity, PropertyKey, Int, UInt64)
  /// The schema changed, and values with it; this has no inverse.
  case schemaChanged

  /// The change that takes this one back.
  var inverse: Edit {
    switch self {
    case .created(let object): .erased(object)
    case .erased(let object): .restored(object)
    case .restored(let object): .erased(object)
    case .set(let object, let property, let old, let new):
      .set(object, property, old: new, new: old)
    case .inserted(let object, let property, let index, let key):
      .removed(object, property, index, key)
    case .removed(let object, let property, let index, let key):
      .inserted(object, property, index, key)
    case .schemaChanged: .schemaChanged
    }
  }
}
