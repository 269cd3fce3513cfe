import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// A monkey at the keyboard: nothing it presses may stop the browser.
@Suite struct MonkeyTests {
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }

  private static let keys: [Key] =
    Command.all.flatMap { $0.keys.flatMap { KeySequence($0)?.keys ?? [] } }
    + ["Enter", "Enter", "j", "j", "l", "D", "Esc", "1", "2", "a", "x", "3", "\"", "é"]
    .compactMap { Key($0) } + [Key(.paste("pasted\n\u{1b}[2J"))]

  private static let sizes = [
    Size(columns: 80, rows: 24), Size(columns: 200, rows: 60), Size(columns: 1, rows: 1),
    Size(columns: 30, rows: 7),
  ]

  @Test(arguments: 1...6)
  func `a monkey cannot stop it`(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("monkey.kennel")
    try `Walks through the sample`.fill(path)
    let database = try Database.open(path)
    let browser = try Kennels.browser(database)
    var dice = Dice(state: seed)
    for _ in 0..<250 {
      guard let key = Self.keys.randomElement(using: &dice) else { continue }
      _ = JobRunner.send(.key(key), to: browser)
      if Int.random(in: 0..<10, using: &dice) == 0 { _ = JobRunner.send(.tick, to: browser) }
      guard let size = Self.sizes.randomElement(using: &dice) else { continue }
      #expect(browser.draw(size).size == size)
    }
  }

  @Test func `a file without classes can be looked at`() throws {
    try withTemporaryDatabase { database in
      let browser = try Kennels.browser(database)
      #expect(browser.screen().contains("no classes"))
      var dice = Dice(state: 1)
      for _ in 0..<400 {
        guard let key = Self.keys.randomElement(using: &dice) else { continue }
        _ = JobRunner.send(.key(key), to: browser)
        _ = browser.screen()
      }
    }
  }
}
