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

  /// The contents; empty if there is no file, or none that can be read and understood.
  ///
  /// - Returns: The contents, and what is wrong with the file, as a sentence without a period.
  func read() -> (state: StoredState, problem: String?) {
    let problem = "The state of earlier runs is unreadable"
    do {
      switch try contents() {
      case .understood(let state): return (state, nil)
      case .unknown(let reason):
        return (StoredState(), "\(problem) and will be renamed, not replaced: \(reason)")
      }
    } catch {
      return (StoredState(), "\(problem), and nothing is kept: \(error)")
    }
  }

  private enum Contents {
    case understood(StoredState)
    /// Something else; why it is not understood.
    case unknown(String)
  }

  /// - Throws: `CommandError` if there is a file and it cannot be read.
  private func contents() throws -> Contents {
    let bytes: [UInt8]
    do {
      bytes = try FileInput(path).readAll()
    } catch {
      if !exists(path) { return .understood(StoredState()) }
      throw error
    }
    do {
      return .understood(try StoredState(Document(json: bytes)))
    } catch {
      return .unknown("\(error)")
    }
  }

  /// Stores what a browser leaves behind, as the newest file.
  ///
  /// A file that is not understood is renamed, so that it is not replaced.
  ///
  /// - Parameters:
  ///   - state: What it leaves behind.
  ///   - base: What it began with.
  ///   - file: Its database.
  /// - Throws: `CommandError` if the folder or the file cannot be read, locked or written; nothing
  ///   is stored then.
  func keep(_ state: KeptState, since base: KeptState, for file: StoredState.File) throws {
    try makeFolders(of: path)
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw CommandError.system("Cannot read \(folder)") }
    defer { close(lock) }
    try takeLock(lock)
    var stored: StoredState
    switch try contents() {
    case .understood(let state): stored = state
    case .unknown:
      try setAside()
      stored = StoredState()
    }
    stored.keep(state, since: base, for: file, most: Self.mostFiles)
    try replaceRegularFile(path, isPrivate: true) { try $0.write(stored.document.json) }
  }

  /// Waits for the lock, but not for ever: its owner may be stopped.
  private func takeLock(_ descriptor: Int32) throws {
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      usleep(10_000)
    }
    throw CommandError.system("Cannot lock \(folder)")
  }

  /// Renames the file to a name that is free.
  private func setAside() throws {
    var aside = path + ".unreadable"
    var number = 2
    while exists(aside) {
      aside = "\(path).unreadable-\(number)"
      number += 1
    }
    guard rename(path, aside) == 0 else { throw CommandError.system("Cannot rename \(path)") }
    printNote("The state of earlier runs is unreadable; it is now \(aside)")
  }
}

/// Kennel's folder for state, in `XDG_STATE_HOME` or `~/.local/state`; `nil` if there is no home.
var stateFolder: String? { userFolder("XDG_STATE_HOME", orInHome: ".local/state") }

/// The folder of saved drafts, in the folder for state; `nil` if there is no home.
var draftFolder: String? { stateFolder.map { $0 + "/drafts" } }

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
    if mkdir(folder, 0o700) != 0, errno != EEXIST, !exists(folder) {
      throw CommandError.system("Cannot create the folder \(folder)")
    }
  }
}
