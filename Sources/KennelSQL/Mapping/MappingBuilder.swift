internal import KennelCore

/// Makes classes of tables.
///
/// A table is a class and a column a property; a foreign key of one column is a link under the name of
/// the column. A foreign key of several columns, or of a primary key, is a link beside them, named after
/// its constraint or its target. A table of two foreign keys and nothing else is also a set of links in
/// one of its targets, and a declared backlink in the other.
struct MappingBuilder {
  private let catalog: Catalog
  private(set) var mapping = SQLMapping()
  /// The foreign keys that are no links, with the reason.
  private(set) var problems: [String] = []
  /// The names that got others.
  private(set) var renamed: [String] = []
  /// The places of the tables that foreign keys can refer to, by the bytes of their names.
  private let places: [[UInt8]: Int]
  /// The names of the properties of each class.
  private var names: [Set<[UInt8]>] = []

  init(_ catalog: Catalog, _ forms: [TableForms]) {
    self.catalog = catalog
    let targets = catalog.tables.enumerated().filter { $1.kind == .table }
    places = Dictionary(targets.map { (Array($1.name.utf8), $0) }) { first, _ in first }
    var classNames: Set<[UInt8]> = []
    for (table, form) in zip(catalog.tables, forms) {
      let className = name(of: table.name, "", besides: &classNames)
      var taken: Set<[UInt8]> = []
      let columns = zip(table.columns, form.columns).map { column, values in
        let property = name(of: column.name, table.name + ".", besides: &taken)
        let isKey =
          table.isPrimaryKey(column.name) && values.contents.type.kind.canBePrimaryKey
          && !values.hasNull
        return ColumnMapping(
          column: column,
          property: property,
          form: values.contents,
          isPrimaryKey: isKey,
          // What the database fills in is nothing until then.
          isOptional: !isKey
            && (!column.isRequired || values.hasNull || column.isFilledIn(values.contents))
        )
      }
      names.append(taken)
      mapping.tables.append(
        TableMapping(
          table: table,
          className: className,
          keepsNumbers: form.keepsNumbers,
          columns: columns
        )
      )
    }
    for index in catalog.tables.indices { addLinks(to: index) }
    for index in catalog.tables.indices { addSets(through: index) }
  }

  private mutating func name(
    of name: String,
    _ place: String,
    besides taken: inout Set<[UInt8]>
  ) -> String {
    let allowed = ClassDefinition.allowedName(for: name, besides: &taken)
    if !allowed.hasSameBytes(as: name) { renamed.append("\(place)\(name) is \(allowed)") }
    return allowed
  }

  /// A name for another property of the class of a table.
  private mutating func addedName(_ name: String, to index: Int) -> String {
    ClassDefinition.allowedName(for: name, besides: &names[index])
  }

  // MARK: - Links

  private mutating func addLinks(to index: Int) {
    let table = catalog.tables[index]
    for key in table.foreignKeys {
      do throws(KeyProblem) {
        let (target, targetColumns) = try resolve(key, of: table)
        let link = link(of: index, key, target, targetColumns)
        mapping.tables[index].links.append(link)
      } catch {
        let columns = key.columns.joined(separator: ", ")
        problems.append("\(table.name) (\(columns)): \(error.message)")
      }
    }
  }

  /// Why a foreign key is no link.
  private struct KeyProblem: Error {
    let message: String
  }

  /// Finds the target of a foreign key and the columns that it refers to.
  private func resolve(
    _ key: ForeignKey,
    of table: CatalogTable
  ) throws(KeyProblem) -> (Int, [String]) {
    guard let target = places[Array(key.target.utf8)] else {
      let isUnread = catalog.unread.contains(key.target)
      throw KeyProblem(
        message: isUnread ? "\(key.target) is not read" : "there is no table \(key.target)"
      )
    }
    let found = catalog.tables[target]
    let columns = key.targetColumns.isEmpty ? found.primaryKey : key.targetColumns
    let areThere =
      columns.allSatisfy { found.column($0) != nil }
      && key.columns.allSatisfy { table.column($0) != nil }
    guard areThere, !columns.isEmpty, columns.count == key.columns.count, found.isUnique(columns)
    else {
      throw KeyProblem(
        message: "\(key.target) (\(columns.joined(separator: ", "))) is no key"
      )
    }
    return (target, columns)
  }

  private mutating func link(
    of index: Int,
    _ key: ForeignKey,
    _ target: Int,
    _ targetColumns: [String]
  ) -> LinkMapping {
    let table = mapping.tables[index]
    var column: Int?
    if key.columns.count == 1 {
      column = table.columns.firstIndex { $0.column.name.hasSameBytes(as: key.columns[0]) }
      let isTaken = table.links.contains { $0.column == column }
      if isTaken || column.map({ table.columns[$0].isPrimaryKey }) ?? true { column = nil }
    }
    let property =
      column.map { table.columns[$0].property }
      ?? addedName(key.givenName ?? mapping.tables[target].className, to: index)
    return LinkMapping(
      key: key,
      targetColumns: targetColumns,
      target: target,
      property: property,
      danglingProperty: addedName("\(property)_dangling", to: index),
      column: column
    )
  }

  /// Shows a table of two foreign keys as a set of links and its backlink.
  private mutating func addSets(through index: Int) {
    let table = mapping.tables[index]
    guard table.columns.count == 2, table.links.count == 2,
      table.links.allSatisfy({ $0.column != nil })
    else { return }
    let (own, other) = (table.links[0], table.links[1])
    let (owner, member) = (mapping.tables[own.target], mapping.tables[other.target])
    let isCircle = own.target == other.target
    let property = addedName(isCircle ? other.property : member.className, to: own.target)
    let backlink = addedName(isCircle ? own.property : owner.className, to: other.target)
    mapping.tables[own.target].sets.append(
      SetMapping(property: property, through: index, own: own, other: other)
    )
    mapping.tables[other.target].backlinks.append(
      BacklinkDefinition(backlink, origin: owner.className, property: property)
    )
  }
}

extension CatalogColumn {
  /// Whether the engine gives a new row a value that a class cannot say.
  fileprivate func isFilledIn(_ form: ColumnContents) -> Bool {
    isGenerated || identity != nil || defaultExpression.map { form.literal($0) == nil } ?? false
  }
}
