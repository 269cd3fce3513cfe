// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import KennelCore
import KennelPages
import KennelStorage
import KennelTestSupport

extension CheckWorld {
  /// Plants a fault of a kind; returns what the finding must say.
  func plant(_ kind: Finding.Kind) throws -> String {
    if kind == .structure { return try damagePage() }
    var fragment = ""
    try write { fragment = try plantInTrees(kind, $0) }
    return fragment
  }

  private func plantInTrees(_ kind: Finding.Kind, _ planter: Planter) throws -> String {
    switch kind {
    case .header, .schema, .classRecord, .objectCount, .nextKey, .clusterChain, .clusterHeader,
      .strayEntry:
      try plantInMeta(kind, planter)
    case .missingChunk, .strayChunk, .damagedChunk, .invalidValue, .outOfRange, .unexpectedNull,
      .collectionOrder, .tooMany:
      try plantInValues(kind, planter)
    case .danglingLink, .missingOwner, .severalOwners, .missingBacklink, .strayBacklink,
      .backlinkOrder:
      try plantInLinks(kind, planter)
    case .missingPiece, .damagedPiece, .strayPiece, .sharedPiece:
      try plantInPieces(kind, planter)
    case .missingIndexEntry, .strayIndexEntry, .duplicatePrimaryKey, .duplicateValue:
      try plantInIndexes(kind, planter)
    case .structure: throw TestFailure("that is planted elsewhere")
    }
  }

  /// Damages the page that holds the piece of a long text.
  private func damagePage() throws -> String {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let bytes = try handle.readToEnd() ?? Data()
    guard let place = bytes.range(of: Data("1Once upon a time".utf8)) else {
      throw TestFailure("there is no such text")
    }
    try handle.seek(toOffset: UInt64(place.lowerBound))
    try handle.write(contentsOf: [0xEE])
    try handle.close()
    return "page \(place.lowerBound / 4096): its bytes are not those of commit"
  }

  private func plantInMeta(_ kind: Finding.Kind, _ planter: Planter) throws -> String {
    switch kind {
    case .header:
      try planter.editFileHeader { $0.nextPieceID = 2 }
      return "the id 2 of a long value again"
    case .schema:
      var changed = schema
      let position = changed.position(of: schema["Dog"]!.key)!
      changed.classes[position].backlinkColumns.removeAll {
        $0.property == property("Person", "other").key
      }
      try planter.put(.meta, FileHeader.schemaKey, SchemaCodec.encode(changed))
      try planter.editFileHeader { $0.schemaVersion += 1 }
      return "Dog has no place for backlinks from Person.other"
    case .classRecord:
      try planter.transaction.delete(.meta, ClassRecord.key(of: schema["Address"]!.key))
      return "class record of Address: it is missing"
    case .objectCount:
      try planter.editRecord("Dog") { $0.count -= 1 }
      return "Dog says that it has 1299 objects, but has 1300"
    case .nextKey:
      try planter.editRecord("Dog") { $0.nextKey = 1301 }
      try planter.editHeader("Dog", cluster: 5) { $0.count = 22 }
      return "Dog would give out the key 1301 again"
    case .clusterChain:
      try planter.editHeader("Dog", cluster: 2) { $0.previous = 0 }
      return "cluster 2 of Dog (objects 512 to 767) says that cluster 0 comes before it"
    case .clusterHeader:
      try planter.flipByte(.clusters, headerKey("Dog", cluster: 1), at: 1)
      return "cluster 1 of Dog"
    default:
      try planter.put(.meta, 77, [1, 2, 3])
      return "The entry 77 of meta"
    }
  }

  private func plantInValues(_ kind: Finding.Kind, _ planter: Planter) throws -> String {
    switch kind {
    case .missingChunk:
      try planter.transaction.delete(.chunks, chunkKey("Dog", "age", cluster: 1))
      return "cluster 1 of Dog (objects 256 to 511) names: the values of Dog.age"
    case .strayChunk:
      let column = property("Dog", "story").key.rawValue
      try planter.editHeader("Dog") { $0.columns.removeAll { $0 == column } }
      return "does not name: the values of Dog.story"
    case .damagedChunk:
      try planter.flipByte(.chunks, chunkKey("Dog", "age", cluster: 1), at: 0)
      return "The values of Dog.age in cluster 1 of Dog"
    case .invalidValue:
      try planter.edit("Dog", "name") { $0.cells[7] = .inline([0xC3, 0x28]) }
      return "Dog/7.name"
    case .outOfRange:
      try planter.edit("Dog", "age") { $0.words[7] = 300 }
      return "Dog/7.age does not fit its type, int8"
    case .unexpectedNull:
      try planter.edit("Dog", "name") { $0.setNull(7, true) }
      return "Dog/7.name is null; its type is string"
    case .collectionOrder:
      try planter.edit("Dog", "tags") { column in
        column.collections[10] = .inline(.set([.string("b"), .string("a")]))
      }
      return "Dog/10.tags: its members do not ascend"
    default:
      for cluster in 0..<5 as Range<UInt64> {
        try planter.edit("Dog", "age", cluster: cluster) { column in
          for place in 0..<256 { column.words[place] = 999 }
        }
      }
      return "after 1000 findings"
    }
  }

  private func plantInLinks(_ kind: Finding.Kind, _ planter: Planter) throws -> String {
    let home = backlinkKey(to: "Address", from: "Person", "home", cluster: 0)
    let dog = backlinkKey(to: "Dog", from: "Person", "dog", cluster: 0)
    switch kind {
    case .danglingLink:
      try planter.edit("Person", "dog") { $0.words[9] = 5000 }
      return "Person/9.dog links to Dog/5000, which does not exist"
    case .missingOwner:
      try planter.edit("Person", "home") { $0.setNull(3, true) }
      try planter.edit(.backlinks, home, .backlinks) { $0.keys[3] = .inline([]) }
      return "Address/3 has no owner"
    case .severalOwners:
      try planter.edit("Person", "home") { column in
        column.setNull(200, false)
        column.words[200] = 3
      }
      try planter.edit(.backlinks, home, .backlinks) { $0.keys[3] = .inline([3, 200]) }
      return "Address/3 has 2 owners"
    case .missingBacklink:
      try planter.edit(.backlinks, dog, .backlinks) { column in
        if case .inline(let keys) = column.keys[2] {
          column.keys[2] = .inline(keys.dropLast())
        }
      }
      return "Person/298.dog links to Dog/2, which does not know of it"
    case .strayBacklink:
      try planter.edit(.backlinks, dog, .backlinks) { column in
        if case .inline(let keys) = column.keys[2] {
          column.keys[2] = .inline(keys + [299])
        }
      }
      return "Dog/2 has a backlink from Person/299.dog, which does not link to it"
    default:
      try planter.edit(.backlinks, dog, .backlinks) { column in
        if case .inline(let keys) = column.keys[2] {
          column.keys[2] = .inline(keys.reversed())
        }
      }
      return "The backlinks of Dog/2 from Person.dog do not ascend"
    }
  }

  private func plantInPieces(_ kind: Finding.Kind, _ planter: Planter) throws -> String {
    let story = try planter.location("Dog", "story", dogs[1])
    switch kind {
    case .missingPiece:
      try planter.transaction.delete(.pieces, PieceKey.of(story.id, 0))
      return "is missing, which Dog/2.story needs"
    case .damagedPiece:
      let key = PieceKey.of(story.id, 0)
      try planter.put(.pieces, key, try planter.bytes(.pieces, key).dropLast())
      return "Dog/2.story"
    case .strayPiece:
      let bytes = try planter.bytes(.pieces, PieceKey.of(story.id, 0))
      try planter.put(.pieces, PieceKey.of(story.id, 1), bytes)
      return "lies behind the end of Dog/2.story"
    default:
      try planter.edit("Dog", "story") { $0.cells[1] = .external(story) }
      return "Long value \(story.id) of Dog/2.story belongs to another value too"
    }
  }

  private func plantInIndexes(_ kind: Finding.Kind, _ planter: Planter) throws -> String {
    let entry = planter.entry("code", .string("code 5"), people[5])
    switch kind {
    case .missingIndexEntry:
      try planter.deleteEntry(entry)
      return "Person/6 is missing in the index of Person.code"
    case .strayIndexEntry:
      try planter.putEntry(planter.entry("code", .string("code 6"), people[5]))
      return "The index of Person.code has an entry for Person/6"
    case .duplicateValue:
      try planter.edit("Person", "badge") { $0.words[6] = 8 }
      try planter.deleteEntry(planter.entry("badge", .int(5), people[5]))
      try planter.putEntry(planter.entry("badge", .int(8), people[5]))
      return "Person/6 and Person/9 have the same badge, which is unique"
    default:
      try planter.edit("Person", "id") { $0.words[6] = 8 }
      try planter.deleteEntry(planter.entry("id", .int(5), people[5]))
      try planter.putEntry(planter.entry("id", .int(8), people[5]))
      return "Person/6 and Person/9 have the same primary key, id"
    }
  }
}
