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
    let program = program.contains("/") ? program : try Executable.system(program)
    let environment = Executable.environment(home: place.path)
    let result = try Executable.run(program, arguments, environment: environment)
    #expect(result.status == 0, "\(program) \(arguments): \(result.output)")
    return result.output
  }

  private func make(_ target: String) throws -> String {
    try run(
      "make",
      "--silent",
      "--directory=\(Self.root.path)",
      target,
      "KENNEL=\(Executable.path("kennel"))",
      "DESTDIR=\(place.path)",
      "PREFIX=/opt/kennel"
    )
  }

  private func installed() throws -> [String] {
    try run("find", place.file("opt/kennel"), "-type", "f", "-printf", "%P\\n")
      .split(separator: "\n").map(String.init).sorted()
  }

  @Test func `has the program, its manual and the completions of three shells, and is removed`()
    throws
  {
    _ = try make("install")
    #expect(try installed() == Self.files)
    let version = try run(place.file("opt/kennel/bin/kennel"), "--version")
    #expect(version.contains("."))
    for file in Self.files.dropFirst() {
      #expect(try place.text("opt/kennel/\(file)").contains("kennel"), "\(file)")
    }
    _ = try run("bash", "-n", place.file("opt/kennel/share/bash-completion/completions/kennel"))
    _ = try make("uninstall")
    #expect(try installed().isEmpty)
  }

  @Test func `is made as a Debian package that names the libraries it needs`() throws {
    let kennel = try Executable.path("kennel")
    let script = Self.root.appendingPathComponent("Scripts/deb").path
    let package = try run(script, kennel, place.path, "-Znone").split(separator: "\n").last
    let path = String(try #require(package))
    #expect(path.hasSuffix(".deb"))
    let fields = try run("dpkg-deb", "--field", path)
    for text in ["Package: kennel", "liblmdb0", "libncursesw6", "libbson-1.0-0", "libc6"] {
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
