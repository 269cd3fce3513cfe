import ArgumentParser
import Glibc
import KennelCore
import KennelDocuments
import KennelPatterns
import KennelTerminal

/// The command line: `kennel` and its subcommands.
struct KennelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kennel",
    abstract: "Walk, edit and prune a database of objects.",
    usage: """
      kennel [<file>] [--read-only]
      kennel <subcommand>
      """,
    discussion: """
      Examples:
        kennel                              browse a recent file or the sample
        kennel family.kennel                browse a file
        kennel export family.kennel > family.jsonl
        kennel import copy.kennel family.jsonl
        kennel query family.kennel Dog 'age > 3 AND breed == "Beagle"' --sort 'age DESC'
        kennel sample big.kennel --dogs 1000000 --people 200000

      What you have changed and not committed when the connection or the program ends is kept, and \
      offered by the next 'kennel FILE'; see 'kennel browse --help' and 'kennel drafts --help'.

      Data goes to standard output, messages to standard error. The exit code is 0 when all went \
      well, 1 when something failed, 2 when the arguments are wrong. Of 'diff', 'doctor' and 'blast' \
      it is 1 when something was found or a deletion is not possible, and 2 when something failed.
      """,
    version: version,
    subcommands: [
      Browse.self, Import.self, Export.self, QueryCommand.self, ShowSchema.self, Stats.self,
      Diff.self,
      Watch.self, ExamineFile.self, Blast.self, Check.self, Recover.self, Space.self, Compact.self,
      Rekey.self,
      Sample.self,
      Drafts.self, Cache.self, Generate.self, ShowConfiguration.self,
    ],
    defaultSubcommand: Browse.self
  )

  static let version = "0.1.0"
}

/// Runs a command line and returns the exit code: 0 success, 1 failure, 2 wrong arguments.
func run(_ arguments: [String]) -> Int32 {
  CrashHandler.install()
  Predicate.enableRegularExpressions()
  // A file that would exceed the process's limit is an error of writing, as a full disk is.
  signal(SIGXFSZ, SIG_IGN)
  if let index = arguments.firstIndex(where: { $0.unicodeScalars.contains("\u{fffd}") }),
    !isUTF8(argument: index + 1)
  {
    printError(
      "Argument \(index + 1), '\(arguments[index])', is not UTF-8; a link to a file can have a name "
        + "that is"
    )
    return 2
  }
  defer { TemporaryFiles.remove() }
  do {
    var command = try KennelCommand.parseAsRoot(arguments)
    try command.run()
    return 0
  } catch let code as ExitCode {
    return code.rawValue
  } catch {
    guard let message = sentence(of: error) else { return explain(error, arguments) }
    printError(message)
    return 1
  }
}

/// Prints the help or version that the arguments ask for, or what is wrong with them.
private func explain(_ error: any Error, _ arguments: [String]) -> Int32 {
  let text = KennelCommand.fullMessage(for: error)
  if KennelCommand.exitCode(for: error).isSuccess {
    try? StandardOutput.write(text + "\n")
    return 0
  }
  let commands = KennelCommand.configuration.subcommands.map {
    $0.configuration.commandName ?? "\($0)".lowercased()
  }
  if let name = arguments.first, !name.hasPrefix("-"), name != "help", !commands.contains(name),
    !exists(name)
  {
    printError(
      "There is neither a command nor a file named '\(name)'; the commands are "
        + commands.joined(separator: ", ")
        + "\nUsage: kennel [<file>], or kennel <command> …\n  See 'kennel --help' for more information."
    )
    return 2
  }
  let prefix = "Error: "
  printError(text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text)
  return 2
}
