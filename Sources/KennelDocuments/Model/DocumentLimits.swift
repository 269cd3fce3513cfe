import KennelCore

/// How large a document may be, so that hostile ones cost little.
enum DocumentLimits {
  /// How many documents and arrays may be nested in a document: as many as MongoDB takes.
  static let depth = 100
  /// How many arrays and objects may be nested in plain JSON, and are read at once in Kennel's lines.
  static let textDepth = 500
  /// How many bytes a document has as BSON at most: as many as MongoDB takes.
  static let bsonByteCount = 16 << 20
  /// How many bytes of BSON are read as one document: MongoDB's own files have a little more.
  static let readBSONByteCount = bsonByteCount + 16 << 10
  /// How many bytes a document has as text at most: what 16 MB of BSON can come to as JSON.
  static let textByteCount = 64 << 20

  static let isTooDeep = ValueProblem(
    "documents and arrays are nested more than \(depth) deep, which is the limit"
  )
}
