import Glibc
import KennelDocuments

/// A folder that is being written.
struct FolderOutput {
  private let path: String
  private let name: String

  fileprivate init(_ path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// Creates a folder inside.
  func makeFolder(_ name: String) throws -> FolderOutput {
    let folder = FolderOutput("\(path)/\(name)", name: "\(self.name)/\(name)")
    try folder.make()
    return folder
  }

  /// Writes a file inside.
  func write(_ name: String, _ body: (FileOutput) throws -> Void) throws {
    let file = "\(path)/\(name)"
    let title = "\(self.name)/\(name)"
    Interruption.willLeave(file)
    try writeNewFile(file, as: title, mode: 0o666, body)
  }

  fileprivate func make() throws {
    Interruption.willLeave(path)
    let result = Interruption.hold { mkdir(path, 0o777) }
    if result != 0 { throw CommandError.system("Cannot create the folder \(name)") }
  }

  /// Waits until the names in the folder, and in those inside, are on the disk.
  fileprivate func synchronize() {
    for name in folderNames(path) ?? [] where isFolder("\(path)/\(name)") {
      FolderOutput("\(path)/\(name)", name: name).synchronize()
    }
    synchronizeFolder(path)
  }
}

/// Writes a folder that appears when it is complete; replaces only an empty one.
func replaceFolder(_ path: String, _ fill: (FolderOutput) throws -> Void) throws {
  let target = withoutSlashes(path)
  if exists(target) {
    // A folder is left alone unless it is empty: nobody knows what else lies there.
    guard rmdir(target) == 0 else {
      throw CommandError(
        "Cannot write \(path): it is there and is no empty folder; choose another name, or remove it"
      )
    }
  }
  let draft = draftName(of: target)
  Interruption.watch(Interruption.leavingAlone(path))
  removeFolder(draft)
  let folder = FolderOutput(draft, name: target)
  do {
    try folder.make()
    try fill(folder)
    folder.synchronize()
    try Interruption.settle {
      guard rename(draft, target) == 0 else { throw CommandError.system("Cannot write \(path)") }
    }
    synchronizeFolder(of: target)
  } catch {
    removeFolder(draft)
    throw error
  }
}

/// The names in a folder, sorted by their bytes, or `nil` if it cannot be read.
func folderNames(_ path: String) -> [String]? {
  guard let folder = unsafe opendir(path) else { return nil }
  defer { unsafe closedir(folder) }
  var names: [String] = []
  while let entry = unsafe readdir(folder) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// Whether the path leads to a folder.
func isFolder(_ path: String) -> Bool {
  status(of: path)?.isFolder ?? false
}

/// Removes a folder that this program wrote, with its files and folders.
private func removeFolder(_ path: String) {
  // A link is removed, and not what lies in the folder that it leads to.
  if unlink(path) == 0 { return }
  for name in folderNames(path) ?? [] { removeFolder("\(path)/\(name)") }
  rmdir(path)
}
