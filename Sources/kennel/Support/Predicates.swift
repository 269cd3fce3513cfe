@_spi(Faces) import KennelCore

/// The class with this name; the error lists the classes that exist, and names the nearest.
func findClass(_ name: String, in schema: Schema, of file: String) throws -> ClassSchema {
  if let classSchema = schema[name] { return classSchema }
  let names = schema.classes.map(\.name)
  throw CommandError("There is no class \(name) in \(file): \(advice(name, among: names))")
}

/// The property with this name; the error lists those that exist, and names the nearest.
func findProperty(_ name: String, of classSchema: ClassSchema) throws -> PropertySchema {
  if let property = classSchema[name] { return property }
  let names = classSchema.properties.map(\.name)
  throw CommandError(
    "Class \(classSchema.name) has no property \(name): \(advice(name, among: names))"
  )
}

private func advice(_ name: String, among names: [String]) -> String {
  let nearest = NearestName.of(name, among: names).map { "; did you mean '\($0)'?" } ?? ""
  return "it has \(names.isEmpty ? "none" : names.joined(separator: ", "))\(nearest)"
}

/// Parses and checks a predicate for objects of a class.
func parsePredicate(
  _ text: String,
  _ classSchema: ClassSchema,
  _ schema: Schema
) throws -> Predicate {
  try parsed(text) { text throws(PredicateError) in
    try Predicate.parse(text, for: classSchema.key, in: schema)
  }
}

/// Parses a text of the query language.
func parsed<Result>(
  _ text: String,
  _ parse: (String) throws(PredicateError) -> Result
) throws(CommandError) -> Result {
  try rethrowing(try parse(text)) { CommandError($0, in: text) }
}

extension CommandError {
  /// The message, the text around the error, and a mark below the error.
  init(_ error: PredicateError, in text: String) {
    let line = text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
    let place = min(max(error.column - 1, 0), line.count)
    let shown = max(place - 60, 0)..<min(place + 60, line.count)
    let start = shown.lowerBound > 0 ? "…" : ""
    let end = shown.upperBound < line.count ? "…" : ""
    let mark = String(repeating: " ", count: place - shown.lowerBound + start.count) + "^"
    self.init("\(error.description)\n  \(start)\(String(line[shown]))\(end)\n  \(mark)")
  }
}
