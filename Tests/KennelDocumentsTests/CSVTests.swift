import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

@Suite struct `CSV` {
  private static let schema = document(
    #"{"$class":"Dog"}"#,
    #"{"$property":"name","type":"string","primaryKey":true}"#,
    #"{"$property":"age","type":"int?"}"#,
    #"{"$property":"breed","type":"string?"}"#,
    #"{"$property":"sire","type":"link<Dog>"}"#,
    #"{"$property":"home","type":"link<Home>"}"#,
    #"{"$property":"tags","type":"list<string>"}"#,
    #"{"$class":"Home","embedded":true}"#,
    #"{"$property":"city","type":"string?"}"#,
    #"{"$property":"zip","type":"int?"}"#
  )

  private func withDogs(
    _ csv: [UInt8],
    _ options: CSVOptions = .init(),
    _ body: (Database) throws -> Void
  ) throws {
    try withTemporaryDatabase { database in
      try read(Self.schema, into: database)
      try read(csv, as: "Dog", into: database, csv: options)
      try body(database)
    }
  }

  private let plain = """
    name,age,breed,sire,home.city,home.zip,tags
    Rex,3,Beagle,,London,,[]
    "Bella ""B"", the first",,"",Rex,,,"[""a"",""b,c""]"
    "two
    lines",-1,,,,7,[]

    """

  @Test func `is written and read as people have it`() throws {
    try withDogs(Array(plain.utf8)) { database in
      #expect(try json("Dog", of: database, as: .csv) == plain)
      let snapshot = try database.snapshot()
      #expect(try snapshot.value("Dog/1", "breed") == .string("Beagle"))
      #expect(try snapshot.value("Dog/2", "breed") == .string(""))
      #expect(try snapshot.value("Dog/3", "breed") == .null)
      #expect(try snapshot.value("Dog/2", "home") == .null)
      #expect(try snapshot.value("Dog/2", "sire") == .link(snapshot.identity("Dog/1")))
    }
  }

  @Test(arguments: [";", "\t", "|"])
  func `is read with the separator that it has`(separator: String) throws {
    let lines = ["name,age,home.city", "\"Rex the first\",3,London", "Bella,,"]
    let text = lines.map { $0.replacing(",", with: separator) }.joined(separator: "\r\n")
    try withDogs(Array(text.utf8)) { database in
      let found = try json("Dog", of: database, as: .csv)
      #expect(found.contains("\nRex the first,3,,,London,,[]\nBella,,,,,,[]\n"))
    }
  }

  @Test func `is read in the encoding of its byte order mark, or the one that is said`() throws {
    let text = "name,age\nSävö 🐕,5\n"
    let units = Array(text.utf16)
    let little: [UInt8] =
      [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
    let big: [UInt8] =
      [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] as [UInt8] }
    for bytes in [Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), little, big]
      as [[UInt8]]
    {
      try withDogs(bytes) { database in
        let name = try database.snapshot().value("Dog/1", "name")
        #expect(name == .string("Sävö 🐕"))
      }
    }
    var options = CSVOptions()
    options.encoding = .latin1
    let latin = Array("name,age\nS".utf8) + [0xE4] + Array("v,5\n".utf8)
    try withDogs(latin, options) { database in
      let name = try database.snapshot().value("Dog/1", "name")
      #expect(name == .string("Säv"))
    }
    #expect(try refusal(latin).contains("line 2: a cell is not valid UTF-8; choose an --encoding"))
  }

  @Test func `without a header has the columns of the class`() throws {
    var options = CSVOptions()
    options.hasHeader = false
    try withDogs(Array("Rex,3,,,,,[]\n".utf8), options) { database in
      #expect(try database.snapshot().value("Dog/1", "age") == .int(3))
      var output = OutputOptions()
      output.csv = options
      let files = try CollectionFiles(of: database, as: .csv, output)
      #expect(String(decoding: files.files[0].bytes, as: UTF8.self) == "Rex,3,,,,,[]\n")
    }
  }

  @Test func `escapes what a spreadsheet would run, and takes it back`() throws {
    var options = CSVOptions()
    options.escapesFormulas = true
    let names = ["=1+1", "'=1", "+x", "-x", "@x", "\tx", "'x", "x=", "''-", "＝1"]
    try withTemporaryDatabase { database in
      try read(Self.schema, into: database)
      try database.write { transaction in
        let dog = try #require(transaction.schema["Dog"])
        let (name, age) = (try #require(dog["name"]), try #require(dog["age"]))
        for text in names {
          try transaction.create(dog.key, [name.key: .string(text), age.key: .int(-5)])
        }
      }
      var output = OutputOptions()
      output.csv = options
      let files = try CollectionFiles(of: database, as: .csv, output)
      let lines = String(decoding: files.files[0].bytes, as: UTF8.self).split(separator: "\n")
      #expect(
        lines.dropFirst().map { $0.split(separator: ",")[0] }
          == ["'=1+1", "''=1", "'+x", "'-x", "'@x", "'\tx", "'x", "x=", "'''-", "'＝1"]
      )
      #expect(lines[1].contains(",-5,"))
      try withTemporaryDatabase { copy in
        try files.read(into: copy, csv: options)
        #expect(try text(of: copy) == text(of: database))
      }
    }
  }

  @Test(
    arguments: [
      (
        "name,name\nRex,Rex\n",
        "line 2, Dog.name2: Dog has no such property; --skip name2 leaves it out"
      ),
      (
        ",name\n1,Rex\n",
        "line 2, Dog.column1: Dog has no such property; --skip column1 leaves it out"
      ),
      ("name,age\nRex\n", "line 2: expected 2 cells, as there are columns; found 1"),
      ("name,age\nRex,1,2\n", "line 2: expected 2 cells, as there are columns; found 3"),
      ("name,age\n\"Rex,1\n", "line 2: a quoted cell is not closed"),
      ("name,age\n\"Rex\"x,1\n", "line 2: a cell continues after its closing quote"),
      ("name,age\nRex,old\n", "line 2, Dog.age: Expected a whole number"),
      (
        "name,age\nRex,\"1.234,5\"\n",
        "line 2, Dog.age: Expected a whole number from -9223372036854775808 to 9223372036854775807; "
          + "--decimal-comma reads such numbers"
      ),
      ("name,weight\nRex,5\n", "line 2, Dog.weight: Dog has no such property"),
      ("name,sire\nRex,Fido\n", "line 2, Dog.sire: there is no object with the key \"Fido\""),
      ("name,tags\nRex,[1\n", "line 2, Dog.tags: expected JSON, such as [1,2]"),
      ("name,home.zip\nRex,x\n", "line 2, Dog.home.zip: Expected a whole number"),
    ]
  )
  func `that makes no sense is refused with its line`(text: String, message: String) throws {
    let error = try refusal(Array(text.utf8))
    #expect(error.hasPrefix("Dog, \(message)"), "\(error)")
  }

  private func refusal(_ bytes: [UInt8]) throws -> String {
    do {
      try withDogs(bytes) { _ in }
    } catch let error as DocumentError {
      return error.description
    }
    Issue.record("The import was not refused")
    return ""
  }
}
