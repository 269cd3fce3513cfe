import Foundation

/// The text of an object or a collection with the objects that it links to, down to a depth.
internal struct ObjectDescription {
  let depth: Int

  /// How many elements of a collection are shown.
  private static let shownCount = 100
  /// How many bytes of data are shown.
  private static let shownByteCount = 24

  private var inner: ObjectDescription { ObjectDescription(depth: depth - 1) }

  func text(of object: ObjectBase) -> String {
    if object.isInvalidated { return "[invalid object]" }
    if depth == 0 { return "<Maximum depth exceeded>" }
    let schema = object.objectSchema
    let lines = schema.properties.map { property in
      "\t\(property.name) = \(indented(inner.text(of: object[property.name])));\n"
    }
    return schema.className + " {\n" + lines.joined() + "}"
  }

  private func indented(_ text: String) -> String {
    text.replacingOccurrences(of: "\n", with: "\n\t")
  }

  private func text(of value: Any?) -> String {
    switch value {
    case .none: "(null)"
    case let object as ObjectBase: text(of: object)
    case let collection as any RealmCollection: elements(of: collection)
    case let map as any RealmKeyedCollection: entries(of: map)
    case let value as AnyRealmValue: text(of: value.plainValue)
    case let value as Bool: value ? "1" : "0"
    case let value as any BinaryFloatingPoint: number("\(value)")
    case let data as Data: text(of: data)
    case .some(let value): "\(value)"
    }
  }

  /// A number without a fraction of zero.
  private func number(_ text: String) -> String {
    text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The first bytes in hexadecimal digits, four together.
  private func text(of data: Data) -> String {
    var digits = ""
    for (index, byte) in data.prefix(Self.shownByteCount).enumerated() {
      if index > 0, index % 4 == 0 { digits += " " }
      digits += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    let rest = data.count > Self.shownByteCount ? " \u{2014} \(data.count) total bytes" : ""
    return "<\(digits)>" + rest
  }

  /// The text of a list, a set, results or linking objects: the first hundred elements.
  func elements<C: RealmCollection>(of elements: C) -> String {
    if elements.isInvalidated { return "[invalid collection]" }
    if depth == 0 { return "<Maximum depth exceeded>" }
    let lines = elements.prefix(Self.shownCount).enumerated().map { index, element in
      "\t[\(index)] \(indented(inner.text(of: unwrapped(element))))"
    }
    let kind = "\(C.self)".prefix { $0 != "<" }
    let name = elementName(C.Element._shape) { elements.realm == nil ? nil : elements._source }
    return frame("\(kind)<\(name)>", elements, lines, elements.count)
  }

  /// The text of a map: the first hundred entries.
  func entries<M: RealmKeyedCollection>(of map: M) -> String {
    if map.isInvalidated { return "[invalid map]" }
    if depth == 0 { return "<Maximum depth exceeded>" }
    let lines = zip(map.keys, map.values).prefix(Self.shownCount).map { key, value in
      "[\(key._mapKey)]: \(indented(inner.text(of: unwrapped(value))))"
    }
    let name = elementName(M.Value._shape) { map.realm == nil ? nil : map._source }
    return frame("Map<string, \(name)>", map, lines, map.count)
  }

  /// The type of elements; of objects of any class, the class that the file has there.
  private func elementName(_ shape: PropertyShape, in source: () -> ResultsSource?) -> String {
    let dynamicName = shape.objectClass == DynamicObject.self ? source()?.className : nil
    return dynamicName ?? shape.elementName
  }

  private func frame(
    _ name: String,
    _ collection: Any,
    _ lines: [String],
    _ count: Int
  ) -> String {
    let skipped = count > lines.count ? "\n\t... \(count - lines.count) objects skipped." : ""
    let address = String(identity(of: collection).map { UInt(bitPattern: $0) } ?? 0, radix: 16)
    return "\(name) <0x\(address)> (\n" + lines.joined(separator: ",\n") + skipped + "\n)"
  }
}

extension ObjectBase: DescribedObject {}

// As in `KeypathSortable`, no member of the class itself.
extension DescribedObject where Self: ObjectBase {
  var text: String { ObjectDescription(depth: 5).text(of: self) }
}

extension RealmCollection {
  /// The collection and its first hundred elements.
  public var description: String { ObjectDescription(depth: 5).elements(of: self) }
}

extension Map: CustomStringConvertible {
  /// The map and its entries.
  public var description: String { ObjectDescription(depth: 5).entries(of: self) }
}
