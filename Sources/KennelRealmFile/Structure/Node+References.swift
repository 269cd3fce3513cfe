extension Node {
  /// The node that element `index` refers to; `nil` for no reference.
  func optionalChild(_ index: Int, in bytes: FileBytes) throws(RealmFileError) -> Node? {
    let ref = try reference(index)
    return ref == 0 ? nil : try bytes.node(at: ref)
  }

  /// The node that element `index` refers to.
  func child(_ index: Int, in bytes: FileBytes) throws(RealmFileError) -> Node {
    guard let child = try optionalChild(index, in: bytes) else {
      throw damaged("a missing reference, number \(index)", at: offset)
    }
    return child
  }

  /// The reference at `index`; 0 for none.
  func reference(_ index: Int) throws(RealmFileError) -> Int64 {
    guard hasRefs else {
      throw damaged("a node of values where references are expected", at: offset)
    }
    let ref = try integer(index)
    guard ref & 1 == 0, ref >= 0 else {
      throw damaged("an integer where a reference is expected, number \(index)", at: offset)
    }
    return ref
  }

  /// The integer at `index` of a node that has references, too; `nil` if it is a reference.
  func tagged(_ index: Int) throws(RealmFileError) -> Int64? {
    let value = try integer(index)
    return value & 1 == 1 ? value >> 1 : nil
  }

  /// The integer at `index`; `nil` if the node is shorter or has 0 there.
  func optionalTagged(_ index: Int) throws(RealmFileError) -> Int64? {
    guard index < count, try integer(index) != 0 else { return nil }
    guard let value = try tagged(index) else {
      throw damaged("a reference where an integer is expected, number \(index)", at: offset)
    }
    return value
  }
}
