import Foundation
import KennelCore
import KennelDocuments
import KennelModels
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

/// Which random schemas are in which file of models.
private let seeds: [(file: String, seeds: Range<UInt64>)] = [
  ("RandomModels1", 0..<5), ("RandomModels2", 5..<10), ("RandomModels3", 10..<15),
  ("RandomModels4", 15..<20),
]

/// The files beside this one are what the generator writes: they compile, so that is tested too.
@Suite struct `Generated models` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// Models of some schemas and a list of the classes of each, as a file of this target.
  private static func source(_ name: String, of schemas: [[ClassDefinition]]) -> String {
    let models = schemas.map { RealmModels.write($0) }
    let header = "// swift-format-ignore-file\n"
    let bodies = models.enumerated().map { number, model in
      number == 0 ? model.text : String(model.text.dropFirst("import KennelRealm\n".count))
    }
    let lists = models.map { model in
      "  [\(model.classNames.map { "\($0).self" }.joined(separator: ", "))],\n"
    }
    let variable = name.prefix(1).lowercased() + name.dropFirst()
    return header + bodies.joined() + "\nlet \(variable): [[ObjectBase.Type]] = [\n"
      + lists.joined() + "]\n"
  }

  /// Compares with a file of this target; writes it where UPDATE_GOLDENS is set.
  private static func expectFresh(_ name: String, _ schemas: [[ClassDefinition]]) throws {
    let file = folder.appendingPathComponent("\(name).swift")
    let source = source(name, of: schemas)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try source.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == source)
  }

  private static func random(_ seed: UInt64) -> [ClassDefinition] {
    var random = RandomSchema(seed: seed, prefix: "R\(seed)_")
    return random.classes()
  }

  private static func sample() throws -> [ClassDefinition] {
    let path = folder.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("sample-data/sample.jsonl")
    let bytes = Array(try Data(contentsOf: path))
    return try withTemporaryDatabase { database in
      var rest = bytes
      let file = DocumentFile(format: .jsonl) {
        {
          defer { rest = [] }
          return rest
        }
      }
      try database.write { _ = try DocumentImporter(DocumentReader([file])).read(into: $0) }
      return try database.snapshot().schema.definitions
    }
  }

  /// The classes of the file that a program with some models makes.
  private static func schema(of models: [ObjectBase.Type]) throws -> [ClassDefinition] {
    try withRealm(models) { realm in
      let path = try #require(realm.configuration.fileURL?.path)
      return try Database.open(path).snapshot().schema.definitions
    }
  }

  /// What models can say of classes: all but the points of the notes.
  private static func declarable(_ classes: [ClassDefinition]) -> [ClassDefinition] {
    classes.map { definition in
      var definition = definition
      for index in definition.properties.indices { definition.properties[index].targetRule = nil }
      for index in definition.properties.indices
      where [.float, .double, .data, .decimal128].contains(definition.properties[index].type.kind) {
        definition.properties[index].isIndexed = false
      }
      return definition
    }
  }

  private static func byName(_ classes: [ClassDefinition]) -> [ClassDefinition] {
    classes.sorted { $0.name.hasBytes(before: $1.name) }
  }

  @Test func `of the sample have its schema`() throws {
    let sample = try Self.sample()
    try Self.expectFresh("SampleModels", [sample])
    let declarable = Self.byName(Self.declarable(sample))
    #expect(try Self.byName(Self.schema(of: sampleModels[0])) == declarable)
    #expect(
      RealmModels.write(sample).notes == [
        "Order.customer: its target rule cascade cannot be declared"
      ]
    )
  }

  @Test func `of random schemas are fresh`() throws {
    for (file, seeds) in seeds { try Self.expectFresh(file, seeds.map(Self.random)) }
  }

  @Test(arguments: seeds.flatMap(\.seeds))
  func `of a random schema have that schema`(seed: UInt64) throws {
    let files = [randomModels1, randomModels2, randomModels3, randomModels4]
    let models = files.flatMap(\.self)[Int(seed)]
    let original = Self.random(seed)
    let made = try Self.byName(Self.schema(of: models))
    let expected = Self.byName(Self.declarable(original))
    for (made, expected) in zip(made, expected) {
      #expect(made.name == expected.name && made.isEmbedded == expected.isEmbedded)
      #expect(made.properties == expected.properties)
      #expect(made.backlinks == expected.backlinks)
    }
    #expect(made.count == expected.count)
    let isWhole = RealmModels.write(original).notes.isEmpty
    #expect(isWhole == (Self.declarable(original) == original))
  }

  @Test func `open a file that has the classes already`() throws {
    for (seed, models) in randomModels1.enumerated() {
      let folder = try TemporaryFolder()
      let path = folder.file("test.kennel")
      let database = try Database.open(path)
      let original = Self.random(UInt64(seed))
      try database.write { try $0.define(original) }
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path),
        objectTypes: models
      )
      let realm = try Realm(configuration: configuration)
      #expect(realm.schema.objectSchema.count == original.count)
      #expect(try database.snapshot().schema.definitions == original)
    }
  }
}

@Suite struct `What generated models cannot say` {
  private func written(_ properties: PropertyDefinition...) -> GeneratedModels {
    RealmModels.write([ClassDefinition("Dog", properties: properties)])
  }

  @Test func `is noted`() throws {
    var weight = PropertyDefinition("weight", .double, isIndexed: true)
    weight.defaultValue = .double(.nan)
    var born = PropertyDefinition("born", .date)
    born.defaultValue = .date(try #require(Timestamp(seconds: 1, nanoseconds: 5)))
    var things = PropertyDefinition("things", .list(.mixed))
    things.deleteRule = .cascade
    things.targetRule = .deny
    var tags = PropertyDefinition("tags", .list(.int))
    tags.defaultValue = .list([.int(1)])
    let models = written(weight, born, things, tags)
    #expect(
      models.notes == [
        "Dog.weight: an index of a double cannot be declared",
        "Dog.weight: its default cannot be declared", "Dog.born: its default cannot be declared",
        "Dog.things: the delete rule of a list<mixed> cannot be declared",
        "Dog.things: its target rule deny cannot be declared",
        "Dog.tags: its default cannot be declared",
      ]
    )
    #expect(
      models.text == """
        import KennelRealm

        class Dog: Object {
          @Persisted var weight: Double
          @Persisted var born: Date
          @Persisted var things: List<AnyRealmValue>
          @Persisted var tags: List<Int>
        }

        """
    )
  }

  @Test func `is never a way out of a string`() {
    var name = PropertyDefinition("na\"me\\(exit(1))", .string)
    name.defaultValue = .string("\\(exit(1))\"\r\u{2028}\u{202e}")
    let text = written(name).text
    #expect(text.contains(#"= "\\(exit(1))\"\u{d}\u{2028}\u{202e}""#))
    #expect(text.contains(#""naMeExit1": "na\"me\\(exit(1))","#))
  }
}
