public import Foundation
import KennelCore

/// An error of a store, a box or a query.
///
/// ```swift
/// do {
///   try box.put(note)
/// } catch ObjectBoxError.uniqueViolation(let message) {
///   print(message)
/// }
/// ```
///
/// The cases are those of ObjectBox Swift that can occur here. A message says what was attempted and
/// what to do.
public enum ObjectBoxError: Error, Sendable {
  /// A write transaction in a read-only one.
  case cannotWriteWhileReading(message: String)
  /// Another object has the same value of a unique property, or the same id.
  case uniqueViolation(message: String)
  /// There is no such object.
  case notFound(message: String)
  /// The store is closed or read-only; no store of the directory is open; a nested transaction
  /// failed; or an object lacks the primary key of its class.
  case illegalState(message: String)
  /// An argument is invalid.
  case illegalArgument(message: String)
  /// The disk is full, or the database has reached its largest size.
  case dbFull(message: String)
  /// All slots for readers are in use.
  case maxReadersExceeded(message: String)
  /// The file cannot be opened, or is no Kennel database.
  case storageGeneral(message: String)
  /// A query that must have one result has several.
  case nonUniqueResult(message: String)
  /// The file has a value that does not have the type of its property.
  case propertyTypeMismatch(message: String)
  /// A delete rule or target rule prevents the removal.
  case constraintViolated(message: String)
  /// A number does not fit.
  case stdOverflow(message: String)
  /// The entities contradict the classes of the file.
  case schema(message: String)
  /// The file is damaged.
  case fileCorrupt(message: String)
  /// The relation belongs to an object that was never put, so it can be neither read nor written.
  case cannotRelateToUnsavedEntities(message: String)
  /// Any other error.
  case unexpected(error: any Error)
}

extension ObjectBoxError {
  /// A sentence that says what was attempted, and what to do.
  public var message: String {
    switch self {
    case .cannotWriteWhileReading(let message), .uniqueViolation(let message),
      .notFound(let message), .illegalState(let message), .illegalArgument(let message),
      .dbFull(let message), .maxReadersExceeded(let message), .storageGeneral(let message),
      .nonUniqueResult(let message), .propertyTypeMismatch(let message),
      .constraintViolated(let message), .stdOverflow(let message), .schema(let message),
      .fileCorrupt(let message), .cannotRelateToUnsavedEntities(let message):
      message
    case .unexpected(let error): "\(error)"
    }
  }

  init(_ error: DatabaseError) {
    let message = error.message
    switch error.code {
    case .duplicatePrimaryKey, .duplicateValue: self = .uniqueViolation(message: message)
    case .noSuchObject: self = .notFound(message: message)
    case .readOnly, .closed, .fileReplaced, .nestedWrite: self = .illegalState(message: message)
    case .diskFull: self = .dbFull(message: message)
    case .busy: self = .maxReadersExceeded(message: message)
    case .cannotOpen, .notADatabase, .newerFormat, .keyNeeded, .wrongKey:
      self = .storageGeneral(message: message)
    case .wrongType: self = .propertyTypeMismatch(message: message)
    case .outOfRange: self = .stdOverflow(message: message)
    case .schemaMismatch, .noSuchClass, .noSuchProperty: self = .schema(message: message)
    case .damaged, .forged: self = .fileCorrupt(message: message)
    case .deletionDenied: self = .constraintViolated(message: message)
    case .invalidPredicate: self = .illegalArgument(message: message)
    default: self = .unexpected(error: error)
    }
  }
}

extension ObjectBoxError: CustomStringConvertible, LocalizedError {
  /// The message.
  public var description: String { message }
  /// The message.
  public var errorDescription: String? { message }
}

/// Runs a body and throws its database errors as those of boxes.
@inlinable
func throwingBoxErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw boxError(error)
  }
}

/// The error of boxes for one of the database; any other error as it is.
@usableFromInline
func boxError(_ error: any Error) -> any Error {
  switch error {
  case let error as DatabaseError: ObjectBoxError(error)
  case let error as KennelCore.PredicateError: ObjectBoxError.illegalArgument(message: "\(error)")
  default: error
  }
}
