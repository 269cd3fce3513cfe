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

  func text(_ name: String) -> String? { values[name]?.value?.text }

  /// The text of a member of a value in braces.
  func text(_ name: String, _ key: String) -> String? { values[name]?.value?.object?[key]?.text }

  var uid: UidAnnotation? {
    values["uid"].map { UidAnnotation(number: $0.value?.integer, place: $0.place) }
  }

  var isAssignable: Bool { values["id"]?.value?.object?["assignable"] == .flag(true) }

  // MARK: - Values

  /// Says what is wrong with the value of an annotation.
  private static func problem(with annotation: Annotation) -> String? {
    let name = annotation.name
    switch (name, annotation.value) {
    case ("name", .string(let text)?):
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
    case ("backlink", .string): return nil
    case ("backlink", _):
      return "'backlink' needs the name of the property that links here; write "
        + "'// objectbox: backlink = \"…\"'"
    case ("uid", nil): return nil
    case ("uid", let value?) where value.integer ?? 0 > 1: return nil
    case ("uid", _): return "'uid' needs a number above 1; write 'uid' alone to be told one"
    case ("id", nil): return nil
    case ("id", .object(let object)?)
    where object.members.allSatisfy { $0.key == "assignable" && $0.value.flag != nil }:
      return nil
    case ("index", nil): return nil
    case ("index", .string(let text)?) where ["value", "hash", "hash64"].contains(text): return nil
    case ("index", _): return "'index' can have the value \"value\", \"hash\" or \"hash64\""
    case ("unique", nil): return nil
    case ("unique", .object(let object)?)
    where object.members.allSatisfy { $0.key == "onConflict" && $0.value.text == "replace" }:
      return nil
    case ("unique", _):
      return "'unique' can have the value { \"onConflict\": \"replace\" }, and no other"
    case ("type", .string(let text)?) where ["date-nano", "flex"].contains(text): return nil
    case ("type", _): return "'type' can have the value \"date-nano\" or \"flex\""
    case ("convert", nil), ("convert", .string): return nil
    case ("convert", .object(let object)?):
      let wrong = object.members.first {
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
