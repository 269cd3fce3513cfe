import BoxGeneration
import SwiftScanning
import Testing

/// Generates the code of one source file.
func generate(_ source: String, model: String? = nil) -> BoxGeneration.Result {
  BoxGeneration.generate(
    target: "App",
    sources: [.init(path: "App.swift", text: source)],
    model: model,
    modelPath: "model.json"
  )
}

/// The mistakes of the properties of an entity, which begin in line 3.
func mistakes(inClass members: String) -> [String] {
  generate("class Note: Entity {\n  var id: Id = 0\n\(members)\n}").diagnostics.map(\.description)
}

/// The descriptions of the properties of an entity in its generated code, without numbers.
func properties(_ source: String) -> [String] {
  let result = generate(source)
  #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
  let lines = (result.code ?? "").split(separator: "\n")
    .drop { $0 != "    properties: [" }.dropFirst().prefix { $0 != "    ]" }
  return lines.map { line in
    line.drop { $0 == " " }.replacing(/, id: \d+, uid: \d+/, with: "").dropLast().description
  }
}

/// The members of an entity as they are described, without its ID.
func properties(inClass members: String) -> [String] {
  let all = properties(
    """
    class Note: Entity { var id: Id = 0
    \(members)
    }
    class Tag: Entity { var id: Id = 0; var note: ToOne<Note> = nil }
    enum Kind: String { case a }
    """
  )
  #expect(all.first == #".id("id")"#)
  return Array(all.dropFirst())
}
