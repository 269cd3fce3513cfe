internal import KennelCore

/// A change of every link from a property of an object to one target: they lead elsewhere, or are cut.
struct LinkEdit: Hashable {
  var object: ObjectIdentity
  var property: PropertyKey
  var target: ObjectIdentity
  /// Where the links lead instead; `nil` where they are cut.
  var replacement: ObjectIdentity?
  /// Whether it is the object, which its target rule would delete, and not the target that stays.
  var keepsObject = false

  /// The object that stays.
  var kept: ObjectIdentity { keepsObject ? object : target }

  /// Performs the edit.
  ///
  /// Linear in the number of elements of a collection.
  func perform(in draft: Draft) throws(DatabaseError) {
    let new = replacement.map { Value.link($0) }
    let value = try draft.reader.value(of: object, property: property)
    let isCollection = draft.reader.schema.property(property, of: object.classKey)?.isCollection
    if isCollection != true, value.isCollection {
      return try draft.set(object, property: property, to: changed(value))
    }
    switch value.shape {
    case .link(target):
      try draft.set(object, property: property, to: new ?? .null)
    case .list(let elements):
      // From the end, so that the positions of those still to come stay.
      for index in elements.indices.reversed() where elements[index].links.contains(target) {
        if elements[index].isCollection {
          let nested = changed(elements[index])
          try draft.replace(at: index, with: nested, of: object, property: property)
        } else if let new {
          try draft.replace(at: index, with: new, of: object, property: property)
        } else {
          try draft.removeElement(at: index, of: object, property: property)
        }
      }
    case .set(let members) where members.contains(.link(target)):
      try draft.removeMember(.link(target), of: object, property: property)
      if let new { try draft.insertMember(new, of: object, property: property) }
    case .map(let entries):
      for entry in entries where entry.value.links.contains(target) {
        try draft.setEntry(entry.key, to: changed(entry.value), of: object, property: property)
      }
    case .set, .link, .null, .scalar: break
    }
  }

  /// A value whose links to the target, itself or inside it, lead elsewhere or are null.
  private func changed(_ value: Value) -> Value {
    value.mapSingleValues { $0 == .link(target) ? replacement.map { .link($0) } ?? .null : $0 }
  }
}

extension DraftOwner {
  /// The effects of a deletion after some edits, none of which is made.
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
