import KennelBrowser
import KennelCore
import KennelTestSupport
import Synchronization
import Testing

@Suite("Data and long texts")
struct BinaryTests {
  /// The files of a test.
  private final class Files: Sendable {
    let contents = Mutex<[String: [UInt8]]>([:])

    func save(_ bytes: [UInt8], _ path: String) -> ExportOutcome {
      contents.withLock { $0[path] = bytes }
      return .written
    }

    func load(_ path: String) -> LoadOutcome {
      contents.withLock { $0[path] }.map(LoadOutcome.loaded)
        ?? .failed("Cannot read \(path): it does not exist")
    }
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A browser on one object with a picture and a caption.
  private func browse(
    _ picture: [UInt8] = Self.png + Array("some pixels".utf8),
    caption: String = "",
    _ body: (Browser, Files) throws -> Void
  ) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([
          ClassDefinition(
            "Photo",
            properties: [
              PropertyDefinition("picture", .data), PropertyDefinition("caption", .string),
              PropertyDefinition("taken", .date),
            ]
          )
        ])
        let photo = try #require(transaction.schema["Photo"])
        try transaction.create(
          photo.key,
          [
            try #require(photo["picture"]).key: .data(picture),
            try #require(photo["caption"]).key: .string(caption),
          ]
        )
      }
      let files = Files()
      var settings = BrowserSettings(fileName: "photos.kennel")
      settings.saveBytes = files.save
      settings.loadBytes = files.load
      try body(try Browser(database, settings: settings), files)
    }
  }

  private func command(_ browser: Browser, _ text: String) {
    browser.press(":")
    browser.type(text)
    browser.press("Enter")
  }

  private static let header: [UInt8] = png + [0, 0, 0, 13, 73, 72, 68, 82]

  private static let images: [(bytes: [UInt8], kind: String)] = [
    (header + [0, 0, 2, 128, 0, 0, 1, 224, 8] as [UInt8], "PNG image, 640×480, 25 bytes"),
    (header + [0, 0, 2, 128, 0, 0, 1] as [UInt8], "PNG image, 23 bytes"),
    (header + [255, 255, 255, 255, 0, 0, 0, 0] as [UInt8], "PNG image, 4294967295×0, 24 bytes"),
    ([71, 73, 70, 56, 57, 97, 3, 0, 0, 1, 0], "GIF image, 3×256, 11 bytes"),
    (
      [255, 216, 255, 224, 0, 4, 1, 2, 255, 192, 0, 11, 8, 1, 0, 0, 5],
      "JPEG image, 5×256, 17 bytes"
    ),
    ([255, 216, 255, 224, 0, 0, 255, 255, 255, 192, 0, 11], "JPEG image, 12 bytes"),
    ([255, 254, 65, 0], "UTF-16 text, 4 bytes"),
  ]

  @Test(arguments: images)
  func `that are an image say how many pixels it has, where it says so`(
    bytes: [UInt8],
    kind: String
  ) throws {
    try browse(bytes) { browser, _ in
      browser.press("Enter Enter Enter")
      #expect(browser.screen().contains("picture of Photo/1: \(kind) "))
    }
  }

  @Test func `that are a text are shown as one`() throws {
    let utf16: [UInt8] = [0xFF, 0xFE, 0x41, 0x00, 0xE9, 0x00]
    for (bytes, text) in [(Array("plain é".utf8), "plain é"), (utf16, "Aé")] {
      try browse(bytes) { browser, _ in
        browser.press("Enter Enter Enter t")
        #expect(browser.screen().contains("\n\(text)\n"), "\(browser.screen())")
      }
    }
  }

  @Test func `that are a picture are drawn where the terminal says that it does`() throws {
    try browse(Self.images[0].bytes) { browser, _ in
      let size = Size(columns: 80, rows: 24)
      browser.press("Enter Enter Enter")
      #expect(browser.draw(size).drawing == nil)
      browser.press("Esc")
      browser.receive(.drawsPictures)
      browser.press("Enter")
      let screen = browser.draw(size)
      let drawn = try #require(screen.drawing)
      #expect(drawn.picture.bytes == Self.images[0].bytes)
      #expect(drawn.place.columns <= 64 && drawn.place.rows <= 20)
      #expect(drawn.place.row > 0 && drawn.place.row + drawn.place.rows <= 22)
      #expect(screen.text.contains { $0.contains("picture of Photo/1: PNG image, 640×480") })
      browser.press("b")
      #expect(browser.draw(size).drawing == nil)
      #expect(browser.screen().contains("00000000  89 50 4e 47"))
    }
  }

  @Test func `are opened in another program`() throws {
    try browse { browser, _ in
      let effects = browser.press("Enter Enter Enter o")
      let opened = effects.compactMap { effect -> String? in
        guard case .openExternally(let bytes, let ending) = effect else { return nil }
        return "\(bytes.count) \(ending)"
      }
      #expect(opened == ["19 png"])
      browser.receive(.opened(problem: "No program here opens png files"))
      #expect(browser.screen().contains("! No program here opens png files"))
      browser.receive(.opened(problem: nil))
      #expect(browser.screen().contains("Opened it in another program"))
    }
  }

  @Test func `are shown as bytes, with their kind and size`() throws {
    try browse { browser, _ in
      browser.press("Enter Enter Enter")
      let screen = browser.screen()
      #expect(screen.contains("picture of Photo/1: PNG image, 19 bytes"))
      #expect(
        screen.contains(
          "00000000  89 50 4e 47 0d 0a 1a 0a  73 6f 6d 65 20 70 69 78  .PNG....some pix"
        )
      )
      #expect(screen.contains("00000010  65 6c 73"))
    }
  }

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG image"),
      (Array("  {\"a\": 1}".utf8), "JSON text"),
      (Array("plain".utf8), "UTF-8 text"),
      (Array("%PDF-1.7".utf8), "PDF document"),
      ([0x00, 0x01, 0xFE], "data"),
      ([], "empty"),
    ] as [([UInt8], String)]
  )
  func `tell their kind`(_ bytes: [UInt8], _ kind: String) throws {
    try browse(bytes) { browser, _ in
      browser.press("Enter Enter Enter")
      #expect(browser.screen().contains("picture of Photo/1: \(kind)"))
    }
  }

  @Test func `are saved in a file and loaded from one`() throws {
    try browse { browser, files in
      browser.press("Enter l")
      command(browser, "save old.png")
      #expect(browser.screen().contains("Wrote 19 bytes to old.png"))
      let saved = files.contents.withLock { $0["old.png"] }
      #expect(saved == Self.png + Array("some pixels".utf8))
      files.contents.withLock { $0["new.pdf"] = Array("%PDF-1.7".utf8) }
      command(browser, "load new.pdf")
      #expect(browser.screen().contains("DRAFT 1 change"))
      command(browser, "hex")
      #expect(browser.screen().contains("PDF document, 8 bytes"))
      browser.press("l")
      browser.type("old.png")
      browser.press("Enter")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `are told by their size where they are loaded`() throws {
    try browse { browser, files in
      files.contents.withLock { $0["new"] = [UInt8](repeating: 7, count: 200_000) }
      browser.press("Enter l")
      command(browser, "load new")
      #expect(browser.screen().contains("picture of Photo/1 is 200.0 kB; u undoes"))
    }
  }

  @Test func `are refused where they do not fit, and nothing changes`() throws {
    try browse { browser, files in
      browser.press("Enter l")
      command(browser, "load nowhere")
      #expect(browser.screen().contains("! Cannot read nowhere: it does not exist"))
      files.contents.withLock { $0["latin"] = [0x66, 0xFC, 0x72] }
      browser.press("l")
      command(browser, "load latin")
      #expect(browser.screen().contains("! latin is not UTF-8 text; nothing is changed"))
      browser.press("l")
      command(browser, "load latin")
      #expect(browser.screen().contains("! Only text and data are loaded from a file"))
      command(browser, "hex")
      #expect(browser.screen().contains("! Only data is shown as bytes"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `of many bytes are read in parts, and set beside the screen`() throws {
    let many = [UInt8](repeating: 0x61, count: 3_000_000)
    try browse(many) { browser, files in
      browser.press("Enter l e")
      #expect(browser.screen().contains("UTF-8 text, 3.0 MB (3000000 bytes)"))
      browser.press("G")
      #expect(browser.screen().contains("002dc6b0  61 61"))
      browser.press("Esc")
      files.contents.withLock { $0["more"] = many + many }
      command(browser, "load more")
      #expect(browser.screen().contains("picture of Photo/1 has 6.0 MB now; u undoes"))
      browser.press("4")
      #expect(browser.screen().contains("picture: hex:61616161"))
    }
  }

  @Test func `of two million characters do not stall the screen`() throws {
    let long = String(repeating: "wide 宽 ", count: 250_000)
    try browse(caption: long) { browser, _ in
      let clock = ContinuousClock()
      let duration = clock.measure {
        browser.press("Enter ll l h")
        _ = browser.screen()
        browser.press("Enter e")
        _ = browser.screen()
      }
      #expect(browser.screen().contains("E opens it in the editor"))
      #expect(duration < .seconds(2))
    }
  }
}

@Suite("The text in the person's editor")
struct ExternalEditingTests {
  private func edit(_ browser: Browser, _ edited: Edited) throws -> String? {
    let effects = browser.press("E")
    for case .editExternally(let text, let token) in effects {
      _ = JobRunner.send(.edited(token: token, edited), to: browser)
      return text
    }
    return nil
  }

  private func expect(_ text: String, after edited: Edited, _ browser: Browser) throws {
    let shown = try edit(browser, edited)
    #expect(shown == text)
  }

  @Test func `keeps its lines, and the line break at its end only where it had one`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l")
      try expect("Rex", after: .saved("one\ntwo\n"), browser)
      #expect(browser.screen().contains("one␤two"))
      try expect("one\ntwo", after: .saved("one\ntwo\n"), browser)
      #expect(browser.screen().contains("Unchanged"))
      try expect("one\ntwo", after: .saved("one\ntwo\n\n"), browser)
      try expect("one\ntwo\n", after: .saved("one\n"), browser)
      try expect("one\n", after: .saved("one\n"), browser)
      #expect(browser.screen().contains("Unchanged"))
    }
  }

  @Test func `stays as it was where the editor fails`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l")
      _ = try edit(browser, .failed("The editor “vi” failed"))
      #expect(browser.screen().contains("! The editor “vi” failed; nothing is changed"))
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }
}
