/// The folder of saved drafts, in `XDG_STATE_HOME` or `~/.local/state`.
enum DraftFolder {
  /// `nil` if neither variable is set.
  static var path: String? {
    if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") {
      return folder + "/kennel/drafts"
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/state/kennel/drafts"
  }
}
