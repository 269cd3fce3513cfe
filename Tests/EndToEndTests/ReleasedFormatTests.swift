import Foundation
import Testing

/// A small file of each format that was released, which every later program opens.
///
/// `Formats/` has the files, and what an export of each is. They are never made anew.
@Suite("A released format")
struct ReleasedFormatTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Formats")
  private static let names = ["format-1", "format-1-encrypted"]

  private let place: TemporaryPlace

  init() throws { place = try TemporaryPlace() }

  private func environment(of name: String) throws -> [String: String] {
    guard name.hasSuffix("encrypted") else { return [:] }
    return ["KENNEL_KEY": try Self.text("format-1.key")]
  }

  private static func text(_ name: String) throws -> String {
    let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Copies a file: its folder may be read-only.
  private func copy(_ name: String) throws -> String {
    let path = place.file(name)
    let bytes = try Data(contentsOf: Self.folder.appendingPathComponent(name + ".database"))
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test(arguments: names)
  func `is read and written`(name: String) throws {
    let environment = try environment(of: name)
    let path = try copy(name)
    let before = try place.bytes(name)
    let export = try Kennel.run("export", path, environment: environment)
    #expect(export.exitCode == 0, "\(export.messages)")
    #expect(try export.output == Self.text("format-1.jsonl"))
    let check = try Kennel.run("check", path, environment: environment)
    #expect(check.exitCode == 0, "\(check.output)\(check.messages)")
    #expect(try place.bytes(name) == before)
    let new = """
      {"$kennel":1}
      {"$class":"Owner"}
      {"$object":"Owner/41","name":"A new one","home":{"street":"Elm Road"}}

      """
    let added = try Kennel.run("import", path, "-", input: new, environment: environment)
    #expect(added.exitCode == 0, "\(added.messages)")
    let found = try Kennel.run(
      "query",
      path,
      "Owner",
      "home.street == 'Elm Road'",
      environment: environment
    )
    #expect(found.output.contains("A new one"))
    #expect(try Kennel.run("check", path, environment: environment).exitCode == 0)
    #expect(try Kennel.run("compact", path, environment: environment).exitCode == 0)
    #expect(try Kennel.run("check", path, environment: environment).exitCode == 0)
  }

  @Test func `that is encrypted is not read without its key`() throws {
    let path = try copy("format-1-encrypted")
    let none = try Kennel.run("export", path)
    #expect(none.exitCode == 1)
    #expect(none.messages.contains("it is encrypted; give its key with --key-file FILE"))
    let wrong = try Kennel.run("export", path, environment: ["KENNEL_KEY": "a passphrase"])
    #expect(wrong.exitCode == 1)
    #expect(wrong.messages.contains("the key or passphrase is wrong"))
  }
}
