public import KennelCore

/// An error in a JSON schema, with its position.
///
/// ```swift
/// do throws(JSONSchemaError) {
///   try reader.add(bytes, file: "Person.json")
/// } catch {
///   print(error.pointer, error.message)
/// }
/// ```
public struct JSONSchemaError: Error, Sendable {
  /// The file or command line option with the error.
  public let file: String
  /// The line in the file, from 1, if the file is not JSON; otherwise `nil`.
  public let line: Int?
  /// The names and positions that lead from the top of the document to the error.
  public let path: [String]
  /// The description of the error, without its position.
  public let message: String
  /// The database error that caused this one.
  public let cause: DatabaseError?

  init(_ place: JSONPlace, line: Int? = nil, _ message: String, cause: DatabaseError? = nil) {
    file = place.file
    path = place.path
    self.line = line
    self.message = message
    self.cause = cause
  }

  /// The path as a JSON pointer, such as `#/properties/dogs/items`.
  ///
  /// See [RFC 6901](https://www.rfc-editor.org/rfc/rfc6901).
  public var pointer: String {
    "#" + path.map { "/" + Self.escaped($0) }.joined()
  }

  private static func escaped(_ step: String) -> String {
    step.replacing("~", with: "~0").replacing("/", with: "~1").percentEscaped { byte in
      JSONPlace.isWordByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "~")
    }
  }
}

extension JSONSchemaError: CustomStringConvertible {
  /// The position and the message, such as `Person.json: properties.dogs.items: …`.
  public var description: String {
    let place = JSONPlace(file, path).description
    return line.map { "\(place), line \($0): \(message)" } ?? "\(place): \(message)"
  }
}

/// A place in a JSON file.
struct JSONPlace: Hashable {
  let file: String
  private(set) var path: [String]

  init(_ file: String, _ path: [String] = []) {
    self.file = file
    self.path = path
  }

  func inside(_ steps: String...) -> JSONPlace {
    JSONPlace(file, path + steps)
  }

  func error(_ message: String) -> JSONSchemaError { JSONSchemaError(self, message) }

  static func isWordByte(_ byte: UInt8) -> Bool {
    let scalar = Unicode.Scalar(byte)
    return scalar.isASCII
      && (scalar.properties.isAlphabetic || "0123456789_$".unicodeScalars.contains(scalar))
  }
}

extension JSONPlace: CustomStringConvertible {
  /// As in `Person.json: properties.dogs.items` or `Person.json: required[0]`; a name that is no
  /// word is quoted.
  var description: String {
    var text = ""
    for step in path {
      if Int(step) != nil {
        text += "[\(step)]"
      } else if !step.isEmpty, step.utf8.allSatisfy(Self.isWordByte) {
        text += text.isEmpty ? step : ".\(step)"
      } else {
        text += "[\(JSONWriter.quoted(step))]"
      }
    }
    return text.isEmpty ? file : "\(file): \(text)"
  }
}
