import Foundation
import KennelCore
import KennelPages
import KennelStorage
import KennelTestSupport
import Testing

@Suite struct CheckTests {
  @Test func `a sound file has no findings`() throws {
    let world = try CheckWorld()
    #expect(try world.database.check().map(\.message) == [])
  }

  @Test func `an empty file has no findings`() throws {
    let findings = try withTemporaryDatabase { try $0.check() }
    #expect(findings.isEmpty)
  }

  @Test func `the progress ascends to the end, and false ends the check`() throws {
    let world = try CheckWorld()
    var steps: [Double] = []
    _ = try world.database.check { done in
      steps.append(done)
      return true
    }
    #expect(steps == steps.sorted())
    #expect(steps.allSatisfy { (0...1).contains($0) })
    do {
      _ = try world.database.check { _ in false }
      Issue.record("the check was not ended")
    } catch {
      #expect(error.code == .cancelled)
    }
  }

  /// One fault of each kind is planted in a sound file: it must be found and named.
  @Test(arguments: Finding.Kind.allCases)
  func `a planted fault is found and named`(kind: Finding.Kind) throws {
    let world = try CheckWorld()
    let fragment = try world.plant(kind)
    let database = try Database.open(world.path)
    let findings = try database.check()
    let found = findings.filter { $0.kind == kind }
    #expect(
      found.contains { $0.message.contains(fragment) },
      "'\(fragment)' in \(findings.map { "\($0.kind): \($0.message)" })"
    )
    #expect(findings.count <= (kind == .tooMany ? 1001 : 8), "\(findings)")
  }

  @Test func `a page that is lost is told once`() throws {
    let world = try CheckWorld()
    let folder = try TemporaryFolder()
    let sound = folder.file("sound.kennel")
    // What was not closed may have lost its last commit.
    try world.database.writeCopy(to: sound)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: sound))
    var tellingPages = 0
    for page in 2..<bytes.count / 4096 {
      var damaged = bytes
      damaged.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(count: 4096))
      let path = folder.file("\(page).kennel")
      try damaged.write(to: URL(fileURLWithPath: path))
      guard let messages = try? Database.open(path).check().map(\.message) else { continue }
      #expect(messages.count == Set(messages).count, "\(messages)")
      tellingPages += messages.contains { $0.hasPrefix("page \(page):") } ? 1 : 0
    }
    #expect(tellingPages > 2)
  }

  @Test func `a lost piece of a long list is one finding, not one for each element`() throws {
    let world = try CheckWorld()
    try world.write { planter in
      let id = try planter.location("Person", "dogs", world.people[0]).id
      try planter.transaction.delete(.pieces, PieceKey.of(id, 1))
    }
    let findings = try world.database.check()
    #expect(findings.map(\.kind) == [.missingPiece])
    #expect(findings.first?.message.contains("Person/1.dogs") == true)
  }
}
