import Foundation

/// The text of an object with the objects that it links to, down to a depth.
internal struct ObjectDescription {
  let depth: Int

  func text(of object: ObjectBase) -> String {
    if object.isInvalidated { return "[invalid object]" }
    let schema = object.objectSchema
    if depth == 0 { return "<Maximum depth exceeded>" }
    let lines = schema.properties.map { property in
      "\t\(property.name) = \(indented(text(of: object[property.name])));\n"
    }
    return schema.className + " {\n" + lines.joined() + "}"
  }

  private func indented(_ text: String) -> String {
    text.replacingOccurrences(of: "\n", with: "\n\t")
  }

  func text(of value: Any?) -> String {
    switch value {
    case .none: "(null)"
    case let object as ObjectBase: ObjectDescription(depth: depth - 1).text(of: object)
    case let value as Bool: value ? "1" : "0"
    case let data as Data: "<\(data.count) bytes>"
    case let value as any DescribedCollection: value.text(ObjectDescription(depth: depth - 1))
    case .some(let value): "\(value)"
    }
  }

  /// The text of a collection, of its first hundred elements.
  func text(_ name: String, _ elements: some Collection) -> String {
    let shown = elements.prefix(100).enumerated().map { index, element in
      "\t[\(index)] \(indented(text(of: unwrapped(element))))"
    }
    let rest = elements.count > 100 ? ["\t... \(elements.count - 100) objects skipped."] : []
    return "\(name) (\n" + (shown + rest).joined(separator: ",\n") + "\n)"
  }
}

/// A collection in the text of an object.
internal protocol DescribedCollection {
  func text(_ description: ObjectDescription) -> String
}
