import Foundation
import Testing

@Suite struct `kennel space` {
  @Test func `prints exact numbers that add up to the size of the file`() throws {
    let place = try TemporaryPlace()
    let file = place.file("big.kennel")
    #expect(try Kennel.run("sample", file, "--dogs", "3000", "--people", "600").exitCode == 0)
    let made = try Kennel.run("space", file)
    #expect(made.exitCode == 0, "\(made.messages)")
    let lines = made.output.split(separator: "\n").map { String($0) }
    #expect(lines[0].hasSuffix("backlinks  name"))
    let width = lines[0].count - "name".count
    let rows = lines.dropFirst().map { line in
      (name: String(line.dropFirst(width)), bytes: Int(line.split(separator: " ")[0]) ?? -1)
    }
    let whole = rows.filter { !$0.name.hasPrefix(" ") }
    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    #expect(whole.reduce(0) { $0 + $1.bytes } == size)
    #expect(whole.map(\.bytes) == whole.map(\.bytes).sorted(by: >))
    #expect(rows.contains { $0.name == "  name" } && rows.contains { $0.name == "Dog" })
    #expect(try Kennel.run("space", place.file("none.kennel")).exitCode == 1)
  }
}
