/// A database that goes through the steps of the workload.
///
/// Each step is written with the interface that any program of the engine would use; none is made
/// for the benchmark. A step opens what it needs (a snapshot, a statement) in its own time, and an
/// engine keeps nothing but the keys of the dogs that it made.
protocol Engine: AnyObject {
  /// How the engine names a dog.
  associatedtype DogKey

  /// Makes an empty database with the classes of the workload.
  init(path: String, workload: Workload) throws

  // MARK: - Steps

  func insertDogs() throws
  func insertPeople() throws
  /// The sum of favourite.age over all people.
  func sumFavouriteAges() throws -> Int64
  /// The sum of the ages over all dogs of all people.
  func sumListedAges() throws -> Int64
  /// The sum of the ids over all people that have a dog, over all dogs.
  func sumOriginIDs() throws -> Int64
  func countOlderThanTen() throws -> Int
  func countOlderBoxers() throws -> Int
  func countNamesWith999() throws -> Int
  /// Every dog by breed, age and name, and the first 50 names.
  func sortDogs() throws -> (order: [DogKey], names: [String])
  /// The sum of the birthdates of people that are found by their primary keys.
  func lookPeopleUp() throws -> Int64
  func changeAgesOneByOne() throws
  func growAllDogs() throws
  func deleteOddPeople() throws
  func deleteEveryTenthDog() throws
  func close()
  /// Opens the file again and reads the birthdate of a person.
  func reopen(reading id: Int64) throws -> Int64

  // MARK: - Looking at what a step did, not timed

  /// The size of the open file.
  func fileBytes() throws -> Int
  /// The number of a dog.
  func number(of dog: DogKey) -> Int
  func sumAges() throws -> Int64
  func countDogs() throws -> Int
  func countPeople() throws -> Int
  func countAddresses() throws -> Int
  func countListLinks() throws -> Int
  func countNullFavourites() throws -> Int
}

/// The engines that are compared.
enum EngineName: String, CaseIterable, Codable {
  case kennel
  case models
  case sqlite
  case realm
  case box
  /// Kennel, with an encrypted file.
  case encrypted

  /// Those that are compared with each other.
  static let compared = allCases.filter { $0 != .encrypted }

  /// As a table shows it.
  var title: String {
    switch self {
    case .kennel: "Kennel"
    case .models: "models"
    case .sqlite: "SQLite"
    case .realm: "Realm's classes"
    case .box: "boxes"
    case .encrypted: "encrypted"
    }
  }

  /// The name of its file.
  var fileName: String {
    switch self {
    case .kennel: "workload.kennel"
    case .models: "objects.kennel"
    case .sqlite: "workload.sqlite"
    case .realm: "classes.kennel"
    case .box: "boxes.kennel"
    case .encrypted: "encrypted.kennel"
    }
  }
}
