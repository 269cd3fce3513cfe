import Foundation
import KennelRealm
import RealmTestSupport
import Testing

/// Collections of values of any type.
class Basket: Object {
  @Persisted var list: List<AnyRealmValue>
  @Persisted var set: MutableSet<AnyRealmValue>
  @Persisted var other: MutableSet<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
}

class Fruit: Object {
  @Persisted var name: String

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

@Suite struct `Values of any type` {
  /// Runs a body with an unmanaged and a managed basket, in a transaction.
  private func withBaskets(_ body: (Basket) throws -> Void) throws {
    try body(Basket())
    try withRealm([Basket.self, Fruit.self]) { realm in
      try realm.write {
        let basket = Basket()
        realm.add(basket)
        try body(basket)
      }
    }
  }

  /// Three values of every type, the numbers and dates in ascending order.
  private var samples: [[AnyRealmValue]] {
    [
      [.int(1), .int(2), .int(30)],
      [.bool(true), .bool(false), .none],
      [.float(1.5), .float(2.5), .float(7.25)],
      [.double(1.5), .double(2.5), .double(7.25)],
      [.string("a"), .string("b"), .string("c")],
      [.data(Data([1])), .data(Data([2])), .data(Data([3]))],
      [1, 2, 3].map { .date(Date(timeIntervalSince1970: $0)) },
      [.objectId(.generate()), .objectId(.generate()), .objectId(.generate())],
      [.decimal128("1.5"), .decimal128("2.5"), .decimal128("7.25")],
      [.uuid(UUID()), .uuid(UUID()), .uuid(UUID())],
      [.object(Fruit("a")), .object(Fruit("b")), .object(Fruit("c"))],
    ]
  }

  private func text(_ value: AnyRealmValue) -> String {
    value.object(Fruit.self)?.name ?? "\(value)"
  }

  @Test func `are in lists`() throws {
    try withBaskets { basket in
      let list = basket.list
      for values in samples {
        let texts = values.map(text)
        list.append(objectsIn: values)
        #expect(list.map(text) == texts)
        #expect(list.index(of: values[1]) == 1)
        list.insert(values[2], at: 0)
        list.remove(at: 3)
        #expect(list.map(text) == [texts[2], texts[0], texts[1]])
        list.move(from: 0, to: 2)
        list.swapAt(0, 2)
        list[1] = values[0]
        #expect(list.map(text) == [texts[2], texts[0], texts[0]])
        list.replaceSubrange(0..<1, with: values)
        #expect(list.count == 5)
        expectMisuse("Index 5 is out of bounds") { _ = list[5] }
        expectMisuse("key value coding-compliant") { _ = list.value(forKey: "not self") as Any? }
        #expect((list.value(forKey: "self") as [AnyObject]).count == 5)
        list.removeAll()
        #expect(list.first == nil)
      }
    }
  }

  @Test func `have a smallest, a largest, a sum and a mean`() throws {
    try withBaskets { basket in
      let (list, set) = (basket.list, basket.set)
      #expect(list.min() == nil && set.max() == nil)
      #expect(list.average() as Double? == nil)
      #expect(list.sum().intValue == (basket.realm == nil ? 0 : nil))
      #expect(set.sum().intValue == (basket.realm == nil ? 0 : nil))
      for values in [samples[0], samples[2], samples[3], samples[6], samples[8]] {
        list.append(objectsIn: values.reversed())
        set.insert(objectsIn: values)
        #expect(list.min() == values.first && list.max() == values.last)
        #expect(set.min() == values.first && set.max() == values.last)
        if values[0].dateValue == nil {
          let sum = values[0].intValue == nil ? 11.25 : 33
          let found: [AnyRealmValue?] = [list.sum(), set.sum()]
          #expect(found.map(number) == [sum, sum])
          let means: [AnyRealmValue?] = [list.average(), set.average()]
          #expect(means.map(number) == [sum / 3, sum / 3])
        }
        list.removeAll()
        set.removeAll()
      }
    }
  }

  private func number(_ value: AnyRealmValue?) -> Double? {
    value?.doubleValue ?? value?.decimal128Value?.doubleValue
  }

  @Test func `are in sets`() throws {
    try withBaskets { basket in
      let (set, other) = (basket.set, basket.other)
      for values in samples {
        set.insert(objectsIn: values)
        set.insert(values[2])
        #expect(set.count == 3 && values.allSatisfy(set.contains))
        #expect(Set((0..<3).map { text(set[$0]) }) == Set(values.map(text)))
        other.insert(values[0])
        #expect(other.isSubset(of: set) && !set.isSubset(of: other) && set.intersects(other))
        set.formIntersection(other)
        #expect(set.map(text) == [text(values[0])])
        set.formUnion(other)
        set.insert(values[1])
        set.subtract(other)
        #expect(set.map(text) == [text(values[1])])
        #expect((set.value(forKey: "self") as [AnyObject]).count == 1)
        other.remove(values[0])
        #expect(!other.contains(values[0]))
        set.removeAll()
        #expect(set.isEmpty)
      }
    }
  }

  @Test func `are in maps`() throws {
    try withBaskets { basket in
      let map = basket.map
      for values in samples {
        for (key, value) in zip(["a", "b", "c"], values) { map[key] = value }
        #expect(map.keys.sorted() == ["a", "b", "c"] && map.values.count == 3)
        #expect(map["b"].map(text) == text(values[1]))
        #expect(map.contains { $0 == "a" && text($1) == text(values[0]) })
        let found: AnyObject? = map.value(forKey: "a")
        #expect(found != nil)
        map["b"] = nil
        #expect(map["b"] == nil && map.count == 2)
        map.setValue(nil, forKey: "a")
        #expect(map.value(forKey: "a") as AnyObject? == nil)
        map.removeObject(for: "c")
        map.removeAll()
        map.setValue(values[1], forKey: "d")
        #expect(map["d"].map(text) == text(values[1]))
        map.removeAll()
      }
      map.merge(["x": .int(2), "y": .int(4)]) { $1 }
      #expect(map.min() == .int(2) && map.max() == .int(4))
      #expect(number(map.sum()) == 6 && number(map.average()) == 3)
    }
  }
}
