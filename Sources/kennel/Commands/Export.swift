import ArgumentParser
import Glibc
import KennelCore
import KennelDocuments
import KennelReports

/// `kennel export`: writes objects to a file, or to a folder of files.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Write objects: the whole database as lines of JSON, or documents for other programs.",
    discussion: """
      Without a format, all of the database is written as lines of JSON, the schema first. Importing \
      them gives the same objects with the same keys, to the last bit.

      Formats:
      \(formatList)
        dump     a folder that mongorestore takes: a .bson and a .metadata.json for each class
        archive  the same as one file, as mongodump --archive writes it

      A format of documents has a file for each class: name one class, or let --output name a folder.

      Examples:
        kennel export family.kennel > family.jsonl
        kennel export family.kennel Dog --where 'age > 3' --format csv
        kennel export family.kennel --format dump --output dump && mongorestore dump
        kennel export family.kennel --format archive --gzip --output family.archive.gz
        kennel export family.kennel --closure Person/1 --edges dogs,spouse --depth 2 > ada.jsonl
      """
  )

  private static var formatList: String {
    OutputFormat.all.map { format in
      "  \(format.name)" + String(repeating: " ", count: max(9 - format.name.count, 1))
        + format.title
    }.joined(separator: "\n")
  }

  private static var formatNames: [String] { OutputFormat.all.map(\.name) + [dump, archive] }

  /// The formats that can hold several classes.
  private static let dump = "dump"
  private static let archive = "archive"

  @OptionGroup var source: SourceArguments

  @Argument(help: "The classes; all that are not embedded without any.")
  var classNames: [String] = []

  @Option(name: .customLong("where"), help: "A predicate for the objects of the one class named.")
  var predicate: String?

  @Option(
    help: ArgumentHelp(
      "Write an object and what it links to; links to other objects are left out.",
      valueName: "Class/key"
    )
  )
  var closure: [String] = []

  @Option(
    parsing: .unconditional,
    help: "With --closure: how many links lead to an object at most.",
    transform: wholeNumber(from: 0)
  )
  var depth: Int?

  @Option(
    help: """
      With --closure: the links to follow, as in 'dogs,Person.spouse'; all without it. A declared \
      backlink, or '@links.Person.dogs', is followed backwards.
      """
  )
  var edges: String?

  @Option(
    name: .shortAndLong,
    help: "The format; jsonl without it.",
    completion: .list(Self.formatNames)
  )
  var format = "jsonl"

  @Option(
    name: .shortAndLong,
    help: "The file or folder to write; it appears when it is complete. '-' is standard output."
  )
  var output: String?

  @Flag(help: "Compress with gzip.")
  var gzip = false

  @Flag(help: "Cut dates to BSON's milliseconds instead of writing finer ones in an exact form.")
  var roundDates = false

  @OptionGroup var csv: CSVArguments

  func validate() throws {
    _ = try named(format, "format", among: Self.formatNames, by: \.self)
    if predicate != nil, classNames.count != 1 {
      throw ValidationError("--where applies to the objects of one class: name the class")
    }
    if closure.isEmpty, depth != nil || edges != nil {
      throw ValidationError("--depth and --edges need --closure")
    }
    if !closure.isEmpty, !classNames.isEmpty || predicate != nil {
      throw ValidationError("--closure says which objects are written: name no class beside it")
    }
    if format == Self.dump, output == nil || output == "-" {
      throw ValidationError("A dump is a folder: name it with --output")
    }
  }

  func run() throws {
    let snapshot = try source.snapshot()
    var options = OutputOptions()
    options.documents.linkTargets = try objectsOfClosure(snapshot)
    options.documents.roundsDates = roundDates
    options.csv = csv.options
    let selections =
      try options.documents.linkTargets.map { ObjectSelection.all($0, in: snapshot.schema) }
      ?? selections(snapshot)
    var bar = ProgressBar("Exporting")
    defer { bar.finish() }
    let job = ExportJob(snapshot, selections, options) { bar.show($0) }
    switch (format, OutputFormat(format)) {
    case (Self.dump, _): try writeDump(job)
    case (Self.archive, _):
      let writer = ArchiveWriter(snapshot, database: databaseName, options)
      try write(job) { try writer.write(selections, progress: job.note, to: $0) }
    case (_, let format?) where format.holdsSeveralClasses || selections.count == 1:
      try write(job) { try job.write(selections, as: format, to: $0) }
    case (_, let format?):
      guard let output, output != "-" else {
        throw CommandError(
          "Cannot write \(counted(selections.count, "class", "classes")) as one \(format.name): "
            + "name one class, or a folder with --output"
        )
      }
      try job.write(as: format, toFolder: output, ending: gzip ? ".gz" : "", compressed)
    case (_, nil): break
    }
  }

  /// In bytes; MongoDB takes three more.
  private static let longestDatabaseName = 60

  /// The name of the database in a dump: the file name without its extension.
  private var databaseName: String {
    let name = source.file.split(separator: "/").last.map(String.init) ?? ""
    var stem = name.split(separator: ".").first.map(String.init) ?? ""
    while stem.utf8.count > Self.longestDatabaseName { stem.removeLast() }
    // MongoDB takes none of these.
    let isGood = !stem.isEmpty && !stem.contains { "\\. \"$*<>:|?".contains($0) }
    return isGood ? stem : "kennel"
  }

  /// The objects of the closure; `nil` if none was asked for.
  private func objectsOfClosure(_ snapshot: Snapshot) throws -> ObjectSet? {
    guard !closure.isEmpty else { return nil }
    let objects = try closure.map { try object($0, in: snapshot) }
    let links = try edges.map { try LinkEdge.parse($0, in: snapshot.schema) }
    let all = links ?? LinkEdge.all(in: snapshot.schema)
    return try snapshot.closure(of: objects, along: Set(all), depth: depth)
  }

  /// The object that a text such as `Dog/42` names.
  private func object(_ text: String, in snapshot: Snapshot) throws -> ObjectIdentity {
    guard let slash = text.lastIndex(of: "/"), let key = UInt64(text[text.index(after: slash)...]),
      key < ObjectKey.limit
    else {
      throw CommandError("'\(text)' names no object: write a class and a key, as in Dog/42")
    }
    let classSchema = try findClass(String(text[..<slash]), in: snapshot.schema, of: source.file)
    let object = ObjectIdentity(classSchema.key, ObjectKey(rawValue: key))
    guard try snapshot.contains(object) else {
      throw CommandError("There is no \(text) in \(source.file)")
    }
    return object
  }

  private func selections(_ snapshot: Snapshot) throws -> [ObjectSelection] {
    let schema = snapshot.schema
    if classNames.isEmpty {
      return schema.classes.filter { !$0.isEmbedded }.map { ObjectSelection($0) }
    }
    return try classNames.map { name in
      let classSchema = try findClass(name, in: schema, of: source.file)
      guard !classSchema.isEmbedded else {
        throw CommandError("\(name) is embedded: its objects are written inside their owners")
      }
      guard let predicate else { return ObjectSelection(classSchema) }
      let parsed = try parsePredicate(predicate, classSchema, schema)
      let keys = try snapshot.objects(of: classSchema.key, where: parsed).keys.sorted {
        $0.rawValue < $1.rawValue
      }
      return ObjectSelection(classSchema, keys: keys)
    }
  }

  private func writeDump(_ job: ExportJob) throws {
    guard let output else { return }
    try replaceFolder(output) { folder in
      let database = try folder.makeFolder(databaseName)
      for selection in job.selections {
        let name = DumpName.escaped(selection.classSchema.name)
        try database.write(fileName("\(name).bson")) { file in
          try compressed(file) { try job.write([selection], as: .bson, to: $0) }
        }
        try database.write(fileName("\(name).metadata.json")) { file in
          try compressed(file) { try $0(selection.metadata(in: job.snapshot)) }
        }
      }
    }
  }

  private func fileName(_ name: String) -> String { gzip ? name + ".gz" : name }

  private func write(_ job: ExportJob, _ body: (@escaping ByteOutput) throws -> Void) throws {
    func write(to file: FileOutput) throws {
      // A bar between the lines of a document on the same terminal would be no help.
      if isatty(file.descriptor) != 0 { job.report = nil }
      try compressed(file, body)
    }
    guard let output else { return try write(to: StandardOutput.file) }
    try replaceFile(output) { try write(to: $0) }
  }

  private func compressed(_ file: FileOutput, _ body: (@escaping ByteOutput) throws -> Void) throws
  {
    guard gzip else { return try body { try file.write($0) } }
    let writer = GzipWriter()
    try body { try file.write(writer.write($0)) }
    try file.write(writer.finish())
  }
}

/// The options of CSV.
struct CSVArguments: ParsableArguments {
  @Option(help: "What stands between the cells of CSV: a character, or 'tab'.")
  var separator: String?

  @Flag(inversion: .prefixedNo, help: "Whether the first line of CSV has the names of the columns.")
  var header = true

  @Flag(help: "Put a ' in front of cells that a spreadsheet would run as formulas; take it away.")
  var spreadsheet = false

  func validate() throws {
    _ = try separatorByte()
  }

  private func separatorByte() throws -> UInt8? {
    guard let separator else { return nil }
    if separator == "tab" || separator == "\\t" { return UInt8(ascii: "\t") }
    guard let byte = separator.utf8.first, separator.utf8.count == 1, byte >= 0x20 || byte == 0x09,
      byte != UInt8(ascii: "\"")
    else { throw ValidationError("The separator must be one ASCII character, or 'tab'") }
    return byte
  }

  var options: CSVOptions {
    var options = CSVOptions()
    options.separator = (try? separatorByte()) ?? nil
    options.hasHeader = header
    options.escapesFormulas = spreadsheet
    return options
  }
}
