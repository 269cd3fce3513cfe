import Foundation
import Kennel
import KennelCore
import KennelModels
import KennelTestSupport
import Testing

/// `RandomModels.swift` is what the generator writes: it compiles, so that is tested too.
@Suite struct `Generated models of Kennel` {
  private static let seeds: Range<UInt64> = 0..<4
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("RandomModels.swift")

  private static func random(_ seed: UInt64) -> [ClassDefinition] {
    var random = RandomSchema(seed: seed, prefix: "N\(seed)_")
    return random.classes()
  }

  @Test func `are those in the file beside this one`() throws {
    let models = Self.seeds.map { NativeModels.write(Self.random($0)) }
    let bodies = models.enumerated().map { number, model in
      number == 0 ? model.text : String(model.text.dropFirst("import Kennel\n".count))
    }
    let lists = models.map { model in
      "  [\(model.classNames.map { "\($0).self" }.joined(separator: ", "))],\n"
    }
    let source =
      "// swift-format-ignore-file\n" + bodies.joined()
      + "\nlet randomModels: [[any Model.Type]] = [\n" + lists.joined() + "]\n"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try source.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == source)
  }

  @Test func `declare what is unique`() {
    let code = PropertyDefinition("code", .int, isUnique: true)
    let key = PropertyDefinition("key", .int, isPrimaryKey: true, isUnique: true)
    let text = NativeModels.write([ClassDefinition("Club", properties: [code, key])]).text
    #expect(text.contains("let code = Property<Int>(.unique)\n"))
    #expect(text.contains("let key = Property<Int>([.primaryKey, .unique])\n"))
  }

  @Test func `declare the rules of links in both directions`() {
    let link = PropertyType.link("Club")
    let properties = [
      PropertyDefinition("a", link, deleteRule: .deny, targetRule: .cascade),
      PropertyDefinition("b", .list(link), targetRule: .deny),
    ]
    let text = NativeModels.write([ClassDefinition("Club", properties: properties)]).text
    #expect(
      text.contains(
        "let a = Property<Object<Club>?>(deleteRule: .deny, targetRule: .cascade)\n"
      )
    )
    #expect(text.contains("let b = Property<[Object<Club>]>(targetRule: .deny)\n"))
  }

  @Test(arguments: seeds)
  func `make the classes that they were generated from`(seed: UInt64) throws {
    let folder = try CheckedFolder()
    let original = Self.random(seed)
    let path = folder.file("new.kennel")
    _ = try Kennel.Database.open(path, models: randomModels[Int(seed)])
    let made = try KennelCore.Database.open(path).snapshot().schema.definitions
    let notes = NativeModels.write(original).notes
    #expect(Set(made.map(\.name)) == Set(original.map(\.name)))
    for expected in original {
      let found = try #require(made.first { $0.name == expected.name })
      #expect(found.isEmbedded == expected.isEmbedded && found.backlinks == expected.backlinks)
      for (property, wanted) in zip(found.properties, expected.properties) {
        let isNoted = notes.contains { $0.hasPrefix("\(expected.name).\(wanted.name): ") }
        #expect(isNoted || property == wanted, "\(expected.name).\(wanted.name)")
      }
      #expect(found.properties.count == expected.properties.count)
    }
  }

  @Test(arguments: seeds)
  func `open a file that has the classes already`(seed: UInt64) throws {
    let folder = try CheckedFolder()
    let original = Self.random(seed)
    let path = folder.file("old.kennel")
    let core = try KennelCore.Database.open(path)
    try core.write { try $0.define(original) }
    let database = try Kennel.Database.open(path, models: randomModels[Int(seed)])
    #expect(try core.snapshot().schema.definitions == original)
    try database.write { db in
      func make<M: Model>(_ model: M.Type) throws { try db.create(model) }
      for model in randomModels[Int(seed)] where !model.isEmbedded { try make(model) }
    }
  }
}
