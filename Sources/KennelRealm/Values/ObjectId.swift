public import Foundation
public import KennelCore
import Synchronization

/// A 12-byte identifier: a timestamp, the process and a counter.
///
/// ```swift
/// let id = ObjectId.generate()
/// print(id.stringValue, id.timestamp)
/// ```
public struct ObjectId: Hashable, Comparable, Sendable {
  @usableFromInline internal let stored: KennelCore.ObjectId

  @usableFromInline
  internal init(_ id: KennelCore.ObjectId) { stored = id }

  private static let process = UInt64.random(in: 0..<(1 << 40))
  private static let counter = Atomic<UInt32>(.random(in: 0..<(1 << 24)))

  /// Creates a new unique identifier.
  ///
  /// In Realm, this initializer returns zeros. Used as the default of a primary key, it would make
  /// the second object collide with the first.
  public init() {
    self = .generate()
  }

  /// Creates a new unique identifier.
  public static func generate() -> ObjectId { ObjectId(Date(), process) }

  /// Creates an identifier of a time, the 5 bytes of a process and a new counter value.
  private init(_ timestamp: Date, _ process: UInt64) {
    let count = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue & 0xFF_FFFF
    let seconds = UInt64(UInt32(truncatingIfNeeded: Int64(timestamp.timeIntervalSince1970)))
    stored = KennelCore.ObjectId(
      high: seconds << 32 | process >> 8,
      low: UInt32(truncatingIfNeeded: process & 0xFF) << 24 | count
    )
  }

  /// Creates an identifier from 24 hexadecimal digits.
  ///
  /// - Parameter string: The digits.
  /// - Throws: ``Realm/Error`` if the string is anything else.
  public init(string: String) throws {
    guard let id = KennelCore.ObjectId(string) else {
      throw Realm.Error(
        .fail,
        "Invalid Object ID string '\(string)': must be 24 hex digits"
      )
    }
    self.init(id)
  }

  /// Creates an identifier from a literal of 24 hexadecimal digits.
  public init(_ string: StaticString) {
    guard let id = KennelCore.ObjectId(string.description) else {
      throwRealmException("Invalid Object ID string '\(string)': must be 24 hex digits")
    }
    self.init(id)
  }

  /// Creates an identifier from its parts and a new counter value.
  ///
  /// - Parameters:
  ///   - timestamp: The time, truncated to seconds.
  ///   - machineId: The machine, truncated to 3 bytes.
  ///   - processId: The process, truncated to 2 bytes.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let machine = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
    let process = UInt64(truncatingIfNeeded: processId) & 0xFFFF
    self.init(timestamp, machine << 16 | process)
  }

  /// The time of creation, to the second.
  public var timestamp: Date { Date(timeIntervalSince1970: Double(stored.high >> 32)) }

  /// The 24 hexadecimal digits.
  public var stringValue: String { stored.description }

  /// Returns whether an identifier sorts before another: by time, then by the other bytes.
  public static func < (left: ObjectId, right: ObjectId) -> Bool {
    left.stored < right.stored
  }
}

extension ObjectId: CustomStringConvertible {
  /// The 24 hexadecimal digits.
  public var description: String { stringValue }
}

extension ObjectId: Codable {
  /// Decodes the 24 hexadecimal digits.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: An error if there is anything else.
  public init(from decoder: any Decoder) throws {
    try self.init(string: decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the 24 hexadecimal digits.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
