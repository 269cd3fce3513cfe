/// An SQL database that Kennel opens, and the program of its makers that runs the same statements.
struct SQLPeer {
  let name: String
  /// The beginning of a command of the shell that runs the statements that follow.
  let client: String
  /// The option before a single statement.
  let statement: String
  /// The file or the URL.
  let place: String
  /// What `kennel` is told besides.
  let options: [String]
  /// What is in a file has a copy that is used again, which the plan of a deletion begins with.
  let keepsCopies: Bool
  /// Has foreign keys enforced.
  let enforcing: String
  /// Makes the tables of so many dogs.
  let script: (_ dogs: Int) -> String
  /// Reads all columns of all rows, and writes little or nothing of them.
  let reading: String
  /// The longest that Kennel may take to open it for the first time, in milliseconds, and as a multiple of `reading`.
  let opening: (milliseconds: Double?, times: Double?)

  /// A twelfth of the people is in a club: with a million dogs, its deletion takes 99,997 rows.
  static let clubs = 12

  static func sqlite(_ file: String) -> SQLPeer {
    SQLPeer(
      name: "SQLite",
      client: "sqlite3 -bail '\(file)'",
      statement: "",
      place: file,
      options: [],
      keepsCopies: true,
      enforcing: "PRAGMA foreign_keys = ON;",
      script: sqliteScript,
      reading: """
        SELECT sum(id), sum(length(name)), sum(age), sum(length(breed)) FROM dog;
        SELECT sum(id), sum(length(name)), sum(length(birthdate)), sum(club_id), sum(favourite_id) FROM person;
        SELECT sum(id), sum(person_id), sum(dog_id), sum(position) FROM has;
        """,
      opening: (2_500, 6.25)
    )
  }

  static func postgres(_ server: borrowing PostgresServer) -> SQLPeer {
    SQLPeer(
      name: "PostgreSQL",
      client: "psql -X -q -t -A -h '\(server.folder)' -U postgres -d postgres -v ON_ERROR_STOP=1",
      statement: "-c",
      place: "postgresql://postgres@/postgres?host=\(server.folder)",
      options: ["--copy-limit", "10000000"],
      keepsCopies: false,
      enforcing: "",
      script: postgresScript,
      reading: "COPY dog TO STDOUT; COPY person TO STDOUT; COPY has TO STDOUT;",
      opening: (3_000, 4.5)
    )
  }

  /// What the browser is told besides.
  var browserOptions: [String] { options.isEmpty ? [] : options + ["--rw"] }

  /// A command of the shell that runs statements.
  func running(_ statements: String) -> String {
    "\(client) >/dev/null <<'END'\n\(statements)\nEND"
  }

  /// Deletes a club with its people, and takes that back.
  var deletion: String { "\(enforcing) BEGIN; DELETE FROM club WHERE id = 1; ROLLBACK;" }

  /// The tables; each foreign key has an index.
  private static let tables = """
    CREATE TABLE dog (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, breed TEXT);
    CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, birthdate DATE NOT NULL,
      club_id INTEGER NOT NULL REFERENCES club ON DELETE CASCADE,
      favourite_id INTEGER REFERENCES dog ON DELETE SET NULL);
    CREATE TABLE has (id INTEGER PRIMARY KEY,
      person_id INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
      dog_id INTEGER NOT NULL REFERENCES dog ON DELETE CASCADE, position INTEGER NOT NULL);
    CREATE INDEX person_by_club ON person (club_id);
    CREATE INDEX person_by_favourite ON person (favourite_id);
    CREATE INDEX has_by_person ON has (person_id);
    CREATE INDEX has_by_dog ON has (dog_id);
    """

  /// The rows of so many dogs, with what the engines write in two ways.
  private static func rows(_ dogs: Int, numbers: (Int) -> String, birthdate: String) -> String {
    """
    INSERT INTO dog SELECT i, 'Rex ' || i, i % 20, CASE WHEN i % 4 = 0 THEN NULL ELSE 'Beagle' END
      FROM \(numbers(dogs));
    INSERT INTO club SELECT i, 'Club ' || i FROM \(numbers(clubs));
    INSERT INTO person SELECT i, 'Person ' || i, \(birthdate), i % \(clubs) + 1, i * 7 % \(dogs) + 1
      FROM \(numbers(dogs / 5));
    INSERT INTO has SELECT i, (i - 1) / 5 + 1, i * 31 % \(dogs) + 1, (i - 1) % 5
      FROM \(numbers(dogs / 5 * 5));
    """
  }

  private static func sqliteScript(_ dogs: Int) -> String {
    let rows = rows(
      dogs,
      numbers: { count in
        "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT i FROM n)"
      },
      birthdate: "date('1950-01-01', (i % 20000) || ' days')"
    )
    return "PRAGMA foreign_keys = OFF; BEGIN; \(tables) \(rows) COMMIT;"
  }

  private static func postgresScript(_ dogs: Int) -> String {
    let rows = rows(
      dogs,
      numbers: { count in "generate_series(1, \(count)::bigint) AS n(i)" },
      birthdate: "DATE '1950-01-01' + (i % 20000)::integer"
    )
    return "BEGIN; \(tables) \(rows) COMMIT; ANALYZE;"
  }
}
