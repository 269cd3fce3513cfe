internal import KennelCore

/// Edits links from the side of their target: in the table of the objects that link to one, and on a
/// backlink of an object.
struct BacklinkEditing: BrowserPart {
  let browser: Browser

  /// The links of a property to an object.
  struct Links {
    let origin: ClassKey
    let property: PropertyKey
    let target: ObjectIdentity
  }

  /// The links that are shown, or that the cursor is on.
  var links: Links? {
    if let table = browser.table {
      guard case .origins(let property, let target) = table.definition.base else { return nil }
      return Links(origin: table.classKey, property: property, target: target)
    }
    guard let view = entry.main as? ObjectView, entry.focus == .main,
      case .backlink(let index)? = view.currentLine(in: model)?.id,
      let backlink = model.schema[view.object.classKey]?.backlinks[index]
    else { return nil }
    return Links(origin: backlink.origin, property: backlink.property, target: view.object)
  }

  /// Picks an object that is to link to the target.
  func add(_ links: Links) {
    guard let property = model.schema.property(links.property, of: links.origin) else { return }
    let origin = model.name(of: links.origin)
    guard !property.isEmbedded, property.type.collection != .map else {
      return showError("\(property.name) is edited in its \(origin); \(key(of: "open")) goes there")
    }
    let title = "\(origin) whose \(property.name) gets \(model.text(links.target))"
    PickerDialog.open(title, links.origin, near: nil, in: browser) { browser, object in
      let spot = Spot(object, links.property)
      if property.isCollection {
        CollectionEditing(browser).insert([.link(links.target)], spot)
      } else {
        ValueEditing(browser).assignPreviewed(.link(links.target), to: spot)
      }
    }
  }

  /// The link of the row under the cursor.
  var linkOfRow: Spot? {
    guard let table = browser.table, let object = table.object, let links,
      let property = model.schema.property(links.property, of: links.origin)
    else { return nil }
    guard property.isCollection else { return Spot(object, links.property) }
    let count = model.elementCount(of: object, links.property)
    let element = model.elements(of: object, property, in: 0..<count)
      .first { $0.target == links.target }
    return element.map { Spot(object, links.property, element: $0) }
  }
}
