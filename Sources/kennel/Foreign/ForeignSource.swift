import Glibc
import KennelConversion
import KennelCore
import KennelDocuments
import KennelSQL

/// A file of another program, which is opened as a copy.
protocol ForeignSource {
  /// The path as it was given.
  var path: String { get }
  /// The path of what is read.
  var readPath: String { get }
  /// Tells a state of the file from others, by its contents.
  var version: String { get }
  /// Why nothing of it may be written to a disk, as in "it is encrypted"; `nil` where it may.
  var secrecy: String? { get }
  /// Its name for the title, as in "shop.sqlite (SQLite)".
  var title: String { get }
  /// The name that is proposed for a database of its own.
  var proposedName: String { get }
  /// Tells one way of making copies from others, where a copy of an older state can be brought up to
  /// date; `nil` where it is made anew.
  var identity: String? { get }

  /// Prepares the copy.
  ///
  /// - Parameters:
  ///   - look: Given the first rows of an SQL database while all of it is read; `nil` where nobody looks.
  ///   - accept: Shown the classes that are proposed; whether to go on with them.
  /// - Returns: Fills an empty database, and says what came of it.
  /// - Throws: `CommandError` if the file cannot become a database.
  func prepare(
    _ look: FirstLook?,
    _ accept: (String) throws -> Bool
  ) throws -> (Database) throws -> CopyContents

  /// Brings a copy of an older state up to date.
  ///
  /// - Parameters:
  ///   - database: The copy.
  ///   - former: What came of it before.
  ///   - look: Given the first rows of an SQL database while all of it is read; `nil` where nobody looks.
  /// - Returns: What came of it; `nil` where the copy must be made anew.
  /// - Throws: `CommandError` if the file cannot be read.
  func update(
    _ database: Database,
    _ former: CopyContents,
    _ look: FirstLook?
  ) throws -> CopyContents?
}

/// The facts about a copy beside its objects.
struct CopyContents: Hashable {
  /// Says in a sentence what it lacks; `nil` if that is nothing.
  var remark: String?
  /// The forms of the tables of an SQL database.
  var forms: [String] = []
  /// The foreign keys that a person named.
  var links: [String] = []
}

extension ForeignSource {
  var identity: String? { nil }

  func update(
    _ database: Database,
    _ former: CopyContents,
    _ look: FirstLook?
  ) throws -> CopyContents? { nil }

  var title: String { path }
  var proposedName: String { besidePath }

  /// The name of a database beside the original.
  var besidePath: String {
    var stem = withoutSlashes(path)[...]
    let name = stem.lastIndex(of: "/").map { stem[stem.index(after: $0)...] } ?? stem
    if let dot = name.dropFirst().firstIndex(of: ".") { stem = stem[..<dot] }
    return stem + ".kennel"
  }
}

extension RealmSource: ForeignSource {
  var readPath: String { path }
  var secrecy: String? { isEncrypted ? "it is encrypted" : nil }

  func prepare(
    _ look: FirstLook?,
    _ accept: (String) throws -> Bool
  ) -> (Database) throws -> CopyContents {
    { database in
      var bar = ProgressBar("Reading \(path)")
      defer { bar.finish() }
      _ = try fill(database) { bar.show($0) }
      return CopyContents(remark: losses.isEmpty ? nil : "Not shown: \(losses.sentence)")
    }
  }
}

/// Documents in a file, a folder or a pipe.
struct ForeignDocuments: ForeignSource {
  let path: String
  let readPath: String
  let version = ""
  let secrecy: String? = nil

  var title: String { path == "-" ? "standard input" : path }
  var proposedName: String { path == "-" ? "data.kennel" : besidePath }

  /// Documents at a path; those of `-` are read into a file.
  init(_ path: String) throws {
    self.path = path
    readPath = path == "-" ? try PrivateCopies().spoolStandardInput() : path
  }

  func prepare(
    _ look: FirstLook?,
    _ accept: (String) throws -> Bool
  ) throws -> (Database) throws -> CopyContents {
    let documents = try ImportSource(readPath, className: path == "-" ? "Document" : nil)
    var classes: [ClassDefinition] = []
    if !documents.hasClasses {
      let proposal = try documents.propose(SchemaInference(), csv: CSVOptions())
      if let conflict = proposal.conflicts.first(where: { !$0.isResolved }) {
        let rest = proposal.conflicts.count { !$0.isResolved } - 1
        throw CommandError(
          "Cannot open \(path): its documents fit no classes: "
            + (conflict.path.map { "\($0): " } ?? "") + conflict.message
            + (rest > 0 ? ", and \(rest) more" : "")
            + "; 'kennel import NEW.kennel \(path) --infer' shows all, and --schema names classes"
        )
      }
      guard try accept(proposal.text) else { throw CommandError("\(path) was not opened") }
      classes = proposal.classes
      documents.resetProgress()
    }
    let job = ImportJob(source: documents, definitions: nil, classes: classes, file: path)
    return { database in
      _ = try job.run(in: database) {}
      return CopyContents()
    }
  }
}
