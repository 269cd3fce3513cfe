internal import KennelCore

struct ObjectLine: ViewLine {
  var id: ObjectView.LineID
  var name: String
  var note: String
  var value: ShownValue
  var spot: Spot?
  /// Whether the draft changes it.
  var isChanged = false
  /// Where Enter leads.
  var target: ObjectIdentity?
  var place: ObjectView.LineID? { id }

  func has(_ pattern: SearchPattern) -> Bool {
    pattern.isFound(in: value.text) || pattern.isFound(in: name)
  }
}

extension ObjectView {
  func lines(in model: BrowserModel) -> [ObjectLine] {
    guard let schema = model.schema[object.classKey], model.contains(object) else { return [] }
    var lines: [ObjectLine] = []
    if let owner = model.owner(of: object) {
      let name = model.name(of: owner.property, in: owner.object.classKey)
      lines.append(
        ObjectLine(
          id: .owner,
          name: "(owner)",
          note: name,
          value: ShownValue(text: "↑" + model.label(owner.object), style: model.theme.embedded),
          target: owner.object
        )
      )
    }
    let view = ValueFormatter(model)
    for property in schema.properties {
      lines.append(line(of: property, view))
      if property.isCollection { lines += elementLines(of: property, view) }
    }
    let groups = schema.backlinks.isEmpty ? [] : model.backlinks(to: object)
    for (index, backlink) in schema.backlinks.enumerated() {
      lines.append(line(of: backlink, at: index, groups, view))
    }
    return lines
  }

  private func line(of property: PropertySchema, _ view: ValueFormatter) -> ObjectLine {
    var value = view.show(object, property)
    var target: ObjectIdentity?
    if property.isCollection {
      let count = view.model.elementCount(of: object, property.key)
      value = ShownValue(text: "[\(count)]", style: count == 0 ? view.theme.null : value.style)
    } else if property.canLink {
      if case .link(let identity)? = view.model.preview(of: object, property.key, limit: 64)?.value
      {
        target = identity
      }
    }
    var note = property.type.description
    if property.isPrimaryKey { note += " key" }
    let conflict = view.model.draftOwner.conflicts.first {
      $0.operation.slot?.object == object && $0.operation.slot?.property == property.key
    }
    let draft = view.model.draftOwner
    let isChanged =
      draft.touched[object] == .changed
      && draft.changedProperties[object]?.contains(property.key) == true
    if let conflict {
      let isNested = property.type.kind == .mixed && !property.isCollection
      let mine =
        conflict.mine.map {
          view.show($0, isEmbedded: false, isMixed: isNested && $0.isCollection).text
        } ?? "absent"
      value = ShownValue(text: "! theirs \(value.text), mine \(mine)", style: view.theme.error)
    } else {
      if isChanged { value.style = value.style.adding(view.theme.changed) }
      if view.model.isFresh(object, property.key) {
        value.style = value.style.adding(view.theme.fresh)
      }
    }
    return ObjectLine(
      id: .property(property.key),
      name: property.name,
      note: note,
      value: value,
      spot: Spot(object, property.key),
      isChanged: isChanged,
      target: target
    )
  }

  private func elementLines(of property: PropertySchema, _ view: ValueFormatter) -> [ObjectLine] {
    let count = view.model.elementCount(of: object, property.key)
    let listed = view.model.elements(of: object, property, in: 0..<min(count, Self.listedElements))
    var lines = listed.map { element in
      ObjectLine(
        id: .element(property.key, element),
        name: "  \(element.name)",
        note: "",
        value: view.show(
          element.value,
          isEmbedded: property.isEmbedded,
          isMixed: property.type.kind == .mixed
        ),
        spot: Spot(object, property.key, element: element),
        target: element.target
      )
    }
    if count > listed.count {
      lines.append(
        ObjectLine(
          id: .more(property.key),
          name: "  …",
          note: "",
          value: ShownValue(text: "\(count - listed.count) more", style: view.theme.note),
          spot: Spot(object, property.key)
        )
      )
    }
    return lines
  }

  private func line(
    of backlink: BacklinkSchema,
    at index: Int,
    _ groups: [BacklinkGroup],
    _ view: ValueFormatter
  ) -> ObjectLine {
    let group = groups.first { $0.origin == backlink.origin && $0.property == backlink.property }
    let names = group.map { view.model.origins(of: $0, to: object, limit: 3) } ?? []
    var text = "[\(group?.count ?? 0)]"
    if !names.isEmpty { text += " " + names.map { view.model.label($0) }.joined(separator: ", ") }
    if let group, group.count > names.count { text += ", …" }
    let origin = view.model.schema[backlink.origin]
    let property = origin?[backlink.property]?.name ?? "?"
    return ObjectLine(
      id: .backlink(index),
      name: backlink.name,
      note: "←\(origin?.name ?? "?").\(property)",
      value: ShownValue(text: text, style: group == nil ? view.theme.null : view.theme.link)
    )
  }
}
