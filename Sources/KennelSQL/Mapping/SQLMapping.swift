package import KennelCore

/// Which class, property and object each table, column and row is.
package struct SQLMapping: Hashable, Sendable {
  /// The tables in the order of the catalog.
  package var tables: [TableMapping] = []
}

/// The class that a table is.
package struct TableMapping: Hashable, Sendable {
  package let table: CatalogTable
  package let className: String
  /// Whether the key of an object is the number of its row; else objects are numbered from 1 in the
  /// order of the primary key.
  package let keepsNumbers: Bool
  /// The columns in their order.
  package var columns: [ColumnMapping]
  package var links: [LinkMapping] = []
  package var sets: [SetMapping] = []
  /// The other directions of such sets of other classes.
  package var backlinks: [BacklinkDefinition] = []

  /// Why no row can be named and thus changed, as a part of a sentence; `nil` where they can.
  package var readOnlyReason: String? {
    if table.kind != .table { return "no row of the view \(table.name) can be changed" }
    guard table.primaryKey.isEmpty, !keepsNumbers else { return nil }
    return "no row of the table \(table.name), which has no key, can be changed"
  }

  /// The rule that says what the database does when the target of a foreign key is deleted.
  ///
  /// Setting a column to null is refused where it cannot be null. A default leads nowhere in Kennel, so
  /// that it counts as null.
  fileprivate func targetRule(of key: ForeignKey) -> TargetRule {
    guard key.isDeclared else { return .nullify }
    switch key.onDelete {
    case .cascade: return .cascade
    case .restrict, .noAction: return .deny
    case .setNull, .setDefault:
      let columns = key.setColumns.isEmpty ? key.columns : key.setColumns
      return columns.allSatisfy { table.column($0)?.isRequired == false } ? .nullify : .deny
    }
  }
}

/// The property that a column is.
package struct ColumnMapping: Hashable, Sendable {
  package let column: CatalogColumn
  package let property: String
  /// How the values are stored, also those of a column that is shown as a link.
  package let form: ColumnContents
  /// Whether the property is the primary key of the class.
  package let isPrimaryKey: Bool
  /// Whether null is a value.
  package let isOptional: Bool
}

/// The link that a foreign key is.
package struct LinkMapping: Hashable, Sendable {
  package let key: ForeignKey
  /// The columns of the target, in the order of those of the key.
  package let targetColumns: [String]
  /// The place of the target in the mapping.
  package let target: Int
  package let property: String
  /// The property that keeps values that lead nowhere; the class has it only if there are any.
  package let danglingProperty: String
  /// The place of the column that the link replaces; `nil` where it stands beside its columns.
  package let column: Int?
}

/// The set of links that a table of two foreign keys is for the target of the first.
package struct SetMapping: Hashable, Sendable {
  package let property: String
  /// The place of the table in the mapping.
  package let through: Int
  /// The foreign key that leads to the class of the property.
  package let own: LinkMapping
  /// The foreign key that leads to the members.
  package let other: LinkMapping
}

extension SQLMapping {
  /// The classes, without what is easier to say of objects that are there: ``finishedDefinitions(_:)``.
  var definitions: [ClassDefinition] {
    tables.map { table in
      var properties = table.columns.enumerated().map { index, column in
        if let link = table.links.first(where: { $0.column == index }) {
          return definition(link, of: table)
        }
        return PropertyDefinition(
          column.property,
          column.isOptional ? column.form.type.optional : column.form.type,
          isPrimaryKey: column.isPrimaryKey
        )
      }
      properties += table.links.filter { $0.column == nil }.map { definition($0, of: table) }
      properties += table.sets.map {
        PropertyDefinition($0.property, .set(.link(tables[$0.other.target].className)))
      }
      return ClassDefinition(
        table.className,
        properties: properties,
        backlinks: table.backlinks
      )
    }
  }

  private func definition(_ link: LinkMapping, of table: TableMapping) -> PropertyDefinition {
    PropertyDefinition(
      link.property,
      .link(tables[link.target].className),
      targetRule: table.targetRule(of: link.key)
    )
  }

  /// The properties of a class that are unique or indexed, or that have a default.
  func finishedDefinition(of table: TableMapping, hasUnique: Bool) -> ClassDefinition {
    var properties: [PropertyDefinition] = []
    for (index, column) in table.columns.enumerated()
    where !column.isPrimaryKey && column.form != .mixed
      && !table.links.contains(where: { $0.column == index })
    {
      let name = column.column.name
      let type = column.isOptional ? column.form.type.optional : column.form.type
      properties.append(
        PropertyDefinition(
          column.property,
          type,
          isUnique: hasUnique && table.table.isUnique([name]),
          isIndexed: table.table.indexes.contains { index in
            !index.isPartial && index.columns.first??.hasSameBytes(as: name) == true
          },
          defaultValue: column.defaultValue
        )
      )
    }
    return ClassDefinition(table.className, properties: properties)
  }
}

extension ColumnMapping {
  /// The default of a column, where it is a literal; the engine alone can say another.
  fileprivate var defaultValue: Value? {
    guard let text = column.defaultExpression else { return nil }
    return form.literal(text)
  }
}

extension ColumnContents {
  /// The value of an expression, where it is a literal; the engine alone can say another.
  func literal(_ text: String) -> Value? {
    let tokens = SQLTokens(text).tokens
    // A literal of PostgreSQL is followed by its type, as in 'open'::text, and is written as its values are.
    let type = tokens.dropFirst(3)
    let isTyped =
      tokens.dropFirst().prefix(2).map(\.text) == [":", ":"] && !type.isEmpty
      && type.allSatisfy { !$0.isQuoted && ($0.isWord || ".(,)[]".contains($0.text)) }
    let literal =
      tokens.first?.isQuoted == true && (tokens.count == 1 || isTyped) ? tokens[0].text : nil
    let number = isTyped ? literal ?? text : text
    switch self {
    case .int: return Int64(number).map(Value.int)
    case .float: return Float(number).map(Value.float)
    case .double: return Double(number).map(Value.double)
    case .decimal128: return Decimal128(number).map(Value.decimal128)
    case .bool:
      return ["0": .bool(false), "1": .bool(true), "false": .bool(false), "true": .bool(true)][text]
    case .string: return literal.map(Value.string)
    case .date, .data, .uuid, .mixed: return nil
    }
  }
}
