import KennelRealm
import RealmTestSupport
import Testing

/// The files beside this one are links to what the tests of the translator expect.
@Suite struct `Translated Objective-C models` {
  @Test func `a task is found by the user that has it, under its stored name`() throws {
    try withRealm([Task.self, User.self]) { realm in
      let task = Task()
      task.taskDescription = "write"
      let user = User(value: ["name": "Ada"])
      user.tasks.append(task)
      try realm.write { realm.add(user) }
      #expect(task.assignees.first?.name == "Ada")
      let found = realm.objects(Task.self).filter("description == 'write'")
      #expect(task.isSameObject(as: found.first))
    }
  }

  @Test func `businesses own their addresses`() throws {
    try withRealm([Address.self, Contact.self, Business.self]) { realm in
      let business = Business(
        value: ["name": "Zoo", "addresses": [["city": "London"]]] as [String: Any]
      )
      try realm.write { realm.add(business) }
      let address = business.addresses[0]
      #expect(address.city == "London")
      try realm.write { realm.delete(business) }
      #expect(address.isInvalidated)
    }
  }

  @Test func `people have dogs`() throws {
    try withRealm([Person.self, Dog.self]) { realm in
      let person = Person(value: ["name": "Ada", "dogs": [["name": "Rex"]]] as [String: Any])
      try realm.write { realm.add(person) }
      #expect(person.dogs.first?.name == "Rex")
    }
  }

  @Test func `defaults, keys and ignored properties come along`() throws {
    let types: [ObjectBase.Type] = [Everything.self, Owner.self, Place.self]
    try withRealm(types) { realm in
      let one = Everything()
      #expect(one.good && one.integer == 31 && one.small == -3 && one.name == "a \"dog\"")
      #expect(one.scratch == "s" && one.anything == .string("x") && one.price == 9.99)
      one.owners.append(Owner(value: ["name": "Ada"]))
      one.owner = one.owners[0]
      try realm.write { realm.add(one) }
      #expect(one.owners[0].things.first == one && one.owners[0].ownerDescription.first == one)
      #expect(realm.object(ofType: Everything.self, forPrimaryKey: one._id) == one)
      #expect(realm.schema["Everything"]?["name"]?.isIndexed == true)
      #expect(realm.schema["Everything"]?["scratch"] == nil)
    }
  }
}
