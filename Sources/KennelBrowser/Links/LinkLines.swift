internal import KennelCore

/// Which links a pane lists.
enum LinkSide {
  case incoming
  case outgoing
  case both
}

struct LinkLine: ViewLine {
  var id: LinksView.LineID
  var text: String
  var style: Style
  /// What the breadcrumbs call the way to the target.
  var step = ""
  /// The object where Enter leads.
  var target: ObjectIdentity?
  /// The origins that Enter lists.
  var group: BacklinkGroup?
  /// The collection that Enter opens.
  var collection: Spot?
  private var isSelectable: Bool { target != nil || group != nil || collection != nil }
  var place: LinksView.LineID? { isSelectable ? id : nil }

  func has(_ pattern: SearchPattern) -> Bool { pattern.isFound(in: text) }
}

extension LinksView {
  static func lines(
    _ side: LinkSide,
    of object: ObjectIdentity,
    in model: BrowserModel
  ) -> [LinkLine] {
    switch side {
    case .incoming: incoming(object, model)
    case .outgoing: outgoing(object, model)
    case .both: incoming(object, model) + outgoing(object, model)
    }
  }

  private static func incoming(
    _ object: ObjectIdentity,
    _ model: BrowserModel
  ) -> [LinkLine] {
    var lines = [LinkLine(id: .heading("in"), text: "← who points here", style: model.theme.header)]
    if let owner = model.owner(of: object) {
      let name = model.name(of: owner.property, in: owner.object.classKey)
      lines.append(
        LinkLine(
          id: .owner(owner.object),
          text: "  owner ↑\(model.label(owner.object)).\(name)",
          style: model.theme.embedded,
          step: "owner",
          target: owner.object
        )
      )
    }
    for group in model.backlinks(to: object) {
      let origin = model.schema[group.origin]
      let property = origin?[group.property]?.name ?? "?"
      lines.append(
        LinkLine(
          id: .group(group.origin, group.property),
          text: "  \(origin?.name ?? "?").\(property) [\(group.count)]",
          style: model.theme.link,
          group: group
        )
      )
      lines += origins(of: group, object, model)
    }
    if lines.count == 1 {
      lines.append(LinkLine(id: .none("in"), text: "  nobody", style: model.theme.null))
    }
    return lines
  }

  private static func origins(
    of group: BacklinkGroup,
    _ object: ObjectIdentity,
    _ model: BrowserModel
  ) -> [LinkLine] {
    let origins = model.origins(of: group, to: object, limit: listed)
    let name = model.name(of: group.property, in: group.origin)
    var occurrences: [ObjectIdentity: Int] = [:]
    var lines: [LinkLine] = []
    for origin in origins {
      occurrences[origin, default: 0] += 1
      let occurrence = occurrences[origin, default: 1]
      let number = occurrence > 1 ? " ×\(occurrence)" : ""
      lines.append(
        LinkLine(
          id: .origin(group.origin, group.property, origin, occurrence: occurrence),
          text: "    \(model.label(origin))\(number)",
          style: model.theme.standard,
          step: "←\(name)",
          target: origin
        )
      )
    }
    if group.count > origins.count {
      lines.append(
        LinkLine(
          id: .none("\(group.origin.rawValue).\(group.property.rawValue)"),
          text: "    … \(group.count - origins.count) more",
          style: model.theme.note,
          group: group
        )
      )
    }
    return lines
  }

  private static func outgoing(
    _ object: ObjectIdentity,
    _ model: BrowserModel
  ) -> [LinkLine] {
    var lines = [
      LinkLine(id: .heading("out"), text: "→ where it points", style: model.theme.header)
    ]
    for property in model.schema[object.classKey]?.properties ?? [] where property.canLink {
      if property.isCollection {
        lines += targets(of: property, object, model)
      } else if property.type.kind == .mixed,
        let value = model.preview(of: object, property.key, limit: 64)?.value, value.isCollection
      {
        lines += nested(value, of: property, model)
      } else if case .link(let target)? = model.preview(of: object, property.key, limit: 64)?.value
      {
        lines.append(
          LinkLine(
            id: .outgoing(property.key),
            text: "  \(property.name) →\(model.label(target))",
            style: property.isEmbedded ? model.theme.embedded : model.theme.link,
            step: property.name,
            target: target
          )
        )
      }
    }
    if lines.count == 1 {
      lines.append(LinkLine(id: .none("out"), text: "  nowhere", style: model.theme.null))
    }
    return lines
  }

  private static func targets(
    of property: PropertySchema,
    _ object: ObjectIdentity,
    _ model: BrowserModel
  ) -> [LinkLine] {
    let count = model.elementCount(of: object, property.key)
    let elements = model.elements(of: object, property, in: 0..<min(count, listed))
    guard elements.contains(where: { !$0.value.links.isEmpty }) else { return [] }
    let spot = Spot(object, property.key)
    var lines = [
      LinkLine(
        id: .outgoing(property.key),
        text: "  \(property.name) [\(count)]",
        style: model.theme.link,
        collection: spot
      )
    ]
    for element in elements {
      // A mixed element may be a list or a map, with links inside it.
      for (path, target) in NestedFormatter.links(in: element.value, limit: listed) {
        let place = Element(
          index: element.index,
          key: "\(element.name)\(path)",
          value: .link(target)
        )
        lines.append(
          LinkLine(
            id: .target(property.key, path.isEmpty ? element : place),
            text: "    \(element.name)\(path) →\(model.label(target))",
            style: model.theme.standard,
            step: "\(property.name)[\(element.name)]\(path)",
            target: target
          )
        )
      }
    }
    if count > elements.count {
      lines.append(
        LinkLine(
          id: .none(property.name),
          text: "    … \(count - elements.count) more",
          style: model.theme.note,
          collection: spot
        )
      )
    }
    return lines
  }

  /// More links inside one mixed value are found by reading it.
  private static let listedNested = 100

  /// The links inside the list or map that a mixed value is.
  private static func nested(
    _ value: Value,
    of property: PropertySchema,
    _ model: BrowserModel
  ) -> [LinkLine] {
    let links = NestedFormatter.links(in: value, limit: listedNested + 1)
    var lines = links.prefix(listedNested).enumerated().map { index, link in
      LinkLine(
        id: .target(property.key, Element(index: index, key: link.path, value: .link(link.target))),
        text: "  \(property.name)\(link.path) →\(model.label(link.target))",
        style: model.theme.link,
        step: property.name + link.path,
        target: link.target
      )
    }
    if links.count > listedNested {
      lines.append(LinkLine(id: .none(property.name), text: "    … more", style: model.theme.note))
    }
    return lines
  }
}
