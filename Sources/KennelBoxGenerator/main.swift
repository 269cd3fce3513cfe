import BoxGeneration
import FoundationEssentials
import Glibc

// KennelBoxGenerator TARGET MODEL OUTPUT SOURCE…: writes the bindings of a target's entities, and
// its model.json. The plugin KennelBoxModels runs it.

/// Writes a text unless the file has it already, so that nothing is compiled again.
private func write(_ text: String, to path: String) throws {
  let data = Data(text.utf8)
  if FileManager.default.contents(atPath: path) == data { return }
  try data.write(to: URL(filePath: path), options: .atomic)
}

private func run(_ arguments: [String]) -> Int32 {
  guard arguments.count > 3 else {
    print("usage: KennelBoxGenerator TARGET MODEL OUTPUT SOURCE…")
    return 2
  }
  let (target, model, output) = (arguments[0], arguments[1], arguments[2])
  var path = model
  do {
    let sources = try arguments[3...].map { source in
      path = source
      return BoxGeneration.Source(
        path: source,
        text: try String(contentsOfFile: source, encoding: .utf8)
      )
    }
    path = model
    let exists = FileManager.default.fileExists(atPath: model)
    let result = BoxGeneration.generate(
      target: target,
      sources: sources,
      model: exists ? try String(contentsOfFile: model, encoding: .utf8) : nil,
      modelPath: model
    )
    for diagnostic in result.diagnostics { print(diagnostic) }
    if let text = result.model { try write(text, to: model) }
    guard let code = result.code else { return 1 }
    path = output
    try write(code, to: output)
    return 0
  } catch {
    print("\(path):1: error: Cannot read or write this file: \(error)")
    return 1
  }
}

exit(run(Array(CommandLine.arguments.dropFirst())))
