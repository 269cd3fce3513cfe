import Foundation
import KennelCore
import KennelDocuments

/// Documents of one format: they are proposed classes for, and read into a database.
protocol DocumentTarget: FuzzTarget {
  static var format: InputFormat { get }
  static var texts: [String] { get }
}

extension DocumentTarget {
  static var texts: [String] { [] }

  /// Short documents that an independent program wrote, and what is special in the format.
  static var seeds: [[UInt8]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("KennelDocumentsTests/Recorded")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let recorded = names.sorted().flatMap { name -> [[UInt8]] in
      let bytes = try? Data(contentsOf: folder.appendingPathComponent(name))
      guard let bytes, InputFormat.find(bytes, isWhole: true) == format else { return [] }
      return documents(in: Array(bytes)).filter { $0.count < 1200 }
    }
    return recorded + texts.map { Array($0.utf8) }
  }

  /// The documents of a file, each alone; the lines of an export belong together.
  private static func documents(in bytes: [UInt8]) -> [[UInt8]] {
    switch format {
    case .bson:
      var documents: [[UInt8]] = []
      var rest = bytes[...]
      while rest.count > 4 {
        let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        documents.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      return documents
    case .json: return bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    default: return [bytes]
    }
  }

  static func run(_ input: [UInt8]) {
    // The last byte says in what pieces the bytes come, and how they are read.
    let options = input.last ?? 0
    let bytes = Array(input.dropLast())
    let file = DocumentFile(name: "Thing", className: "Thing", format: format) {
      var rest = bytes[...]
      return {
        let piece = rest.prefix(options & 1 == 0 ? 7 : 4096)
        rest = rest.dropFirst(piece.count)
        return Array(piece)
      }
    }
    do {
      try DocumentTrial.run(file, options)
    } catch is DocumentError {
    } catch is JSONSchemaError {
    } catch is DatabaseError {
    } catch is DocumentTrial.Done {
    } catch {
      fatalError("\(error)")
    }
  }
}

/// Lines of JSON, as an export has them.
enum DocumentLines: DocumentTarget {
  static let format = InputFormat.jsonl
}

/// JSON and Extended JSON.
enum JSONDocuments: DocumentTarget {
  static let format = InputFormat.json
  static let texts = [
    #"[{"_id":1,"a":[1,null,{"b":"\ud83d\ude00"}],"c":{"$date":{"$numberLong":"-1"}}},{"_id":2.5e300}]"#,
    #"{"$oid":"f5b165224a58b791df6af1d8","$ref":"x","$id":7,"n":{"$numberInt":"1"}}"#,
    #"{"r":{"$regularExpression":{"pattern":"a","options":"i"}},"t":{"$timestamp":{"t":1,"i":2}}}"#,
    #"{"u":{"$uuid":"00000000-0000-0000-0000-000000000001"},"k":{"$minKey":1},"v":{"$undefined":true}}"#,
  ]
}

/// Documents of BSON, one behind the other.
enum BSONDocuments: DocumentTarget {
  static let format = InputFormat.bson
}

/// Archives of mongodump.
enum Archives: DocumentTarget {
  static let format = InputFormat.archive

  static var seeds: [[UInt8]] {
    func document(_ members: [[UInt8]]) -> [UInt8] {
      let content = members.flatMap(\.self)
      return number(UInt32(content.count + 5)) + content + [0]
    }
    func number(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    func text(_ name: String, _ text: String) -> [UInt8] {
      [2] + name.utf8 + [0] + number(UInt32(text.utf8.count + 1)) + text.utf8 + [0]
    }
    func int(_ name: String, _ value: UInt32) -> [UInt8] { [16] + name.utf8 + [0] + number(value) }
    func long(_ name: String) -> [UInt8] { [18] + name.utf8 + [0] + number(0) + number(0) }
    func flag(_ name: String, _ flag: Bool) -> [UInt8] { [8] + name.utf8 + [0, flag ? 1 : 0] }
    let place = [text("db", "d"), text("collection", "Thing")]
    let end = number(.max)
    let metadata = #"{"options":{},"indexes":[],"collectionName":"Thing","type":"collection"}"#
    let versions = [int("concurrent_collections", 1), text("version", "0.1")]
    let about = [text("metadata", metadata), int("size", 0), text("type", "collection")]
    let head = [0x6D, 0xE2, 0x99, 0x81] + document(versions) + document(place + about) + end
    let block = document(place + [flag("EOF", false), long("CRC")]) + document([int("a", 7)]) + end
    return [head, head + block + document(place + [flag("EOF", true), long("CRC")]) + end]
  }
}

/// CSV in every encoding and with every separator.
enum CSVDocuments: DocumentTarget {
  static let format = InputFormat.csv
  static let texts = [
    "id,name,a.b,tags\r\n1,\"x \"\"y\"\"\n z\",,\"[1,null]\"\r\n",
    "id;n\n1;1.234,50\n2;'=1+1\n", "\u{feff}a\tb\n\"\"\t12.05.2024\n", "a|b|a\n1|2\n",
  ]
}

private enum DocumentTrial {
  struct Done: Error {}

  private static let database = Scratch.database("documents")

  static func run(_ file: DocumentFile, _ options: UInt8) throws {
    var csv = CSVOptions()
    csv.hasHeader = options & 2 == 0
    csv.escapesFormulas = options & 4 != 0
    let inference = SchemaInference(strict: options & 8 != 0)
    if file.format != .jsonl {
      let reader = DocumentReader([file], csv: csv)
      // The classes of what comes before a mistake are proposed, too.
      do {
        while let item = try reader.read() { inference.add(item.document, to: item.className) }
      } catch is DocumentError {}
    }
    let proposal = inference.proposal()
    _ = proposal.text
    try database.write { transaction in
      try transaction.define(proposal.classes)
      var importing = DocumentImportOptions()
      importing.dropsDanglingLinks = options & 16 != 0
      importing.ignoresUnknownNames = options & 32 != 0
      let reader = DocumentReader([file], csv: csv, rules: proposal.rules)
      let importer = DocumentImporter(reader, importing)
      while try importer.read(atMost: 3, into: transaction) {}
      _ = importer.summary
      throw Done()
    }
  }
}
