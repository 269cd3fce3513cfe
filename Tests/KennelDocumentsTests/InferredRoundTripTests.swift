import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

@Suite struct `Documents whose shapes differ` {
  /// Infers a class for lines of JSON or for BSON, imports them into it, and exports them again.
  private func exported(_ bytes: [UInt8], as format: OutputFormat) throws -> [UInt8] {
    let file = DocumentFile(className: "Thing") { chunks(bytes) }
    let inference = SchemaInference()
    try inference.add(from: { DocumentReader([file]) })
    let proposal = inference.proposal()
    #expect(proposal.isAcceptable, "\(proposal.text)")
    return try withTemporaryDatabase { database in
      try database.write { try $0.define(proposal.classes) }
      try read(bytes, as: "Thing", into: database)
      let snapshot = try database.snapshot()
      let things = try #require(snapshot.schema["Thing"])
      var result: [UInt8] = []
      try ObjectSelection(things).write(from: snapshot, as: format) { result += $0 }
      return result
    }
  }

  @Test(arguments: [
    #"{"_id":1,"a":1}|{"_id":2,"a":[1,"x",[2.5]]}|{"_id":3,"a":{"b":[{"c":null}],"d":{}}}"#,
    #"{"_id":1,"a":"x"}|{"_id":2}|{"_id":3,"a":{"b":true}}|{"_id":4,"a":[]}"#,
    #"{"_id":1,"grid":[[1,2],[3]]}|{"_id":2,"grid":[]}|{"_id":3,"grid":[[],[[]],7]}"#,
    #"{"_id":1,"list":[null,{"b":1},{"b":"x"}]}"#,
    #"{"_id":1,"list":[{"a.b":1},{"":2},{"/":{"@":[1]}}]}"#,
    #"{"_id":1,"map":{"a.b":1,"c.d":[1],"e.f":{"g":[2]}}}"#,
    #"{"_id":1,"inner":{"x":1}}|{"_id":2,"inner":{"x":[{"y":2}]}}|{"_id":3,"inner":{"x":"z"}}"#,
    #"{"_id":1,"a":[[{"$date":"2024-05-01T00:00:00Z"}]]}|{"_id":2,"a":{"b":{"$oid":"652d8f3a0000000000000001"}}}"#,
  ])
  func `come back the same from JSON`(lines: String) throws {
    let text = lines.replacing("|", with: "\n") + "\n"
    let result = try exported(Array(text.utf8), as: .relaxedJSON)
    #expect(String(decoding: result, as: UTF8.self) == text)
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `come back the same, whatever is in them`(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    var text = #"{"_id":0,"f":1,"g":[[]]}"# + "\n"
    for number in 1...20 {
      let elements = (0..<3).map { _ in json(&random, depth: 0) }.joined(separator: ",")
      text += #"{"_id":\#(number),"f":\#(json(&random, depth: 0)),"g":[\#(elements)]}"# + "\n"
    }
    let lines = try exported(Array(text.utf8), as: .relaxedJSON)
    #expect(String(decoding: lines, as: UTF8.self) == text)
    let bson = try exported(Array(text.utf8), as: .bson)
    #expect(try exported(bson, as: .bson) == bson)
    #expect(try exported(bson, as: .relaxedJSON) == lines)
  }

  /// A value other than null; the names of an object are sorted.
  private func json(_ random: inout SplitMix64, depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 4 ? 5 : 9), using: &random) {
    case 0: return "\(Int64.random(in: .min ... .max, using: &random))"
    case 1: return "\(Int32.random(in: -999...999, using: &random)).25"
    case 2: return #""日\#(UInt8.random(in: 0...255, using: &random))""#
    case 3: return Bool.random(using: &random) ? "true" : "false"
    case 4: return #"{"$oid":"652d8f3a000000000000000\#(Int.random(in: 0...9, using: &random))"}"#
    case 5, 6:
      let count = Int.random(in: 0...3, using: &random)
      let elements = (0..<count).map { _ in json(&random, depth: depth + 1) }
      return "[" + elements.joined(separator: ",") + "]"
    default:
      let names = ["", "a", "b.c", "é"].filter { _ in Bool.random(using: &random) }
      let members = names.map { #""\#($0)":"# + json(&random, depth: depth + 1) }
      return "{" + members.joined(separator: ",") + "}"
    }
  }
}
