import ArgumentParser
import KennelCore
import KennelDocuments
import KennelReports

/// `kennel cache`: lists and clears the private copies of other programs' files.
struct Cache: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the private copies of other programs' files, or clear them.",
    discussion: """
      A file that is not Kennel's, such as app.realm or shop.sqlite, is read into a private copy, which is opened in \
      its place and found again as long as the file has not changed. Copies lie in \
      $XDG_CACHE_HOME/kennel/copies, or in ~/.cache/kennel/copies, readable by you alone. Those used \
      longest ago go when all of them take more than 4 GB, or when the disk is short of room. An \
      encrypted file has no copy there.

      A copy with changes that were not committed stays: 'kennel drafts' lists them.

      Examples:
        kennel cache
        kennel cache --clear
      """
  )

  @Flag(help: "Remove all copies.")
  var clear = false

  mutating func run() throws {
    let copies = try PrivateCopies()
    let entries = copies.list()
    if clear { return remove(entries, from: copies) }
    if entries.isEmpty { printNote("There are no copies in \(copies.folder)") }
    for entry in entries {
      let size = String(max(1, entry.byteCount >> 20))
      let padding = String(repeating: " ", count: max(0, 6 - size.count))
      let line = "\(localTime(entry.time))\(padding)\(size) MB  \(entry.original.path)"
      try StandardOutput.write(TerminalText.line(line) + "\n")
    }
  }

  private func remove(_ entries: [PrivateCopies.Entry], from copies: PrivateCopies) {
    let (kept, gone) = (entries.filter(copies.isNeeded), entries.filter { !copies.isNeeded($0) })
    for entry in gone { copies.remove(entry) }
    printNote("\(counted(gone.count, "copy", "copies")) removed")
    for entry in kept {
      printNote("The copy of \(entry.original.path) stays: 'kennel drafts' lists its changes")
    }
  }
}
