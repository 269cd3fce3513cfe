/// Why a `.realm` file cannot be read.
public enum RealmFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file cannot be opened or read; `code` is the `errno` of the system call.
  case notReadable(path: String, code: Int32)
  /// The file is not a Realm file, encrypted or not.
  case notRealm(path: String)
  /// The file was written by an older Realm, in a format that this reader does not know.
  case olderFormat(Int)
  /// The file was written by a newer Realm than any that this reader knows.
  case newerFormat(Int)
  /// The file seems to be encrypted and no key was given.
  case keyNeeded(path: String)
  /// The key does not decrypt the file.
  case wrongKey(path: String)
  /// The file ends before its content does; `expected` is the size that it should have, if known.
  case truncated(expected: Int?, found: Int)
  /// The content contradicts itself.
  case damaged(RealmDamage)
  /// Another program changed the file during the reading.
  case changedWhileReading

  /// Whether the content is at fault, of which the rest may be whole.
  public var isDamage: Bool {
    switch self {
    case .truncated, .damaged: true
    case .notReadable, .notRealm, .olderFormat, .newerFormat, .keyNeeded, .wrongKey,
      .changedWhileReading:
      false
    }
  }

  /// A sentence, and advice.
  public var description: String {
    switch self {
    case .notReadable(let path, let code):
      "Cannot read \(path): \(systemMessage(code))."
    case .notRealm(let path):
      "\(path) is not a Realm file."
    case .olderFormat(let format):
      """
      The Realm file has format \(format); formats \(Header.oldestFormat) to \
      \(Header.newestFormat) can be read. \(Self.upgrade(from: format))
      """
    case .newerFormat(let format):
      """
      The Realm file has format \(format), which is newer than \(Header.newestFormat), the \
      newest that can be read.
      """
    case .keyNeeded(let path):
      "\(path) is encrypted, if it is a Realm file. Give its key, 64 bytes or 128 hex digits."
    case .wrongKey(let path):
      "The key does not decrypt \(path). Give the key that the file was written with."
    case .truncated(let expected, let found):
      """
      The Realm file ends after \(found) bytes\(expected.map { " of \($0)" } ?? ", too early"). \
      Copy it again from its source.
      """
    case .damaged(let damage):
      "The Realm file is damaged: \(damage)."
    case .changedWhileReading:
      "Another program changed the Realm file during the reading. Read it again."
    }
  }

  private static func upgrade(from format: Int) -> String {
    if format < 5 {
      return """
        First open a copy of it with a program on Realm Swift 4, and then with Realm Studio 14, \
        which upgrade it.
        """
    }
    return format < 10
      ? """
      Open a copy of it with Realm Studio 14 or a program on Realm Swift 10.48 or older, which \
      upgrade it.
      """
      : "Open a copy of it with Realm Studio 15 or a program on Realm Swift 20, which upgrade it."
  }
}

/// A contradiction in a file: what it is and where.
public struct RealmDamage: Sendable, Equatable, Hashable, CustomStringConvertible {
  /// The damage as a clause.
  public let what: String
  /// The offset of the node in the file; in an encrypted file, in what it decrypts to.
  public let offset: Int
  /// The name of the class, where it is known.
  public internal(set) var className: String?
  /// The name of the property, where it is known.
  public internal(set) var property: String?
  /// The key of the object, where it is known.
  public internal(set) var objectKey: Int64?
  /// The position in the leaf, which tells the object.
  var element: Int?

  init(_ what: String, at offset: Int, element: Int? = nil) {
    self.what = what
    self.offset = offset
    self.element = element
  }

  /// The clause with its place.
  public var description: String {
    var place = className.map { " in \($0)" } ?? ""
    if let property { place += ".\(property)" }
    if let objectKey { place += ", object \(objectKey)" }
    return "\(what), at offset \(offset)\(place)"
  }
}

/// The error of a contradiction at `offset`.
func damaged(_ what: String, at offset: Int, element: Int? = nil) -> RealmFileError {
  .damaged(RealmDamage(what, at: offset, element: element))
}

/// Evaluates what reads a part of the file; of damage in it, `place` says where that is.
func locating<Result>(
  _ place: (inout RealmDamage) -> Void,
  _ body: @autoclosure () throws(RealmFileError) -> Result
) throws(RealmFileError) -> Result {
  do throws(RealmFileError) {
    return try body()
  } catch .damaged(var damage) {
    place(&damage)
    throw .damaged(damage)
  }
}
