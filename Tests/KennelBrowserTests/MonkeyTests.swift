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
    try Sample.fill(path)
    let database = try Database.open(path)
    let browser = try Kennels.browser(database)
    var dice = Dice(state: seed)
    for _ in 0..<250 {
      guard let key = Self.keys.randomElement(using: &dice) else { continue }
      _ = JobRunner.send(.key(key), to: browser)
      switch Int.random(in: 0..<20, using: &dice) {
      case 0: try commit(to: database, &dice)
      case 1: _ = JobRunner.send(.tick, to: browser)
      case 2, 3: click(browser, &dice)
      default: break
      }
      guard let size = Self.sizes.randomElement(using: &dice) else { continue }
      #expect(browser.draw(size).size == size)
    }
  }

  /// What another program does meanwhile: it deletes an object, or changes one.
  private func commit(to database: Database, _ dice: inout Dice) throws {
    try database.write { transaction in
      let classes = transaction.schema.classes.filter { !$0.isEmbedded }
      guard let schema = classes.randomElement(using: &dice),
        let key = try transaction.objects(of: schema.key, limit: 9).keys.randomElement(using: &dice)
      else { return }
      let object = ObjectIdentity(schema.key, key)
      if Bool.random(using: &dice) {
        let lists = schema.properties.filter { $0.isCollection && !$0.isEmbedded }
        guard let list = lists.randomElement(using: &dice), list.type.collection == .list,
          try transaction.elementCount(of: object, property: list.key) > 0
        else { return }
        _ = try transaction.removeElement(at: 0, of: object, property: list.key)
      } else if try transaction.blastRadius(deleting: [object]).denied.isEmpty {
        _ = try transaction.delete([object])
      }
    }
  }

  private func click(_ browser: Browser, _ dice: inout Dice) {
    let kinds: [MouseEvent.Kind] = [.press, .doublePress, .wheelDown, .wheelUp, .release]
    let event = MouseEvent(
      kinds.randomElement(using: &dice) ?? .press,
      row: Int.random(in: 0..<24, using: &dice),
      column: Int.random(in: 0..<80, using: &dice),
      button: 1
    )
    _ = JobRunner.send(.mouse(event), to: browser)
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
