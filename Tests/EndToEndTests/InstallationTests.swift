import Foundation
import KennelTestSupport
import Testing

/// What `make install` and the Debian package put on a machine.
@Suite("The installation")
struct InstallationTests {
  private static let files = [
    "bin/kennel", "share/bash-completion/completions/kennel",
    "share/fish/vendor_completions.d/kennel.fish", "share/man/man1/kennel.1",
    "share/zsh/site-functions/_kennel",
  ]
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private let place: TemporaryPlace

  init() throws {
    place = try TemporaryPlace()
  }

  private func run(_ program: String, _ arguments: String...) throws -> String {
    try run(program, all: arguments)
  }

  private func run(_ program: String, all arguments: [String]) throws -> String {
    let program = program.contains("/") ? program : try Executable.system(program)
    let environment = Executable.environment(home: place.path)
    let result = try Executable.run(program, arguments, environment: environment)
    #expect(result.status == 0, "\(program) \(arguments): \(result.output)")
    return result.output
  }

  /// Where it is installed, with a blank in the name.
  private var destination: String { place.file("a b") }

  private func words(_ target: String, _ program: String) -> [String] {
    [
      "--silent", "--directory=\(Self.root.path)", target, program, "DESTDIR=\(destination)",
      "PREFIX=/opt/kennel",
    ]
  }

  private func make(_ target: String) throws -> String {
    try run("make", all: words(target, "KENNEL=\(Executable.path("kennel"))"))
  }

  private func installed() throws -> [String] {
    try run("find", "\(destination)/opt/kennel", "-type", "f", "-printf", "%P\\n")
      .split(separator: "\n").map(String.init).sorted()
  }

  @Test func `has the program, its manual and the completions of three shells, and is removed`()
    throws
  {
    _ = try make("install")
    #expect(try installed() == Self.files)
    let version = try run("\(destination)/opt/kennel/bin/kennel", "--version")
    #expect(version.contains("."))
    for file in Self.files.dropFirst() {
      #expect(try place.text("a b/opt/kennel/\(file)").contains("kennel"), "\(file)")
    }
    _ = try run("bash", "-n", "\(destination)/opt/kennel/share/bash-completion/completions/kennel")
    // Half of the name is no name.
    try Data().write(to: URL(fileURLWithPath: place.file("a")))
    _ = try make("uninstall")
    #expect(try installed().isEmpty)
    #expect(place.exists("a"))
  }

  @Test func `can be read by everybody, whatever the umask is`() throws {
    _ = try run(
      "bash",
      all: ["-c", "umask 077 && exec make \"$@\"", "make"]
        + words("install", "KENNEL=\(Executable.path("kennel"))")
    )
    let readable = try run("find", destination, "-perm", "-o=r", "-type", "f", "-printf", "%f\\n")
    #expect(readable.split(separator: "\n").count == Self.files.count)
  }

  @Test func `under sudo takes what was built, or says how to build it`() throws {
    let make = "SUDO_USER=ada exec make \"$@\" 2>&1"
    let built = words("install", "static=\(try Executable.path("kennel"))")
    _ = try run("bash", all: ["-c", make, "make"] + built)
    #expect(try installed() == Self.files)
    let missing = words("install", "static=/nonexistent/kennel")
    let result = try Executable.run(
      Executable.system("bash"),
      ["-c", make, "make"] + missing,
      environment: Executable.environment(home: place.path)
    )
    #expect(result.status != 0)
    #expect(result.output.contains("Build kennel first, without sudo: make /nonexistent/kennel"))
  }

  @Test func `is made as a Debian package that names the libraries it needs`() throws {
    let kennel = try Executable.path("kennel")
    let script = Self.root.appendingPathComponent("Scripts/deb").path
    let package = try run(script, kennel, place.path, "-Znone").split(separator: "\n").last
    let path = String(try #require(package))
    #expect(path.hasSuffix(".deb"))
    let fields = try run("dpkg-deb", "--field", path)
    for text in ["Package: kennel", "libncursesw6", "libbson-1.0-0", "libpcre2-8-0", "libc6"] {
      #expect(fields.contains(text), "\(text) in\n\(fields)")
    }
    let contents = try run("dpkg-deb", "--contents", path)
    for file in [
      "/usr/bin/kennel", "/usr/share/man/man1/kennel.1.gz", "vendor-completions/_kennel",
    ] {
      #expect(contents.contains(file), "\(file) in\n\(contents)")
    }
  }
}
