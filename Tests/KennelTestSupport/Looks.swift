package import KennelBrowser

extension Screen {
  /// The rows, a letter for the style of each cell below each, and at last what the letters mean.
  package var looks: [String] {
    var letters: [Style: Character] = [.standard: " "]
    var order: [Style] = []
    func letter(of style: Style) -> Character {
      if let known = letters[style] { return known }
      let new = Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(order.count % 26)))
      letters[style] = new
      order.append(style)
      return new
    }
    var lines: [String] = []
    for (row, text) in text.enumerated() {
      let styles = String(cells(ofRow: row).map { letter(of: $0.style) })
      lines += styles.allSatisfy { $0 == " " } ? [text] : [text, styles]
    }
    return lines + order.map { "\(letter(of: $0)): \($0.words)" }
  }
}

extension Style {
  /// The colors and the attributes, as a configuration has them.
  fileprivate var words: String {
    let colors = foreground == .standard && background == .standard ? [] : [foreground, background]
    let attributes = [
      (isBold, "bold"), (isDim, "dim"), (isUnderlined, "underline"), (isReversed, "reverse"),
    ]
    let names = attributes.filter(\.0).map(\.1)
    return (colors.map(\.word) + names).joined(separator: " ")
  }
}

extension Color {
  fileprivate var word: String {
    switch kind {
    case .standard: "default"
    case .palette(let number): "\(number)"
    case .rgb(let bits):
      "#" + String(bits + 0x100_0000, radix: 16).dropFirst()
    }
  }
}
