/// The folder of saved drafts, in `XDG_STATE_HOME` or `~/.local/state`.
enum DraftFolder {
  /// `nil` if neither variable is set.
  static var path: String? { stateFolder.map { $0 + "/drafts" } }
}
