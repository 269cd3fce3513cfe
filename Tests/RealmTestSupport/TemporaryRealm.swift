import KennelCore
@_spi(Tests) package import KennelRealm
import KennelTestSupport
package import Testing

/// Opens a realm of classes in a folder of its own and checks the whole file afterwards.
package func withRealm<Result>(
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
package func expectSound(at path: String, _ sourceLocation: SourceLocation = #_sourceLocation) {
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
package func expectMisuse(
  _ part: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping () -> Void
) {
  guard let message = catchRealmException(body) else {
    Issue.record("nothing was wrong", sourceLocation: sourceLocation)
    return
  }
  #expect(message.contains(part), "\(message)", sourceLocation: sourceLocation)
}

/// What the browser shows of a class in a file.
package struct StoredClass {
  package let isEmbedded: Bool
  package let primaryKey: String?
  /// The names of the declared backlinks.
  package let backlinks: [String]
  /// The types by name.
  package let types: [String: String]
  /// The delete rules by name, but for the default.
  package let rules: [String: String]
}

package func storedClass(_ name: String, of realm: Realm) throws -> StoredClass {
  let path = try #require(realm.configuration.fileURL?.path)
  let stored = try #require(try Database.open(path).snapshot().schema[name])
  let ruled = stored.properties.filter { $0.deleteRule != .nullify }
  return StoredClass(
    isEmbedded: stored.isEmbedded,
    primaryKey: stored.primaryKey?.name,
    backlinks: stored.backlinks.map(\.name),
    types: Dictionary(uniqueKeysWithValues: stored.properties.map { ($0.name, "\($0.type)") }),
    rules: Dictionary(uniqueKeysWithValues: ruled.map { ($0.name, "\($0.deleteRule)") })
  )
}
