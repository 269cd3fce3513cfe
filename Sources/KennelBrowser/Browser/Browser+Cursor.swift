internal import KennelCore

// What the cursor is on.

extension Browser {
  /// The property or element under the cursor of the main pane.
  var spot: Spot? { entry.main.spot(in: model) }

  /// The table of the main pane.
  var table: TableView? { entry.main as? TableView }

  func property(of spot: Spot) -> PropertySchema? { model.property(of: spot) }

  /// The present value of a property or an element; `nil` for a whole collection.
  func value(at spot: Spot) -> Value? {
    guard let property = property(of: spot) else { return nil }
    if let element = spot.element { return element.value }
    return property.isCollection ? nil : model.value(of: spot.object, spot.property)
  }

  /// The object that the value under a cursor links to.
  func linkTarget(_ spot: Spot) -> ObjectIdentity? {
    if let element = spot.element { return element.target }
    guard let property = property(of: spot), property.canLink, !property.isCollection,
      case .link(let target)? = model.preview(of: spot.object, spot.property, limit: 64)?.value
    else { return nil }
    return target
  }

  /// A place as a sentence names it, as in `name of Dog/3`.
  func name(of spot: Spot) -> String {
    let name = property(of: spot)?.name ?? "?"
    if spot.marked.count > 1 {
      let className = model.name(of: spot.object.classKey)
      return "\(name) of \(spot.marked.count) marked \(className) objects"
    }
    let object = model.text(spot.object)
    guard let element = spot.element else { return "\(name) of \(object)" }
    return "\(name)[\(element.key.map { "\"\($0)\"" } ?? "\(element.index)")] of \(object)"
  }

  /// The object to peek at: the target of the link under the cursor, else the object; among links, `nil`
  /// on a line that stands for several.
  var peekTarget: ObjectIdentity? {
    if let links = self[entry.focus] as? LinksView { return links.line(in: self)?.object }
    return spot.flatMap(linkTarget) ?? entry.subject
  }

  /// Whether the element under the cursor is still where it was; says so where it is not.
  func isInPlace(_ spot: Spot) -> Bool {
    guard model.contains(spot.object) else {
      showError("\(model.text(spot.object)) no longer exists")
      return false
    }
    guard let element = spot.element, let property = property(of: spot) else { return true }
    let now = model.elements(of: spot.object, property, in: element.index..<element.index + 1)
    guard now.first == element else {
      showError("The element has moved or gone; nothing was changed")
      Navigation(self).repairCursor()
      return false
    }
    return true
  }
}
