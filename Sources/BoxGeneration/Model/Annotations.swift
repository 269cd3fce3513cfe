import SwiftScanning

/// The annotations of one declaration, checked.
struct Annotations {
  private var values: [String: Annotation] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  /// Checks the names and values of annotations that stand where these names are known.
  init(_ annotations: [Annotation], known: [String], kind: String) {
    for annotation in annotations {
      if let reason = Annotation.ineffective[annotation.name] {
        diagnostics.append(
          annotation.place.warning("'\(annotation.spelling)' has no effect: \(reason); remove it")
        )
      } else if !known.contains(annotation.name) {
        report(annotation, Self.unknown(annotation, known: known, kind: kind))
      } else if values[annotation.name] != nil {
        report(annotation, "'\(annotation.name)' is there twice; remove one")
      } else {
        values[annotation.name] = annotation
        if let problem = Self.problem(with: annotation) { report(annotation, problem) }
      }
    }
  }

  private static func unknown(
    _ annotation: Annotation,
    known: [String],
    kind: String
  ) -> String {
    let list = known.joined(separator: ", ")
    let name = annotation.spelling
    if let meant = Annotation.suggestion(for: annotation.name, among: known) {
      return "Unknown annotation '\(name)'; did you mean '\(meant)'? A \(kind) can have: \(list)"
    }
    return "Unknown annotation '\(name)'; a \(kind) can have: \(list)"
  }

  private mutating func report(_ annotation: Annotation, _ message: String) {
    diagnostics.append(annotation.place.error(message))
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  subscript(name: String) -> Annotation? { values[name] }

  func text(_ name: String) -> String? {
    if case .text(let text)? = values[name]?.value { return text }
    return nil
  }

  /// The text of a member of a value in braces.
  func text(_ name: String, _ key: String) -> String? {
    guard case .members(let members)? = values[name]?.value else { return nil }
    return members.first { $0.key == key }?.value.text
  }

  var uid: UidAnnotation? {
    guard let annotation = values["uid"] else { return nil }
    if case .number(let number)? = annotation.value {
      return UidAnnotation(number: number, place: annotation.place)
    }
    return UidAnnotation(number: nil, place: annotation.place)
  }

  var isAssignable: Bool {
    guard case .members(let members)? = values["id"]?.value else { return false }
    return members.contains {
      if case .flag(true) = $0.value { $0.key == "assignable" } else { false }
    }
  }

  // MARK: - Values

  /// What is wrong with the value of an annotation.
  private static func problem(with annotation: Annotation) -> String? {
    let name = annotation.name
    switch (name, annotation.value) {
    case ("name", .text(let text)?):
      let isGood =
        (1...255).contains(text.utf8.count)
        && text.unicodeScalars.allSatisfy {
          $0.properties.generalCategory != .control && !"/.@<>".unicodeScalars.contains($0)
        }
      return isGood
        ? nil
        : "A name in the database has 1 to 255 bytes and no control characters or any of / . @ < >"
    case ("name", _):
      return "'name' needs a name in quotes; write '// objectbox: name = \"…\"'"
    case ("backlink", .text): return nil
    case ("backlink", _):
      return "'backlink' needs the name of the property that links here; write "
        + "'// objectbox: backlink = \"…\"'"
    case ("uid", nil): return nil
    case ("uid", .number(let number)?) where number > 1: return nil
    case ("uid", _): return "'uid' needs a number above 1; write 'uid' alone to be told one"
    case ("id", nil): return nil
    case ("id", .members(let members)?):
      let isGood = members.allSatisfy {
        if case .flag = $0.value { $0.key == "assignable" } else { false }
      }
      return isGood ? nil : "'id' can have the value { \"assignable\": true }, and no other"
    case ("index", nil): return nil
    case ("index", .text(let text)?) where ["value", "hash", "hash64"].contains(text): return nil
    case ("index", _): return "'index' can have the value \"value\", \"hash\" or \"hash64\""
    case ("unique", nil): return nil
    case ("unique", .members(let members)?)
    where members.allSatisfy { $0.key == "onConflict" && $0.value.text == "replace" }:
      return nil
    case ("unique", _):
      return "'unique' can have the value { \"onConflict\": \"replace\" }, and no other"
    case ("type", .text(let text)?) where ["date-nano", "flex"].contains(text): return nil
    case ("type", _): return "'type' can have the value \"date-nano\" or \"flex\""
    case ("convert", nil), ("convert", .text): return nil
    case ("convert", .members(let members)?):
      let wrong = members.first {
        !["dbType", "converter", "default"].contains($0.key) || $0.value.text == nil
      }
      return wrong.map {
        "'convert' has no text for '\($0.key)'; it can have \"dbType\", \"converter\" and "
          + "\"default\", each with a text"
      }
    case ("convert", _):
      return "'convert' needs a value such as { \"dbType\": \"Int\", \"default\": \".none\" }"
    case ("id", _): return "'id' can have the value { \"assignable\": true }, and no other"
    default: return annotation.value == nil ? nil : "'\(name)' has no value; write it alone"
    }
  }
}
