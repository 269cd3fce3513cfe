import KennelBox

/// Entities and relations as steps of boxes read them, created and freed without a store.
enum BoxObjects {
  /// The steps with what creates their objects.
  static let steps: [(name: String, create: @Sendable (Workload) -> Void)] = [
    ("W3", createFavourites), ("W4", createLists), ("W5", createOwners), ("W10", createDogs),
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

  private static func createFavourites(_ workload: Workload) {
    let last = Last()
    let (name, texts) = (Array("Person 123456".utf8), DogTexts())
    for _ in 0..<workload.people {
      let person = Boxed.Person()
      person.name = text(name) ?? ""
      person.favourite.target = texts.dog()
      last.object = person
    }
  }

  private static func createDogs(_ workload: Workload) {
    let last = Last()
    let texts = DogTexts()
    for _ in 0..<workload.dogs { last.object = texts.dog() }
  }

  /// Makes a text of bytes, which have to be UTF-8 as all that is stored.
  private static func text(_ bytes: [UInt8]) -> String? {
    guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
    return String(copying: text)
  }

  /// What a dog's texts are made of.
  private struct DogTexts {
    private let name = Array("Dog 123456".utf8)
    private let breed = Array("Beagle".utf8)

    func dog() -> Boxed.Dog {
      let dog = Boxed.Dog()
      dog.name = text(name) ?? ""
      dog.breed = text(breed)
      return dog
    }
  }

  /// Keeps each object until the next, so that the compiler leaves none out.
  private final class Last {
    var object: AnyObject?
  }
}
