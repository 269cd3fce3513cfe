import Foundation
import KennelTestSupport

/// What a run of `kennel` left behind.
struct Outcome {
  let exitCode: Int32
  let output: String
  let messages: String
}

/// The executable `kennel`.
enum Kennel {
  /// Runs `kennel` to its end, with its standard input from a text.
  static func run(
    _ arguments: String...,
    input: String = "",
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(all: arguments, input: input, environment: environment)
  }

  static func run(
    all arguments: [String],
    input: String = "",
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let folder = try TemporaryPlace()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Executable.path("kennel"))
    process.arguments = arguments
    process.environment = Executable.environment(adding: environment, home: folder.path)
    // Files, not pipes: neither side ever waits for the other.
    for (name, text) in [("in", input), ("out", ""), ("err", "")] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }
    process.standardInput = FileHandle(forReadingAtPath: folder.file("in"))
    process.standardOutput = FileHandle(forWritingAtPath: folder.file("out"))
    process.standardError = FileHandle(forWritingAtPath: folder.file("err"))
    try process.start()
    process.waitUntilExit()
    return Outcome(
      exitCode: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus,
      output: try folder.text("out"),
      messages: try folder.text("err")
    )
  }
}

/// A folder that goes when the last reference does.
final class TemporaryPlace: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("kennel-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(name)))
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: file(name))
  }

  /// The names of what lies in the folder, or in one inside it.
  func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(folder)).sorted()
  }
}
