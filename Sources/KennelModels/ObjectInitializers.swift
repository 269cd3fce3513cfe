package import KennelCore
import SwiftScanning

/// Writes objects as initializers of the `KennelRealm` model classes that are generated for them.
///
/// ```swift
/// Person(value: [
///   "name": "Ada",
///   "home": Address(value: ["city": "London"] as [String: Any]),
///   // "dog" links to Dog/1
/// ] as [String: Any])
/// ```
package struct ObjectInitializers {
  private let reader: DatabaseReader
  private var classNames = SwiftClassNames(taken: SwiftClassNames.realm)
  private var members: [ClassKey: SwiftPropertyNames] = [:]

  /// Objects that are embedded deeper are left out.
  private static let deepest = 32

  private init(_ reader: DatabaseReader) {
    self.reader = reader
    for (classSchema, definition) in zip(reader.schema.classes, reader.schema.definitions) {
      classNames.add(classSchema.name)
      members[classSchema.key] = SwiftPropertyNames(definition)
    }
  }

  /// The initializers of objects, an empty line between two.
  ///
  /// Nulls are left out. So are links, which a comment names, and values that no literal expresses
  /// exactly.
  package static func text(
    of objects: [ObjectIdentity],
    in reader: DatabaseReader
  ) throws(DatabaseError) -> String {
    let writer = ObjectInitializers(reader)
    var texts: [String] = []
    for object in objects { texts.append(try writer.initializer(of: object, depth: 0)) }
    return texts.joined(separator: "\n\n")
  }

  private func initializer(of object: ObjectIdentity, depth: Int) throws(DatabaseError) -> String {
    let schema = reader.schema[object.classKey]
    let name = SwiftText.name(classNames[schema?.name ?? ""])
    let indent = String(repeating: "  ", count: depth)
    var lines: [String] = []
    for property in schema?.properties ?? [] {
      let value = try reader.value(of: object, property: property.key)
      if value.isNull { continue }
      let member = members[object.classKey]?[property.name] ?? property.name
      let literal = SwiftText.literal(member)
      let isNested = !property.isCollection && value.isCollection
      let text =
        isNested ? nestedText(of: value) : try text(of: value, property, depth: depth + 1)
      if let text {
        lines.append("\(indent)  \(literal): \(text),")
      } else {
        lines.append("\(indent)  // \(literal) \(comment(on: value))")
      }
    }
    if lines.isEmpty { return "\(name)()" }
    return "\(name)(value: [\n\(lines.joined(separator: "\n"))\n\(indent)] as [String: Any])"
  }

  /// The literal of a value; `nil` if there is none, or if it has links.
  private func text(
    of value: Value,
    _ property: PropertySchema,
    depth: Int
  ) throws(DatabaseError) -> String? {
    switch value.shape {
    case .link(let target):
      guard reader.schema[target.classKey]?.isEmbedded == true, depth < Self.deepest else {
        return nil
      }
      return try initializer(of: target, depth: depth)
    case .list(let values), .set(let values):
      var texts: [String] = []
      for value in values {
        guard let text = try element(value, property, depth: depth) else { return nil }
        texts.append(text)
      }
      return "[\(texts.joined(separator: ", "))] as [Any]"
    case .map(let entries):
      var texts: [String] = []
      for entry in entries {
        guard let text = try element(entry.value, property, depth: depth) else { return nil }
        texts.append("\(SwiftText.literal(entry.key)): \(text)")
      }
      return "[\(texts.isEmpty ? ":" : texts.joined(separator: ", "))] as [String: Any]"
    case .null: return "NSNull()"
    case .scalar: return SwiftLiteral.of(value)
    }
  }

  /// The literal of an element of a collection, which may be a collection itself where it is mixed.
  private func element(
    _ value: Value,
    _ property: PropertySchema,
    depth: Int
  ) throws(DatabaseError) -> String? {
    value.isCollection ? nestedText(of: value) : try text(of: value, property, depth: depth)
  }

  /// The list or the map that a mixed value is, as an `AnyRealmValue`; `nil` as for other values.
  private func nestedText(of value: Value) -> String? {
    switch value.shape {
    case .list(let values), .set(let values):
      let texts = values.compactMap(nestedText)
      guard texts.count == values.count else { return nil }
      return "AnyRealmValue.fromArray([\(texts.joined(separator: ", "))])"
    case .map(let entries):
      let texts = entries.compactMap { entry in
        nestedText(of: entry.value).map { "\(SwiftText.literal(entry.key)): \($0)" }
      }
      guard texts.count == entries.count else { return nil }
      let all = texts.isEmpty ? ":" : texts.joined(separator: ", ")
      return "AnyRealmValue.fromDictionary([\(all)])"
    case .null: return "AnyRealmValue.none"
    case .link: return nil
    case .scalar: return mixedLiteral(value)
    }
  }

  private func mixedLiteral(_ value: Value) -> String? {
    guard let literal = SwiftLiteral.of(value), let kind = value.kind else { return nil }
    let isDecimal = kind == .decimal128
    let content = isDecimal ? "Decimal128(\(literal))" : literal
    return "AnyRealmValue.\(kind)(\(content))"
  }

  private func comment(on value: Value) -> String {
    switch value.shape {
    case .link(let target): "links to \(name(target))"
    case .list(let values), .set(let values): "has \(values.count) elements"
    case .map(let entries): "has \(entries.count) entries"
    case .null, .scalar: "has no exact literal"
    }
  }

  private func name(_ object: ObjectIdentity) -> String {
    let className = SwiftText.literal(reader.schema[object.classKey]?.name ?? "?").dropFirst()
      .dropLast()
    return object.key.isProvisional ? "a new \(className)" : "\(className)/\(object.key.rawValue)"
  }
}
