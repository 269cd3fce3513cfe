/// The folder in which the browser keeps drafts: in `XDG_STATE_HOME`, or in `~/.local/state`.
enum DraftFolder {
  /// `nil` where neither variable leads anywhere.
  static var path: String? {
    if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") {
      return folder + "/kennel/drafts"
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/state/kennel/drafts"
  }
}
