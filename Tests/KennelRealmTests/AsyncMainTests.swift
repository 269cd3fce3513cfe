import KennelTestSupport
import Testing

@Suite struct `Programs on the main actor` {
  @Test func `whose main is asynchronous use a realm on whichever thread the actor runs`() throws {
    let run = try Self.run("AsyncMain")
    #expect(run.status == 0)
    #expect(
      run.output == """
        after a suspension: ["first"]
        one realm: true
        after asyncWrite: ["renamed", "second"]
        after writeAsync: true 3
        told: []
        observed: [3, 0]
        elsewhere: Realm accessed from incorrect thread

        """
    )
  }

  @Test func `open a realm after a suspension at the top level`() throws {
    let run = try Self.run("TopLevelAwait")
    #expect(run.status == 0)
    #expect(run.output == "[\"only\"]\n")
  }

  @Test func `go on in a run loop that a block of the main queue runs`() throws {
    let run = try Self.run("NestedRunLoop")
    #expect(run.status == 0)
    #expect(run.output == "inside: [\"first\", \"second\"] 2\noutside: 2\n")
  }

  private static func run(_ program: String) throws -> (status: Int32, output: String) {
    let folder = try TemporaryFolder()
    let run = try Executable.run(
      try Executable.path(program),
      [folder.file("test.kennel")],
      environment: Executable.environment()
    )
    return (run.status, run.output)
  }
}
