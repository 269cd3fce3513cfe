import KennelCore
import SwiftScanning

/// Swift literals.
enum SwiftLiteral {
  /// The most bytes of data that become a default value.
  static let longestData = 1024

  /// The Swift literal of a value, or `nil` if none is exact.
  static func of(_ value: Value) -> String? {
    switch value {
    case .bool(let flag): return "\(flag)"
    case .int(let number): return number == .min ? "Int.min" : "\(number)"
    case .float(let number): return number.isFinite ? "\(number)" : nil
    case .double(let number): return number.isFinite ? "\(number)" : nil
    case .string(let string): return SwiftText.literal(string)
    case .data(let bytes):
      guard bytes.count <= longestData else { return nil }
      return "Data([\(bytes.map { "\($0)" }.joined(separator: ", "))])"
    case .date(let date):
      // Foundation's dates are doubles, which hold whole seconds exactly.
      guard date.nanoseconds == 0, abs(date.seconds) < 1 << 50 else { return nil }
      return "Date(timeIntervalSince1970: \(date.seconds))"
    case .objectId: return "ObjectId(\"\(ValueText.describe(value))\")"
    case .uuid(let uuid):
      let bytes = [uuid.high, uuid.low].flatMap { word in
        stride(from: 56, through: 0, by: -8).map { "\(UInt8(truncatingIfNeeded: word >> $0))" }
      }
      return "UUID(uuid: (\(bytes.joined(separator: ", "))))"
    case .decimal128(let number):
      let text = ValueText.describe(value)
      return Decimal128(text) == number ? "\"\(text)\"" : nil
    case .null, .link, .list, .set, .map: return nil
    }
  }
}
