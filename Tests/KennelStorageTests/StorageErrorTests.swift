import KennelPages
import KennelStorage
import Testing

/// The storage's errors as sentences.
struct StorageErrorTests {
  @Test(arguments: [
    (
      StorageError.damaged(in: "page 7 of chunks", "its number says 8"),
      "The file is damaged: page 7 of chunks: its number says 8"
    ),
    (
      .notKennel(path: "/a/b.mdb"),
      "Cannot open /a/b.mdb: it is a file of pages, but not one that Kennel wrote"
    ),
    (
      .newerFormat(path: "/a/b.kennel", found: 3, supported: 2),
      "Cannot open /a/b.kennel: it was written by format 3, this program reads up to 2"
    ),
    (
      .file(PageStoreError(.diskFull, .commit, path: "/a/b.kennel")),
      "Cannot commit to /a/b.kennel: the disk is full; nothing was changed"
    ),
  ])
  func `errors are sentences`(error: StorageError, sentence: String) {
    #expect(error.message == sentence)
  }
}
