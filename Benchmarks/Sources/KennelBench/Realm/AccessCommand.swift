import ArgumentParser
import KennelRealm

/// What single accesses to objects of model classes cost.
struct AccessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accesses",
    abstract: "Measure reading and writing single properties of model classes."
  )

  @Option(help: "How often each is done in a round; the shortest of five rounds counts.")
  var count = 1_000_000

  func run() throws {
    let directory = try TemporaryDirectory(in: nil)
    let engine = try RealmEngine(
      path: directory.path + "/accesses.kennel",
      workload: Workload(dogs: 1_000, people: 200)
    )
    try engine.insertDogs()
    try engine.insertPeople()
    let realm = try engine.realm
    let dog = realm.objects(Dog.self)[7]
    let person = realm.objects(Person.self)[7]
    let free = Dog()
    report("unmanaged Int, read", 15) { _ in consume(readAge(free)) }
    report("unmanaged Int, set", 15) { setAge(free, $0) }
    report("unmanaged String, read", 15) { _ in consume(readName(free)) }
    report("managed Int, read", 25) { _ in consume(readAge(dog)) }
    report("managed String, read", 60) { _ in consume(readName(dog)) }
    report("managed Date, read", nil) { _ in consume(readBirthdate(person)) }
    report("managed link, read", nil) { _ in consume(readFavourite(person)) }
    report("managed list, element", nil) { _ in consume(readDog(person)) }
    realm.beginWrite()
    report("managed Int, set", 80) { setAge(dog, $0) }
    report("managed String, set", 80) { setName(dog, "Dog \($0 & 7)") }
    try realm.commitWrite()
    let dogs = realm.objects(Dog.self)
    _ = dogs[0]
    report("accessor, again", nil) { consume(dogs[$0 & 511]) }
    var kept = [dogs[0], dogs[1]]
    report("accessor, made and kept", nil) { kept[$0 & 1] = dogs[$0 & 511] }
    try DictionaryComparison(count: count, directory: directory.path).run()
  }

  private func report(_ name: String, _ target: Int?, _ body: (Int) -> Void) {
    var best = Duration.seconds(1_000)
    for _ in 0..<5 {
      let elapsed = ContinuousClock().measure {
        for number in 0..<count { body(number) }
      }
      best = min(best, elapsed)
    }
    let nanoseconds = best / .nanoseconds(count)
    let limit = target.map { "  (under \($0))" } ?? ""
    print(
      name.padding(toLength: 26, withPad: " ", startingAt: 0)
        + String(format: "%7.1f ns", nanoseconds) + limit
    )
  }
}

// Never inlined, so that each access is one of its own.

@inline(never)
private func consume<Value>(_ value: Value) {}
@inline(never)
private func readAge(_ dog: Dog) -> Int { dog.age }
@inline(never)
private func setAge(_ dog: Dog, _ age: Int) { dog.age = age }
@inline(never)
private func readName(_ dog: Dog) -> String { dog.name }
@inline(never)
private func setName(_ dog: Dog, _ name: String) { dog.name = name }
@inline(never)
private func readBirthdate(_ person: Person) -> Date { person.birthdate }
@inline(never)
private func readFavourite(_ person: Person) -> Dog? { person.favourite }
@inline(never)
private func readDog(_ person: Person) -> Dog { person.dogs[3] }
