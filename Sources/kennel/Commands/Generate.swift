import ArgumentParser
import KennelGeneration

/// `kennel generate`: source code from what describes classes.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write source code for classes.",
    subcommands: [GenerateSwift.self]
  )
}

/// `kennel generate swift`: model classes in Swift.
struct GenerateSwift: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Write model classes in Swift.",
    discussion: """
      Examples:
        kennel generate swift --from-objc Dog.h Dog.m Person.h Person.m > Models.swift
        kennel generate swift --from-objc *.h *.m --output Models.swift

      Give all files at once, headers and implementations: classes name each other.
      """
  )

  @Option(
    name: .customLong("from-objc"),
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Objective-C files that declare subclasses of RLMObject.",
      valueName: "file"
    ),
    completion: .file(extensions: ["h", "m", "mm"])
  )
  var fromObjectiveC: [String]

  @Option(name: .shortAndLong, help: "The file to write; '-' or nothing for standard output.")
  var output: String?

  func validate() throws {
    if fromObjectiveC.isEmpty { throw ValidationError("Expected files behind --from-objc") }
  }

  mutating func run() throws {
    var files: [(path: String, text: String)] = []
    for path in fromObjectiveC {
      files.append((path, try text(of: path)))
    }
    let translation: ObjectiveCModels.Translation
    do {
      translation = try ObjectiveCModels.translate(files)
    } catch {
      note(error.description)
      throw ExitCode(1)
    }
    for remark in translation.notes { note(remark.description) }
    guard let output else {
      try StandardOutput.write(translation.text)
      return
    }
    try replaceFile(output, mode: 0o644) { try $0.write(Array(translation.text.utf8)) }
  }

  private func text(of path: String) throws -> String {
    let input = try FileInput(path)
    var bytes: [UInt8] = []
    while true {
      let block = try input.read()
      if block.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += block
    }
  }
}
