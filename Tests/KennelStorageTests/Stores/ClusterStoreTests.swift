import KennelStorage
import Testing

@Suite struct `A cluster store` {
  @Test func `finds the clusters of a class in order, stored or new`() throws {
    let file = try PeopleFile()
    try file.write { view in _ = try file.add(300, to: view) }
    let writer = try file.store.beginWrite()
    _ = try file.add(500, to: writer.view)
    let clusters = writer.view.clusters
    var numbers: [UInt64] = []
    var next = try clusters.nextCluster(file.person, from: 0)
    while let cluster = next {
      numbers.append(cluster.number)
      next = try clusters.nextCluster(file.person, from: cluster.number + 1)
    }
    #expect(numbers == [0, 1, 2, 3])
    #expect(try clusters.previousCluster(file.person, before: 3)?.number == 2)
    #expect(try clusters.previousCluster(file.person, before: 0) == nil)
    #expect(try clusters.cluster(file.person, 4) == nil)
    writer.rollback()
  }

  @Test func `reads chunks in place until one is changed`() throws {
    let file = try PeopleFile()
    let ada = try file.write { view in try file.add(2, to: view)[0] }
    let writer = try file.store.beginWrite()
    let clusters = writer.view.clusters
    let cluster = try #require(try clusters.cluster(file.person, 0))
    guard case .stored = try clusters.chunk(cluster, file.id),
      case .absent = try clusters.chunk(cluster, file.name)
    else {
      Issue.record("a chunk was decoded to be read, or made for nulls")
      return
    }
    try file.setName("Ada", of: ada, in: writer.view)
    guard case .stored = try clusters.chunk(cluster, file.id),
      case .decoded(_, isChanged: true) = try clusters.chunk(cluster, file.name)
    else {
      Issue.record("another column was decoded than the one that changed")
      return
    }
    writer.rollback()
  }

  @Test func `stores what changed and forgets it when memory is short`() throws {
    let file = try PeopleFile()
    let writer = try file.store.beginWrite()
    let text = String(repeating: "x", count: 1 << 20)
    // More than the budget: `spill` hands the changes to the page store, which is read from then on.
    for _ in 0..<140 {
      let object = try file.add(1, to: writer.view)[0]
      try file.setName(text, of: object, in: writer.view)
      try writer.spill()
    }
    #expect(writer.view.objects.count(of: file.person) == 140)
    let first = ObjectIdentity(file.person, ObjectKey(rawValue: 1))
    #expect(try writer.view.values.value(of: first, file.name) == .string(text))
    #expect(try writer.view.indexes.findKey(file.person, nil, 1) == first.key)
    _ = try writer.commit()
    #expect(try FileCheck.run(file.store)?.isEmpty == true)
  }

  @Test func `copies its changes`() throws {
    let file = try PeopleFile()
    let ada = try file.write { view in try file.add(1, to: view)[0] }
    let original = try file.store.view()
    try file.setName("Ada", of: ada, in: original)
    let copy = StoreView(copying: original)
    try file.setName("Eve", of: ada, in: copy)
    #expect(try original.values.value(of: ada, file.name) == .string("Ada"))
    #expect(try copy.values.value(of: ada, file.name) == .string("Eve"))
    #expect(try copy.indexes.find(file.person, file.name, .string("Eve")) == [ada.key])
    #expect(try original.indexes.find(file.person, file.name, .string("Eve")).isEmpty)
  }
}
