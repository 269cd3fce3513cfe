import KennelPages
import Testing

@Suite("A page store")
struct PageStoreTests {
  @Test("A committed value is there in a new snapshot and after reopening")
  func basic() throws {
    let folder = TestFolder()
    let tree = Tree(0, keys: .numbers)
    let store = try PageStore.open(path: folder.file, create: true)
    let writer = try store.beginWrite()
    for number in 0..<5000 as Range<UInt64> {
      try writer.put(tree, number &* 7919 % 5000, "value \(number)")
    }
    try writer.put(tree, 9999, String(repeating: "long", count: 5000))
    try writer.commit()
    #expect(try store.text(tree, 2919) == "value 1")
    store.close()
    let again = try PageStore.open(path: folder.file)
    defer { again.close() }
    #expect(again.newestCommit == 1)
    #expect(try again.text(tree, 9999)?.count == 20000)
    #expect(try again.snapshot().entryCount(tree) == 5001)
  }
}
