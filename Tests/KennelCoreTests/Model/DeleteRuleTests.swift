import KennelCore
import KennelTestSupport
import Testing

/// Objects of one class that hold each other in a list with one rule and in another with another.
private func withNodes(
  _ rule: DeleteRule,
  and other: DeleteRule = .nullify,
  _ count: Int,
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column,
  _ body: (WriteTransaction, [ObjectIdentity]) throws -> Void
) throws {
  let node = ClassDefinition(
    "Node",
    properties: [
      PropertyDefinition("holds", .list(.link("Node"))).rule(rule),
      PropertyDefinition("other", .list(.link("Node"))).rule(other),
      PropertyDefinition("weak", .list(.link("Node"))),
    ]
  )
  try withClasses([node], fileID: fileID, filePath: filePath, line: line, column: column) {
    transaction,
    _ in
    try body(transaction, (0..<count).map { _ in try transaction.make("Node") })
  }
}

extension WriteTransaction {
  fileprivate func link(
    _ object: ObjectIdentity,
    _ targets: [ObjectIdentity],
    _ name: String = "holds"
  ) throws {
    try put(object, name, .list(targets.map { .link($0) }))
  }

  /// The numbers of the nodes that are there.
  fileprivate func alive() throws -> [UInt64] {
    try objects(of: classKey("Node")).map(\.key.rawValue)
  }
}

@Suite struct `A delete rule` {
  @Test func `nullify leaves the target alone`() throws {
    try withNodes(.nullify, 2) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1]])
      let radius = try transaction.deleteAsPlanned([nodes[0]])
      #expect(radius.deletionCount == 1)
      #expect(radius.orphaned == [nodes[1]])
      #expect(try transaction.alive() == [2])
    }
  }

  @Test func `cascade takes the target along, and through a cycle, each once`() throws {
    try withNodes(.cascade, 4) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1], nodes[1]])
      try transaction.link(nodes[1], [nodes[2], nodes[1]])
      try transaction.link(nodes[2], [nodes[0]])
      try transaction.link(nodes[3], [nodes[1]])
      let radius = try transaction.blastRadius(deleting: [nodes[0]])
      let property = try transaction.key(nodes[0], "holds")
      #expect(radius.deletions.map(\.object) == [nodes[0], nodes[1], nodes[2]])
      #expect(radius.deletions.map(\.depth) == [0, 1, 2])
      #expect(radius.deletions[0].reason == .asked)
      #expect(radius.deletions[1].reason == .cascade(from: nodes[0], property))
      #expect(radius.deletions[2].reason == .cascade(from: nodes[1], property))
      #expect(try transaction.alive() == [1, 2, 3, 4])
      #expect(try transaction.deleteAsPlanned([nodes[0]]) == radius)
      #expect(try transaction.alive() == [4])
      #expect(try transaction.value(nodes[3], "holds") == .list([]))
    }
  }

  @Test func `cascade does nothing when the link is cut`() throws {
    try withNodes(.cascade, 2) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1]])
      try transaction.link(nodes[0], [])
      #expect(try transaction.alive() == [1, 2])
    }
  }

  @Test func `deny refuses while the target lives, and names it`() throws {
    try withNodes(.deny, 3) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1]])
      let error = #expect(throws: DatabaseError.self) { try transaction.delete([nodes[0]]) }
      #expect(error?.code == .deletionDenied)
      #expect(error?.className == "Node")
      #expect(error?.propertyName == "holds")
      #expect(error?.object == nodes[0])
      #expect(error?.message.contains("Node/2") == true)
      let denied = try transaction.blastRadius(deleting: [nodes[0]]).denied
      #expect(denied.map(\.target) == [nodes[1]])
      #expect(try transaction.alive() == [1, 2, 3])
      // Both together are one plan, in which the target dies too.
      try transaction.delete([nodes[0], nodes[1]])
      #expect(try transaction.alive() == [3])
    }
  }

  @Test func `deny does not protect a target, and a cycle of it can go as a whole`() throws {
    try withNodes(.deny, and: .cascade, 4) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1]])
      try transaction.delete([nodes[1]])
      #expect(try transaction.value(nodes[0], "holds") == .list([]))
      try transaction.link(nodes[2], [nodes[3]])
      try transaction.link(nodes[3], [nodes[2]])
      #expect(code { try transaction.delete([nodes[2]]) } == .deletionDenied)
      try transaction.link(nodes[2], [nodes[3]], "other")
      try transaction.delete([nodes[2]])
      #expect(try transaction.alive() == [1])
    }
  }

  @Test func `cascadeIfLast takes the target with its last strong link`() throws {
    try withNodes(.cascadeIfLast, 3) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[2]])
      try transaction.link(nodes[1], [nodes[2]])
      try transaction.delete([nodes[0]])
      #expect(try transaction.alive() == [2, 3])
      try transaction.link(nodes[1], [])
      #expect(try transaction.alive() == [2])
    }
  }

  @Test func `cascadeIfLast counts a link twice that stands in a list twice`() throws {
    try withNodes(.cascadeIfLast, 2) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1], nodes[1]])
      let holds = try transaction.key(nodes[0], "holds")
      try transaction.removeElement(at: 0, of: nodes[0], property: holds)
      #expect(try transaction.alive() == [1, 2])
      let edge = try transaction.slot(nodes[0], "holds", .index(0))
      let radius = try transaction.blastRadius(unlinking: edge)
      #expect(radius.deletions.map(\.object) == [nodes[1]])
      try transaction.removeElement(at: 0, of: nodes[0], property: holds)
      #expect(try transaction.alive() == [1])
    }
  }

  @Test func `cascadeIfLast is not held back by a weak link, but by cascade`() throws {
    try withNodes(.cascadeIfLast, and: .cascade, 4) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1]])
      try transaction.link(nodes[2], [nodes[1]], "weak")
      try transaction.link(nodes[3], [nodes[1]], "other")
      try transaction.link(nodes[0], [])
      #expect(try transaction.alive() == [1, 2, 3, 4])
      try transaction.link(nodes[3], [], "other")
      #expect(try transaction.alive() == [1, 2, 3, 4])
      try transaction.link(nodes[0], [nodes[1]])
      try transaction.link(nodes[0], [])
      #expect(try transaction.alive() == [1, 3, 4])
      #expect(try transaction.value(nodes[2], "weak") == .list([]))
    }
  }

  @Test func `cascadeIfLast lets a cycle go that nothing holds, and keeps one that is held`() throws
  {
    try withNodes(.cascadeIfLast, 6) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1]])
      try transaction.link(nodes[1], [nodes[2]])
      try transaction.link(nodes[2], [nodes[3]])
      try transaction.link(nodes[3], [nodes[1]])
      try transaction.link(nodes[5], [nodes[3]])
      #expect(try transaction.blastRadius(deleting: [nodes[0]]).deletionCount == 1)
      try transaction.link(nodes[5], [])
      #expect(try transaction.blastRadius(deleting: [nodes[0]]).deletionCount == 4)
      try transaction.delete([nodes[0]])
      #expect(try transaction.alive() == [5, 6])
    }
  }

  @Test func `cascadeIfLast spares what the new value holds`() throws {
    try withNodes(.cascadeIfLast, 3) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1]])
      try transaction.link(nodes[1], [nodes[2]])
      try transaction.link(nodes[0], [nodes[2]])
      #expect(try transaction.alive() == [1, 3])
      #expect(try transaction.value(nodes[0], "holds") == .list([.link(nodes[2])]))
    }
  }

  @Test func `cascadeIfLast does not count the link that is to be cut`() throws {
    try withNodes(.cascadeIfLast, 3) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1]])
      try transaction.link(nodes[1], [nodes[0]])
      try transaction.link(nodes[2], [nodes[0]])
      let edge = try transaction.slot(nodes[0], "holds", .index(0))
      let radius = try transaction.blastRadius(unlinking: edge)
      #expect(radius.deletions.map(\.object) == [nodes[1]])
      try transaction.link(nodes[0], [])
      #expect(try transaction.alive() == [1, 3])
    }
  }

  @Test func `cascadeIfLast does not touch an island that nobody touched`() throws {
    try withNodes(.cascadeIfLast, 3) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[1]])
      try transaction.link(nodes[1], [nodes[0]])
      try transaction.delete([nodes[2]])
      #expect(try transaction.alive() == [1, 2])
    }
  }
}

@Suite struct `The blast radius` {
  @Test func `names what becomes null, what vanishes and what is left alone, by class`() throws {
    try withClasses([
      define("Dog", ["name": .string]), define("Tag", embedded: true, ["dog": .link("Dog")]),
      define(
        "Person",
        ["dog": .link("Dog"), "tags": .list(.link("Tag")), "friends": .set(.mixed)]
      ),
    ]) { transaction, _ in
      let dog = try transaction.make("Dog")
      let ada = try transaction.make("Person", ["dog": .link(dog)])
      let tag = try transaction.embed(ada, "tags", .index(0))
      let bob = try transaction.make("Person", ["friends": .set([.link(ada)])])
      let radius = try transaction.blastRadius(deleting: [ada])
      #expect(radius.counts == [ada.classKey: 1, tag.classKey: 1])
      #expect(radius.orphaned == [dog])
      #expect(radius.nulled.isEmpty)
      #expect(try radius.removed == [transaction.slot(bob, "friends", .member(.link(ada)))])
      #expect(!radius.isHarmless)
      let other = try transaction.blastRadius(deleting: [dog, dog])
      #expect(other.deletionCount == 1)
      #expect(try other.nulled == [transaction.slot(ada, "dog")])
      #expect(transaction.count(of: ada.classKey) == 2)
    }
  }

  @Test func `is the one of several deletions together`() throws {
    try withNodes(.cascadeIfLast, 3) { transaction, nodes in
      try transaction.link(nodes[0], [nodes[2]])
      try transaction.link(nodes[1], [nodes[2]])
      #expect(try transaction.blastRadius(deleting: [nodes[0]]).deletionCount == 1)
      #expect(try transaction.blastRadius(deleting: [nodes[0], nodes[1]]).deletionCount == 3)
    }
  }

  @Test func `stops at a limit and says so`() throws {
    try withNodes(.cascade, 300) { transaction, nodes in
      for (node, next) in zip(nodes, nodes.dropFirst() + [nodes[0]]) {
        try transaction.link(node, [next])
      }
      let bounded = try transaction.blastRadius(deleting: [nodes[0]], limit: 100)
      #expect(bounded.deletionCount == 100)
      #expect(!bounded.isComplete)
      let whole = try transaction.blastRadius(deleting: [nodes[0]])
      #expect(whole.deletionCount == 300)
      #expect(whole.isComplete)
    }
  }

  @Test func `of an object that is not there is an error`() throws {
    try withNodes(.cascade, 1) { transaction, nodes in
      try transaction.delete(nodes)
      #expect(code { _ = try transaction.blastRadius(deleting: nodes) } == .noSuchObject)
      #expect(code { try transaction.delete(nodes) } == .noSuchObject)
    }
  }
}
