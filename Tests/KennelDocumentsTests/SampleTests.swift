import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// What the sample promises to whoever tries things on it.
@Suite struct `The sample` {
  private func withSample(_ body: (DatabaseReader) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try read(sampleDocument, into: database)
      try body(try database.snapshot())
    }
  }

  /// How many links lead to an object from a property, as in `Person.dogs`.
  private func backlinkCount(
    _ object: String,
    _ origin: String,
    _ snapshot: DatabaseReader
  ) throws -> Int {
    let parts = origin.split(separator: ".").map(String.init)
    let schema = try #require(snapshot.schema[parts[0]])
    let property = try #require(schema[parts[1]])
    return try snapshot.backlinks(to: snapshot.identity(object))
      .first { $0.origin == schema.key && $0.property == property.key }?.count ?? 0
  }

  /// The lengths of a collection over all objects of a class.
  private func counts(
    _ className: String,
    _ name: String,
    _ snapshot: DatabaseReader
  ) throws -> Set<Int> {
    let schema = try #require(snapshot.schema[className])
    let property = try #require(schema[name])
    let keys = try snapshot.objects(of: schema.key).keys
    return try Set(
      keys.map {
        try snapshot.elementCount(of: ObjectIdentity(schema.key, $0), property: property.key)
      }
    )
  }

  @Test func `has the classes of the documents it comes from`() throws {
    try withSample { snapshot in
      let properties = [
        "Person": ["id", "name", "birthdate", "dog", "dogs", "address"],
        "Dog": ["name", "age", "breed"],
        "DogClub": ["name", "members", "regionalOfficeAddresses"],
        "Address": ["street", "city", "country", "postalCode"],
        "User": ["_id", "_partition", "name", "tasks"],
        "Task": ["_id", "_partition", "text"],
        "Contact": ["name", "address"],
        "Business": ["name", "addresses"],
        "Customer": ["id", "name"],
        "Order": ["id", "customer"],
      ]
      for (name, properties) in properties {
        let schema = try #require(snapshot.schema[name])
        for property in properties { #expect(schema[property] != nil, "\(name).\(property)") }
      }
      let backlinks = snapshot.schema.classes.flatMap { schema in
        schema.backlinks.map { "\(schema.name).\($0.name)" }
      }
      #expect(
        Set(backlinks)
          == ["Person.clubs", "Dog.person", "Task.assignee", "Customer.orders"]
      )
    }
  }

  @Test func `has every kind of edge with none, one and many`() throws {
    try withSample { snapshot in
      #expect(try snapshot.value("Person/4", "dog") == .null)
      #expect(try snapshot.value("Person/1", "dog") == .link(snapshot.identity("Dog/1")))
      for (name, property) in [
        ("Person", "dogs"), ("DogClub", "members"), ("User", "tasks"), ("Business", "addresses"),
        ("DogClub", "regionalOfficeAddresses"), ("Order", "parcels"),
      ] {
        let counts = try counts(name, property, snapshot)
        #expect(counts.isSuperset(of: [0, 1]) && counts.contains { $0 > 1 }, "\(name).\(property)")
      }
      #expect(try snapshot.value("Contact/2", "address") == .null)
      #expect(try snapshot.value("Contact/1", "address") != .null)
      #expect(try backlinkCount("Dog/15", "Person.dogs", snapshot) == 0)
      #expect(try backlinkCount("Dog/3", "Person.dogs", snapshot) == 1)
      #expect(try backlinkCount("Dog/8", "Person.dogs", snapshot) == 2)
      #expect(try backlinkCount("Task/3", "User.tasks", snapshot) == 0)
      #expect(try backlinkCount("Task/1", "User.tasks", snapshot) == 1)
      #expect(try backlinkCount("Task/2", "User.tasks", snapshot) == 2)
      #expect(try backlinkCount("Customer/3", "Order.customer", snapshot) == 0)
      #expect(try backlinkCount("Customer/2", "Order.customer", snapshot) == 1)
      #expect(try backlinkCount("Customer/1", "Order.customer", snapshot) == 2)
      for property in ["dogList", "dogSet", "dogMap", "partList", "partMap", "mixedMap"] {
        let counts = try counts("Specimen", property, snapshot)
        #expect(counts.contains(0) && counts.contains { $0 > 0 }, "\(property)")
      }
    }
  }

  @Test func `has an object twice in a list, null beside nothing said, and cycles`() throws {
    try withSample { snapshot in
      let rex = try Value.link(snapshot.identity("Dog/1"))
      let bella = try Value.link(snapshot.identity("Dog/2"))
      #expect(try snapshot.value("Person/1", "dogs") == .list([rex, bella, rex]))
      #expect(try backlinkCount("Dog/1", "Person.dogs", snapshot) == 3)
      #expect(try snapshot.value("Dog/3", "breed") == .null)
      #expect(try snapshot.value("Dog/4", "breed") == .string(""))
      #expect(try snapshot.value("Person/1", "spouse") == .link(snapshot.identity("Person/2")))
      #expect(try snapshot.value("Person/2", "spouse") == .link(snapshot.identity("Person/1")))
      #expect(try snapshot.value("Person/13", "spouse") == .link(snapshot.identity("Person/13")))
      #expect(try snapshot.value("DogClub/1", "mascot") == rex)
      guard case .list(let members) = try snapshot.value("DogClub/1", "members") else {
        throw Missing(name: "members")
      }
      #expect(members.contains(.link(try snapshot.identity("Person/1"))))
    }
  }

  @Test func `has each delete rule once`() throws {
    try withSample { snapshot in
      var rules: [DeleteRule: [String]] = [:]
      for schema in snapshot.schema.classes {
        for property in schema.properties where property.type.kind == .link {
          rules[property.deleteRule, default: []].append("\(schema.name).\(property.name)")
        }
      }
      #expect(rules[.cascade] == ["Order.parcels"])
      #expect(rules[.cascadeIfLast] == ["User.tasks"])
      #expect(rules[.deny] == ["DogClub.trophy"])
      #expect(rules[.nullify]?.contains("Order.customer") == true)
      let trophy = try snapshot.identity("Trophy/1")
      #expect(try snapshot.value("DogClub/1", "trophy") == .link(trophy))
    }
  }

  @Test func `has orders that go with their customer`() throws {
    try withSample { snapshot in
      let customer = try snapshot.schema.require("Order").require("customer")
      #expect(customer.targetRule == .cascade)
      let radius = try snapshot.blastRadius(deleting: [snapshot.identity("Customer/1")])
      #expect(radius.deletionCount > 2 && radius.nulled.isEmpty)
    }
  }

  @Test func `has strings that break programs`() throws {
    try withSample { snapshot in
      var strings: [String] = []
      for schema in snapshot.schema.classes {
        for key in try snapshot.objects(of: schema.key).keys {
          for property in schema.properties where property.type.kind == .string {
            let value = try snapshot.value(
              of: ObjectIdentity(schema.key, key),
              property: property.key
            )
            if case .string(let string) = value { strings.append(string) }
          }
        }
      }
      func has(_ name: Comment, _ condition: (Unicode.Scalar) -> Bool) {
        #expect(strings.contains { $0.unicodeScalars.contains(where: condition) }, name)
      }
      #expect(strings.contains { $0.utf8.count > 4000 })
      #expect(strings.contains(""))
      #expect(strings.contains("\u{c9}dith Moreau") && strings.contains("E\u{301}dith Moreau"))
      #expect(strings.contains { $0.hasSameBytes(as: "\u{c9}dith Moreau") })
      #expect(strings.contains { $0.hasSameBytes(as: "E\u{301}dith Moreau") })
      has("CJK") { (0x4E00...0x9FFF).contains($0.value) }
      has("emoji") { $0.value > 0x1F000 }
      has("joiners") { $0.value == 0x200D }
      has("variation selectors") { $0.value == 0xFE0F }
      has("combining marks") { (0x300...0x36F).contains($0.value) }
      has("Arabic") { (0x600...0x6FF).contains($0.value) }
      has("Hebrew") { (0x5D0...0x5EA).contains($0.value) }
      has("marks of direction") { $0.value == 0x202E }
      for control in ["\t", "\n", "\r", "\u{1b}", "\u{0}", "\u{7}", "\u{9b}"] as [Unicode.Scalar] {
        has("U+\(String(control.value, radix: 16))") { $0 == control }
      }
    }
  }

  @Test func `has numbers, dates and bytes that break programs`() throws {
    try withSample { snapshot in
      #expect(try snapshot.value("Specimen/2", "intValue") == .int(.min))
      #expect(try snapshot.value("Specimen/3", "intValue") == .int(.max))
      #expect(try snapshot.value("Specimen/2", "int8Value") == .int(-128))
      #expect(
        try snapshot.value("Specimen/2", "doubleValue")
          == .double(Double(bitPattern: 0x7FF8_0000_DEAD_BEEF))
      )
      #expect(try snapshot.value("Specimen/2", "floatOrNull") == .float(-0.0))
      #expect(try snapshot.value("Specimen/2", "doubleOrNull") == .double(-.infinity))
      #expect(try snapshot.value("Specimen/2", "dataValue") == .data(Array(0...255)))
      #expect(try snapshot.value("Specimen/1", "dataOrNull") == .data([]))
      #expect(try snapshot.value("Specimen/4", "dataOrNull") == .null)
      guard case .date(let birth) = try snapshot.value("Person/5", "birthdate"),
        case .date(let ides) = try snapshot.value("Person/12", "birthdate"),
        case .date(let last) = try snapshot.value("Specimen/3", "dateValue"),
        case .date(let first) = try snapshot.value("Specimen/2", "dateValue")
      else { throw Missing(name: "dates") }
      #expect(birth.seconds < 0)
      #expect(ides.seconds == -63_549_316_800)
      #expect(last.seconds == .max && last.nanoseconds == 999_999_999)
      #expect(first.seconds == .min)
    }
  }

  @Test func `has a class with every type of property`() throws {
    try withSample { snapshot in
      let types = Set(try #require(snapshot.schema["Specimen"]).properties.map(\.type))
      for kind in ValueKind.allCases where kind != .link {
        let isMixed = kind == .mixed
        #expect(types.contains(PropertyType(kind, isOptional: isMixed)), "\(kind)")
        #expect(types.contains(PropertyType(kind, isOptional: true)), "\(kind)?")
        for collection in CollectionKind.allCases where collection != .none {
          let type = PropertyType(kind, collection: collection, isOptional: isMixed)
          #expect(types.contains(type), "\(type)")
        }
      }
      for width in [8, 16, 32] { #expect(types.contains(.int(bitWidth: width))) }
      for type in [.link("Dog"), .list(.link("Dog")), .set(.link("Dog")), .map(.link("Dog"))]
        as [PropertyType]
      {
        #expect(types.contains(type), "\(type)")
      }
      for type in [.link("Part"), .list(.link("Part")), .map(.link("Part"))] as [PropertyType] {
        #expect(types.contains(type), "\(type)")
      }
    }
  }
}
