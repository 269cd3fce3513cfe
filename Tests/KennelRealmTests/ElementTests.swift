import KennelRealm
import RealmTestSupport
import Testing

/// A type of elements with values in ascending order.
private protocol Sampled: RealmCollectionValue {
  static var samples: [Self] { get }
}

extension Int: Sampled { fileprivate static var samples: [Int] { [1, 2, 3] } }
extension Int8: Sampled { fileprivate static var samples: [Int8] { [1, 2, 3] } }
extension Float: Sampled { fileprivate static var samples: [Float] { [1.5, 2.5, 3.5] } }
extension Double: Sampled { fileprivate static var samples: [Double] { [1.1, 2.2, 3.3] } }
extension String: Sampled { fileprivate static var samples: [String] { ["a", "b", "c"] } }
extension Data: Sampled {
  fileprivate static var samples: [Data] { [Data([1]), Data([2]), Data([3])] }
}
extension Date: Sampled {
  fileprivate static var samples: [Date] { [1, 2, 3].map { Date(timeIntervalSince1970: $0) } }
}
extension Decimal128: Sampled { fileprivate static var samples: [Decimal128] { [1, 2, 3] } }
extension ObjectId: Sampled {
  fileprivate static var samples: [ObjectId] { (0..<3).map { _ in ObjectId.generate() } }
}
extension UUID: Sampled {
  fileprivate static var samples: [UUID] {
    (1...3).compactMap { UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0)") }
  }
}
extension Stage: Sampled { fileprivate static var samples: [Stage] { [.low, .middle, .high] } }
extension Meters: Sampled {
  fileprivate static var samples: [Meters] { (1...3).map(Meters.init(content:)) }
}
extension Optional: Sampled where Wrapped: Sampled & _RealmCollectionValueInsideOptional {
  fileprivate static var samples: [Wrapped?] { [nil, Wrapped.samples[1], Wrapped.samples[2]] }
}

/// Collections of every kind of element.
class Elements: Object {
  @Persisted var ints: List<Int>
  @Persisted var optionalInts: List<Int?>
  @Persisted var bytes: List<Int8>
  @Persisted var floats: List<Float>
  @Persisted var doubles: List<Double>
  @Persisted var optionalDoubles: List<Double?>
  @Persisted var strings: List<String>
  @Persisted var optionalStrings: List<String?>
  @Persisted var data: List<Data>
  @Persisted var dates: List<Date>
  @Persisted var optionalDates: List<Date?>
  @Persisted var decimals: List<Decimal128>
  @Persisted var optionalDecimals: List<Decimal128?>
  @Persisted var ids: List<ObjectId>
  @Persisted var uuids: List<UUID>
  @Persisted var stages: List<Stage>
  @Persisted var optionalStages: List<Stage?>
  @Persisted var lengths: List<Meters>
  @Persisted var optionalLengths: List<Meters?>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var stringSet: MutableSet<String?>
  @Persisted var stageSet: MutableSet<Stage?>
  @Persisted var intMap: Map<String, Int>
  @Persisted var doubleMap: Map<String, Double?>
  @Persisted var stageMap: Map<String, Stage>
}

@Suite struct `Elements of every type` {
  /// Runs a body with an unmanaged and a managed object.
  private func withElements(_ body: (Elements) throws -> Void) throws {
    try body(Elements())
    try withRealm([Elements.self]) { realm in
      try realm.write {
        let object = Elements()
        realm.add(object)
        try body(object)
        realm.deleteAll()
      }
    }
  }

  private func checkList<T: Sampled>(_ list: List<T>) {
    let (a, b, c) = (T.samples[0], T.samples[1], T.samples[2])
    expectMisuse("Index 0 is out of bounds") { list.replace(index: 0, object: a) }
    expectMisuse("out of bounds") { list.swapAt(0, 1) }
    #expect(list.index(of: a) == nil)
    list.append(objectsIn: [b, c])
    list.insert(a, at: 0)
    #expect(Array(list) == [a, b, c])
    #expect(list.index(of: c) == 2)
    #expect(list.first == a && list.last == c)
    expectMisuse("Index 3 is out of bounds") { _ = list[3] }
    expectMisuse("negative value") { _ = list[-1] }
    expectMisuse("negative value") { list.move(from: 0, to: -1) }
    expectMisuse("negative value") { list.replace(index: -1, object: a) }
    list.move(from: 2, to: 0)
    #expect(Array(list) == [c, a, b])
    list.swapAt(0, 2)
    #expect(Array(list) == [b, a, c])
    list.replaceSubrange(0..<1, with: [a, b])
    #expect(Array(list) == [a, b, a, c])
    let values: [AnyObject] = list.value(forKey: "self")
    #expect(values.count == 4)
    expectMisuse("key value coding-compliant") { _ = list.value(forKey: "not self") as Any? }
    list.removeLast()
    list.remove(at: 0)
    #expect(Array(list) == [b, a])
    list.removeAll()
    #expect(list.isEmpty && list.last == nil)
    expectMisuse("Cannot remove 1 elements") { list.removeLast() }
  }

  private func checkOrder<T: Sampled>(_ list: List<T>) where T.PersistedType: MinMaxType {
    #expect(list.min() == nil && list.max() == nil)
    let given = T.samples
    list.append(objectsIn: given.reversed())
    // Null is neither the smallest nor the largest.
    let present = given.filter { !"\($0)".contains("nil") }
    #expect(list.min() == present.first)
    #expect(list.max() == present.last)
    list.removeAll()
  }

  private func checkSum<T: Sampled>(_ list: List<T>, _ zero: T, _ sum: T, _ average: Double)
  where T.PersistedType: AddableType {
    #expect(list.sum() == zero)
    #expect(list.average() as Double? == nil)
    list.append(objectsIn: T.samples)
    #expect(list.sum() == sum)
    #expect(abs((list.average() ?? 0) - average) < 0.0001)
    list.removeAll()
  }

  @Test func `are in lists`() throws {
    try withElements { object in
      checkList(object.ints)
      checkList(object.optionalInts)
      checkList(object.bytes)
      checkList(object.floats)
      checkList(object.strings)
      checkList(object.optionalStrings)
      checkList(object.data)
      checkList(object.dates)
      checkList(object.decimals)
      checkList(object.uuids)
      checkList(object.stages)
      checkList(object.optionalStages)
      checkList(object.lengths)
      checkList(object.optionalLengths)
    }
  }

  @Test func `have a smallest and a largest`() throws {
    try withElements { object in
      checkOrder(object.ints)
      checkOrder(object.optionalInts)
      checkOrder(object.doubles)
      checkOrder(object.dates)
      checkOrder(object.optionalDates)
      checkOrder(object.optionalDecimals)
      checkOrder(object.stages)
      checkOrder(object.optionalStages)
      checkOrder(object.lengths)
    }
  }

  @Test func `have a sum and a mean`() throws {
    try withElements { object in
      checkSum(object.ints, 0, 6, 2)
      checkSum(object.optionalInts, 0, 5, 2.5)
      checkSum(object.bytes, 0, 6, 2)
      checkSum(object.floats, 0, 7.5, 2.5)
      checkSum(object.optionalDoubles, 0, 5.5, 2.75)
      checkSum(object.decimals, 0, 6, 2)
      checkSum(object.optionalDecimals, 0, 5, 2.5)
      checkSum(object.lengths, Meters(content: 0), Meters(content: 6), 2)
    }
  }

  @Test func `are sorted`() throws {
    try withRealm([Elements.self]) { realm in
      try realm.write {
        let object = Elements()
        realm.add(object)
        object.ids.append(objectsIn: ObjectId.samples)
        object.optionalStrings.append(objectsIn: ["b", nil, "c"])
        object.optionalLengths.append(objectsIn: [Meters(content: 3), nil, Meters(content: 2)])
        #expect(Array(object.ids.sorted()) == Array(object.ids))
        #expect(Array(object.optionalStrings.sorted()) == [nil, "b", "c"])
        #expect(Array(object.optionalStrings.sorted(ascending: false)) == ["c", "b", nil])
        #expect(object.optionalLengths.sorted().first == .some(nil))
        #expect(Array(object.optionalStrings.distinct()).count == 3)
      }
    }
  }

  @Test func `are in sets and maps`() throws {
    try withElements { object in
      object.intSet.insert(objectsIn: [3, 1, 3])
      object.stringSet.insert(objectsIn: ["x", nil, nil])
      object.stageSet.insert(objectsIn: [.high, nil])
      #expect(object.intSet.sum() == 4 && object.intSet.max() == 3)
      #expect(object.stringSet.count == 2 && object.stringSet.contains(nil))
      #expect(object.stageSet.min() == .high)
      #expect((object.intSet.value(forKey: "self") as [AnyObject]).count == 2)
      object.intMap.merge(["a": 1, "b": 5]) { $1 }
      object.doubleMap["a"] = .some(nil)
      object.doubleMap["b"] = 2.5
      object.stageMap["a"] = .middle
      #expect(object.intMap.sum() == 6 && object.intMap.average() == 3.0)
      #expect(object.doubleMap.min() == 2.5 && object.doubleMap.count == 2)
      #expect(object.stageMap.max() == .middle)
      let value: AnyObject? = object.intMap.value(forKey: "b")
      #expect(value as? Int == 5)
      #expect(object.intMap.value(forKey: "c") as AnyObject? == nil)
      #expect(object.doubleMap.object(forKey: "a" as AnyObject) is NSNull)
      object.doubleMap.setValue(NSNull(), forKey: "b")
      #expect(object.doubleMap["b"] == .some(nil))
      object.doubleMap.setValue(nil, forKey: "b")
      #expect(object.doubleMap.keys == ["a"] && object.doubleMap.value(forKey: "b") as Any? == nil)
      object.intMap.setValue(nil, forKey: "a")
      #expect(object.intMap.keys == ["b"])
      object["intMap"] = [] as [Any]
      #expect(object.intMap.isEmpty)
    }
  }
}
