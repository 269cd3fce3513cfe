import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Document 000: inverse` {
  @Test func `a task knows whose it is as soon as the list says so`() throws {
    try withRealm([User.self, Task.self]) { realm in
      let user = User()
      user.name = "Ada"
      let task = Task(value: ["text": "Bake"])
      #expect(task.assignee.isEmpty)
      try realm.write {
        realm.add([user])
        user.tasks.append(task)
        #expect(task.assignee.count == 1)
      }
      #expect(task.assignee.first == user && user._id != User()._id)
      try realm.write { user.tasks.remove(at: 0) }
      #expect(task.assignee.isEmpty && !task.isInvalidated)
    }
  }

  @Test func `an inverse relationship cannot be set`() throws {
    try withRealm([User.self, Task.self]) { realm in
      let task = try realm.write { realm.create(Task.self, value: ["text": "Bake"]) }
      let other = try realm.write { realm.create(Task.self) }
      realm.beginWrite()
      expectMisuse("read-only") { task.assignee = other.assignee }
      expectMisuse("read-only") { task["assignee"] = [User]() }
      realm.cancelWrite()
    }
  }

  @Test func `the file declares the inverse relationship`() throws {
    try withRealm([User.self, Task.self]) { realm in
      let task = try storedClass("Task", of: realm)
      #expect(task.backlinks == ["assignee"] && task.types["assignee"] == nil)
      #expect(task.primaryKey == "_id")
    }
  }
}
