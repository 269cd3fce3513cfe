internal import KennelCore

struct ObjectLine: ViewLine {
  var id: ObjectView.LineID
  var name: String
  var note = ""
  var value: ShownValue
  var spot: Spot?
  /// Whether the draft changes it.
  var isChanged = false
  /// Where Enter leads.
  var target: ObjectIdentity?
  var place: ObjectView.LineID? { id }

  init(_ id: ObjectView.LineID, _ name: String, note: String = "", _ text: String, _ style: Style) {
    (self.id, self.name, self.note) = (id, name, note)
    value = ShownValue(text: text, style: style)
  }

  func has(_ pattern: SearchPattern, in browser: Browser) -> Bool {
    pattern.isFound(in: value.text) || pattern.isFound(in: name)
  }
}

extension ObjectView {
  func lines(in model: BrowserModel) -> [ObjectLine] {
    guard let schema = model.schema[object.classKey], model.contains(object) else { return [] }
    var lines: [ObjectLine] = []
    if let owner = model.owner(of: object) {
      let name = model.name(of: owner.property, in: owner.object.classKey)
      let text = "↑" + model.label(owner.object)
      var line = ObjectLine(.owner, "(owner)", note: name, text, model.theme.embedded)
      line.target = owner.object
      lines.append(line)
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
    let draft = view.model.draftOwner
    let isConflicting = draft.conflictingProperties.contains(Slot(object, property.key))
    let conflict =
      isConflicting
      ? draft.conflicts.first {
        $0.operation.slot?.object == object && $0.operation.slot?.property == property.key
      } : nil
    let isChanged =
      draft.touched[object] == .changed
      && draft.summary.hasChanged(property.key, of: object)
    if let conflict {
      let isNested = property.type.kind == .mixed && !property.isCollection
      let mine = conflict.mine.map {
        view.show($0, isEmbedded: false, isMixed: isNested && $0.isCollection).text
      }
      value = ShownValue(
        text: "! theirs \(value.text), mine \(mine ?? "absent")",
        style: view.theme.error
      )
    } else {
      if isChanged { value.style = value.style.adding(view.theme.changed) }
      if view.model.isFresh(object, property.key) {
        value.style = value.style.adding(view.theme.fresh)
      }
    }
    let id = LineID.property(property.key)
    var line = ObjectLine(id, property.name, note: note, value.text, value.style)
    line.spot = Spot(object, property.key)
    line.isChanged = isChanged
    line.target = target
    return line
  }

  private func elementLines(of property: PropertySchema, _ view: ValueFormatter) -> [ObjectLine] {
    let count = view.model.elementCount(of: object, property.key)
    let listed = view.model.elements(of: object, property, in: 0..<min(count, Self.listedElements))
    var lines = listed.map { element in
      let value = view.show(element.value, of: property)
      let id = LineID.element(property.key, element)
      var line = ObjectLine(id, "  \(element.name)", value.text, value.style)
      line.spot = Spot(object, property.key, element: element)
      line.target = element.target
      return line
    }
    if count > listed.count {
      let text = "\(count - listed.count) more"
      var line = ObjectLine(.more(property.key), "  …", text, view.theme.note)
      line.spot = Spot(object, property.key)
      lines.append(line)
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
    let property = view.model.name(of: backlink.property, in: backlink.origin)
    let note = "←\(view.model.name(of: backlink.origin)).\(property)"
    let style = group == nil ? view.theme.null : view.theme.link
    return ObjectLine(.backlink(index), backlink.name, note: note, text, style)
  }
}
