/// How words compare in the order of the values that they stand for.
///
/// Every word has a *rank*, a number that is smaller where the value is. NaN has rank 0, −0.0 that of
/// 0.0.
public enum WordOrdering: Sendable {
  /// As unsigned numbers, up to one.
  case unsigned(upTo: UInt64)
  /// As signed numbers.
  case signed
  /// As floating point numbers of 32 bits.
  case float
  /// As floating point numbers of 64 bits.
  case double

  /// The rank of a word.
  @inlinable
  public func rank(of word: UInt64) -> UInt64 {
    switch self {
    case .signed: return word ^ 1 &<< 63
    case .unsigned: return word
    case .double:
      let number = Double(bitPattern: word)
      if number.isNaN { return 0 }
      if number == 0 { return 1 &<< 63 }
      return word &>> 63 == 1 ? ~word : word | 1 &<< 63
    case .float:
      let bits = UInt32(truncatingIfNeeded: word)
      let number = Float(bitPattern: bits)
      if number.isNaN { return 0 }
      if number == 0 { return 1 &<< 31 }
      return UInt64(bits &>> 31 == 1 ? ~bits : bits | 1 &<< 31)
    }
  }

  /// The word of a rank.
  package func word(ofRank rank: UInt64) -> UInt64 {
    switch self {
    case .signed: return rank ^ 1 << 63
    case .unsigned: return rank
    case .double: return rank >> 63 == 1 ? rank & ~(1 << 63) : ~rank
    case .float:
      let bits = UInt32(truncatingIfNeeded: rank)
      return UInt64(bits >> 31 == 1 ? bits & ~(1 << 31) : ~bits)
    }
  }

  /// The rank of the largest value.
  package var highest: UInt64 {
    switch self {
    case .signed: .max
    case .unsigned(let highest): highest
    case .double: rank(of: Double.infinity.bitPattern)
    case .float: rank(of: UInt64(Float.infinity.bitPattern))
    }
  }
}
