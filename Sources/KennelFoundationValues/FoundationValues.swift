// swift-format-ignore-file: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation
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
  public typealias Stored = Timestamp

  public var _scalarValue: Timestamp { Timestamp(self) }

  public static func _scalar(_ stored: Timestamp) -> Date? { Date(stored) }

  public static func _edited(_ value: Date?) -> Date { value ?? Date(Timestamp.initial) }
}

extension UUID: Scalar, Ordered {
  public typealias Stored = UUIDValue

  public var _scalarValue: UUIDValue { UUIDValue(self) }

  public static func _scalar(_ stored: UUIDValue) -> UUID? { UUID(stored) }

  public static func _edited(_ value: UUID?) -> UUID { value ?? UUID(UUIDValue.initial) }
}

extension Data: Scalar {
  public typealias Stored = [UInt8]

  public var _scalarValue: [UInt8] { Array(self) }

  public static func _scalar(_ stored: [UInt8]) -> Data? { Data(stored) }

  public static func _edited(_ value: Data?) -> Data { value ?? Data() }
}
