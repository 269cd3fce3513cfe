import ArgumentParser
import Glibc
import KennelConversion
import KennelCore
import KennelDocuments
import KennelReports
import KennelSQL

/// `kennel import`: imports documents as objects.
struct Import: ParsableCommand {
  enum Dangling: String, ExpressibleByArgument, CaseIterable {
    case refuse
    case null
  }

  static let configuration = CommandConfiguration(
    abstract: "Read documents into a database.",
    discussion: """
      What the file is, its name tells (\(endings)), or else its first \
      bytes: the lines that 'kennel export' writes, JSON or Extended JSON (a document a line, or an \
      array), BSON, CSV, an archive of mongodump, each compressed by gzip or not; or a folder with a \
      file for each class, as mongodump writes it.

      All of it is imported or nothing is: a mistake is told with its file, document and path, and \
      the database stays as it was. Links may lead to objects that come later.

      A field whose name no property can have gets another one (--rename) or is left out (--skip); \
      with --infer, a name is proposed. What is renamed, left out or turned into text is listed.

      The classes are those of the database, of the file where Kennel wrote it, of JSON schemas \
      (--schema), or what the documents suggest: --infer shows them with their evidence and writes \
      nothing; on a terminal it asks, and with --yes it goes on.

      Examples:
        kennel import copy.kennel family.jsonl
        kennel import new.kennel --schema schemas --link Person.dogs=Dog
        kennel import new.kennel people.json --infer
        kennel import new.kennel people.json --infer --rename @id=id --skip @context
        kennel import new.kennel preise.csv --infer --decimal-comma --date-format %d.%m.%Y
        kennel import new.kennel dump/family
        kennel import new.kennel app.realm
        kennel import new.kennel shop.sqlite
        kennel import new.kennel postgres://db.example.com/shop
        kennel import family.kennel dogs.csv --class Dog
        kennel export old.kennel | kennel import new.kennel
      """
  )

  @Argument(help: "The database; made where it does not exist.", completion: .file())
  var file: String

  @Argument(
    help: "The file or folder, or a postgres:// URL; '-' or nothing for standard input.",
    completion: .file()
  )
  var document: String?

  @Option(name: .customLong("class"), help: "The class of the documents; else the file's name.")
  var className: String?

  @Option(help: "JSON schemas of classes to define: a file or a folder.", completion: .file())
  var schema: [String] = []

  @Option(
    help: """
      What a property links to, as in Person.dogs=Dog; of an SQL database, a foreign key that it \
      does not declare, as in order.customer_id=customer.id.
      """
  )
  var link: [String] = []

  @Flag(help: "Propose classes for the documents of a file or folder, which are read twice.")
  var infer = false

  @Flag(help: "With --infer: refuse fields that hold values of several types.")
  var strict = false

  @Flag(help: "With --infer: import without asking.")
  var yes = false

  @Option(help: "What to do with links to objects that do not exist: refuse, or null.")
  var dangling = Dangling.refuse

  @Flag(help: "Leave out members of documents that no property has.")
  var ignoreUnknown = false

  @Option(
    help: ArgumentHelp(
      """
      Another name for a member of documents, a column or a class, as in @id=id or Person.name=title; \
      '=row' is for a column without a name.
      """,
      valueName: "from=to"
    )
  )
  var rename: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out a member of documents, a column or a class; '' is a column without a name.",
      valueName: "name"
    )
  )
  var skip: [String] = []

  @Option(
    name: .customLong("date-format"),
    help: ArgumentHelp(
      "How text spells dates, beside 2024-05-01: as in %d.%m.%Y, %m/%d/%Y or '%d.%m.%y %H:%M'.",
      valueName: "format"
    )
  )
  var dateFormats: [String] = []

  @Flag(help: "Numbers in CSV have a decimal comma, as in 1.234,50.")
  var decimalComma = false

  @Option(
    parsing: .unconditional,
    help: "Commit after this many documents; a mistake leaves those before it.",
    transform: wholeNumber(from: 1)
  )
  var batch: Int?

  @Option(
    help: "How the characters of CSV are stored: utf-8, utf-16 or latin1.",
    transform: Self.encoding
  )
  var encoding: CSVOptions.Encoding?

  @OptionGroup var csv: CSVArguments

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "What a .realm file has and a database cannot say, to leave out: \(RealmLosses.names).",
      valueName: "what"
    ),
    completion: .list(RealmLosses.Kind.allCases.map(\.rawValue)),
    transform: RealmLosses.kind
  )
  var allow: [RealmLosses.Kind] = []

  @OptionGroup var key: KeyOptions

  @OptionGroup var server: ServerOptions

  @OptionGroup var new: NewFileOptions

  @Option(
    parsing: .unconditional,
    help: """
      The longest line of Kennel's documents, in MB; it takes up to ten times as much memory. \
      Without it, 64.
      """,
    transform: wholeNumber(from: 1, to: 4095)
  )
  var lineLimit = DocumentReader.defaultLineLimit >> 20

  private static var endings: String {
    InputFormat.endings.map { ".\($0.key)" }.joined(separator: ", ")
  }

  private static func encoding(_ name: String) throws -> CSVOptions.Encoding {
    try named(name, "encoding", among: CSVOptions.Encoding.allCases, by: \.rawValue)
  }

  func validate() throws {
    if !link.isEmpty, schema.isEmpty, !infer, kind != .sqlite, kind != .postgres {
      throw ValidationError("--link needs --schema or --infer")
    }
    if infer, !schema.isEmpty { throw ValidationError("Use either --schema or --infer") }
    if strict || yes, !infer { throw ValidationError("--strict and --yes need --infer") }
    do throws(DocumentError) {
      _ = try rules()
      _ = try texts()
    } catch {
      throw ValidationError(error.message)
    }
  }

  private func rules() throws(DocumentError) -> FieldRules {
    var rules = FieldRules()
    for option in rename { try rules.rename(option) }
    for name in skip { rules.skip(name) }
    return rules
  }

  private func texts() throws(DocumentError) -> TextForms {
    var texts = TextForms()
    texts.hasDecimalComma = decimalComma
    for format in dateFormats { texts.dateFormats.append(try DateFormat(format)) }
    return texts
  }

  mutating func run() throws {
    // With one name alone it is the documents that classes are proposed for.
    if infer, document == nil {
      guard exists(file) else {
        throw CommandError(
          "Cannot read \(file): --infer with one name proposes classes for the documents of that name; "
            + "'kennel import DATABASE DOCUMENTS --infer' imports them too"
        )
      }
      let source = try ImportSource(file, className: className, rules: rules())
      return try show(try propose(source))
    }
    if server.part != nil, kind != .postgres {
      throw CommandError("--table, --rows and --copy-limit are for PostgreSQL databases")
    }
    if let document, let kind, kind != .documents {
      guard rename.isEmpty, skip.isEmpty else {
        throw CommandError(
          "Cannot import \(document) with other names: --rename and --skip are for documents"
        )
      }
      switch kind {
      case .realm: return try importRealm(document)
      case .sqlite: return try importSQL(try SQLiteSource(document, links: link))
      case .postgres, .documents:
        let reading = ForeignReading(links: link, part: server.part)
        return try importSQL(try PostgresSource(document, reading))
      }
    }
    let source =
      document == nil && !schema.isEmpty
      ? nil : try ImportSource(document ?? "-", className: className, rules: rules())
    var definitions = try schema.isEmpty ? nil : SchemaFiles.read(schema, links: link)
    definitions?.rules = try rules()
    var classes: [ClassDefinition] = []
    if infer, let source {
      guard source.isRepeatable else {
        throw CommandError(
          "Cannot infer classes from a pipe: the documents are read twice; save them in a file first"
        )
      }
      let proposal = try propose(source)
      try show(proposal)
      guard try isWanted() else { return }
      classes = proposal.classes
      source.resetProgress()
    }
    let job = try job(source, definitions, classes)
    printNote(try fill { database, beforeCommit in try job.run(in: database, beforeCommit) })
  }

  /// The kind of the documents, if they are a file of another program.
  private var kind: ForeignKind? {
    document.flatMap { ForeignKind(of: $0) }
  }

  private func importSQL(_ source: some SQLSource) throws {
    var bar = ProgressBar("Importing")
    defer { bar.finish() }
    let summary = try fill { database, beforeCommit in
      try source.fill(database, beforeCommit: beforeCommit) { bar.show($0) }
    }
    bar.finish()
    printNote("\(counted(summary.objectCount, "object")) imported into \(file)")
    for remark in summary.remarks { printNote(remark) }
  }

  private func importRealm(_ path: String) throws {
    let source = try RealmSource(path)
    let refused = source.losses.kinds.filter { !allow.contains($0) }
    guard refused.isEmpty else {
      throw CommandError(
        "Cannot import all of \(path): \(source.losses.sentence). "
          + "'--allow \(refused.map(\.rawValue).joined(separator: " "))' goes on without that"
      )
    }
    var bar = ProgressBar("Importing")
    defer { bar.finish() }
    let key = try source.key.map { try FileKeys.key(like: $0) }
    let summary = try fill(key) { database, beforeCommit in
      let summary = try source.fill(database, beforeCommit: beforeCommit) { bar.show($0) }
      return (summary, database.isEncrypted)
    }
    bar.finish()
    printNote("\(counted(summary.0.objectCount, "object")) imported into \(file)")
    if source.isEncrypted {
      printNote(
        summary.1
          ? "\(file) is encrypted with the key of \(path)"
          : "\(path) is encrypted, and \(file) is not"
      )
    }
  }

  /// Fills the database, which is made where it does not exist.
  ///
  /// - Parameters:
  ///   - usual: The key of what is imported, if that is encrypted.
  ///   - body: Fills it.
  /// - Returns: What the body returned.
  /// - Throws: What the body throws, or why the database cannot be made.
  private func fill<Result>(
    _ usual: Database.Key? = nil,
    _ body: (_ database: Database, _ beforeCommit: () -> Void) throws -> Result
  ) throws -> Result {
    if NewDatabase.isWanted(at: file) {
      let key = try new.key(of: file) { usual }
      return try NewDatabase.make(at: file, key: key, mode: new.mode) { try body($0, {}) }
    }
    if new.mode != nil {
      throw CommandError("--mode is for a new database, and \(file) is there: change it with chmod")
    }
    if new.encrypt != nil {
      throw CommandError(
        "--encrypt is for a new database, and \(file) is there: 'kennel rekey' encrypts it"
      )
    }
    Interruption.watch(Interruption.leavingAlone(file))
    return try body(try Database.openExisting(file)) {
      Interruption.say("\(file) has the whole document, or is unchanged")
    }
  }

  private func job(
    _ source: ImportSource?,
    _ definitions: JSONSchemaReader?,
    _ classes: [ClassDefinition]
  ) throws -> ImportJob {
    var job = ImportJob(source: source, definitions: definitions, classes: classes, file: file)
    job.options.dropsDanglingLinks = dangling == .null
    job.options.ignoresUnknownNames = ignoreUnknown
    job.options.texts = try texts()
    job.csv = csvOptions
    job.lineLimit = lineLimit << 20
    job.batch = batch
    return job
  }

  // MARK: - Inference

  private func propose(_ source: ImportSource) throws -> SchemaProposal {
    guard !source.isDatabase else {
      throw CommandError("There is nothing to infer: the file holds the classes themselves")
    }
    var known = Schema()
    if document != nil, !NewDatabase.isWanted(at: file) {
      known = try Database.openExisting(file, .readOnly).snapshot().schema
    }
    let inference = SchemaInference(strict: strict, texts: try texts(), extending: known)
    for option in link { try inference.add(link: option) }
    return try source.propose(inference, csv: csvOptions)
  }

  private func show(_ proposal: SchemaProposal) throws {
    try StandardOutput.write(proposal.text)
    guard proposal.isAcceptable else {
      throw CommandError(
        "The documents do not fit any classes: see the conflicts above; --skip leaves fields out"
          + (strict ? ", and without --strict they become mixed values or text" : "")
      )
    }
  }

  /// Asks whether to use the proposed classes.
  private func isWanted() throws -> Bool {
    if yes { return true }
    guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else {
      printNote("Nothing was written; --yes imports with these classes")
      return false
    }
    return try TerminalQuestion.ask("Import with these classes?")
  }

  var csvOptions: CSVOptions {
    var options = csv.options
    options.encoding = encoding
    return options
  }
}
