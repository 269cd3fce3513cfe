import Foundation
import KennelTestSupport
import Testing

/// A command that is ended, or finds no room, leaves what was there before and nothing else.
struct `A command that does not come to its end` {
  private let place: TemporaryPlace

  init() throws {
    place = try TemporaryPlace()
  }

  private static let family = """
    {"$kennel":1}
    {"$class":"Dog"}
    {"$property":"name","type":"string"}
    {"$object":"Dog/1","name":"Rex"}

    """

  /// A program that was started and has not ended.
  private struct Running {
    let process: Process
    let input = Pipe()
    /// A file, not a pipe, whose other end another child may have inherited.
    let messages: String

    /// Sends a signal, and tells how the program ended and what it said.
    func end(by number: Int32) -> (signal: Int32, messages: String) {
      kill(process.processIdentifier, number)
      process.waitUntilExit()
      let bytes = FileManager.default.contents(atPath: messages) ?? Data()
      unsafe unlink(messages)
      let signal = process.terminationReason == .exit ? 0 : process.terminationStatus
      return (signal, String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Starts `kennel` with the beginning of its input, and waits until a file is there.
  private func start(
    _ arguments: String...,
    input: String = "",
    until isReady: (_ names: [String]) throws -> Bool
  ) throws -> Running {
    let messages = place.path + "-messages-\(UUID().uuidString)"
    try Data().write(to: URL(fileURLWithPath: messages))
    let running = Running(process: Process(), messages: messages)
    running.process.executableURL = URL(fileURLWithPath: try Executable.path("kennel"))
    running.process.arguments = arguments
    running.process.environment = Executable.environment(
      adding: ["XDG_DATA_HOME": place.file("data"), "SWIFT_BACKTRACE": "color=no"]
    )
    running.process.standardInput = running.input
    running.process.standardOutput = FileHandle.nullDevice
    running.process.standardError = FileHandle(forWritingAtPath: messages)
    try running.process.start()
    running.input.fileHandleForWriting.write(Data(input.utf8))
    let clock = ContinuousClock()
    let end = clock.now + .seconds(30)
    while try !isReady(place.names()) {
      guard clock.now < end, running.process.isRunning else {
        throw TestFailure("It never was as it should be: \(try place.names())")
      }
      usleep(1_000)
    }
    return running
  }

  private func make(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: place.file(name)))
  }

  // MARK: - Signals

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
  func `because a signal ends it, as an import into a new file`(number: Int32) throws {
    let file = place.file("new.kennel")
    let running = try start("import", file, input: Self.family) { names in
      names.contains { $0.hasSuffix(".new-lock") }
    }
    let (signal, messages) = running.end(by: number)
    #expect(signal == number)
    guard number != SIGKILL else {
      #expect(!place.exists("new.kennel"))
      return
    }
    #expect(messages == "kennel: Interrupted: \(file) was not created\n")
    #expect(try place.names().isEmpty)
  }

  @Test(arguments: [SIGBUS, SIGSEGV, SIGTRAP])
  func `because it crashes, as an import into a new file`(number: Int32) throws {
    let file = place.file("new.kennel")
    // The lock file comes last: who is sent a signal between the two may make the other one behind
    // the handler's back, on another thread.
    let running = try start("import", file, input: Self.family) { names in
      names.contains { $0.hasSuffix(".new-lock") }
    }
    let start = ContinuousClock.now
    let (signal, messages) = running.end(by: number)
    #expect(signal == number)
    // One sentence, and no stack of calls, which takes half a minute.
    #expect(messages.hasPrefix("kennel: Crashed (SIG"))
    #expect(messages.split(separator: "\n").count == 1)
    #expect(ContinuousClock.now - start < .seconds(3))
    #expect(try place.names().isEmpty)
  }

  @Test func `because a line is endless, in little memory`() throws {
    let file = place.file("new.kennel")
    let kennel = try Executable.path("kennel")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c",
      // 300 MB of one line, and half of that as memory.
      "ulimit -d 300000; (printf '{\"$kennel\":1}\\n{\"$object\":\"'; "
        + "head -c 300000000 /dev/zero | tr '\\0' x) "
        + "| '\(kennel)' import '\(file)' 2>'\(place.file("messages"))'",
    ]
    shell.environment = Executable.environment(adding: [:])
    try shell.start()
    shell.waitUntilExit()
    #expect(shell.terminationReason == .exit && shell.terminationStatus == 1)
    let message = try place.text("messages")
    #expect(
      message
        == "kennel: line 2: the line is longer than the limit of 64 MB; raise the line limit to read it\n"
    )
    #expect(try place.names() == ["messages"])
  }

  @Test func `because a signal ends it, as an import into an empty file`() throws {
    try make("empty.kennel", "")
    let file = place.file("empty.kennel")
    let running = try start("import", file, input: Self.family) { $0.count == 3 }
    let (signal, messages) = running.end(by: SIGINT)
    #expect(signal == SIGINT)
    #expect(messages == "kennel: Interrupted: \(file) is unchanged\n")
    #expect(try place.names() == ["empty.kennel"])
    #expect(try place.bytes("empty.kennel").isEmpty)
  }

  @Test func `because a signal ends it, as an import into a database`() throws {
    let file = place.file("family.kennel")
    #expect(try Kennel.run("import", file, input: Self.family).exitCode == 0)
    #expect(try Kennel.run("check", file).exitCode == 0)
    let before = (try place.bytes("family.kennel"), try place.names())
    let more = #"{"$kennel":1}"# + "\n" + #"{"$object":"Dog/2","name":"Bella"}"# + "\n"
    let running = try start("import", file, input: more) { _ in
      // It has the file open, as the lock tells.
      let descriptor = unsafe open(file, O_RDWR)
      defer { close(descriptor) }
      var use = flock(l_type: Int16(F_WRLCK), l_whence: 0, l_start: 1 << 62, l_len: 1, l_pid: 0)
      let setLockOfDescriptor: Int32 = 37
      return unsafe fcntl(descriptor, setLockOfDescriptor, &use) != 0
    }
    let (signal, messages) = running.end(by: SIGTERM)
    #expect(signal == SIGTERM)
    #expect(messages == "kennel: Interrupted: \(file) is unchanged\n")
    #expect(try place.bytes("family.kennel") == before.0)
    #expect(try place.names() == before.1)
  }

  @Test func `because a signal ends it, as a sample of many dogs`() throws {
    let file = place.file("big.kennel")
    let running = try start("sample", file, "--dogs", "9000000") { !$0.isEmpty }
    let (signal, messages) = running.end(by: SIGINT)
    #expect(signal == SIGINT)
    #expect(messages == "kennel: Interrupted: \(file) was not created\n")
    #expect(try place.names().isEmpty)
  }

  @Test func `because a signal ends it, as an export and a compaction`() throws {
    let file = place.file("dogs.kennel")
    #expect(try Kennel.run("sample", file, "--dogs", "40000", "--people", "0").exitCode == 0)
    try make("dogs.jsonl", "old")
    let document = place.file("dogs.jsonl")
    let export = try start("export", file, "-o", document) { names in
      names.contains { $0.hasSuffix(".new") }
    }
    let (signal, messages) = export.end(by: SIGINT)
    #expect(signal == SIGINT)
    #expect(messages == "kennel: Interrupted: \(document) is unchanged\n")
    #expect(try place.text("dogs.jsonl") == "old")
    let names = ["dogs.jsonl", "dogs.kennel", "dogs.kennel-lock"]
    #expect(try place.names() == names)
    // A compaction may be over before the signal.
    for _ in 0..<50 {
      let compaction = try? start("compact", file) { names in
        names.contains { $0.hasSuffix("-compacting") }
      }
      guard let (signal, messages) = compaction?.end(by: SIGINT), signal == SIGINT else { continue }
      #expect(messages == "kennel: Interrupted: \(file) is unchanged\n")
      #expect(try place.names() == ["dogs.jsonl", "dogs.kennel"])
      #expect(try Kennel.run("check", file).exitCode == 0)
      return
    }
    Issue.record("No compaction met its signal")
  }

  @Test func `because a signal ends it, unless it is to be ignored`() throws {
    let (file, pipe) = (place.file("new.kennel"), place.file("pipe"))
    unsafe mkfifo(pipe, 0o600)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let script = "trap '' HUP; exec \"$0\" \"$@\" 2> /dev/null"
    process.arguments = ["-c", script, try Executable.path("kennel"), "import", file, pipe]
    try process.start()
    // Nobody else may inherit it, or the document would have no end.
    let descriptor = unsafe open(pipe, O_WRONLY | O_CLOEXEC)
    _ = unsafe Array(Self.family.utf8).withUnsafeBytes {
      unsafe write(descriptor, $0.baseAddress, $0.count)
    }
    while try place.names().count < 3, process.isRunning { usleep(1_000) }
    kill(process.processIdentifier, SIGHUP)
    usleep(20_000)
    close(descriptor)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(try Kennel.run("export", file).output == Self.family)
  }

  // MARK: - Mistakes

  @Test func `because of a mistake in the document leaves an empty file, and none, as they were`()
    throws
  {
    try make("empty.kennel", "")
    unsafe chmod(place.file("empty.kennel"), 0o640)
    try FileManager.default.createSymbolicLink(
      atPath: place.file("link.kennel"),
      withDestinationPath: "target.kennel"
    )
    let before = try place.names()
    for name in ["empty.kennel", "new.kennel", "link.kennel"] {
      let outcome = try Kennel.run("import", place.file(name), input: "{\"$kennel\":1}\n{\n")
      #expect(outcome.exitCode == 1)
      #expect(outcome.messages.hasPrefix("kennel: line 2"))
      #expect(try place.names() == before)
      if place.exists(name) { #expect(try place.bytes(name).isEmpty) }
    }
    let nowhere = place.file("no/new.kennel")
    let refused = try Kennel.run("import", nowhere, input: Self.family)
    #expect(refused.messages.hasPrefix("kennel: Cannot open \(nowhere): there is no directory"))
    for name in ["empty.kennel", "link.kennel"] {
      #expect(try Kennel.run("import", place.file(name), input: Self.family).exitCode == 0)
      #expect(try Kennel.run("export", place.file(name)).output == Self.family)
    }
    #expect(place.exists("target.kennel"))
    let facts = try FileManager.default.attributesOfItem(atPath: place.file("empty.kennel"))
    #expect(facts[.posixPermissions] as? Int == 0o640)
  }

  // MARK: - Room

  @Test func `because a file may not be so large leaves nothing new`() throws {
    let kennel = try Executable.path("kennel")
    let script = "ulimit -f 400; \(kennel) sample \"$1\" --dogs 90000 --people 0 2>&1; echo $?"
    let file = place.file("big.kennel")
    let outcome = try Executable.run(
      "/bin/sh",
      ["-c", script, "sh", file],
      environment: Executable.environment()
    )
    let reason = "the file size limit is reached (see `ulimit -f`); nothing was changed"
    #expect(outcome.output == "kennel: Cannot commit to \(file): \(reason)\n1\n")
    #expect(try place.names().isEmpty)
  }

  /// Whether this system lets anybody mount a file system of their own.
  private static let canMount =
    (try? Executable.run(
      Executable.system("unshare"),
      ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
      environment: Executable.environment()
    ))?.status == 0

  @Test(.enabled(if: canMount)) func `because the disk is full leaves what was there`() throws {
    let script = """
      mount -t tmpfs -o size=1m tmpfs "$1" && cd "$1" && kennel="$2"
      "$kennel" sample small.kennel --dogs 4000 --people 0 && cp small.kennel other.kennel
      "$kennel" export small.kennel > document
      head -c 9000 /dev/zero > old
      cat /dev/zero > full
      ls > before; : > "$3"
      for words in 'export small.kennel -o new' 'export small.kennel -o old' \\
        'import new.kennel document' 'sample big.kennel' 'export other.kennel -o /dev/null' \\
        'compact small.kennel'
      do
        "$kennel" $words 2>> "$3" >> "$3"
        echo $? >> "$3"
      done
      ls >> "$3"
      wc -c old >> "$3"
      """
    let report = place.file("report")
    try make("report", "")
    try FileManager.default.createDirectory(
      atPath: place.file("disk"),
      withIntermediateDirectories: true
    )
    _ = try Executable.run(
      Executable.system("unshare"),
      [
        "-rm", "/bin/sh", "-c", script, "sh", place.file("disk"), Executable.path("kennel"), report,
      ],
      environment: Executable.environment()
    )
    let noRoom = { (name: String) in
      "kennel: Cannot open \(name): the disk has no room for its lock file \(name)-lock"
    }
    let copy = place.file("disk/small.kennel-compacting")
    let advice = "; make some, or copy the file elsewhere\n1"
    #expect(
      try place.text("report") == """
        kennel: Cannot write to new: No space left on device
        1
        kennel: Cannot write to old: No space left on device
        1
        \(noRoom("new.kennel"))\(advice)
        \(noRoom("big.kennel"))\(advice)
        0
        kennel: Cannot commit to \(copy): the disk is full; nothing was changed
        1
        before
        document
        full
        old
        other.kennel
        small.kennel
        9000 old

        """
    )
  }
}
