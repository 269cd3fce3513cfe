import Foundation
import KennelCore

/// Damages copies of a file, reads everything in them and writes into them.
///
/// For each trial it says `trial N KIND` before, and after it one of
///
/// | line | meaning |
/// |---|---|
/// | `same` | everything reads as in the sound file |
/// | `error` | something could not be read or written, and what could was the same |
/// | `different WHAT` | something reads otherwise, and nobody said so |
/// | `unfound WHAT` | the check finds nothing, but something could not be read |
final class DamageTrials {
  private let base: [UInt8]
  private let folder: String
  private let questions: [Question]
  private let answers: [Value]
  private let objectCounts: [ClassKey: UInt64]

  init(base path: String, folder: String) throws {
    base = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    self.folder = folder
    let snapshot = try Database.open(path).snapshot()
    let questions = try Question.all(snapshot)
    answers = try questions.map { try $0.answer(snapshot) }
    self.questions = questions
    objectCounts = Dictionary(
      uniqueKeysWithValues: snapshot.schema.classes.map {
        ($0.key, UInt64(snapshot.count(of: $0.key)))
      }
    )
  }

  /// Damages the file at random, or one byte.
  ///
  /// The bytes come in an order that passes through all pages again and again: the next is a prime number
  /// farther, so that as many trials as there are bytes try each of them.
  func run(_ number: UInt64, isRandom: Bool) throws {
    var dice = Dice(state: number)
    if isRandom {
      let (bytes, kind) = Damages.damage(base, &dice)
      try run(number, "\(kind)", bytes, &dice)
    } else {
      var bytes = base
      bytes[Int(number) * 4099 % base.count] ^= 0xFF
      try run(number, "flippedByte", bytes, &dice)
    }
  }

  private func run(
    _ number: UInt64,
    _ kind: String,
    _ bytes: [UInt8],
    _ dice: inout Dice
  ) throws {
    say("trial \(number) \(kind)")
    let path = folder + "/damaged-\(number).kennel"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer {
      unsafe unlink(path)
      unsafe unlink(path + "-lock")
    }
    say(outcome(path, &dice))
  }

  private func outcome(_ path: String, _ dice: inout Dice) -> String {
    do {
      let database = try Database.open(path)
      let isSound = try database.check().isEmpty
      let first = read(try database.snapshot())
      if let different = first.different { return "different \(different)" }
      if isSound, let error = first.error { return "unfound \(error)" }
      var touched: Set<ObjectIdentity> = []
      let writing = Result { try write(database, &touched, &dice) }
      let second = read(try database.snapshot(), except: touched)
      if let different = second.different { return "different after writing: \(different)" }
      if isSound, case .failure(let error) = writing { return "unfound in writing: \(error)" }
      return first.error == nil && second.error == nil && isSound ? "same" : "error"
    } catch {
      return "error"
    }
  }

  /// Asks everything again.
  private func read(
    _ snapshot: DatabaseReader,
    except touched: Set<ObjectIdentity> = []
  ) -> (different: String?, error: String?) {
    var failure: String?
    for (question, expected) in zip(questions, answers) {
      if !touched.isEmpty, question.isTouched(by: touched, expected) { continue }
      do {
        let answer = try question.answer(snapshot)
        if answer != expected { return ("\(question)", failure) }
      } catch {
        failure = failure ?? "\(question): \(error)"
      }
    }
    return (nil, failure)
  }

  /// Renames, relinks, makes and deletes some objects; notes those whose answers may change.
  private func write(
    _ database: Database,
    _ touched: inout Set<ObjectIdentity>,
    _ dice: inout Dice
  ) throws {
    let schema = try database.snapshot().schema
    guard let dog = schema["Dog"], let person = schema["Person"],
      let name = dog["name"]?.key, let favourite = person["favourite"]?.key,
      let id = person["id"]?.key
    else { return }
    let pick = { (classKey: ClassKey, dice: inout Dice) in
      let count = self.objectCounts[classKey] ?? 1
      return ObjectIdentity(
        classKey,
        ObjectKey(rawValue: UInt64.random(in: 1...count, using: &dice))
      )
    }
    let renamed = pick(dog.key, &dice)
    let relinked = pick(person.key, &dice)
    let deleted = pick(person.key, &dice)
    // The home of the deleted person dies too: the questions after writing leave out what is
    // about the graph, and the values of homes.
    touched = [renamed, relinked, deleted]
    try database.write { transaction in
      for object in [renamed, relinked, deleted] where try !transaction.contains(object) { return }
      try transaction.set(renamed, property: name, to: .string("renamed"))
      try transaction.set(relinked, property: favourite, to: .link(renamed))
      let made = try transaction.create(dog.key, [name: .string("made")])
      _ = try transaction.create(person.key, [id: .int(1000), favourite: .link(made)])
      _ = try transaction.delete([deleted])
    }
  }
}

/// Something that can be asked of a snapshot, with a value as its answer.
enum Question {
  case count(ClassKey)
  case keys(ClassKey)
  case value(ObjectIdentity, PropertyKey)
  case backlinks(ObjectIdentity)
  case owner(ObjectIdentity)
  case find(ClassKey, Value)

  static func all(_ snapshot: DatabaseReader) throws -> [Question] {
    var questions: [Question] = []
    for schema in snapshot.schema.classes {
      questions += [.count(schema.key), .keys(schema.key)]
      for object in try snapshot.objects(of: schema.key) {
        questions += schema.properties.map { .value(object, $0.key) }
        questions.append(.backlinks(object))
        if schema.isEmbedded { questions.append(.owner(object)) }
        if let primary = schema.primaryKey {
          questions.append(.find(schema.key, try snapshot.value(of: object, property: primary.key)))
        }
      }
    }
    return questions
  }

  func answer(_ snapshot: DatabaseReader) throws -> Value {
    switch self {
    case .count(let classKey): return .int(Int64(snapshot.count(of: classKey)))
    case .keys(let classKey):
      return .list(
        try snapshot.objects(of: classKey, limit: 100_000).keys.map {
          .link(ObjectIdentity(classKey, $0))
        }
      )
    case .value(let object, let property): return try snapshot.value(of: object, property: property)
    case .backlinks(let object):
      var all: [Value] = []
      for group in try snapshot.backlinks(to: object) {
        all.append(.int(Int64(group.property.rawValue)))
        all += try snapshot.origins(of: group, to: object, in: 0..<group.count).keys
          .map { .link(ObjectIdentity(group.origin, $0)) }
      }
      return .list(all)
    case .owner(let object):
      return try snapshot.owner(of: object).map { .link($0.object) } ?? .null
    case .find(let classKey, let value):
      return try snapshot.find(classKey, primaryKey: value).map(Value.link) ?? .null
    }
  }

  /// Whether writing to some objects may change the answer.
  func isTouched(by objects: Set<ObjectIdentity>, _ expected: Value) -> Bool {
    switch self {
    case .count, .keys, .backlinks, .owner: true
    case .value(let object, _):
      objects.contains(object) || !objects.contains { $0.classKey == object.classKey }
    case .find:
      if case .link(let object) = expected { objects.contains(object) } else { true }
    }
  }
}
