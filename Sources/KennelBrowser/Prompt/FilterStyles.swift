internal import KennelCore

extension Theme {
  /// A style for each character of a filter.
  ///
  /// - Parameters:
  ///   - text: The filter.
  ///   - mistake: The character where the part begins that is wrong.
  /// - Returns: The styles.
  func styles(ofFilter text: String, mistake: Int?) -> [Style] {
    var styles = Array(repeating: Style.standard, count: text.count)
    for piece in Predicate.pieces(of: text) {
      var style = style(of: piece.kind)
      if let mistake, piece.range.contains(mistake) { style = style.adding(self.mistake) }
      for place in piece.range where place < styles.count { styles[place] = style }
    }
    return styles
  }

  private func style(of kind: PredicatePiece.Kind) -> Style {
    switch kind {
    case .name, .function, .variable: queryProperty
    case .keyword: queryKeyword
    case .comparator: queryComparator
    case .literal: queryValue
    case .punctuation, .unreadable: .standard
    }
  }
}
