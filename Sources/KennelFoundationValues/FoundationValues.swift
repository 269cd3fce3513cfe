// swift-format-ignore-file: NoLeadingUnderscores
//
// What begins with an underscore is how properties reach what is stored; programs use the properties.

public import Foundation
public import Kennel
public import KennelCore
import KennelFoundation

// Foundation's dates, identifiers and data as properties of models.
//
// ```swift
// import Foundation
// import Kennel
// import KennelFoundationValues
//
// struct Visit: Model {
//   let id = Property<UUID>(.primaryKey)
//   let time = Property<Date>(.indexed)
//   let picture = Property<Data?>()
// }
// ```
//
// They are stored as `Timestamp`, `UUIDValue` and `[UInt8]` are: a program without Foundation reads the
// same files. A date near today keeps some 100 nanoseconds.

extension Date: Scalar, Ordered {
  /// The type that the engine stores.
  public typealias Stored = Timestamp

  /// The stored form of the value.
  public var _scalarValue: Timestamp { Timestamp(self) }

  /// The value of what is stored.
  public static func _scalar(_ stored: Timestamp) -> Date? { Date(stored) }

  /// The value, or the start of 1970.
  public static func _edited(_ value: Date?) -> Date { value ?? Date(Timestamp.initial) }
}

extension UUID: Scalar, Ordered {
  /// The type that the engine stores.
  public typealias Stored = UUIDValue

  /// The stored form of the value.
  public var _scalarValue: UUIDValue { UUIDValue(self) }

  /// The value of what is stored.
  public static func _scalar(_ stored: UUIDValue) -> UUID? { UUID(stored) }

  /// The value, or the all-zero identifier.
  public static func _edited(_ value: UUID?) -> UUID { value ?? UUID(UUIDValue.initial) }
}

extension Data: Scalar {
  /// The type that the engine stores.
  public typealias Stored = [UInt8]

  /// The stored form of the value.
  public var _scalarValue: [UInt8] { Array(self) }

  /// The value of what is stored.
  public static func _scalar(_ stored: [UInt8]) -> Data? { Data(stored) }

  /// The value, or no bytes.
  public static func _edited(_ value: Data?) -> Data { value ?? Data() }
}
