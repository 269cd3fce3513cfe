internal import KennelCore

/// Reads a property as a person types it, such as `city string?` or `code int unique = 7`.
struct PropertyLine {
  private let schema: Schema

  init(_ schema: Schema) { self.schema = schema }

  /// A name, a type, and what else is said of it; a name may have blanks in it.
  func definition(_ text: String) throws(ValidationError) -> PropertyDefinition {
    let parts = text.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
    let words = (parts.first ?? "").split(whereSeparator: \.isWhitespace).map { String($0) }
    for start in words.indices.dropFirst() {
      for end in words.indices.reversed() where end >= start {
        let name = words[start...end].joined(separator: " ")
        guard let type = known(name) else { continue }
        var definition = PropertyDefinition(words[..<start].joined(separator: " "), type)
        for word in words[(end + 1)...] { try add(word, to: &definition) }
        if parts.count == 2 { definition.defaultValue = try value(parts[1], type) }
        return definition
      }
    }
    if words.count < 2 {
      throw ValidationError("Write a name and a type, such as ‘\(words.first ?? "city") string?’")
    }
    throw ValidationError(
      "None of ‘\(words.dropFirst().joined(separator: " "))’ is a type: \(Self.types)"
    )
  }

  private static let types =
    "a type is int, int8, int16, int32, double, float, string, bool, date, data, uuid, objectId,"
    + " decimal128, mixed or a class, with ? or in list<…>, set<…> or map<…>"

  func type(_ text: String) throws(ValidationError) -> PropertyType {
    if let type = known(text.trimmed) { return type }
    throw ValidationError("‘\(text.trimmed)’ is no type: \(Self.types)")
  }

  /// A type, or a class for links to it.
  private func known(_ text: String) -> PropertyType? {
    if let type = PropertyType(text) { return type }
    if schema[text] != nil { return .link(text) }
    guard let open = text.firstIndex(of: "<"), text.hasSuffix(">") else { return nil }
    let inner = String(text[text.index(after: open)...].dropLast())
    guard schema[inner] != nil else { return nil }
    switch text[..<open] {
    case "list": return .list(.link(inner))
    case "set": return .set(.link(inner))
    case "map": return .map(.link(inner))
    default: return nil
    }
  }

  private func add(
    _ word: String,
    to definition: inout PropertyDefinition
  ) throws(ValidationError) {
    switch word {
    case "unique": definition.isUnique = true
    case "indexed": definition.isIndexed = true
    case "key": definition.isPrimaryKey = true
    default:
      throw ValidationError(
        "‘\(word)’ is none of unique, indexed and key, which may follow the type"
      )
    }
  }

  private func value(_ text: String, _ type: PropertyType) throws(ValidationError) -> Value {
    do throws(ValueTextError) {
      return try ValueText.parse(text, as: type)
    } catch {
      throw ValidationError(error.message)
    }
  }
}
