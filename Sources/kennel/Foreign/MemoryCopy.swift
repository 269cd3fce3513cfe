import Glibc
import KennelCore

/// The copy of what may not be written to a disk: in memory alone.
///
/// It lies in the system's file system in memory, readable by its owner, and is removed when the
/// program ends; what a killed program left there is removed by the next. The system may swap it out,
/// as it may the memory of every program.
enum MemoryCopy {
  private static let parent = "/dev/shm"

  /// Runs a body with an empty database in memory, and removes it.
  static func withScratch<Result>(
    of path: String,
    because reason: String,
    _ body: (Database) throws -> Result
  ) throws -> Result {
    let (folder, _, result) = try make(of: path, because: reason, body)
    remove(folder)
    return result
  }

  /// Makes a database in a folder of its own, which is removed when the program ends.
  static func make<Result>(
    of path: String,
    because reason: String,
    _ fill: (Database) throws -> Result
  ) throws -> (folder: String, Database, Result) {
    guard try isInMemory else {
      throw CommandError(
        "Cannot open \(path): \(reason), and \(parent), where a copy would be in memory, is no "
          + "file system in memory; 'kennel import' makes a database of it"
      )
    }
    removeLeftovers()
    let folder = try makeFolder()
    let file = folder + "/copy.kennel"
    TemporaryFiles.add(folder, file, file + "-lock")
    do {
      let database = try makeDatabase(file, as: "the copy of \(path) in memory")
      return (folder, database, try fill(database))
    } catch {
      remove(folder)
      guard let error = error as? DatabaseError else { throw error }
      throw CommandError(error.message.replacing(file, with: "the copy of \(path) in memory"))
    }
  }

  private static func remove(_ folder: String) {
    removeDatabase(folder + "/copy.kennel")
    rmdir(folder)
  }

  /// Makes a folder for one of several copies of this process.
  private static func makeFolder() throws -> String {
    var folder = "\(parent)/\(prefix)\(getpid())"
    var number = 1
    while mkdir(folder, 0o700) != 0 {
      guard errno == EEXIST, number < mostCopies else {
        throw CommandError.system("Cannot create \(folder)")
      }
      number += 1
      folder = "\(parent)/\(prefix)\(getpid())-\(number)"
    }
    return folder
  }

  /// A process opens one file, or two to compare them.
  private static let mostCopies = 100

  /// How the folders of this user are named; the number of the process follows.
  private static var prefix: String { "kennel-\(getuid())-" }

  /// Removes what killed programs left.
  private static func removeLeftovers() {
    for name in folderNames(parent) ?? [] where name.hasPrefix(prefix) {
      guard let owner = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }),
        kill(owner, 0) != 0, errno == ESRCH
      else { continue }
      // A link leads to the folder of somebody else's choice.
      guard let status = linkStatus(of: "\(parent)/\(name)"), status.isFolder,
        status.st_uid == geteuid()
      else { continue }
      remove("\(parent)/\(name)")
    }
  }

  /// Has the files that go to an editor or another program lie in memory, too.
  static func takeTemporaryFiles() {
    if (try? isInMemory) == true { unsafe setenv("TMPDIR", parent, 1) }
  }

  /// Whether the parent is the mount point of a file system in memory.
  private static var isInMemory: Bool {
    get throws {
      let mounts = String(decoding: try FileInput("/proc/self/mounts").readAll(), as: UTF8.self)
      return mounts.split(separator: "\n").contains { line in
        let fields = line.split(separator: " ")
        return fields.count > 2 && fields[1] == parent && ["tmpfs", "ramfs"].contains(fields[2])
      }
    }
  }
}
