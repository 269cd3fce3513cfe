// swift-format-ignore-file: NoLeadingUnderscores

import KennelRealm
import RealmTestSupport
import Testing

class Leaf: Object {
  @Persisted var text: String
  @Persisted var data: Data
  @Persisted var flag: Bool
  @Persisted var any: AnyRealmValue
  @Persisted var price: Decimal128
  @Persisted(originProperty: "leaves") var trees: LinkingObjects<Tree>
}

class Tree: Object {
  @Persisted var leaves: List<Leaf>
  @Persisted var trees: List<Tree>
  @Persisted var leafSet: MutableSet<Leaf>
  @Persisted var byName: Map<String, Leaf?>
  @Persisted var numbers: List<Int>
}

/// Two classes that share their objects under a name of their own.
class FirstFace: Object {
  @Persisted var first: Int
  @Persisted(originProperty: "firstLink") var links: LinkingObjects<FaceLink>
  override class func _realmObjectName() -> String { "Shared Face" }
  override class func _realmColumnNames() -> [String: String] { ["first": "number"] }
}

class SecondFace: Object {
  @Persisted var second: Int
  @Persisted var others: List<SecondFace>
  override class func _realmObjectName() -> String { "Shared Face" }
  override class func _realmColumnNames() -> [String: String] {
    ["second": "number", "others": "other faces"]
  }
}

class FaceLink: Object {
  @Persisted var firstLink: FirstFace?
  @Persisted var secondLink: SecondFace?
  @Persisted var faces: List<SecondFace>
}

@available(*, deprecated)
final class OldValues: Object, Codable {
  var optional = RealmOptional<Int>(3)
  var property = RealmProperty<Int?>()
  var anything = RealmOptional<OldLevel>(.off)
}

@Suite struct `Collections in detail` {
  /// A text with the addresses of collections taken out.
  private func plain(_ text: String) -> String {
    text.replacing(#/<0x[0-9a-f]+>/#, with: "<0x>")
  }

  @Test func `describe themselves with their elements`() throws {
    let leaf = Leaf(value: ["text": "x", "data": Data([1, 2, 3, 4, 5]), "price": "1.5e2"])
    let tree = Tree(value: ["leaves": [leaf], "numbers": [7]])
    let inList =
      "Leaf {\n\t\ttext = x;\n\t\tdata = <01020304 05>;\n\t\tflag = 0;\n"
      + "\t\tany = (null);\n\t\tprice = 1.5E2;\n\t}"
    #expect(plain(tree.leaves.description) == "List<Leaf> <0x> (\n\t[0] \(inList)\n)")
    #expect(plain(tree.numbers.description) == "List<int> <0x> (\n\t[0] 7\n)")
    #expect(plain(tree.trees.description) == "List<Tree> <0x> (\n\n)")
    tree.byName["a"] = leaf
    #expect(plain(tree.byName.description) == "Map<string, Leaf> <0x> (\n[a]: \(inList)\n)")
    try withRealm([Leaf.self, Tree.self]) { realm in
      try realm.write { realm.add(tree) }
      let all = realm.objects(Leaf.self)
      #expect(plain(all.description) == "Results<Leaf> <0x> (\n\t[0] \(inList)\n)")
      #expect(plain(leaf.trees.description).hasPrefix("LinkingObjects<Tree> <0x> (\n\t[0] Tree {"))
      try realm.write { tree.numbers.append(objectsIn: 0..<120) }
      #expect(tree.numbers.description.hasSuffix("\t[99] 98\n\t... 21 objects skipped.\n)"))
    }
  }

  @Test func `describe themselves down to a depth`() {
    let tree = Tree()
    tree.trees.append(tree)
    let text = plain(tree.description)
    #expect(text.components(separatedBy: "Tree {").count == 4)
    #expect(text.contains("\t\t\t\t\ttrees = <Maximum depth exceeded>;\n"))
    #expect(text.contains("\tbyName = Map<string, Leaf> <0x> (\n\t\n\t);\n"))
    let long = Leaf(value: ["data": Data(repeating: 0xab, count: 40)])
    #expect(long.description.contains("abababab> \u{2014} 40 total bytes;"))
  }

  @Test func `search unmanaged elements`() {
    let tree = Tree(value: ["leaves": [["text": "a"], ["text": "b"]], "numbers": [5, 6, 7]])
    #expect(tree.numbers.index(matching: NSPredicate(format: "self == 7")) == 2)
    #expect(tree.numbers.index(matching: "self > %@", 5) == 1)
    #expect(tree.numbers.index(matching: "self == 9") == nil)
    #expect(tree.leaves.index(matching: "text == 'b' AND flag == false") == 1)
    #expect(tree.leaves.index(matching: { $0.text == "b" }) == 1)
    #expect(tree.leaves.index(matching: "NOT text IN {'a', 'b'}") == nil)
    expectMisuse("add the object first") { _ = tree.leaves.filter("text == 'a'") }
  }

  @Test func `give values by key as objects of Foundation`() throws {
    try withRealm([Leaf.self, Tree.self]) { realm in
      try realm.write {
        let tree = Tree(value: ["leaves": [["text": "a"], ["text": "b"]]])
        realm.add(tree)
        tree.leafSet.insert(objectsIn: tree.leaves)
        let texts: [AnyObject] = tree.leaves.value(forKey: "text")
        #expect(texts.compactMap { $0 as? String } == ["a", "b"])
        #expect(
          tree.leaves.value(forKeyPath: "@unionOfObjects.text") as? [String] == ["a", "b"]
        )
        let any = AnyRealmCollection(tree.leafSet)
        #expect(any.value(forKey: "text") as? Set<String> == ["a", "b"])
        #expect((any.value(forKeyPath: "@count") as? NSNumber)?.intValue == 2)
        #expect(tree.leaves.isEqual(tree.leaves) && !tree.leaves.isEqual(3))
      }
    }
  }

  @Test func `of maps are sorted and aggregated by key paths`() throws {
    let tree = Tree()
    tree.byName["a"] = Leaf(value: ["text": "y", "price": 2])
    tree.byName["b"] = Leaf(value: ["text": "x", "price": 4])
    func check() {
      #expect(tree.byName.min(of: \.price) == 2)
      #expect(tree.byName.max(of: \.price) == 4)
      #expect(tree.byName.sum(of: \.price) == 6)
      #expect(tree.byName.average(of: \.price) == 3)
    }
    check()
    expectMisuse("add the object first") { _ = tree.byName.sorted(by: \.text) }
    try withRealm([Leaf.self, Tree.self]) { realm in
      try realm.write { realm.add(tree) }
      check()
      #expect(tree.byName.sorted(by: \.text).map { $0?.text } == ["x", "y"])
    }
  }
}

@Suite struct `Models in detail` {
  @Test func `classes of one name in the file share their objects`() throws {
    try withRealm([FirstFace.self, SecondFace.self, FaceLink.self]) { realm in
      try realm.write {
        let link = FaceLink()
        link.firstLink = FirstFace(value: ["first": 5])
        link.secondLink = SecondFace(value: ["second": 6])
        realm.add(link)
        link.faces.append(objectsIn: realm.objects(SecondFace.self))
      }
      #expect(realm.objects(FirstFace.self).map(\.first) == [5, 6])
      #expect(realm.objects(SecondFace.self).map(\.second) == [5, 6])
      let link = try #require(realm.objects(FaceLink.self).first)
      #expect(link.faces.map(\.second) == [5, 6])
      #expect(link.firstLink?.links.first?.isSameObject(as: link) == true)
      #expect(realm.objects(FirstFace.self).where { $0.first > 5 }.count == 1)
      #expect(realm.objects(SecondFace.self).where { $0.second > 5 }.count == 1)
      #expect(realm.objects(SecondFace.self).filter("second == 6").count == 1)
      #expect(realm.objects(FaceLink.self).where { $0.faces.second == 6 }.count == 1)
      let sorted = realm.objects(SecondFace.self).sorted(by: \.second, ascending: false)
      #expect(sorted.map(\.second) == [6, 5] && sorted.sum(of: \.second) == 11)
      #expect(try storedClass("Shared Face", of: realm).types["number"] == "int")
    }
  }

  @Test func `the second of two classes that share their objects has its own names`() throws {
    let queue = DispatchQueue(label: "faces")
    let done = DispatchSemaphore(value: 0)
    try withRealm([FirstFace.self, SecondFace.self, FaceLink.self]) { realm in
      let face = SecondFace()
      try realm.write {
        realm.add(face)
        face.others.append(SecondFace(value: ["second": 9]))
      }
      #expect(face.dynamicList("others").count == 1)
      #expect(face.dynamicList("others").first?["second"] as? Int == 9)
      #expect(realm.dynamicObjects("SecondFace").first?["second"] as? Int == 0)
      var names: [String] = []
      let token = face.observe(keyPaths: ["second"], on: queue) {
        (change: ObjectChange<SecondFace>) in
        if case .change(_, let properties) = change { names = properties.map(\.name) }
        done.signal()
      }
      try realm.write { face.second = 3 }
      #expect(done.wait(timeout: .now() + 5) == .success)
      token.invalidate()
      #expect(queue.sync { names } == ["second"])
    }
  }

  @available(*, deprecated)
  @Test func `values of older models are coded`() throws {
    let object = OldValues()
    object.property.value = 4
    let data = try JSONEncoder().encode(object)
    let again = try JSONDecoder().decode(OldValues.self, from: data)
    #expect(again.optional.value == 3 && again.property == object.property)
    #expect(again.anything.value == .off)
    let empty = #"{"optional": null, "property": null, "anything": null}"#
    let none = try JSONDecoder().decode(OldValues.self, from: Data(empty.utf8))
    #expect(none.optional.value == nil && none.property.value == nil)
  }

  @Test func `objects in values of any type are known by name`() throws {
    try withRealm([Leaf.self, Tree.self]) { realm in
      try realm.write {
        let leaf = Leaf(value: ["any": Tree(value: ["numbers": [1]])])
        #expect(leaf.any.object(Tree.self)?.numbers.first == 1)
        #expect(leaf.any.dynamicObject == nil)
        realm.add(leaf)
        let tree = try #require(leaf.any.dynamicObject)
        #expect((tree.numbers as? List<Int>)?.count == 1)
      }
    }
  }

  @Test func `decimal numbers have limits and steps`() throws {
    #expect(Decimal128(value: NSNull()).isNaN && Decimal128(value: NSNull()).isSignalingNaN)
    #expect(Decimal128.min < 0 && Decimal128.max > 1_000_000 && !Decimal128.max.isNaN)
    #expect(Decimal128(10).distance(to: 5) == -5)
    #expect(Decimal128("-150.5").advanced(by: 300) == 149.5)
    #expect(Decimal128("1.5e2").description == "1.5E2")
    let sum: Decimal128 = "1.234567" + "9.876543"
    #expect(sum == 11.11111)
  }

  @Test func `decimal numbers calculate by methods`() {
    let (half, two): (Decimal128, Decimal128) = ("0.5", 2)
    #expect(half.decimalNumber(byAdding: two) == 2.5)
    #expect(half.decimalNumber(bySubtracting: two) == -1.5)
    #expect(half.decimalNumberByMultiplying(by: two) == 1)
    #expect(half.decimalNumberByDividing(by: two) == 0.25)
    #expect(half.isLessThan(two) && half.isLessThanOrEqual(to: half) && !two.isLessThan(two))
    #expect(
      two.isGreaterThan(half) && two.isGreaterThanOrEqual(to: two) && !half.isGreaterThan(two)
    )
    let nan = Decimal128(value: NSNull())
    #expect(nan.isLessThan(half) && half.isGreaterThan(nan))
    let (number, other): (Decimal128, Decimal128) = ("-123.321", "0")
    #expect(-number == 123.321 && number.magnitude == 123.321 && number == -123.321)
    let (copy, made) = (number, Decimal128(value: number))
    number.negate()
    other.negate()
    #expect(number == 123.321 && copy == number && made == -number && other == 0)
  }
}
