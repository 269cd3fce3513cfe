public import KennelStorage

@_spi(Faces)
extension DatabaseReader {
  /// Returns the link targets of grouped objects, in the groups of the objects that link to them.
  ///
  /// A target appears once for each link to it.
  ///
  /// Linear in the number of links.
  ///
  /// - Parameters:
  ///   - list: A list or set of links of the objects' class.
  ///   - groups: The groups of the objects.
  /// - Returns: The groups, with the targets instead of the linking objects.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func targets(
    of list: TypedProperty<[ObjectIdentity]>,
    in groups: ObjectGroups
  ) throws(DatabaseError) -> ObjectGroups {
    var targets: [ObjectKey] = []
    var numbers: [UInt32] = []
    for (owner, number) in zip(groups.objects, groups.numbers) {
      if isSnapshot, let found = points.keys(owner, list.key) {
        for index in 0..<found.count { targets.append(found[index]) }
      } else {
        targets.append(contentsOf: try loadedTargets(of: owner, list.key))
      }
      while numbers.count < targets.count { numbers.append(number) }
    }
    return ObjectGroups(groups, Objects(list.target, targets), numbers)
  }
}
