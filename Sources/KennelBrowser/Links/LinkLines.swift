internal import KennelCore

struct LinkLine: ViewLine {
  /// Where Enter leads.
  enum Target {
    /// An object, and what the breadcrumbs call the way there.
    case object(ObjectIdentity, step: String)
    /// The origins of some backlinks.
    case origins(BacklinkGroup)
    case collection(Spot)
  }

  var id: LinksView.LineID
  var text: String
  var style: Style
  var target: Target?

  init(_ id: LinksView.LineID, _ text: String, _ style: Style, _ target: Target? = nil) {
    (self.id, self.text, self.style, self.target) = (id, text, style, target)
  }

  var place: LinksView.LineID? { target == nil ? nil : id }

  /// The object that it leads to.
  var object: ObjectIdentity? {
    if case .object(let object, step: _)? = target { object } else { nil }
  }

  func has(_ pattern: SearchPattern, in browser: Browser) -> Bool { pattern.isFound(in: text) }
}

extension LinksView {
  /// The lines of what links to an object.
  static func incoming(_ object: ObjectIdentity, _ model: BrowserModel) -> [LinkLine] {
    let theme = model.theme
    var lines: [LinkLine] = []
    if let owner = model.owner(of: object) {
      let name = model.name(of: owner.property, in: owner.object.classKey)
      let text = "  owner ↑\(model.label(owner.object)).\(name)"
      let target = LinkLine.Target.object(owner.object, step: "owner")
      lines.append(LinkLine(.owner(owner.object), text, theme.embedded, target))
    }
    for group in model.backlinks(to: object) {
      let name = model.name(of: group.property, in: group.origin)
      let text = "  \(model.name(of: group.origin)).\(name) [\(group.count)]"
      let id = LineID.group(group.origin, group.property)
      lines.append(LinkLine(id, text, theme.link, .origins(group)))
      lines += origins(of: group, name, object, model)
    }
    return lines.isEmpty ? [LinkLine(.none("in"), "  nobody", theme.null)] : lines
  }

  private static func origins(
    of group: BacklinkGroup,
    _ name: String,
    _ object: ObjectIdentity,
    _ model: BrowserModel
  ) -> [LinkLine] {
    let origins = model.origins(of: group, to: object, limit: listed)
    var occurrences: [ObjectIdentity: Int] = [:]
    var lines = origins.map { origin in
      let occurrence = occurrences[origin, default: 0] + 1
      occurrences[origin] = occurrence
      let id = LineID.origin(group.origin, group.property, origin, occurrence: occurrence)
      let text = "    \(model.label(origin))\(occurrence > 1 ? " ×\(occurrence)" : "")"
      return LinkLine(id, text, model.theme.standard, .object(origin, step: "←\(name)"))
    }
    if group.count > origins.count {
      let id = LineID.none("\(group.origin.rawValue).\(group.property.rawValue)")
      let text = "    … \(group.count - origins.count) more"
      lines.append(LinkLine(id, text, model.theme.note, .origins(group)))
    }
    return lines
  }

  /// The lines of what an object links to.
  static func outgoing(_ object: ObjectIdentity, _ model: BrowserModel) -> [LinkLine] {
    let theme = model.theme
    var lines: [LinkLine] = []
    for property in model.schema[object.classKey]?.properties ?? [] where property.canLink {
      if property.isCollection {
        lines += targets(of: property, object, model)
        continue
      }
      let value = model.preview(of: object, property.key, limit: 64)?.value
      if let value, value.isCollection {
        lines += nested(value, of: property, model)
      } else if case .link(let target)? = value {
        let text = "  \(property.name) →\(model.label(target))"
        let style = property.isEmbedded ? theme.embedded : theme.link
        let way = LinkLine.Target.object(target, step: property.name)
        lines.append(LinkLine(.outgoing(property.key), text, style, way))
      }
    }
    return lines.isEmpty ? [LinkLine(.none("out"), "  nowhere", theme.null)] : lines
  }

  private static func targets(
    of property: PropertySchema,
    _ object: ObjectIdentity,
    _ model: BrowserModel
  ) -> [LinkLine] {
    let (name, theme) = (property.name, model.theme)
    let count = model.elementCount(of: object, property.key)
    let elements = model.elements(of: object, property, in: 0..<min(count, listed))
    guard elements.contains(where: { !$0.value.links.isEmpty }) else { return [] }
    let all = LinkLine.Target.collection(Spot(object, property.key))
    var lines = [LinkLine(.outgoing(property.key), "  \(name) [\(count)]", theme.link, all)]
    for element in elements {
      // A mixed element may be a list or a map, with links inside it.
      for (path, target) in NestedFormatter.links(in: element.value, limit: listed) {
        var place = element
        if !path.isEmpty {
          place.key = "\(element.name)\(path)"
          place.value = .link(target)
        }
        let text = "    \(element.name)\(path) →\(model.label(target))"
        let way = LinkLine.Target.object(target, step: "\(name)[\(element.name)]\(path)")
        lines.append(LinkLine(.target(property.key, place), text, theme.standard, way))
      }
    }
    if count > elements.count {
      let text = "    … \(count - elements.count) more"
      lines.append(LinkLine(.none(name), text, theme.note, all))
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
      let place = Element(index: index, key: link.path, value: .link(link.target))
      let way = property.name + link.path
      let text = "  \(way) →\(model.label(link.target))"
      let target = LinkLine.Target.object(link.target, step: way)
      return LinkLine(.target(property.key, place), text, model.theme.link, target)
    }
    if links.count > listedNested {
      lines.append(LinkLine(.none(property.name), "    … more", model.theme.note))
    }
    return lines
  }
}
