internal import Glibc

/// The shell that runs lines of the person's.
package enum Shell {
  /// Starts the shell.
  ///
  /// - Parameters:
  ///   - words: The line, and what it finds in `$0`, `$1` and so on.
  ///   - variables: Its variables, besides those of this program.
  ///   - pipes: Where it writes its output and its errors, in a process group of its own; `nil` where
  ///     it has the terminal.
  /// - Returns: Its number; 0 where it cannot be started.
  package static func start(
    _ words: [String],
    _ variables: [String: String] = [:],
    writing pipes: (output: Int32, errors: Int32)? = nil
  ) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let pipes {
      unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, pipes.output, 1)
      unsafe posix_spawn_file_actions_adddup2(&actions, pipes.errors, 2)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var ignored = sigset_t()
    unsafe sigemptyset(&ignored)
    unsafe sigaddset(&ignored, SIGPIPE)
    unsafe sigaddset(&ignored, SIGXFSZ)
    unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let group = pipes == nil ? 0 : POSIX_SPAWN_SETPGROUP
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | group))
    let words = unsafe (["sh", "-c"] + words).map { (word: String) in unsafe strdup(word) }
    let settings = unsafe environment(with: variables)
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    defer { for index in unsafe settings.indices { unsafe free(settings[index]) } }
    var child: pid_t = 0
    let code = unsafe posix_spawn(
      &child,
      "/bin/sh",
      &actions,
      &attributes,
      words + [nil],
      settings + [nil]
    )
    return code == 0 ? child : 0
  }

  /// Copies of the environment of this program, and of the variables.
  private static func environment(
    with variables: [String: String]
  ) -> [UnsafeMutablePointer<CChar>?] {
    var copies = unsafe variables.map { name, value in unsafe strdup("\(name)=\(value)") }
    var index = 0
    while let setting = unsafe environ[index] {
      let name = unsafe String(cString: setting).prefix { $0 != "=" }
      if variables[String(name)] == nil { unsafe copies.append(strdup(setting)) }
      index += 1
    }
    return unsafe copies
  }
}
