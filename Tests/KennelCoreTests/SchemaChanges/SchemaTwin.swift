import KennelCore

/// Classes with their objects as a person would write them down: no numbers of classes and properties, no
/// columns, no indexes.
struct SchemaTwin: Equatable {
  struct Property: Equatable {
    var name: String
    var type: PropertyType
    var isIndexed = false
  }

  struct Table: Equatable {
    var name: String
    var properties: [Property] = []
    /// The values of each object, in the order of the properties.
    var objects: [ObjectKey: [Value]] = [:]
  }

  var tables: [Table] = []

  func index(_ name: String) -> Int? { tables.firstIndex { $0.name == name } }

  /// Performs a change; false where it has to be refused.
  mutating func perform(_ change: SchemaChange) -> Bool {
    if case .addClass(let name, _) = change {
      guard index(name) == nil else { return false }
      tables.append(Table(name: name))
      return true
    }
    guard let index = index(change.className) else { return false }
    switch change {
    case .renameClass(let old, let new):
      guard self.index(new) == nil else { return false }
      tables[index].name = new
      for table in tables.indices {
        for property in tables[table].properties.indices
        where tables[table].properties[property].type.target == old {
          tables[table].properties[property].type.target = new
        }
      }
    case .deleteClass(let name):
      let isLinked = tables.contains { table in
        table.name != name && table.properties.contains { $0.type.target == name }
      }
      guard tables[index].objects.isEmpty, !isLinked else { return false }
      tables.remove(at: index)
    default: return perform(change, onPropertiesOf: index)
    }
    return true
  }

  private mutating func perform(_ change: SchemaChange, onPropertiesOf index: Int) -> Bool {
    var table = tables[index]
    let names = table.properties.map(\.name)
    if case .addProperty(let definition, _) = change {
      guard !names.contains(definition.name) else { return false }
      if let target = definition.type.target, self.index(target) == nil { return false }
      table.properties.append(
        Property(name: definition.name, type: definition.type, isIndexed: definition.isIndexed)
      )
      let value = definition.defaultValue ?? Self.initial(definition.type)
      for key in table.objects.keys { table.objects[key]?.append(value) }
    } else {
      guard let place = change.propertyName.flatMap(names.firstIndex) else { return false }
      switch change {
      case .renameProperty(let old, _, let new):
        guard new == old || !names.contains(new) else { return false }
        table.properties[place].name = new
      case .deleteProperty:
        table.properties.remove(at: place)
        for key in table.objects.keys { table.objects[key]?.remove(at: place) }
      case .setIndexed(let isIndexed, _, _):
        let type = table.properties[place].type
        if isIndexed, type.collection != .none || type.kind == .link { return false }
        table.properties[place].isIndexed = isIndexed
      case .retypeProperty(_, _, let type, let isClearing):
        let isScalar = type.collection == .none && type.kind != .link
        if table.properties[place].isIndexed, !isScalar { return false }
        if let target = type.target, self.index(target) == nil { return false }
        let isSame = table.properties[place].type.target == type.target
        for (key, values) in table.objects {
          let (value, isWhole) = Self.convert(values[place], to: type, isSame)
          if !isWhole, !isClearing { return false }
          table.objects[key]?[place] = value
        }
        table.properties[place].type = type
      default: return false
      }
    }
    tables[index] = table
    return true
  }

  static func initial(_ type: PropertyType) -> Value {
    switch type.collection {
    case .list: return .list([])
    case .set: return .set([])
    case .map: return .map([])
    case .none: break
    }
    if type.isOptional { return .null }
    switch type.kind {
    case .int: return .int(0)
    case .double: return .double(0)
    case .bool: return .bool(false)
    default: return .string("")
    }
  }

  /// The converted value, and whether nothing of it is lost.
  private static func convert(
    _ value: Value,
    to type: PropertyType,
    _ hasSameTarget: Bool
  ) -> (Value, Bool) {
    var parts: [Value]
    switch value {
    case .null: parts = type.collection == .none ? [.null] : []
    case .list(let values): parts = values
    default: parts = [value]
    }
    if type.collection == .list {
      let converted = parts.compactMap { scalar($0, type, hasSameTarget) }
      return (.list(converted), converted.count == parts.count)
    }
    if parts.isEmpty { parts = [.null] }
    guard parts.count == 1, let converted = scalar(parts[0], type, hasSameTarget) else {
      return (initial(type), false)
    }
    return (converted, true)
  }

  private static func scalar(
    _ value: Value,
    _ type: PropertyType,
    _ hasSameTarget: Bool
  ) -> Value? {
    switch (value, type.kind) {
    case (.null, _): return type.isOptional ? .null : nil
    case (.int, .int), (.double, .double), (.bool, .bool), (.string, .string): return value
    case (.link, .link): return hasSameTarget ? value : nil
    case (.int(let number), .double): return .double(Double(number))
    case (.int(let number), .bool): return number == 0 || number == 1 ? .bool(number == 1) : nil
    case (.int(let number), .string): return .string("\(number)")
    case (.double(let number), .int): return Int64(exactly: number).map(Value.int)
    case (.double(let number), .bool): return number == 0 || number == 1 ? .bool(number == 1) : nil
    case (.double(let number), .string): return .string(ValueText.describe(.double(number)))
    case (.bool(let flag), .int): return .int(flag ? 1 : 0)
    case (.bool(let flag), .double): return .double(flag ? 1 : 0)
    case (.bool(let flag), .string): return .string("\(flag)")
    case (.string(let text), .int): return Int64(text.filter { $0 != " " }).map(Value.int)
    case (.string(let text), .double): return Double(text.filter { $0 != " " }).map(Value.double)
    case (.string(let text), .bool): return ["true": true, "false": false][text].map(Value.bool)
    default: return nil
    }
  }
}

extension SchemaTwin {
  /// What a reader shows, in the form of a twin.
  init(_ reader: DatabaseReader) throws {
    for found in reader.schema.classes {
      var table = Table(name: found.name)
      table.properties = found.properties.map {
        Property(name: $0.name, type: $0.type, isIndexed: $0.isIndexed)
      }
      for object in try reader.objects(of: found.key) {
        table.objects[object.key] = try found.properties.map {
          try reader.value(of: object, property: $0.key)
        }
      }
      tables.append(table)
    }
  }

  /// The links to each object, by the names of their classes and properties.
  func linkCounts(_ reader: DatabaseReader) -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in tables {
      for (place, property) in table.properties.enumerated() {
        for values in table.objects.values {
          let links: [Value] =
            if case .list(let values) = values[place] { values } else { [values[place]] }
          for case .link(let target) in links {
            counts["\(table.name).\(property.name) → \(target)", default: 0] += 1
          }
        }
      }
    }
    return counts
  }
}
