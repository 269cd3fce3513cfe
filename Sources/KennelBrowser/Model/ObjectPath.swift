internal import KennelCore

// How the screen names an object.
//
// | class of the object | path |
// |---|---|
// | without a primary key | `Dog/42`: the class and the object's key |
// | whose primary key is a whole number and equal to the key | `Person/3` |
// | with any other primary key | `Order#1001`: the class and the primary key |
//
// `/` is followed by an object's key and nothing else, so that what a query, a command line or a message
// of the engine calls `Order/1001` is never another object than on the screen.

extension DatabaseReader {
  /// More of a primary key is cut.
  private static var longest: Int { 40 }

  /// The path of an object that exists; `nil` where the reader has none such.
  func shownPath(of object: ObjectIdentity) throws(DatabaseError) -> String? {
    guard try contains(object), let classSchema = schema[object.classKey] else { return nil }
    guard let property = classSchema.primaryKey else { return describe(object) }
    let key = try preview(of: object, property: property.key, limit: 4 * Self.longest).value
    if case .int(let number) = key, !object.key.isProvisional,
      Int64(exactly: object.key.rawValue) == number
    {
      return describe(object)
    }
    let text = key.isNull ? "" : ScalarText.text(of: key)
    if text.isEmpty { return describe(object) }
    return "\(classSchema.name)#\(text.beginning(scalars: Self.longest).map { $0 + "…" } ?? text)"
  }
}

extension BrowserModel {
  /// The path of an object, as in `Dog/42`; of one that the draft deletes, as it was before.
  func text(_ object: ObjectIdentity) -> String {
    let shown = attempt { () throws(DatabaseError) -> String? in
      if let path = try reader?.shownPath(of: object) { return path }
      return object.key.isProvisional ? nil : try draftOwner.base?.shownPath(of: object)
    }
    return (shown ?? nil) ?? address(object)
  }

  /// The class and the key of an object, which outlives the run; `Dog/new1` before the commit.
  func address(_ object: ObjectIdentity) -> String {
    "\(name(of: object.classKey))/\(text(object.key))"
  }

  func text(_ key: ObjectKey) -> String {
    key.isProvisional
      ? "new\(key.rawValue - ObjectKey.firstProvisional + 1)" : "\(key.rawValue)"
  }

  /// The label of an object that the draft deletes, as it was before.
  func formerLabel(_ object: ObjectIdentity) -> String {
    let name = attempt { () throws(DatabaseError) in
      guard let base = draftOwner.base, try base.contains(object) else { return "" }
      return try base.displayName(of: object, limit: 60)
    }
    return label(object, name: name ?? "")
  }

  /// An object with what a person calls it, as in `Dog/42 Rex`.
  func label(_ object: ObjectIdentity) -> String {
    guard contains(object) else { return formerLabel(object) }
    return label(object, name: displayName(of: object))
  }

  /// A path with a name, unless that says no more than the path.
  private func label(_ object: ObjectIdentity, name: String) -> String {
    let text = text(object)
    if name.isEmpty || name == text { return text }
    let className = schema[object.classKey]?.name ?? "?"
    let key = text.dropFirst(className.count + 1)
    let isPath = name == key || name.dropFirst(className.count + 1) == key
    return isPath ? text : "\(text) \(name)"
  }
}
