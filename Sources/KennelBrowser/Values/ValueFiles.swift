internal import KennelCore

/// Text and data of a property that go to a file or come from one.
extension FileActions {
  /// Values above this size are set beside the screen.
  private static let longest = 1_000_000

  /// `:hex`: shows the bytes under the cursor.
  func showBytes() {
    guard let spot, browser.model.holdsBytes(at: spot) else {
      return showError("Only data is shown as bytes; \(key(of: "edit")) edits another value")
    }
    open(HexDialog(spot, in: browser))
  }

  /// More bytes are saved in a file, and opened from there.
  private static let mostOpened = 64_000_000

  /// Opens data in the person's program for such files.
  func openExternally(_ spot: Spot) {
    let count = browser.model.byteCount(at: spot)
    guard count <= Self.mostOpened else {
      return showError("\(DataKind.size(count)) are too many for another program; s saves them")
    }
    let ending = DataKind.ending(of: HexDialog.kind(of: spot, in: browser))
    ask(.openExternally(browser.model.bytes(at: spot, in: 0..<count), ending: ending))
  }

  /// `:save`, with or without a name.
  func saveValue(toTyped path: String) {
    guard let spot else { return showError("Only the value of a property is saved") }
    saveValue(at: spot, toTyped: path)
  }

  func saveValue(at spot: Spot, toTyped path: String) {
    guard property(of: spot)?.isCollection == false || spot.element != nil else {
      return showError(
        "Only the value of a property or an element is saved; \(browser.key(of: "right")) moves "
          + "to one"
      )
    }
    perform(.saveValue(spot, name(of: spot)), typed: path)
  }

  /// `:load`, with or without a name.
  func loadValue(fromTyped path: String) {
    guard let spot = browser.editedSpot else {
      return showError(
        "Only text and data are loaded from a file; \(browser.key(of: "right")) moves to a property"
      )
    }
    loadValue(fromTyped: path, to: spot)
  }

  func loadValue(fromTyped path: String, to spot: Spot) {
    guard let property = property(of: spot), Self.takesBytes(spot, property) else {
      return showError(
        "Only text and data are loaded from a file; \(key(of: "edit")) edits another value"
      )
    }
    perform(.loadValue(spot, name(of: spot)), typed: path)
  }

  private static func takesBytes(_ spot: Spot, _ property: PropertySchema) -> Bool {
    guard !property.isCollection || spot.element != nil else { return false }
    return [.string, .data, .mixed].contains(property.type.kind)
  }

  /// Writes a text or bytes to a file that must not be there.
  func saveValue(at spot: Spot, to path: String) {
    guard let save = browser.settings.saveBytes else { return }
    let name = name(of: spot)
    let element = spot.element?.value
    Jobs(browser).launch(
      "Saving \(name)",
      .copy,
      reading: { snapshot, _ throws(DatabaseError) -> (outcome: ExportOutcome, count: Int) in
        let value: Value
        if let element {
          value = element
        } else {
          value = try snapshot.value(of: spot.object, property: spot.property)
        }
        let bytes =
          if case .data(let data) = value { data } else { Array(ScalarText.text(of: value).utf8) }
        return (save(bytes, path), bytes.count)
      },
      finish: { browser, saved in
        switch saved.outcome {
        case .written: browser.say("Wrote \(DataKind.size(saved.count)) to \(path)")
        case .failed(let reason): browser.showError(reason)
        }
      },
      abandon: { $0.say("Nothing was written") }
    )
  }

  /// Reads a file beside the screen and sets a value to what it holds.
  func loadValue(from path: String, to spot: Spot) {
    guard let property = property(of: spot), let load = browser.settings.loadBytes else { return }
    let isText = property.type.kind == .string
    Jobs(browser).launch("Loading \(path)", .copy) { _ in
      load(path)
    } finish: { (browser: Browser, loaded: LoadOutcome) in
      switch loaded {
      case .failed(let reason): browser.showError(reason)
      case .loaded(let bytes):
        guard isText else { return FileActions(browser).set(.data(bytes), bytes.count, at: spot) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
          return browser.showError("\(path) is not UTF-8 text; nothing is changed")
        }
        FileActions(browser).set(.string(text), bytes.count, at: spot)
      }
    } abandon: {
      $0.say("Nothing was loaded")
    }
  }

  private func set(_ value: Value, _ count: Int, at spot: Spot) {
    guard count > Self.longest, spot.element == nil else {
      ValueEditing(browser).assign(value, to: spot)
      return
    }
    guard isInPlace(spot) else { return }
    let done = "\(name(of: spot)) has \(DataKind.size(count)) now"
    LargeChanges(browser).perform("Setting \(name(of: spot))", isLarge: true) {
      draft,
      _ throws(DatabaseError) in
      try draft.changeAsWhole { draft throws(DatabaseError) in
        for object in spot.objects { try draft.set(object, property: spot.property, to: value) }
      }
    } finish: { browser, _, hasChanged in
      browser.say(done, hasChanged: hasChanged)
    }
  }
}

extension BrowserModel {
  /// Whether there are bytes rather than a text or a number.
  func holdsBytes(at spot: Spot) -> Bool {
    let value = spot.element?.value ?? preview(of: spot.object, spot.property, limit: 1)?.value
    return if case .data? = value { true } else { false }
  }

  func byteCount(at spot: Spot) -> Int {
    if case .data(let bytes)? = spot.element?.value { return bytes.count }
    return preview(of: spot.object, spot.property, limit: 1)?.count ?? 0
  }

  /// Some of the bytes of data; no others are read.
  func bytes(at spot: Spot, in range: Range<Int>) -> [UInt8] {
    if case .data(let bytes)? = spot.element?.value {
      return Array(bytes[range.clamped(to: 0..<bytes.count)])
    }
    return bytes(of: spot.object, spot.property, in: range)
  }
}
