import KennelBox

/// Entities and relations as steps of boxes read them, created and freed without a store.
enum BoxObjects {
  /// The steps with what creates their objects.
  static let steps: [(name: String, create: @Sendable (Workload) -> Void)] = [
    ("W4", createLists), ("W5", createOwners), ("W10", createDogs),
  ]

  private static func createLists(_ workload: Workload) {
    let last = Last()
    for _ in 0..<workload.people {
      let person = Boxed.Person()
      person.dogs.replace((0..<Workload.dogsPerPerson).map { _ in Boxed.Dog() })
      last.object = person
    }
  }

  private static func createOwners(_ workload: Workload) {
    let last = Last()
    for _ in 0..<workload.dogs {
      let dog = Boxed.Dog()
      dog.owners.append(Boxed.Person())
      last.object = dog
    }
  }

  private static func createDogs(_ workload: Workload) {
    let last = Last()
    for _ in 0..<workload.dogs { last.object = Boxed.Dog() }
  }

  /// Keeps each object until the next, so that the compiler leaves none out.
  private final class Last {
    var object: AnyObject?
  }
}
