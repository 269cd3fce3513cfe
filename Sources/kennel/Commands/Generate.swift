import ArgumentParser
import KennelCore
import KennelDocuments
import KennelModels
import SwiftScanning

/// `kennel generate`: writes source code for classes.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write source code for classes.",
    discussion: """
      Examples:
        kennel generate swift family.kennel > Models.swift
      """,
    subcommands: [GenerateSwift.self, GenerateNothing.self],
    defaultSubcommand: GenerateNothing.self
  )
}

/// `kennel generate` without a language.
struct GenerateNothing: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "nothing", shouldDisplay: false)

  @Argument(parsing: .allUnrecognized)
  var inputs: [String] = []

  mutating func run() throws {
    guard !inputs.isEmpty else { throw CleanExit.helpRequest(Generate.self) }
    let inputs = inputs.joined(separator: " ")
    throw ValidationError("Say which language to write: kennel generate swift \(inputs)")
  }
}

/// `kennel generate swift`: writes model classes in Swift.
struct GenerateSwift: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Write model classes in Swift.",
    discussion: """
      Examples:
        kennel generate swift family.kennel > Models.swift
        kennel generate swift family.kennel --realm > Classes.swift
        kennel generate swift family.kennel --box > Entities.swift
        kennel generate swift schemas --link Person.dogs=Dog --output Models.swift
        kennel generate swift --from-objc Dog.h Dog.m Person.h Person.m > Models.swift

      Models are for `import Kennel`, unless --realm or --box is given. Of Objective-C, give all files at once, headers and implementations: classes name each other. \
      What the classes say and Swift cannot is noted on standard error.
      """
  )

  @Argument(
    help:
      "A database of Kennel, Realm or SQLite, a postgres:// URL, or JSON schemas: files, folders, '-' for standard input.",
    completion: .file()
  )
  var inputs: [String] = []

  @OptionGroup var key: KeyOptions

  @OptionGroup var server: ServerOptions

  @Flag(help: "Write classes for KennelRealm.")
  var realm = false

  @Flag(help: "Write entities for KennelBox.")
  var box = false

  @Option(
    help: ArgumentHelp(
      """
      Of JSON schemas: a property that links to a class, as in Person.dogs=Dog; of an SQL \
      database: a foreign key that it does not declare, as in order.customer_id=customer.id.
      """,
      valueName: "link"
    )
  )
  var link: [String] = []

  @Option(
    name: .customLong("from-objc"),
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Objective-C files that declare subclasses of RLMObject.",
      valueName: "file"
    ),
    completion: .file(extensions: ["h", "m", "mm"])
  )
  var fromObjectiveC: [String] = []

  @Option(name: .shortAndLong, help: "The file to write; '-' or nothing for standard output.")
  var output: String?

  func validate() throws {
    if inputs.isEmpty, fromObjectiveC.isEmpty {
      throw ValidationError("Expected a database or JSON schemas, or files behind --from-objc")
    }
    if !inputs.isEmpty, !fromObjectiveC.isEmpty {
      throw ValidationError("Expected either a database or schemas, or files behind --from-objc")
    }
    if realm, box {
      throw ValidationError("Expected either --realm or --box, the kind of classes to write")
    }
  }

  mutating func run() throws {
    let text = try inputs.isEmpty ? translated() : generated()
    guard let output else { return try StandardOutput.write(text) }
    try replaceFile(output) { try $0.write(Array(text.utf8)) }
  }

  /// The classes of a database or of JSON schemas.
  private func generated() throws -> String {
    let classes = try definitions()
    let models =
      if box {
        BoxModels.write(classes)
      } else if realm {
        RealmModels.write(classes)
      } else {
        NativeModels.write(classes)
      }
    for remark in models.notes { printNote(remark) }
    return models.text
  }

  private func definitions() throws -> [ClassDefinition] {
    if let file = inputs.first, inputs.count == 1, !isFolder(file),
      try hasClasses(file) || FileInput(file).isDatabase
    {
      let reading = ForeignReading(links: link, part: server.part)
      return try openForReading(file, reading).snapshot().schema.definitions
    }
    let schemas = try SchemaFiles.read(inputs, links: link).schemas()
    for remark in schemas.notes { printNote(remark) }
    return schemas.classes
  }

  /// Whether a file of another program says what its classes are.
  private func hasClasses(_ file: String) -> Bool {
    switch ForeignKind(of: file) {
    case .realm?, .sqlite?, .postgres?: true
    case .documents?, nil: false
    }
  }

  /// The classes of Objective-C files.
  private func translated() throws -> String {
    var files: [(path: String, text: String)] = []
    for path in fromObjectiveC {
      files.append((path, String(decoding: try FileInput(path).readAll(), as: UTF8.self)))
    }
    do {
      let translation = try ObjectiveCModels.translate(files)
      for remark in translation.notes { printNote(remark.description) }
      return translation.text
    } catch {
      printNote(error.description)
      throw ExitCode(1)
    }
  }
}
