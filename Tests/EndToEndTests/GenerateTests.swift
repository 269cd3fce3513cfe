import Foundation
import Testing

@Suite struct `kennel generate swift` {
  private let place: TemporaryPlace

  init() throws {
    place = try TemporaryPlace()
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let path = place.file(name)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func `writes models of classes that were changed in the browser`() throws {
    let path = place.file("dogs.kennel")
    _ = try Kennel.run("sample", path)
    let keys = """
      = press j Enter i o
      = type city string?
      = press Enter
      = press g g j j r ^U
      = type title
      = press Enter 4 w y
      """
    let outcome = try Kennel.run(all: ["--rw", "--script", "-", path], input: keys)
    #expect(outcome.output.contains("Committed as number"), "\(outcome.output)")
    let models = try Kennel.run("generate", "swift", path).output
    #expect(models.contains("let title = Property<String>()"), "\(models)")
    #expect(models.components(separatedBy: "let city = Property<String?>()").count == 3)
  }

  @Test func `translates Objective-C models`() throws {
    let header = try file(
      "Dog.h",
      "@interface Dog : RLMObject\n@property NSString *name;\n@end\nRLM_COLLECTION_TYPE(Dog)\n"
    )
    let implementation = try file(
      "Dog.m",
      "@implementation Dog\n+ (NSArray *)requiredProperties { return @[@\"name\"]; }\n@end\n"
    )
    let expected =
      "import KennelRealm\n\nclass Dog: Object {\n  @Persisted var name: String\n}\n"
    let made = try Kennel.run("generate", "swift", "--from-objc", header, implementation)
    #expect(made.exitCode == 0, "\(made.messages)")
    #expect(made.output == expected)

    let output = place.file("Dog.swift")
    let written = try Kennel.run("generate", "swift", "--from-objc", header, "--output", output)
    #expect(written.exitCode == 0)
    #expect(written.output.isEmpty)
    #expect(try String(contentsOfFile: output, encoding: .utf8).contains("name: String?"))
  }

  @Test func `names the line that it cannot translate`() throws {
    let header = try file("Dog.h", "@interface Dog : RLMObject\n@property Bone *bone;\n@end\n")
    let made = try Kennel.run("generate", "swift", "--from-objc", header)
    #expect(made.exitCode == 1)
    #expect(made.output.isEmpty)
    #expect(made.messages.hasPrefix("\(header):2: error: Dog.bone: Bone is neither a value nor"))
  }

  @Test func `says which file is missing`() throws {
    let made = try Kennel.run("generate", "swift", "--from-objc", place.file("none.h"))
    #expect(made.exitCode == 1)
    #expect(made.messages.contains("Cannot read"))
    #expect(try Kennel.run("generate", "swift").exitCode == 2)
  }

  @Test func `is named where the language is missing`() throws {
    let made = try Kennel.run("generate", "dogs.kennel", "--output", "Dogs.swift")
    #expect(made.exitCode == 2)
    #expect(made.messages.contains("kennel generate swift dogs.kennel --output Dogs.swift"))
    #expect(try Kennel.run("generate").output.contains("USAGE: kennel generate <subcommand>"))
  }
}
