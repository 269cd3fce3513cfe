import CSQLite

/// SQLite, through its C interface with prepared statements.
final class SQLiteEngine: Engine {
  let path: String
  let workload: Workload
  private var opened: SQLiteDatabase?

  /// The schema that suits SQLite best of those that were tried.
  ///
  /// An embedded address is columns of its person. The dogs of a person are a table of their own in
  /// the order of their positions. Each foreign key has the index that following it backwards, and
  /// deleting what it points to, needs.
  private static let schema = """
    CREATE TABLE dog (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      age INTEGER NOT NULL,
      breed TEXT
    );
    CREATE TABLE person (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      birthdate INTEGER NOT NULL,
      favourite INTEGER REFERENCES dog (id) ON DELETE SET NULL,
      street TEXT,
      city TEXT,
      country TEXT,
      postal_code TEXT
    );
    CREATE INDEX person_favourite ON person (favourite);
    CREATE TABLE person_dogs (
      person INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      dog INTEGER NOT NULL REFERENCES dog (id) ON DELETE CASCADE,
      PRIMARY KEY (person, position)
    );
    CREATE INDEX person_dogs_dog ON person_dogs (dog, person);
    """

  init(path: String, workload: Workload) throws {
    self.path = path
    self.workload = workload
    let database = try SQLiteDatabase(path)
    try database.execute(Self.schema)
    opened = database
  }

  /// The database, which is open but for the moment between closing and reopening.
  var database: SQLiteDatabase {
    get throws {
      guard let opened else { throw BenchmarkError("\(path) is closed") }
      return opened
    }
  }

  func close() {
    opened = nil
  }

  func fileBytes() throws -> Int { try database.fileBytes() }

  func reopen(reading id: Int64) throws -> Int64 {
    let database = try SQLiteDatabase(path)
    opened = database
    let statement = try database.prepare("SELECT birthdate FROM person WHERE id = ?")
    statement.bind(1, id)
    return try statement.next() ? statement.integer(0) : -1
  }
}
