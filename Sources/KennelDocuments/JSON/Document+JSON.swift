extension Document {
  /// Reads a document from plain JSON.
  ///
  /// Whole numbers become `int64`, other numbers `double`. Nothing is taken for Extended JSON.
  ///
  /// ```swift
  /// let settings = try Document(json: Array(#"{"theme": "dark"}"#.utf8))
  /// ```
  ///
  /// - Parameter json: One object, with nothing behind it.
  /// - Throws: ``DocumentError`` with the line, if the bytes are not one object of JSON.
  public init(json: [UInt8]) throws(DocumentError) {
    let values: [DocumentValue]
    do throws(JSONSchemaError) {
      values = try JSONFile.values(in: json, file: "")
    } catch {
      throw DocumentError(line: error.line, error.message)
    }
    guard values.count == 1, case .document(let document)? = values.first else {
      throw DocumentError(line: nil, "This is not one JSON object")
    }
    self = document
  }

  /// The document as plain, indented JSON that ends with a line break.
  ///
  /// Documents, arrays, strings, Booleans and 64-bit integers are read back as they were, and 32-bit
  /// integers as 64-bit ones; all other values are written as `null`.
  ///
  /// ```swift
  /// let settings: Document = ["theme": .string("dark")]
  /// let bytes = settings.json
  /// ```
  public var json: [UInt8] { JSONFile.text(of: self) }
}
