import Glibc
import KennelBrowser
import KennelCore
import KennelDocuments

/// The file of what the browser keeps between runs, in `XDG_STATE_HOME` or `~/.local/state`.
///
/// It is replaced as a whole, by renaming, so that a reader sees one state or the next. Who replaces it
/// locks its folder and reads it again first, so that several browsers can end at once.
struct StateFile {
  /// More files than these are not remembered.
  private static let mostFiles = 200

  let folder: String
  private var path: String { folder + "/browser.json" }

  /// `nil` if there is no home folder.
  static func standard() -> StateFile? {
    let hasHome = variable("XDG_STATE_HOME") != nil || variable("HOME").map(exists) == true
    guard hasHome, let folder = stateFolder else { return nil }
    return StateFile(folder: folder)
  }

  /// The contents; empty if there is no file.
  ///
  /// A file that cannot be understood is renamed, so that the next state does not replace it.
  ///
  /// - Returns: The contents, and what is wrong with the file, as a sentence without a period.
  func read() -> (state: StoredState, problem: String?) {
    guard exists(path) else { return (StoredState(), nil) }
    do {
      return (try StoredState(Document(json: try FileInput(path).readAll())), nil)
    } catch {
      let reason = (error as? CommandError)?.message ?? "\(error)"
      let aside = path + ".unreadable"
      let isAside = unsafe rename(path, aside) == 0
      let fate = isAside ? "it is now \(aside)" : "nothing is kept until it can be read"
      return (StoredState(), "The state of earlier runs is unreadable (\(reason)); \(fate)")
    }
  }

  /// Stores what a browser leaves behind, as the newest file.
  ///
  /// - Parameters:
  ///   - state: What it leaves behind.
  ///   - base: What it began with.
  ///   - file: Its database.
  /// - Throws: `CommandError` if the folder or the file cannot be written.
  func keep(_ state: KeptState, since base: KeptState, for file: StoredState.File) throws {
    try makeFolders(of: path)
    let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    Self.lock(lock)
    var stored = read().state
    stored.keep(state, since: base, for: file, most: Self.mostFiles)
    try write(stored.document.json)
  }

  /// Waits for the lock, but not for ever: its owner may be stopped.
  private static func lock(_ descriptor: Int32) {
    for _ in 0..<100 where flock(descriptor, LOCK_EX | LOCK_NB) != 0 { usleep(10_000) }
  }

  private func write(_ bytes: [UInt8]) throws {
    let draft = "\(path).\(getpid()).new"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CommandError.system("Cannot write \(draft)") }
    do {
      defer { close(descriptor) }
      try FileOutput(descriptor: descriptor, name: draft).write(bytes)
      guard unsafe rename(draft, path) == 0 else {
        throw CommandError.system("Cannot write \(path)")
      }
    } catch {
      unsafe unlink(draft)
      throw error
    }
  }
}

/// Kennel's folder for state, in `XDG_STATE_HOME` or `~/.local/state`; `nil` if there is no home.
var stateFolder: String? { userFolder("XDG_STATE_HOME", orInHome: ".local/state") }

/// Kennel's folder below one that a variable names, or below one in the home folder.
func userFolder(_ name: String, orInHome folder: String) -> String? {
  if let path = variable(name), path.hasPrefix("/") { return path + "/kennel" }
  guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
  return "\(home)/\(folder)/kennel"
}

/// Creates the folders that a path leads through, readable by their owner alone.
func makeFolders(of path: String) throws {
  var folder = ""
  for name in path.split(separator: "/").dropLast() {
    folder += "/\(name)"
    if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST, !exists(folder) {
      throw CommandError.system("Cannot create the folder \(folder)")
    }
  }
}
