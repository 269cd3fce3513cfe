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
    case let value as any DescribedCollection: value.text(self)
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
  func text<C: RealmCollection>(
    _ kind: String,
    _ elements: C,
    _ identity: ObjectIdentifier
  ) -> String {
    if elements.isInvalidated { return "[invalid collection]" }
    if depth == 0 { return "<Maximum depth exceeded>" }
    let lines = elements.prefix(Self.shownCount).enumerated().map { index, element in
      "\t[\(index)] \(indented(inner.text(of: unwrapped(element))))"
    }
    let name = elementName(C.Element._shape) { elements.realm == nil ? nil : elements._source }
    return frame("\(kind)<\(name)>", identity, lines, elements.count)
  }

  /// The text of a map.
  func text<Key, Value>(_ map: Map<Key, Value>) -> String {
    if map.isInvalidated { return "[invalid map]" }
    if depth == 0 { return "<Maximum depth exceeded>" }
    let lines = map.entries.prefix(Self.shownCount).map { key, value in
      "[\(key._mapKey)]: \(indented(inner.text(of: unwrapped(value))))"
    }
    let name = elementName(Value._shape) { map.realm == nil ? nil : map._source }
    return frame("Map<string, \(name)>", ObjectIdentifier(map), lines, map.count)
  }

  /// The type of elements; of objects of any class, the class that the file has there.
  private func elementName(_ shape: PropertyShape, in source: () -> ResultsSource?) -> String {
    let dynamicName = shape.objectClass == DynamicObject.self ? source()?.className : nil
    return dynamicName ?? shape.elementName
  }

  private func frame(
    _ name: String,
    _ identity: ObjectIdentifier,
    _ lines: [String],
    _ count: Int
  ) -> String {
    let skipped = count > lines.count ? "\n\t... \(count - lines.count) objects skipped." : ""
    let address = String(UInt(bitPattern: identity), radix: 16)
    return "\(name) <0x\(address)> (\n" + lines.joined(separator: ",\n") + skipped + "\n)"
  }
}

/// A collection in the text of an object.
internal protocol DescribedCollection {
  func text(_ description: ObjectDescription) -> String
}

extension ObjectBase: DescribedObject {}

// As in `KeypathSortable`, no member of the class itself.
extension DescribedObject where Self: ObjectBase {
  var text: String { ObjectDescription(depth: 5).text(of: self) }
}

extension RealmCollection {
  /// The collection and its first hundred elements.
  public var description: String {
    let text = (self as? any DescribedCollection)?.text(ObjectDescription(depth: 5))
    return text ?? "\(Self.self)"
  }
}

extension List: DescribedCollection {
  func text(_ description: ObjectDescription) -> String {
    description.text("List", self, ObjectIdentifier(self))
  }
}

extension MutableSet: DescribedCollection {
  func text(_ description: ObjectDescription) -> String {
    description.text("MutableSet", self, ObjectIdentifier(self))
  }
}

extension Results: DescribedCollection {
  func text(_ description: ObjectDescription) -> String {
    description.text("Results", self, ObjectIdentifier(source))
  }
}

extension LinkingObjects: DescribedCollection {
  func text(_ description: ObjectDescription) -> String {
    description.text("LinkingObjects", self, ObjectIdentifier(connection ?? InverseConnection()))
  }
}

extension AnyRealmCollection: DescribedCollection {
  func text(_ description: ObjectDescription) -> String {
    description.text("AnyRealmCollection", self, ObjectIdentifier(base as AnyObject))
  }
}

extension Map: DescribedCollection, CustomStringConvertible {
  func text(_ description: ObjectDescription) -> String { description.text(self) }

  /// The map and its entries.
  public var description: String { text(ObjectDescription(depth: 5)) }
}
