/// A step of the workload; each is timed by itself, in this order.
enum Step: String, CaseIterable, Codable {
  case insertDogs = "W1"
  case insertPeople = "W2"
  case toOne = "W3"
  case toMany = "W4"
  case backlinks = "W5"
  case scanInteger = "W6a"
  case scanTwo = "W6b"
  case scanContains = "W6c"
  case sort = "W7"
  case primaryKey = "W8"
  case smallTransactions = "W9"
  case bulkUpdate = "W10"
  case cascade = "W11"
  case deleteLinked = "W12"
  case reopen = "W13"

  /// What the step does, in a few words.
  var title: String {
    switch self {
    case .insertDogs: "insert dogs, one commit"
    case .insertPeople: "insert people, one commit"
    case .toOne: "favourite.age of every person"
    case .toMany: "age of every dog in every list"
    case .backlinks: "id of every person, over backlinks"
    case .scanInteger: "count age > 10"
    case .scanTwo: "count age > 10 and breed = Boxer"
    case .scanContains: "count name contains 999"
    case .sort: "sort by breed, age, name"
    case .primaryKey: "look primary keys up"
    case .smallTransactions: "1,000 durable commits"
    case .bulkUpdate: "age += 1 on every dog"
    case .cascade: "delete every second person"
    case .deleteLinked: "delete every tenth dog"
    case .reopen: "open the file, read one person"
    }
  }

  /// How many times as fast as SQLite Kennel is to be; `nil` for a step that has another target.
  var target: Double? {
    switch self {
    case .insertDogs: 3
    case .insertPeople: 8
    case .toOne: 20
    case .toMany: 10
    case .backlinks: 12
    case .scanInteger: 30
    case .scanTwo: 20
    case .scanContains: 9
    case .sort: 4
    case .primaryKey: 3.5
    // A commit writes pages and a meta page, SQLite's log is written in one place.
    case .smallTransactions: 0.45
    case .bulkUpdate: 8
    case .cascade: 6
    case .deleteLinked: 7
    case .reopen: nil
    }
  }

  /// How many times as fast as SQLite models are to be: as fast, and as fast as Realm's own engine.
  var targetOfModels: Double? {
    switch self {
    case .insertDogs: 1.1
    case .insertPeople: 2.9
    case .toOne: 6.3
    case .toMany: 1
    case .backlinks: 1.5
    case .primaryKey: 2.6
    case .bulkUpdate: 2.5
    case .scanInteger, .scanTwo, .scanContains, .sort, .smallTransactions, .cascade, .deleteLinked,
      .reopen:
      nil
    }
  }

  /// How many times as fast as SQLite the model classes are to be; `nil` where nothing is asked of them.
  ///
  /// It is ahead of Realm's own engine, of which the same ratio was measured through its C++ interface.
  var targetOfClasses: Double? {
    switch self {
    case .insertDogs: 1.2
    case .insertPeople: 3.4
    case .toOne: 7.5
    case .toMany: 1.8
    case .backlinks: 1.9
    case .primaryKey: 3.2
    case .bulkUpdate: 3
    case .cascade, .deleteLinked: 4.5
    case .scanInteger, .scanTwo, .scanContains, .sort, .smallTransactions, .reopen: nil
    }
  }

  /// How many times as fast as SQLite boxes are to be.
  ///
  /// ObjectBox, whose times as a share of SQLite's are known, is to be half as fast at most; at W1 and W9
  /// 1.2 times.
  var targetOfBoxes: Double? {
    switch self {
    case .insertDogs: 1.2 / 0.33
    case .insertPeople: 2 / 0.51
    case .toOne: 2 / 1.1
    case .toMany: 2 / 3.0
    case .backlinks: 2 / 4.6
    case .scanInteger: 2 / 1.06
    case .sort: 2 / 1.3
    case .primaryKey: 2 / 1.4
    case .smallTransactions: 1.2 / 2.0
    case .bulkUpdate: 2 / 1.2
    case .cascade: 2 / 0.5
    case .deleteLinked: 2 / 0.4
    case .scanTwo, .scanContains, .reopen: nil
    }
  }

  /// What SQLite needed when the workload was defined, in milliseconds on another machine.
  ///
  /// A yardstick keeps its proportions: ``StepsReport/proportions()`` compares.
  var publishedSQLite: Double {
    switch self {
    case .insertDogs: 386
    case .insertPeople: 1675
    case .toOne: 199
    case .toMany: 61
    case .backlinks: 168
    case .scanInteger: 27
    case .scanTwo: 31
    case .scanContains: 42
    case .sort: 574
    case .primaryKey: 767
    case .smallTransactions: 108
    case .bulkUpdate: 183
    case .cascade: 1031
    case .deleteLinked: 636
    case .reopen: 0.38
    }
  }

  /// Whether later steps need what this one leaves.
  var isWriting: Bool {
    switch self {
    case .insertDogs, .insertPeople, .smallTransactions, .bulkUpdate, .cascade, .deleteLinked: true
    default: false
    }
  }
}
