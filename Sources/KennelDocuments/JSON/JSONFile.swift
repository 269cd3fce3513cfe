/// Reads files of plain JSON, whole and of moderate size.
enum JSONFile {
  /// The values of a file that holds one after the other.
  static func values(in bytes: [UInt8], file: String) throws(JSONSchemaError) -> [DocumentValue] {
    var values: [DocumentValue] = []
    var parser = JSONParser(.plain)
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    do throws(JSONProblem) {
      while let first = bytes[start...].firstIndex(where: { !" \t\r\n".utf8.contains($0) }) {
        values.append(try parser.next(in: bytes.span, from: first))
        start = parser.position
      }
    } catch {
      let line = error.place(in: bytes.span).line
      throw JSONSchemaError(JSONPlace(file), line: line, error.message)
    }
    return values
  }
}
