import Foundation
import KennelCore
import KennelRealm
import Testing

/// Opens a realm of classes in a folder of its own and checks the whole file afterwards.
func withRealm(_ types: [ObjectBase.Type], _ body: (Realm) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("kennel-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appendingPathComponent("test.kennel")
  let configuration = Realm.Configuration(fileURL: file, objectTypes: types)
  try body(try Realm(configuration: configuration))
  #expect(try Database.open(file.path).check().isEmpty)
}
