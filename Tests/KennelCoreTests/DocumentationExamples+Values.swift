import KennelCore
import KennelTestSupport
import Testing

/// The examples of the types that KennelCore exports from KennelStorage.
///
/// The marked lines of each function are the example of a doc comment; a tidy test compares them.
@Suite struct `The examples of values and schemas` {
  private let temporary: TemporaryDatabase
  private let dog: ClassSchema
  private let person: ClassSchema
  private let rex: ObjectIdentity
  private var database: Database { temporary.database }

  init() throws {
    temporary = try TemporaryDatabase()
    (dog, person, rex) = try temporary.database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Dog",
          properties: [PropertyDefinition("name", .string), PropertyDefinition("age", .int)],
          backlinks: [BacklinkDefinition("owners", origin: "Person", property: "dogs")]
        ),
        ClassDefinition(
          "Person",
          properties: [
            PropertyDefinition("name", .string, isPrimaryKey: true),
            PropertyDefinition("dogs", .list(.link("Dog"))),
          ]
        ),
      ])
      let dog = try transaction.schema.require("Dog")
      let values: [PropertyKey: Value] = [
        try dog.require("name").key: .string("Rex"), try dog.require("age").key: .int(3),
      ]
      let rex = try transaction.create(dog.key, values)
      return (dog, try transaction.schema.require("Person"), rex)
    }
  }

  @Test func `of schemas run`() throws {
    let snapshot = try database.snapshot()
    try schema()
    try classSchema(snapshot)
    try propertySchema()
    backlinkSchema(snapshot)
    valueKind()
    collectionKind()
    try deleteRule()
    try targetRule()
    propertyType()
    temporary.finish()
  }

  @Test func `of keys run`() throws {
    let snapshot = try database.snapshot()
    try classKey(snapshot)
    try propertyKey()
    try objectKey(database.makeDraft())
    objectIdentity(snapshot)
    temporary.finish()
  }

  @Test func `of files run`() throws {
    try finding()
    try findingKind()
    try spaceReport()
    try spacePart()
    filePlace()
  }

  @Test func `of values run`() throws {
    try value(database.snapshot())
    mapEntry()
    nestedStep()
    decimal128()
    timestamp()
    objectId()
    uuidValue()
    try valueText()
    valueTextError()
  }

  @Test func `of protocols of values run`() {
    singleValue()
    scalarValue()
    wordValue()
    pairValue()
    bytesValue()
  }

  // MARK: - Schemas

  private func schema() throws {
    let schema = try database.snapshot().schema
    for found in schema.classes { print(found.name, found.properties.map(\.name)) }
    #expect(schema.classes.map(\.name) == ["Dog", "Person"])
  }

  private func classSchema(_ snapshot: Snapshot) throws {
    let dog = try snapshot.schema.require("Dog")
    print(dog.properties.count, dog.primaryKey?.name ?? "no primary key")
    #expect(dog.properties.count == 2 && dog.primaryKey == nil)
  }

  private func propertySchema() throws {
    let age = try dog.require("age")
    print(age.name, age.type, age.isIndexed)
    #expect(age.type == .int && !age.isIndexed)
  }

  private func backlinkSchema(_ snapshot: Snapshot) {
    for backlink in dog.backlinks {
      print(backlink.name, snapshot.schema[backlink.origin]?.name ?? "")
    }
    #expect(dog.backlinks.map(\.name) == ["owners"])
    #expect(dog.backlinks.map(\.origin) == [person.key])
  }

  private func valueKind() {
    let links = person.properties.filter { $0.type.kind == .link }
    print(links.map(\.name))
    #expect(links.map(\.name) == ["dogs"])
  }

  private func collectionKind() {
    let lists = person.properties.filter { $0.type.collection == .list }
    print(lists.map(\.name))
    #expect(lists.map(\.name) == ["dogs"])
  }

  private func deleteRule() throws {
    let dogs = PropertyDefinition("dogs", .list(.link("Dog")), deleteRule: .cascade)
    try database.write { transaction in
      try transaction.define([ClassDefinition("Breeder", properties: [dogs])])
    }
    #expect(try database.snapshot().schema["Breeder"]?["dogs"]?.deleteRule == .cascade)
  }

  private func targetRule() throws {
    let owner = PropertyDefinition("owner", .link("Person"), targetRule: .cascade)
    try database.write { transaction in
      try transaction.define([ClassDefinition("Passport", properties: [owner])])
    }
    #expect(try database.snapshot().schema["Passport"]?["owner"]?.targetRule == .cascade)
  }

  private func propertyType() {
    let dogs = PropertyType.list(.link("Dog"))
    print(dogs, PropertyType("list<link<Dog>>") == dogs)
    #expect("\(dogs)" == "list<link<Dog>>" && PropertyType("list<link<Dog>>") == dogs)
  }

  // MARK: - Keys

  private func classKey(_ snapshot: Snapshot) throws {
    let dogs = try snapshot.schema.require("Dog").key
    print(snapshot.count(of: dogs))
    #expect(snapshot.count(of: dogs) == 1)
  }

  private func propertyKey() throws {
    let age = try dog.require("age").key
    try database.write { transaction in try transaction.set(rex, property: age, to: .int(4)) }
    #expect(try database.snapshot().value(of: rex, property: age) == .int(4))
  }

  private func objectKey(_ draft: Draft) throws {
    let max = try draft.create(dog.key, [:])
    print(rex.key.rawValue, max.key.isProvisional)
    #expect(rex.key.rawValue == 1 && !rex.key.isProvisional && max.key.isProvisional)
  }

  private func objectIdentity(_ snapshot: Snapshot) {
    let rex = ObjectIdentity(dog.key, ObjectKey(rawValue: 1))
    print(snapshot.describe(rex))
    #expect(snapshot.describe(rex) == "Dog/1" && rex == self.rex)
  }

  // MARK: - Files

  private func finding() throws {
    let findings = try database.check()
    for finding in findings { print("\(finding.kind): \(finding.message)") }
    #expect(findings.isEmpty)
  }

  private func findingKind() throws {
    let dangling = try database.check().filter { $0.kind == .danglingLink }
    print(dangling.count)
    #expect(dangling.isEmpty)
  }

  private func spaceReport() throws {
    let report = try database.space()
    let largest = report.parts.max { $0.byteCount < $1.byteCount }
    print(report.fileByteCount, largest?.byteCount ?? 0)
  }

  private func spacePart() throws {
    for part in try database.space().parts where part.indexByteCount > part.valueByteCount {
      print(part.classKey, part.byteCount)
    }
  }

  private func filePlace() {
    if database.filePlace == .replaced { print("Another file is at \(database.path)") }
    #expect(database.filePlace == .unchanged)
  }

  // MARK: - Values

  private func value(_ snapshot: Snapshot) throws {
    let age = try snapshot.value(of: rex, property: dog.require("age").key)
    if case .int(let years) = age { print(years + 1) }
    #expect(age == .int(3))
  }

  private func mapEntry() {
    let meals: Value = .map([MapEntry("evening", .int(2)), MapEntry("morning", .int(1))])
    if case .map(let entries) = meals { print(entries.map(\.key)) }
    #expect(ValueText.describe(meals) == #"{"evening": 2, "morning": 1}"#)
  }

  private func nestedStep() {
    let sizes: Value = .map([MapEntry("paws", .list([.int(3), .int(4)]))])
    let path: [NestedStep] = [.key("paws"), .index(1)]
    if let size = sizes.element(at: path) { print(ValueText.describe(size)) }
  }

  private func decimal128() {
    let price: Decimal128 = 19.9
    let total = price.multiplied(by: 3)
    print(total, total > 50)
    #expect(total.description == "59.7" && total > 50 && total <= 59.7)
  }

  private func timestamp() {
    let born = Timestamp("2024-05-01T00:00:00.5Z")
    print(born?.seconds ?? 0, born?.nanoseconds ?? 0)
    #expect(born == Timestamp(seconds: 1_714_521_600, nanoseconds: 500_000_000))
  }

  private func objectId() {
    let id = ObjectId("66318a00a1b2c3d4e5f60718")
    print(id?.description ?? "")
    #expect(id?.description == "66318a00a1b2c3d4e5f60718")
  }

  private func uuidValue() {
    let id = UUIDValue("0F8FAD5B-D9CB-469F-A165-70867728950E")
    print(id?.description ?? "")
    #expect(id?.description == "0f8fad5b-d9cb-469f-a165-70867728950e")
  }

  private func valueText() throws {
    let age = try ValueText.parse("3", as: .int)
    print(ValueText.describe(age), ValueText.describeMixed(.string("3")))
    #expect(age == .int(3) && ValueText.describeMixed(.string("3")) == "\"3\"")
  }

  private func valueTextError() {
    do throws(ValueTextError) {
      print(try ValueText.parse("three", as: .int))
    } catch {
      print(error.message)
    }
    #expect(throws: ValueTextError.self) { try ValueText.parse("three", as: .int) }
  }

  // MARK: - Protocols of values

  private func singleValue() {
    func elements<V: SingleValue>(of list: [Value], as type: V.Type) -> [V] {
      list.compactMap { V($0) }
    }
    print(elements(of: [.int(3), .null, .int(5)], as: Int64.self))
    #expect(elements(of: [.int(3), .null, .int(5)], as: Int64.self) == [3, 5])
  }

  private func scalarValue() {
    func initial(_ type: any ScalarValue.Type) -> String { ValueText.describe(type.initial.value) }
    print(initial(Int64.self), initial(Timestamp.self))
    #expect(initial(Int64.self) == "0" && initial(Timestamp.self) == "1970-01-01T00:00:00Z")
  }

  private func wordValue() {
    let word = Int64(-1).storedWord
    print(Int64.fromStored(word))
    #expect(Int64.fromStored(word) == -1)
  }

  private func pairValue() {
    let pair = Timestamp(seconds: 90).storedPair
    print(Timestamp.fromStored(pair)?.seconds ?? 0)
    #expect(pair == (90, 0) && Timestamp.fromStored(pair) == Timestamp(seconds: 90))
  }

  private func bytesValue() {
    let name = "Rex".withStoredBytes { bytes in String.fromStored(bytes) }
    print(name ?? "")
    #expect(name == "Rex")
  }
}
