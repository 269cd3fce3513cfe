import KennelTestSupport
import Testing

@Suite struct `The example of Realm's model classes` {
  @Test func `writes a file that kennel opens, with the inverse relationship declared`() throws {
    let folder = try TemporaryPlace()
    let file = folder.file("pets.kennel")
    let program = try Executable.path("Pets")
    let environment = Executable.environment()
    let first = try Executable.run(program, [file], environment: environment)
    #expect(first.status == 0)
    #expect(
      first.output == """
        Fido, 1, belongs to Bob
        Rex, 3, belongs to Ada and Bob
        People: 2

        """
    )
    let second = try Executable.run(program, [file], environment: environment)
    #expect(second.output.hasSuffix("People: 2\n"))
    #expect(try Kennel.run("check", file).exitCode == 0)
    let schema = try Kennel.run("schema", file)
    #expect(schema.exitCode == 0)
    for word in ["Address", "owners", "mood", "objectId"] {
      #expect(schema.output.contains(word), "\(schema.output)")
    }
  }
}
