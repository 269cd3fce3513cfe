import KennelBox
import KennelTestSupport
import Testing

@Suite struct `A shared store` {
  typealias Store = KennelBox.Store

  @Test(arguments: [true, false])
  func `outlives the one that it was made of`(isClone: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    #expect(try !Store.isOpen(directory: path))
    let store = try Store(directoryPath: path)
    #expect(try Store.isOpen(directory: path + "/"))
    let id = try store.authors.put(Author("Jane"))
    let other = isClone ? try store.clone() : try Store.attachTo(directory: path)
    store.close()
    #expect(try Store.isOpen(directory: path))
    #expect(try other.authors.get(id)?.name == "Jane")
    other.close()
    #expect(try !Store.isOpen(directory: path))
    #expect(boxError { _ = try Store.attachTo(directory: path) } == "illegalState")
    #expect(boxError { _ = try store.clone() } == "illegalState")
  }

  @Test func `in memory is found by its name`() throws {
    let store = try Store(directoryPath: "memory:shared-by-name")
    try store.authors.put(Author("Jane"))
    let other = try Store.attachTo(directory: "memory:shared-by-name")
    #expect(try other.authors.count() == 1)
    #expect(try !Store.isOpen(directory: "memory:another"))
  }

  @Test func `is no longer open when nobody refers to it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    do { _ = try Store(directoryPath: path) }
    #expect(try !Store.isOpen(directory: path))
  }

  @Test func `can be deleted twice`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(directoryPath: folder.file("library"))
    store.close()
    store.close()
    try store.closeAndDeleteAllFiles()
    try store.closeAndDeleteAllFiles()
  }
}
