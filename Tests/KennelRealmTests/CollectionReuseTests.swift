import Foundation
import KennelRealm
import RealmTestSupport
import Synchronization
import Testing

/// One of a tree: three that follow each other have the same parent, that of their number's third.
final class Sprout: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var parent: Sprout?
  @Persisted var others: List<Sprout>
  @Persisted var set: MutableSet<Sprout>
  @Persisted(originProperty: "parent") var children: LinkingObjects<Sprout>
}

/// What a thread is given to let go of.
private final class Handed: @unchecked Sendable {
  var sprout: Sprout?

  init(_ sprout: Sprout?) { self.sprout = sprout }
}

private func plant(_ count: Int, in realm: Realm) throws {
  try realm.write {
    var sprouts: [Sprout] = []
    for number in 0..<count {
      let sprout = Sprout()
      sprout.number = number
      realm.add(sprout)
      sprouts.append(sprout)
      sprout.parent = sprouts[number / 3]
      for other in 0..<number % 11 { sprout.others.append(sprouts[other]) }
      sprout.set.insert(sprout)
    }
  }
}

/// The numbers of a sprout's children.
private func children(_ number: Int, of count: Int) -> [Int] {
  Array(3 * number..<3 * number + 3).filter { $0 < count }
}

/// Calls a body with an accessor that was one of another object before, and whose collections were
/// walked over.
private func withUsedSprout(_ realm: Realm, _ body: (Sprout) -> Void) {
  for sprout in realm.objects(Sprout.self) {
    #expect(sprout.children.map(\.number).count + sprout.others.map(\.number).count >= 0)
    for child in sprout.children { #expect(child.number / 3 == sprout.number) }
    if sprout.number == 4 { body(sprout) }
  }
}

@Suite struct `A collection that loops are over` {
  @Test func `stays that of its object when it is kept`() throws {
    try withRealm([Sprout.self]) { realm in
      try plant(100, in: realm)
      var inverses: [LinkingObjects<Sprout>] = []
      var lists: [List<Sprout>] = []
      for sprout in realm.objects(Sprout.self) {
        var numbers: [Int] = []
        for child in sprout.children { numbers.append(child.number) }
        for child in sprout.children {
          for again in sprout.children { numbers.append(again.number * 0 + child.number) }
          break
        }
        let expected = children(sprout.number, of: 100)
        #expect(numbers == expected + expected.map { _ in expected[0] })
        if sprout.number % 4 == 1 { inverses.append(sprout.children) }
        for other in sprout.others where other.number > 8 { lists.append(sprout.others) }
        for member in sprout.set { #expect(member.number == sprout.number) }
        if let kept = inverses.last { for child in kept { numbers.append(child.number) } }
      }
      #expect(inverses.count == 25 && lists.count == 9)
      for (position, inverse) in inverses.enumerated() {
        #expect(inverse.map(\.number) == children(4 * position + 1, of: 100))
      }
      for list in lists { #expect(list.map(\.number) == Array(0..<10)) }
    }
  }

  @Test func `is left by an iterator whose copies go on`() throws {
    try withRealm([Sprout.self]) { realm in
      try plant(100, in: realm)
      for sprout in realm.objects(Sprout.self) {
        var iterator = sprout.others.makeIterator()
        var copies: [RealmIterator<Sprout>] = []
        var numbers: [Int] = []
        while true {
          copies.append(iterator)
          guard let next = iterator.next() else { break }
          numbers.append(next.number)
        }
        #expect(iterator.next() == nil && iterator.next() == nil)
        for (position, copy) in copies.enumerated() {
          let rest = IteratorSequence(copy).map(\.number)
          #expect(rest == Array(numbers[position...]))
        }
        #expect(sprout.others.map(\.number) == numbers && numbers.count == sprout.number % 11)
      }
    }
  }

  @Test func `has what is there when the first element is asked for`() throws {
    try withRealm([Sprout.self]) { realm in
      try plant(8, in: realm)
      let sprout = try #require(realm.object(ofType: Sprout.self, forPrimaryKey: 7))
      _ = sprout.others.first
      var early = sprout.others.makeIterator()
      var late = sprout.others.makeIterator()
      #expect(early.next()?.number == 0)
      try realm.write { sprout.others.removeSubrange(1..<7) }
      #expect(IteratorSequence(early).map(\.number) == Array(1..<7))
      #expect(late.next()?.number == 0 && late.next() == nil)
    }
  }

  @Test(arguments: [0, 3, 8, 9])
  func `has no more for an iterator that has ended, though it grows`(_ count: Int) throws {
    try withRealm([Sprout.self]) { realm in
      try plant(12, in: realm)
      let sprout = try #require(realm.object(ofType: Sprout.self, forPrimaryKey: 11))
      try realm.write { sprout.others.append(objectsIn: realm.objects(Sprout.self).prefix(count)) }
      var iterator = sprout.others.makeIterator()
      for _ in 0..<count { #expect(iterator.next() != nil) }
      #expect(iterator.next() == nil)
      try realm.write { sprout.others.append(sprout) }
      #expect(iterator.next() == nil && iterator.next() == nil)
      #expect(sprout.others.count == count + 1)
    }
  }

  @Test func `knows which object it is of, whichever it was of before`() throws {
    try withRealm([Sprout.self]) { realm in
      try plant(40, in: realm)
      try realm.write {
        for sprout in realm.objects(Sprout.self) {
          for other in sprout.others { #expect(other.number < 11) }
          for child in sprout.children { #expect(child.number / 3 == sprout.number) }
          #expect(sprout.children.count == children(sprout.number, of: 40).count)
          #expect(sprout.others.count == sprout.number % 11 && !sprout.others.isInvalidated)
          sprout.others.append(sprout)
          #expect(sprout.others.last == sprout && sprout.children.filter("number > 20").count <= 3)
        }
      }
      for sprout in realm.objects(Sprout.self) { #expect(sprout.others.last == sprout) }
    }
  }

  @Test(arguments: [false, true])
  func `goes with its object, on whichever thread`(_ isElsewhere: Bool) throws {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appendingPathComponent("given-\(UUID().uuidString).kennel")
    let configuration = Realm.Configuration(fileURL: file, objectTypes: [Sprout.self])
    func letGo(_ handed: Handed, _ meanwhile: () -> Void) {
      guard isElsewhere else {
        handed.sprout = nil
        meanwhile()
        return
      }
      let (isReady, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        isReady.signal()
        handed.sprout = nil
        isDone.signal()
      }
      isReady.wait()
      meanwhile()
      isDone.wait()
    }
    func useRealm() throws {
      let realm = try Realm(configuration: configuration)
      try plant(20, in: realm)
      for round in 0..<300 {
        let handed = Handed(nil)
        withUsedSprout(realm) { handed.sprout = $0 }
        // The loop is over, or ends while the object goes, or goes on after it.
        var iterator = handed.sprout?.children.makeIterator()
        if round % 3 == 0 { while iterator?.next() != nil {} }
        if round % 3 == 1 { #expect(iterator?.next()?.number == 12) }
        let kept = round % 5 == 0 ? handed.sprout?.children : nil
        letGo(handed) { while let child = iterator?.next() { #expect(child.number / 3 == 4) } }
        #expect(iterator?.next() == nil)
        if let kept { #expect(kept.map(\.number) == [12, 13, 14]) }
      }
    }
    try useRealm()
    // Nothing is left that keeps it open.
    #expect(try Realm.deleteFiles(for: configuration))
  }
}
