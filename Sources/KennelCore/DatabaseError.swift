public import KennelStorage

/// An error of the database.
///
/// ```swift
/// do {
///   try database.write { transaction in try transaction.set(rex, property: age.key, to: .int(4)) }
/// } catch let error as DatabaseError where error.code == .diskFull {
///   print(error.message)
/// }
/// ```
///
/// Programs test `code`; people read `message`, which says what was attempted, on what, and what to
/// do next. ``path``, ``className``, ``propertyName`` and ``object`` are set where they are known.
/// A message contains no value of an object, except the operands of an assignment that cannot be
/// computed.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of error.
  ///
  /// ```swift
  /// do throws(DatabaseError) {
  ///   _ = try Database.open(path, configuration: .init(createsIfMissing: false))
  /// } catch {
  ///   if error.code == .cannotOpen { print(error.message) }
  /// }
  /// ```
  ///
  /// Later versions may add more.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The file cannot be opened: it is missing, is not a regular file, or access is denied.
    public static let cannotOpen = Code(description: "cannotOpen")
    /// The file is not a Kennel database.
    public static let notADatabase = Code(description: "notADatabase")
    /// The file has a newer format.
    public static let newerFormat = Code(description: "newerFormat")
    /// The file is damaged.
    public static let damaged = Code(description: "damaged")
    /// A page of an encrypted file was not written with its key: somebody has changed the file.
    public static let forged = Code(description: "forged")
    /// The file is encrypted, and was opened without a key.
    public static let keyNeeded = Code(description: "keyNeeded")
    /// The file is encrypted, and its key is another.
    public static let wrongKey = Code(description: "wrongKey")
    /// The file is read-only.
    public static let readOnly = Code(description: "readOnly")
    /// The disk, or the address space, is full.
    public static let diskFull = Code(description: "diskFull")
    /// The file was deleted or replaced.
    public static let fileReplaced = Code(description: "fileReplaced")
    /// A schema is inconsistent or contradicts the file.
    public static let schemaMismatch = Code(description: "schemaMismatch")
    /// A value does not have the type of its property.
    public static let wrongType = Code(description: "wrongType")
    /// A number does not fit the width of its property, or a key is too large.
    public static let outOfRange = Code(description: "outOfRange")
    /// The class does not exist.
    public static let noSuchClass = Code(description: "noSuchClass")
    /// The property does not exist.
    public static let noSuchProperty = Code(description: "noSuchProperty")
    /// The object does not exist.
    public static let noSuchObject = Code(description: "noSuchObject")
    /// The position in a list does not exist.
    public static let noSuchElement = Code(description: "noSuchElement")
    /// Another object of the class has the same primary key.
    public static let duplicatePrimaryKey = Code(description: "duplicatePrimaryKey")
    /// Another object of the class has the same value of a unique property.
    public static let duplicateValue = Code(description: "duplicateValue")
    /// A delete rule or target rule, `deny`, prevents the deletion.
    public static let deletionDenied = Code(description: "deletionDenied")
    /// An embedded object would have no owner or two owners.
    public static let ownership = Code(description: "ownership")
    /// A predicate is invalid.
    public static let invalidPredicate = Code(description: "invalidPredicate")
    /// Another commit changed the same data.
    public static let conflict = Code(description: "conflict")
    /// The operation was cancelled.
    public static let cancelled = Code(description: "cancelled")
    /// A limit on readers, processes or threads is reached, or the file is in use.
    public static let busy = Code(description: "busy")
    /// The thread is in a write transaction of the file, and asked for another.
    public static let nestedWrite = Code(description: "nestedWrite")
    /// The transaction or the database has ended.
    public static let closed = Code(description: "closed")
  }

  /// The kind of error.
  public let code: Code
  /// Says what was attempted, on what, and what to do next.
  public let message: String
  /// The path of the file.
  public var path: String?
  /// The process that keeps the file busy, where it is known.
  public var processID: Int?
  /// The name of the class.
  public var className: String?
  /// The name of the property.
  public var propertyName: String?
  /// The object.
  public var object: ObjectIdentity?

  /// The mistakes one by one, each with its class and property, where a schema has several.
  public private(set) var mistakes: [DatabaseError] = []

  /// Creates the error of a schema with some mistakes: that of the only one, or one that lists all.
  @_spi(Faces)
  public init(mistakes: [DatabaseError]) {
    if mistakes.count == 1 {
      self = mistakes[0]
    } else {
      self.init(
        .schemaMismatch,
        "The classes have \(mistakes.count) mistakes:"
          + mistakes.map { "\n- \($0.message)" }.joined(),
        path: mistakes.lazy.compactMap(\.path).first
      )
      self.mistakes = mistakes
    }
  }

  /// Creates an error.
  public init(
    _ code: Code,
    _ message: String,
    path: String? = nil,
    className: String? = nil,
    propertyName: String? = nil,
    object: ObjectIdentity? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.className = className
    self.propertyName = propertyName
    self.object = object
  }

  /// The message.
  public var description: String { message }

  internal init(_ error: StorageError) {
    let code: Code =
      switch error.kind {
      case .cannotOpen: .cannotOpen
      case .notADatabase: .notADatabase
      case .newerFormat: .newerFormat
      case .damaged: .damaged
      case .forged: .forged
      case .keyNeeded: .keyNeeded
      case .wrongKey: .wrongKey
      case .readOnly: .readOnly
      case .full: .diskFull
      case .replaced: .fileReplaced
      case .busy: .busy
      case .tooManySteps: .invalidPredicate
      case .cancelled: .cancelled
      case .closed: .closed
      }
    let rest = error.concernsOpening ? "" : ", or export what can still be read"
    let advice = code == .damaged ? ". Restore it from a copy\(rest)" : ""
    self.init(code, error.message + advice, path: error.path)
    processID = error.processID
  }
}

/// Runs storage code and turns its errors into the public one.
@inline(__always)
internal func storing<Result>(
  _ body: () throws(StorageError) -> Result
) throws(DatabaseError) -> Result {
  try rethrowing(try body(), as: DatabaseError.init)
}

/// Evaluates an expression of the storage and turns its error into the public one.
@inline(__always)
internal func storing<Result>(
  _ value: @autoclosure () throws(StorageError) -> Result
) throws(DatabaseError) -> Result {
  try storing { () throws(StorageError) in try value() }
}

/// Evaluates an expression and turns its error into another.
@_spi(Faces) @inlinable @inline(__always)
public func rethrowing<Result, Failure: Error, Other: Error>(
  _ value: @autoclosure () throws(Failure) -> Result,
  as other: (Failure) -> Other
) throws(Other) -> Result {
  do throws(Failure) { return try value() } catch { throw other(error) }
}
