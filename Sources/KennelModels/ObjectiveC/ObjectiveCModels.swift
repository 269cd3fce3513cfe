package import SwiftScanning

/// Translates the model classes of Objective-C source files to Swift.
package enum ObjectiveCModels {
  /// The result of a translation.
  package struct Translation {
    /// A Swift source file.
    package let text: String
    /// The classes that were omitted.
    package let notes: [Diagnostic]
  }

  /// Translates the models in headers and implementations, in any order.
  ///
  /// The classes keep the order of their interfaces. Classes that are not models are omitted.
  ///
  /// - Throws: A `Diagnostic` for the first declaration without a translation.
  package static func translate(
    _ files: [(path: String, text: String)]
  ) throws(Diagnostic) -> Translation {
    var parser = ObjectiveCParser()
    for file in files.filter({ isHeader($0.path) }) + files.filter({ !isHeader($0.path) }) {
      try parser.read(file.text, path: file.path)
    }
    let translator = ModelTranslator(classes: parser.classes, enumerations: parser.enumerations)
    guard !translator.models.isEmpty else {
      throw Diagnostic(
        .error,
        files.first?.path ?? "-",
        line: 1,
        "No class here inherits RLMObject or RLMEmbeddedObject"
      )
    }
    var parts: [String] = []
    var notes: [Diagnostic] = []
    for declared in parser.classes {
      if translator.models.contains(declared.name) {
        parts.append(try translator.swift(for: declared))
      } else {
        notes.append(
          Diagnostic(
            .note,
            declared.place.path,
            line: declared.place.line,
            "\(declared.name) does not inherit RLMObject and is left out"
          )
        )
      }
    }
    let text = (["import KennelRealm\n"] + parts).joined(separator: "\n")
    return Translation(text: text, notes: notes)
  }

  private static func isHeader(_ path: String) -> Bool { path.hasSuffix(".h") }
}
