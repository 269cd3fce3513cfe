internal import KennelCore

/// The tables of a database as its own catalog describes them.
package struct Catalog: Hashable, Sendable {
  /// The tables and views in the order of their creation.
  package var tables: [CatalogTable] = []
  /// The names of the tables that are there and are not read.
  package var unread: Set<String> = []
}

/// A table or view.
package struct CatalogTable: Hashable, Sendable {
  /// Where the rows come from.
  package enum Kind: Hashable, Sendable {
    /// They are stored.
    case table
    /// A query makes them.
    case view
    /// A module of the engine makes them, such as a full-text index.
    case virtual
  }

  package var name: String
  /// The name with that of the schema, where the engine has schemas.
  package var qualifiedName: QualifiedName?
  package var kind: Kind
  /// Whether the rows lie in other tables, its partitions.
  package var isRoot = false
  package var columns: [CatalogColumn] = []
  /// The columns of the primary key, in the order of the key.
  package var primaryKey: [String] = []
  /// Selects the number that the engine gave a row, where it gives rows numbers.
  package var rowNumber: String?
  /// Whether the primary key is that number.
  package var hasNumberKey = false
  /// The indexes, with those of keys.
  package var indexes: [CatalogIndex] = []
  /// The foreign keys in the order of their declaration, which decides what a deletion does.
  package var foreignKeys: [ForeignKey] = []
  /// The names of the triggers.
  package var triggers: [String] = []
  /// Whether the engine hides rows from this user.
  package var hasRowSecurity = false

  /// The column of a name, as the table spells it.
  package func column(_ name: String) -> CatalogColumn? {
    columns.first { $0.name.hasSameBytes(as: name) }
  }

  /// Whether a column alone is the primary key.
  func isPrimaryKey(_ name: String) -> Bool {
    primaryKey.count == 1 && primaryKey[0].hasSameBytes(as: name)
  }

  /// Whether no two rows have the same values in some columns, unless one is null.
  package func isUnique(_ names: [String]) -> Bool {
    let wanted = Set(names.map { Array($0.utf8) })
    return Set(primaryKey.map { Array($0.utf8) }) == wanted
      || indexes.contains { index in
        index.isUnique && !index.isPartial && index.columns.allSatisfy { $0 != nil }
          && Set(index.columns.map { Array(($0 ?? "").utf8) }) == wanted
      }
  }

  /// Whether the engine finds the rows with given values in some columns by an index or the primary key.
  package func hasIndex(beginningWith names: [String]) -> Bool {
    let wanted = Set(names.map(\.foldedSQLName))
    let keys = [primaryKey] + indexes.filter { !$0.isPartial }.map { $0.columns.map { $0 ?? "" } }
    return keys.contains { Set($0.prefix(wanted.count).map(\.foldedSQLName)) == wanted }
  }
}

/// The name of a table and of its schema.
package struct QualifiedName: Hashable, Sendable {
  package var schema: String
  package var table: String
}

/// A column of a table or view.
package struct CatalogColumn: Hashable, Sendable {
  package var name: String
  /// The type as it was declared; empty where none was.
  package var declaredType: String
  package var isRequired: Bool
  /// The expression of the default; `nil` where there is none.
  package var defaultExpression: String?
  /// Whether the engine computes the value.
  package var isGenerated: Bool
  /// Whether the engine numbers new rows, and takes no other number unless it is told to.
  package var identity: Identity?
  /// The type of the values where the declared one is a restriction of another.
  package var baseType: String?
  /// The texts that an enumeration has, in its order.
  package var labels: [String] = []
  /// Whether the engine alone knows which texts are values.
  package var isParsed = false

  /// How the engine numbers new rows.
  package enum Identity: Hashable, Sendable {
    /// Unless a row brings a number.
    case byDefault
    /// Even if a row brings one.
    case always
  }
}

/// An index of a table.
package struct CatalogIndex: Hashable, Sendable {
  package var name: String
  /// The columns in their order; `nil` stands for an expression.
  package var columns: [String?]
  package var isUnique: Bool
  /// Whether some rows are not in it.
  package var isPartial: Bool
}

/// A foreign key.
package struct ForeignKey: Hashable, Sendable {
  /// Says what happens to a row when the row that it refers to goes, or gets another key.
  package enum Action: String, Hashable, Sendable {
    case noAction = "NO ACTION"
    case restrict = "RESTRICT"
    case cascade = "CASCADE"
    case setNull = "SET NULL"
    case setDefault = "SET DEFAULT"
  }

  /// The name of the constraint, where it has one.
  package var name: String?
  /// The name, unless the engine made it, as in `order_customer_id_fkey`.
  package var givenName: String? {
    name.flatMap { $0.contains(/_fkey[0-9]*$/) ? nil : $0 }
  }
  package var columns: [String]
  package var target: String
  /// The columns of the target, in the order of ``columns``; none stands for its primary key.
  package var targetColumns: [String]
  package var onDelete = Action.noAction
  package var onUpdate = Action.noAction
  /// Whether it is checked when a transaction commits, not after each statement.
  package var isDeferred = false
  /// Whether the database declares it; else a person named it.
  package var isDeclared = true
  /// The operators that compare the columns of the target with those of the row, where the engine says
  /// them.
  package var operators: [String] = []
  /// The columns that `SET NULL` and `SET DEFAULT` set; none stands for all.
  package var setColumns: [String] = []
  /// The name of the trigger that acts when a row of the target goes, where the engine has one: the
  /// triggers of a table act in the order of their names.
  package var trigger: String?
}

extension String {
  /// The name in quotes, for a statement.
  var quotedSQLName: String {
    "\"\(replacing("\"", with: "\"\""))\""
  }

  /// The name with which SQL compares names: ASCII letters are small.
  package var foldedSQLName: String {
    guard utf8.contains(where: { (65...90).contains($0) }) else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar($0.value + 32) ?? $0 : $0 }
      )
    )
  }

  /// Whether two names are one in SQL.
  package func isSQLName(_ other: String) -> Bool {
    foldedSQLName.hasSameBytes(as: other.foldedSQLName)
  }
}
