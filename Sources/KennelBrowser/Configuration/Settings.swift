package import KennelCore

/// The surroundings of the browser, which it cannot see itself.
package struct BrowserSettings: Sendable {
  /// How the parts of the screen look; without colors, nothing is lost but beauty.
  package var theme = Theme.terminal
  /// Those that take its place where the terminal says what its background is like.
  package var themes: (dark: Theme, light: Theme)?
  /// The commands with their keys.
  package var bindings = KeyBindings.standard
  /// A mistake in the configuration file, to be told at the start.
  package var configurationMistake: String?
  package var charset = Charset.unicode
  /// The name of the file for the title.
  package var fileName: String
  /// The time of the clock.
  package var now: @Sendable () -> Timestamp = { Timestamp(seconds: 0) }
  /// A point in time as a person reads it.
  package var time: @Sendable (Timestamp) -> String = { "\($0)" }
  /// The forms that an object can be copied in.
  package var copyForms: [CopyForm] = []
  /// Writes objects to a file, on another thread; `nil` where there are no files.
  package var export: (@Sendable (ExportRequest, JobContext) -> ExportOutcome)?
  /// The time of day, for the log of actions.
  package var clockTime: @Sendable () -> String = { "" }
  /// Whether the mouse is reported from the start.
  package var takesMouse = false
  /// Whether nothing is to be changed, though the database can be written: a private copy can.
  package var isReadOnly = false
  /// How a file that is read only can be opened for changes, where it can.
  package var readOnlyAdvice: String?
  /// The state kept by the last run.
  package var kept = KeptState()
  /// Whether that is of the browser of the first rows, which was on the screen just now.
  package var isContinued = false
  /// The files that were opened before, the newest first; without the one that is open.
  package var recentFiles: [RecentFile] = []
  /// A sentence for the start, unless there is a more important one.
  package var greeting: String?
  /// Whether the program can open another file when this browser has ended.
  package var canOpenFiles = false
  /// Whether the recent files are shown at the start.
  package var beginsWithRecentFiles = false
  /// Writes bytes to a file that is not there yet, on another thread.
  package var saveBytes: (@Sendable ([UInt8], _ path: String) -> ExportOutcome)?
  /// The name that is proposed for a new file where the database is the private copy of another
  /// program's file, to which nothing is committed; `nil` for a file of its own.
  package var proposedName: String?
  /// The database of another program that commits go to, where the file is a copy of it.
  package var original: (any OriginalDatabase)?
  /// The reading of all of it, where only its first rows are shown so far.
  package var reading: (any WholeReading)?
  /// The facts about its classes beyond their schema, where the file is another program's.
  package var declarations = Declarations()
  /// The path by which the database was opened, for programs that a person runs from the browser.
  package var path = ""
  /// Runs a line of the shell with variables to its end, on another thread.
  package var runShell:
    (
      @Sendable (
        _ line: String, _ variables: [String: String], _ isCancelled: () -> Bool
      ) -> ShellOutcome
    )?
  /// Reads a file, on another thread.
  package var loadBytes: (@Sendable (_ path: String) -> LoadOutcome)?

  package init(fileName: String) {
    self.fileName = fileName
  }

  /// Why not all objects are there, where they are not.
  var incompleteReason: String? {
    reading.map { _ in "Only the first rows of each table are read so far" }
  }
}

/// A database of another program, of which the browser shows a copy and to which it commits.
package protocol OriginalDatabase: Sendable {
  /// Stores there what a draft changes, before the copy does; called on another thread.
  func store(_ commit: DraftCommit) throws(DatabaseError)
  /// Says in the words of that database what a draft changes.
  func statements(_ commit: DraftCommit) throws(DatabaseError) -> [String]
  /// Asks whether a text is a value of a property; called on another thread.
  func accepts(_ text: String, _ property: PropertyKey, _ classKey: ClassKey) -> OriginalAnswer
  /// Whether a commit that was interrupted is stored there, by the number of the commit before it;
  /// `nil` where that cannot be told.
  func isStored(_ number: Int) -> Bool?
  /// Why the copy is not what is there, as a sentence; `nil` while it is.
  var problem: String? { get }
  /// Reads it again.
  func readAgain()
  /// When it was read last; `nil` where the copy follows it by itself.
  var time: Timestamp? { get }
}

/// The reading of a database of another program, of which the browser shows the first rows meanwhile.
package protocol WholeReading: Sendable {
  /// Whether it has ended: the whole database is there, or cannot be read.
  var isFinished: Bool { get }
  /// Waits until it has ended or the job is cancelled, and reports its progress to the job.
  func wait(for job: JobContext)
}

/// What a database of another program says of a text that is to be a value of a property.
package enum OriginalAnswer: Sendable {
  case accepted
  /// Says why it is no value.
  case refused(String)
  /// Says why it cannot be asked.
  case none(String)
}

/// A file that was opened before.
package struct RecentFile: Hashable, Sendable {
  package let path: String
  /// When it was opened last, as a person reads it.
  package let time: String
  /// Whether it is still there.
  package let exists: Bool

  package init(path: String, time: String, exists: Bool) {
    self.path = path
    self.time = time
    self.exists = exists
  }
}

/// A request to write objects to a file.
package struct ExportRequest: Sendable {
  package enum Objects: Sendable {
    /// Objects of a class in their order; `nil` for all of them.
    case keys(ClassKey, [ObjectKey]?)
    /// Objects of several classes, without their links to others.
    case closure(ObjectSet)
  }

  package let snapshot: Snapshot
  package let objects: Objects
  /// The columns of CSV after the key, as paths in the query language; `nil` for all properties.
  package let columns: [String]?
  /// The file, whose extension names the format; `folder/*.csv` for a file of each class.
  package let path: String
}

/// The outcome of an export.
package enum ExportOutcome: Sendable {
  case written
  /// Why nothing was written, as a sentence without a period.
  case failed(String)
}

/// The outcome of reading a file.
package enum LoadOutcome: Sendable {
  case loaded([UInt8])
  /// Why there is nothing, as a sentence without a period.
  case failed(String)
}

/// A form that objects can be copied in, such as JSON.
package struct CopyForm: Sendable {
  /// The key in the menu.
  let letter: Character
  /// The line in the menu.
  let title: String
  /// Whether the text has keys of objects, which a new object does not have yet.
  let hasKeys: Bool
  /// Objects of one class as text; `nil` where the form cannot hold them.
  let text: @Sendable (DatabaseReader, [ObjectIdentity]) -> String?

  package init(
    letter: Character,
    title: String,
    hasKeys: Bool = true,
    text: @escaping @Sendable (DatabaseReader, [ObjectIdentity]) -> String?
  ) {
    self.letter = letter
    self.title = title
    self.hasKeys = hasKeys
    self.text = text
  }
}
