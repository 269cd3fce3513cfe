import KennelStorage

/// The file of a database in memory; it is removed when the last reference goes.
@_spi(Faces)
public final class MemoryFile: Sendable {
  private let folder: MemoryFolder

  /// Makes a place for a file.
  ///
  /// - Throws: `DatabaseError` if there is none.
  public init() throws(DatabaseError) {
    folder = try storing(MemoryFolder())
  }

  /// The path of the file, at which there is nothing until a database is opened there.
  public var path: String { folder.file }
}

extension Database {
  /// Opens an empty database in memory.
  ///
  /// ```swift
  /// let database = try Database.openInMemory()
  /// print(try database.snapshot().schema.classes.isEmpty)
  /// ```
  ///
  /// It is gone when nothing refers to the database or its snapshots any more, and takes the place of
  /// its values in the system's file system in memory, or in the temporary folder if there is none. A
  /// program that is killed may leave it there.
  ///
  /// - Returns: The database.
  /// - Throws: `DatabaseError` if there is no place for it.
  public static func openInMemory() throws(DatabaseError) -> Database {
    let memory = try MemoryFile()
    return try open(memory.path, Configuration(), memory)
  }
}
