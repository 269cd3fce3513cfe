import KennelBox
import KennelCore
import KennelTestSupport
import Testing

/// Runs a body with a store of every entity of the tests in a directory of its own; the file is
/// checked afterwards.
func withStore<Result>(
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: (KennelBox.Store) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  let store = try KennelBox.Store(directoryPath: folder.file("library"))
  let result = try body(store)
  try expectSound(
    Database.open(store.filePath),
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
  return result
}

extension KennelBox.Store {
  var authors: Box<Author> { box(for: Author.self) }
  var books: Box<Book> { box(for: Book.self) }
  var tags: Box<Tag> { box(for: Tag.self) }
  var notes: Box<Note> { box(for: Note.self) }
  var everything: Box<Everything> { box(for: Everything.self) }
}

/// The case of an error, without its message.
func boxError(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch let error as ObjectBoxError {
    return Mirror(reflecting: error).children.first?.label
  } catch {
    return "\(error)"
  }
}
