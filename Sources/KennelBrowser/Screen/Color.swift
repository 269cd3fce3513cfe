/// A color of a terminal.
///
/// Nothing is ever said by color alone: a terminal may have none, and its person may not see it.
///
/// It is one number, because every cell has two and all cells are compared after each key.
package struct Color: Hashable, Sendable {
  package enum Kind {
    /// The terminal's own foreground or background.
    case standard
    /// A color by its number: 0 to 15 are the person's choice, 16 to 255 are the same everywhere.
    case palette(UInt8)
    /// A color by its six hexadecimal digits.
    case rgb(UInt32)
  }

  /// 0 for the terminal's own; otherwise what the lower 24 bits mean, and these.
  private let code: UInt32

  private static let paletteBit: UInt32 = 1 << 24
  private static let rgbBit: UInt32 = 1 << 25

  /// The terminal's own foreground or background.
  package static let standard = Color(code: 0)

  private init(code: UInt32) { self.code = code }

  /// A color by its number: 0 to 15 are the person's choice, 16 to 255 are the same everywhere.
  package static func palette(_ number: UInt8) -> Color {
    Color(code: paletteBit | UInt32(number))
  }

  /// A color by its six hexadecimal digits.
  package static func rgb(_ bits: UInt32) -> Color { Color(code: rgbBit | bits & 0xFF_FFFF) }

  package var kind: Kind {
    if code & Self.paletteBit != 0 { return .palette(UInt8(truncatingIfNeeded: code)) }
    return code & Self.rgbBit != 0 ? .rgb(code & 0xFF_FFFF) : .standard
  }

  package static let black = palette(0)
  package static let red = palette(1)
  package static let green = palette(2)
  package static let yellow = palette(3)
  package static let blue = palette(4)
  package static let magenta = palette(5)
  package static let cyan = palette(6)
  package static let white = palette(7)

  /// The names of the first 16, in the order of their numbers.
  static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black",
    "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white",
  ]

  /// A color that is written as `default`, a name, a number up to 255, or `#rrggbb`.
  package init?(_ text: String) {
    if text == "default" {
      self = .standard
    } else if text == "gray" || text == "grey" {
      self = .palette(8)
    } else if let index = Self.names.firstIndex(of: text) {
      self = .palette(UInt8(index))
    } else if let number = UInt8(text), text.first != "+" {
      self = .palette(number)
    } else if text.first == "#", text.utf8.count == 7, text.dropFirst().first != "+",
      let bits = UInt32(text.dropFirst(), radix: 16)
    {
      self = .rgb(bits)
    } else {
      return nil
    }
  }

  /// The color as `init` reads it.
  var name: String {
    switch kind {
    case .standard: return "default"
    case .palette(let number): return number < 16 ? Self.names[Int(number)] : String(number)
    case .rgb:
      let digits = String(bits, radix: 16)
      return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
  }

  // MARK: - What a terminal shows

  /// A terminal with so many colors takes the number of a color for its red, green and blue.
  private static let direct = 1 << 24

  /// The number by which a terminal with some colors shows this one or the nearest that it has;
  /// `nil` for its own.
  package func number(among count: Int) -> Int? {
    switch kind {
    case .standard:
      return nil
    case .palette(let number) where Int(number) < (count >= Self.direct ? 8 : count):
      return Int(number)
    case .palette, .rgb:
      if count >= Self.direct { return bits < 8 ? 0 : Int(bits) }
      let candidates = count >= 256 ? 16..<256 : 0..<max(1, min(count, 16))
      // A gray stays one: among few colors, the nearest is often a colorful one.
      let alike = candidates.filter { Color.palette(UInt8($0)).isGray == isGray }
      return alike.min { distance(toPalette: $0) < distance(toPalette: $1) }
    }
  }

  /// The six hexadecimal digits as a number; of the first 16 colors, those that they usually have.
  package var bits: UInt32 {
    switch kind {
    case .standard: return 0
    case .rgb(let bits): return bits
    case .palette(let number) where number < 16: return Self.usual[Int(number)]
    case .palette(let number) where number < 232:
      let place = Int(number) - 16
      let steps = [place / 36, place / 6 % 6, place % 6].map { UInt32($0 == 0 ? 0 : 55 + 40 * $0) }
      return steps[0] << 16 | steps[1] << 8 | steps[2]
    case .palette(let number): return (UInt32(number) - 232) * 0x0A0A0A + 0x080808
    }
  }

  /// Whether no hue can be told.
  private var isGray: Bool {
    let parts = [bits >> 16 & 0xFF, bits >> 8 & 0xFF, bits & 0xFF]
    return (parts.max() ?? 0) - (parts.min() ?? 0) < 48
  }

  private static let usual: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  private func distance(toPalette number: Int) -> Int {
    let other = Color.palette(UInt8(number)).bits
    return [16, 8, 0].reduce(0) { sum, shift in
      let difference = Int(bits >> UInt32(shift) & 0xFF) - Int(other >> UInt32(shift) & 0xFF)
      return sum + difference * difference
    }
  }
}
