import KennelRealmFile
import Testing

@Suite struct `Reading Realm files` {
  @Test func `a file that is not there is not readable`() {
    #expect(throws: RealmFileError.notReadable(path: "/nowhere/a.realm", code: 2)) {
      try RealmFile(path: "/nowhere/a.realm")
    }
  }
}
