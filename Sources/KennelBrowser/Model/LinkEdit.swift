internal import KennelCore

/// A change of every link from a property of an object to one target: they lead elsewhere, or are cut.
struct LinkEdit: Hashable {
  var object: ObjectIdentity
  var property: PropertyKey
  var target: ObjectIdentity
  /// Where the links lead instead; `nil` where they are cut.
  var replacement: ObjectIdentity?

  /// Performs the edit.
  ///
  /// Linear in the number of elements of a collection.
  func perform(in draft: Draft) throws(DatabaseError) {
    let new = replacement.map { Value.link($0) }
    switch try draft.reader.value(of: object, property) {
    case .link(target):
      try draft.set(object, property, new ?? .null)
    case .list(let elements):
      // From the end, so that the positions of those still to come stay.
      for index in elements.indices.reversed() where elements[index] == .link(target) {
        if let new {
          try draft.replace(at: index, with: new, of: object, property)
        } else {
          try draft.removeElement(at: index, of: object, property)
        }
      }
    case .set(let members) where members.contains(.link(target)):
      try draft.removeMember(.link(target), of: object, property)
      if let new { try draft.insertMember(new, of: object, property) }
    case .map(let entries):
      for entry in entries where entry.value == .link(target) {
        try draft.setEntry(entry.key, new ?? .null, of: object, property)
      }
    default: break
    }
  }
}

extension DraftOwner {
  /// What a deletion takes with it after some edits, none of which is made.
  func blastRadius(
    deleting objects: [ObjectIdentity],
    after edits: [LinkEdit],
    limit: Int
  ) throws(DatabaseError) -> BlastRadius? {
    try probe { draft throws(DatabaseError) in
      for edit in edits { try edit.perform(in: draft) }
      return try draft.reader.blastRadius(deleting: objects, limit: limit)
    }
  }
}
