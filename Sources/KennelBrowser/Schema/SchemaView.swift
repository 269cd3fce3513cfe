internal import KennelCore
internal import KennelReports

extension Context {
  static let schema = Context("schema", "the schema")
}

/// The schema of a class: its properties, which can be changed here, and its declared backlinks.
struct SchemaView: LineView {
  enum LineID: Hashable {
    /// The class itself.
    case title
    case property(PropertyKey)
    case backlink(String)
  }

  let classKey: ClassKey
  var cursor: LineID?
  var top = 0
  /// Where the cursor was, for when its property is another one or gone.
  private var row = 0

  init(classKey: ClassKey) { self.classKey = classKey }

  var context: Context { .schema }
  var content: AnyHashable { [context: classKey] }
  func name(in model: BrowserModel) -> String { "schema of \(model.name(of: classKey))" }

  func lines(in browser: Browser) -> [SchemaLine] {
    SchemaLines(browser: browser).lines(of: classKey)
  }

  /// Never the class instead of a property: a key would do something else.
  func cursorIndex(in lines: [SchemaLine]) -> Int? {
    if let index = lines.firstIndex(where: { $0.place != nil && $0.place == cursor }) {
      return index
    }
    let places = lines.indices.filter { lines[$0].place != nil }
    return places.first { $0 >= row } ?? places.last
  }

  mutating func cursorMoved(in browser: Browser) {
    row = cursorIndex(in: lines(in: browser)) ?? 0
  }

  /// The property under the cursor.
  func property(in browser: Browser) -> PropertySchema? {
    line(in: browser)?.property
  }

  /// The backlink under the cursor, which belongs to the class of its links.
  func backlink(in browser: Browser) -> BacklinkSchema? {
    guard case .backlink(let name)? = line(in: browser)?.place else { return nil }
    return browser.model.schema[classKey]?.backlinks.first { $0.name == name }
  }

  /// The objects of the class, or the attributes of the property.
  func open(in browser: Browser) {
    guard let line = line(in: browser) else { return }
    if line.property != nil { return SchemaMenus(browser).open() }
    Navigation(browser).goToTable(TableDefinition(classKey: line.classKey))
  }

  func openLabel(in browser: Browser) -> String? {
    guard let line = line(in: browser) else { return nil }
    if line.property == nil { return "open \(browser.model.name(of: line.classKey))" }
    return SchemaEditing.whyNot(in: browser) == nil ? "change…" : nil
  }

  func hints(in browser: Browser) -> [String] {
    guard browser.model.schema[classKey] != nil else { return ["back"] }
    if backlink(in: browser) != nil { return ["open", "add-property", "back"] }
    return ["open", "add-property", "retype", "rename", "delete-part", "back"]
  }

  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle? {
    let count = frame.model.schema[classKey]?.properties.count ?? 0
    let counts = "  \(counted(count, "property", "properties"))"
    frame.drawTitle("Schema of \(frame.model.name(of: classKey))", counts: counts, on: &screen)
    draw(lines(in: frame.browser), frame, on: &screen) { ($0.text, $0.style) }
    return nil
  }
}

struct SchemaLine: ViewLine {
  let place: SchemaView.LineID?
  let classKey: ClassKey
  var property: PropertySchema?
  let text: String
  let style: Style

  func has(_ pattern: SearchPattern, in browser: Browser) -> Bool { pattern.isFound(in: text) }
}

/// The lines of the schema of a class; what the draft changes of it has a sign.
struct SchemaLines: BrowserPart {
  let browser: Browser

  func lines(of classKey: ClassKey) -> [SchemaLine] {
    guard let schema = model.schema[classKey] else {
      return [
        SchemaLine(place: nil, classKey: classKey, text: "The class is deleted", style: theme.null)
      ]
    }
    // While a job has the draft, nothing has a sign.
    let committed = model.draftOwner.committed?.schema ?? model.schema
    let former = committed[classKey]
    let traits = browser.settings.declarations.traits(of: classKey).map { ", \($0)" }.joined()
    let kind = schema.isEmbedded ? "embedded class" : "class"
    let count = counted(model.count(of: classKey), "object")
    let sign = former == nil ? "+ " : former?.name == schema.name ? "" : "~ "
    var lines = [
      SchemaLine(
        place: .title,
        classKey: classKey,
        text: "\(sign)\(kind) \(schema.name)  \(count)\(traits)",
        style: former == nil ? theme.added : theme.header
      )
    ]
    let charset = browser.settings.charset
    let width = schema.properties.map { TextWidth.width(of: $0.name, in: charset) }.max() ?? 0
    for property in schema.properties {
      lines += self.lines(of: property, in: schema, former, nameWidth: min(width, 32))
    }
    for backlink in schema.backlinks {
      let origin = model.name(of: backlink.origin)
      let name = model.name(of: backlink.property, in: backlink.origin)
      lines.append(
        SchemaLine(
          place: .backlink(backlink.name),
          classKey: classKey,
          text: "  \(backlink.name)  ← \(origin).\(name)",
          style: theme.standard
        )
      )
    }
    return lines
  }

  private func lines(
    of property: PropertySchema,
    in schema: ClassSchema,
    _ former: ClassSchema?,
    nameWidth: Int
  ) -> [SchemaLine] {
    let others = browser.settings.declarations.notes(on: property.key, of: schema.key)
    let notes = Self.notes(on: property) + others.traits
    let note = notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
    // A property with another type is another one in its place.
    let old = former?[property.key] ?? former?[property.name]
    let isNew = former != nil && old == nil
    let isChanged = old.map { $0 != property } ?? false
    let sign = isNew ? "+ " : isChanged ? "~ " : "  "
    let name = TextWidth.pad(property.name, to: nameWidth, in: browser.settings.charset)
    let style = isNew ? theme.added : isChanged ? theme.changed : theme.standard
    let line = SchemaLine(
      place: .property(property.key),
      classKey: schema.key,
      property: property,
      text: "\(sign)\(name)  \(property.type)\(note)",
      style: style
    )
    return [line]
      + others.remarks.map {
        SchemaLine(place: nil, classKey: schema.key, text: "    ! \($0)", style: theme.note)
      }
  }

  /// Everything but the type of a property, in words.
  static func notes(on property: PropertySchema) -> [String] {
    var notes = property.keyTraits
    if property.isEmbedded { notes.append("embedded") }
    if property.deleteRule != .nullify { notes.append("on deletion: \(property.deleteRule)") }
    if property.targetRule != .nullify {
      notes.append("on deletion of its target: \(property.targetRule)")
    }
    if property.defaultValue != property.type.initialValue {
      notes.append("default \(ValueText.describeMixed(property.defaultValue))")
    }
    return notes
  }
}
