internal import KennelCore

// What the table of commands needs to know for the hint line.

extension Browser {
  /// How many objects are marked; `nil` where none are.
  var markCount: Int? { table.flatMap { $0.marks.isEmpty ? nil : $0.marks.count } }

  /// The label of an edit where a value is under the cursor, or a collection's column.
  func editLabel(_ word: String) -> String? {
    guard spot != nil, context == .table || !isOnWholeCollection else { return nil }
    return word == "edit" ? markCount.map { "edit \($0)" } ?? word : word
  }

  /// Whether the cursor is on a collection, and not on one of its elements.
  var isOnWholeCollection: Bool {
    spot.map { $0.element == nil && property(of: $0)?.isCollection == true } ?? false
  }

  var isOnListElement: Bool {
    spot.map { $0.element != nil && property(of: $0)?.type.collection == .list } ?? false
  }
}

extension TableView {
  /// Names the column beside the key, where the cursor is on the key.
  func firstColumnHint(in model: BrowserModel) -> String? {
    guard column == .key else { return nil }
    return columns(in: model).first.map { "to \($0.name(in: classKey, model.schema))" }
  }
}

extension Label {
  static let create = Label { browser in
    if BacklinkEditing(browser).links != nil { return "link" }
    if browser.context == .table { return "create" }
    guard let spot = browser.spot, browser.property(of: spot)?.isCollection == true else {
      return nil
    }
    return "add"
  }

  static let unlink = Label { browser in
    if browser.table != nil, BacklinkEditing(browser).links != nil { return "unlink" }
    return browser.spot.flatMap {
      $0.element != nil ? "take out" : browser.linkTarget($0) != nil ? "unlink" : nil
    }
  }

  static let owner = Label { browser in
    let schema = browser.entry.subject.flatMap { browser.model.schema[$0.classKey] }
    return schema?.isEmbedded == true ? "owner" : nil
  }
}
