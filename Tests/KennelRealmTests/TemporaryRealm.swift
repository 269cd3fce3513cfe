import KennelCore
import KennelRealm
import KennelTestSupport
import Testing

/// Opens a realm of classes in a folder of its own and checks the whole file afterwards.
func withRealm<Result>(
  _ types: [ObjectBase.Type],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (Realm) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  let path = folder.file("test.kennel")
  let configuration = Realm.Configuration(
    fileURL: URL(fileURLWithPath: path),
    objectTypes: types
  )
  let result = try body(try Realm(configuration: configuration))
  expectSound(at: path, sourceLocation)
  return result
}

/// Checks a whole file.
func expectSound(at path: String, _ sourceLocation: SourceLocation = #_sourceLocation) {
  do {
    let database = try Database.open(path)
    expectSound(
      database,
      fileID: sourceLocation.fileID,
      filePath: sourceLocation.filePath,
      line: sourceLocation.line,
      column: sourceLocation.column
    )
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
}

/// Expects that a body is a mistake of its caller, and that the message says so.
func expectMisuse(
  _ part: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () -> Void
) {
  guard let message = catchRealmException(body) else {
    Issue.record("nothing was wrong", sourceLocation: sourceLocation)
    return
  }
  #expect(message.contains(part), "\(message)", sourceLocation: sourceLocation)
}
