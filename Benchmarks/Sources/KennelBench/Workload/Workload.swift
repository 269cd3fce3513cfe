/// The object graph that every engine holds, as a function of its size.
///
/// - Dog: name (`Dog <i>`), age (i % 20), breed (null for every fourth dog, else one of eight).
/// - Person: id (primary key), name (`Person <i>`), birthdate (i seconds), favourite (to-one),
///   dogs (ordered, five), address (embedded).
///
/// Everything follows from the numbers of the dog and the person, so that each engine makes the
/// same graph and the expected results can be computed without any engine.
struct Workload: Equatable {
  /// How many dogs there are.
  var dogs: Int
  /// How many people there are.
  var people: Int

  static let breeds: [StaticString] = [
    "Beagle", "Boxer", "Collie", "Corgi", "Husky", "Poodle", "Pug", "Whippet",
  ]
  static let cities: [StaticString] = [
    "London", "Leeds", "York", "Bath", "Oxford", "Derby", "Exeter", "Truro", "Whitby", "Durham",
  ]
  static let dogsPerPerson = 5
  static let smallTransactions = 1_000
  static let lookups = 1_000_000

  func age(of dog: Int) -> Int64 { Int64(dog % 20) }

  /// The place of a dog's breed in ``breeds``; `nil` where the breed is null.
  func breed(of dog: Int) -> Int? { dog % 4 == 0 ? nil : dog % 8 }

  /// The number of a person's favourite dog.
  func favourite(of person: Int) -> Int { person * 7919 % dogs }

  /// The number of a dog in a person's list.
  func dog(_ position: Int, of person: Int) -> Int {
    (person * Self.dogsPerPerson + position) % dogs
  }

  /// The dog that a small transaction changes, and the age that it gets.
  func smallChange(_ transaction: Int) -> (dog: Int, age: Int64) {
    (transaction * 7919 % dogs, Int64(50 + transaction % 20))
  }

  /// The person that is read after the file was opened again: one that lives to the end.
  var personToReopen: Int { people / 2 & ~1 }
}

/// The people whose primary keys are looked up, by a linear congruential generator.
struct RandomPeople {
  private var state: UInt64 = 1
  private let count: UInt64

  init(_ workload: Workload) { count = UInt64(workload.people) }

  mutating func next() -> Int64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int64((state >> 33) % count)
  }
}
