internal import KennelCore

/// How the tables of a class look: which columns they have, in which order, and how wide.
struct TableLook {
  /// The order of the columns, once one was moved; columns that it lacks come last.
  private var order: [Column] = []
  private var hidden: Set<Column> = []
  /// The columns that stay beside the key when others scroll.
  private(set) var pinned: Set<Column> = []
  /// The links whose targets' values are columns.
  private var expanded: Set<PropertyKey> = []
  /// The paths whose values are columns after those of the properties.
  private var computed: [String] = []
  /// The columns that show as much as there is room for.
  private var widened: Set<Column> = []
  /// The widths of what each column showed at first.
  ///
  /// Paging, sorting and filtering move no column. A change of the data widens it where needed.
  private var widths: [Column: (full: Int, usual: Int, generation: Int)] = [:]

  /// The columns after the key or primary key; the pinned ones first.
  func columns(of classKey: ClassKey, in schema: Schema) -> [Column] {
    var columns: [Column] = []
    for property in schema[classKey]?.properties ?? [] where !property.isPrimaryKey {
      columns.append(.property(property.key))
      guard expanded.contains(property.key), let target = property.target else { continue }
      for value in schema[target]?.properties ?? [] where !value.isCollection {
        columns.append(.through(property.key, value.key))
      }
    }
    columns += computed.map { .computed($0) }
    if !order.isEmpty {
      let places = Dictionary(zip(order, 0...)) { first, _ in first }
      columns.sort { places[$0] ?? order.count < places[$1] ?? order.count }
    }
    columns.removeAll(where: hidden.contains)
    return columns.filter(pinned.contains) + columns.filter { !pinned.contains($0) }
  }

  mutating func hide(_ column: Column) {
    pinned.remove(column)
    if case .computed(let path) = column {
      computed.removeAll { $0 == path }
    } else {
      hidden.insert(column)
    }
  }

  /// Adds a column with the value at a path; whether it was not there.
  mutating func add(_ path: String) -> Bool {
    guard !computed.contains(path) else { return false }
    computed.append(path)
    return true
  }

  mutating func showHidden() { hidden = [] }

  /// Moves a column by some places; whether it could.
  mutating func move(
    _ column: Column,
    by distance: Int,
    of classKey: ClassKey,
    in schema: Schema
  ) -> Bool {
    var columns = columns(of: classKey, in: schema)
    guard let place = columns.firstIndex(of: column),
      columns.indices.contains(place + distance),
      pinned.contains(columns[place + distance]) == pinned.contains(column)
    else { return false }
    columns.swapAt(place, place + distance)
    order = columns
    return true
  }

  /// Keeps a column beside the key, or lets it scroll again; whether it is kept.
  mutating func togglePin(_ column: Column) -> Bool {
    if pinned.remove(column) != nil { return false }
    pinned.insert(column)
    return true
  }

  /// Whether a column shows all that there is room for.
  func isWide(_ column: Column) -> Bool { widened.contains(column) }

  mutating func toggleWide(_ column: Column) {
    if widened.remove(column) == nil { widened.insert(column) }
    // It shows dates in another form, which is measured anew.
    widths[column] = nil
  }

  /// Shows the values of a link's target as columns, or no more; whether they were not shown.
  mutating func expand(_ link: PropertyKey, _ isExpanded: Bool) -> Bool {
    isExpanded ? expanded.insert(link).inserted : expanded.remove(link) != nil
  }

  // MARK: - Widths

  /// How wide a column is, where there is room.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - generation: That of the data.
  ///   - measure: Measures what it shows, up to a width, and says how much of that is usual; asked
  ///     once for each generation.
  /// - Returns: The width it has, and the one that shows everything.
  mutating func width(
    _ column: Column,
    generation: Int,
    _ measure: (Int) -> (full: Int, usual: Int)
  ) -> (usual: Int, full: Int) {
    var (full, usual, measured) = widths[column] ?? (column.widths.lowerBound, Column.widest, -1)
    if measured != generation {
      let now = measure(Column.widest)
      (full, usual) = (max(full, now.full), now.usual)
      widths[column] = (full, usual, generation)
    }
    if widened.contains(column) { return (full, full) }
    return (min(full, usual, column.widths.upperBound), min(full, Column.widestOnItsOwn))
  }
}

// MARK: - Between runs

extension TableLook {
  /// The names of the lists that a look is saved as.
  static let savedLists: Set = [
    "order", "hidden", "pinned", "widened", "expanded", "computed",
  ]

  /// The look as lists of columns by name; no lists where nothing was changed.
  func saved(of classKey: ClassKey, in schema: Schema) -> [String: [String]] {
    func names(_ columns: some Collection<Column>) -> [String] {
      columns.compactMap { $0.savedName(in: classKey, schema) }
    }
    let links = expanded.compactMap { schema.property($0, of: classKey)?.name }
    let lists = [
      "order": names(order), "hidden": names(hidden).sorted(), "pinned": names(pinned).sorted(),
      "widened": names(widened).sorted(), "expanded": links.sorted(),
      "computed": names(computed.map { .computed($0) }),
    ]
    return lists.filter { !$0.value.isEmpty }
  }

  /// Takes a look from lists; drops what the class no longer has, and ignores unknown lists.
  init(saved lists: [String: [String]], of classKey: ClassKey, in schema: Schema) {
    func columns(_ list: String) -> [Column] {
      (lists[list] ?? []).compactMap { Column(savedName: $0, of: classKey, in: schema) }
    }
    order = columns("order")
    hidden = Set(columns("hidden"))
    pinned = Set(columns("pinned"))
    widened = Set(columns("widened"))
    computed = columns("computed").compactMap {
      if case .computed(let path) = $0 { path } else { nil }
    }
    expanded = Set((lists["expanded"] ?? []).compactMap { schema[classKey]?[$0]?.key })
  }
}
