import Foundation
import Kennel
import KennelFoundationValues
import Testing

private struct Visit: Model {
  let id = Property<UUID>(.primaryKey)
  let time = Property<Date>(.indexed)
  let end = Property<Date?>()
  let picture = Property<Data?>()
  let times = Property<[Date]>()
  let persons = Property<Set<UUID>>()
  let notes = Property<[String: Data]>()
}

/// The same class, as a program without Foundation declares it.
private struct PlainVisit: Model {
  static var className: String { "Visit" }
  let id = Property<UUIDValue>(.primaryKey)
  let time = Property<Timestamp>(.indexed)
  let end = Property<Timestamp?>()
  let picture = Property<[UInt8]?>()
  let times = Property<[Timestamp]>()
  let persons = Property<Set<UUIDValue>>()
  let notes = Property<[String: [UInt8]]>()
}

@Suite struct `Values of Foundation in models` {
  private let noon = Date(timeIntervalSince1970: 1_700_000_000.25)

  @Test func `come back as they were stored`() throws {
    let folder = try CheckedFolder()
    let database = try Database.open(folder.file("visits.kennel"), models: Visit.self)
    let (id, person) = (UUID(), UUID())
    let visit = try database.write { db in
      try db.create(Visit.self) {
        $0.id = id
        $0.time = noon
        $0.picture = Data([1, 2, 0, 255])
        $0.times = [noon, .distantPast, .distantFuture]
        $0.persons = [person]
        $0.notes = ["a": Data("x".utf8), "b": Data()]
      }
    }
    #expect(try visit.id == id)
    #expect(try visit.time == noon)
    #expect(try visit.end == nil)
    #expect(try visit.picture == Data([1, 2, 0, 255]))
    #expect(try visit.times == [noon, .distantPast, .distantFuture])
    #expect(try visit.persons == [person])
    #expect(try visit.notes == ["a": Data("x".utf8), "b": Data()])
    try database.write { db in
      try db.edit(visit) {
        $0.end = $0.time.addingTimeInterval(60)
        $0.picture = nil
      }
    }
    let read = try database.snapshot().find(\Visit.id, id)
    #expect(try read?.end == noon.addingTimeInterval(60))
    #expect(try read?.picture == nil)
  }

  @Test func `start as those of the engine do`() throws {
    let folder = try CheckedFolder()
    let database = try Database.open(folder.file("visits.kennel"), models: Visit.self)
    let visit = try database.write { db in try db.create(Visit.self) { $0.id = UUID() } }
    #expect(try visit.time == Date(timeIntervalSince1970: 0))
    #expect(try visit.times.isEmpty)
  }

  @Test func `are compared, sorted, grouped and aggregated in queries`() throws {
    let folder = try CheckedFolder()
    let database = try Database.open(folder.file("visits.kennel"), models: Visit.self)
    let ids = (0..<20).map { _ in UUID() }
    try database.write { db in
      for (number, id) in ids.enumerated() {
        try db.create(Visit.self) {
          $0.id = id
          $0.time = noon.addingTimeInterval(Double(number % 5))
          if number < 4 { $0.end = noon }
        }
      }
    }
    let visits = try database.snapshot().objects(Visit.self)
    let late = noon.addingTimeInterval(2.5)
    #expect(try visits.filter { $0.time > late }.count == 8)
    #expect(try visits.filter { $0.end == noon && $0.time <= late }.count == 3)
    #expect(try visits.filter { $0.end == nil }.count == 16)
    #expect(try visits.filter { $0.id == ids[7] }.first?.id == ids[7])
    #expect(try visits.max(\.time) == noon.addingTimeInterval(4))
    #expect(try visits.sorted(by: \.time, .descending).first?.time == noon.addingTimeInterval(4))
    let sorted = try visits.sorted(by: \.id).found().map { try $0.id.uuidString }
    #expect(sorted == ids.map(\.uuidString).sorted())
    #expect(try visits.grouped(by: \.time).map(\.count) == [4, 4, 4, 4, 4])
  }

  @Test func `are read by programs without Foundation`() throws {
    let folder = try CheckedFolder()
    let path = folder.file("visits.kennel")
    let id = UUID()
    do {
      let database = try Database.open(path, models: Visit.self)
      try database.write { db in
        try db.create(Visit.self) {
          $0.id = id
          $0.time = Date(timeIntervalSince1970: 1.5)
        }
      }
    }
    let database = try Database.open(path, models: PlainVisit.self)
    let visit = try #require(try database.snapshot().objects(PlainVisit.self).first)
    #expect(try visit.time == Timestamp(seconds: 1, nanoseconds: 500_000_000))
    #expect(try "\(visit.id)".uppercased() == id.uuidString)
  }
}
