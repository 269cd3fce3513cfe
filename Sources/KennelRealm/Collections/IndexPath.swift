public import Foundation

/// Index paths of a section and a position in it, as table and collection views use them.
extension IndexPath {
  /// Creates a position in a section.
  ///
  /// - Parameters:
  ///   - item: The position.
  ///   - section: The section.
  public init(item: Int, section: Int) {
    self.init(indexes: [section, item])
  }

  /// Creates a row in a section.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - section: The section.
  public init(row: Int, section: Int) {
    self.init(indexes: [section, row])
  }

  /// The section.
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// The position in the section.
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// The row in the section.
  public var row: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}
