import ArgumentParser

/// The command line of the benchmark.
///
/// `steps` measures the object-graph workload on Kennel and on SQLite in turn. Each round of an
/// engine is a process of its own, the hidden subcommand `round`, so that nothing is remembered
/// between rounds and the peak memory is that of one engine. `extras` measures what the workload
/// does not have, in the same manner, and `browser` what a person at a terminal waits for.
@main
struct KennelBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kennel-bench",
    abstract: "Measure Kennel beside SQLite.",
    subcommands: [
      StepsCommand.self, AccessCommand.self, ScaleCommand.self, ExtrasCommand.self,
      BrowserCommand.self, EchoCommand.self, DocumentsCommand.self, RealmFilesCommand.self,
      SQLCommand.self, GroupsCommand.self, EncryptionCommand.self,
      MachineCommand.self, RoundCommand.self, ScenarioCommand.self,
    ],
    defaultSubcommand: StepsCommand.self
  )
}
