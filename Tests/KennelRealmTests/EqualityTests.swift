import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Equality of collections` {
  /// A text with the addresses of collections taken out.
  private func plain(_ text: String) -> String {
    text.replacing(#/<0x[0-9a-f]+>/#, with: "<0x>")
  }

  private func withTrees(_ body: (Tree, Tree, Realm) throws -> Void) throws {
    try withRealm([Leaf.self, Tree.self]) { realm in
      try realm.write {
        let leaf = Leaf(value: ["text": "x"])
        let trees = (0..<2).map { _ in
          Tree(value: ["leaves": [leaf], "leafSet": [leaf], "numbers": [1], "byName": ["a": leaf]])
        }
        realm.add(trees)
        try body(trees[0], trees[1], realm)
      }
    }
  }

  @Test func `results equal themselves only`() throws {
    try withTrees { _, _, realm in
      let results = realm.objects(Leaf.self)
      let copy = results
      #expect(results == copy && results != realm.objects(Leaf.self))
      #expect(results.isEqual(results) && !results.isEqual(realm.objects(Leaf.self)))
    }
  }

  @Test func `stored lists, sets and maps equal those of the same object`() throws {
    try withTrees { tree, other, realm in
      let same = try #require(realm.objects(Tree.self).first)
      #expect(tree.leaves == same.leaves && tree.leafSet == same.leafSet)
      #expect(tree.byName == same.byName && tree.numbers == same.numbers)
      #expect(tree.leaves != other.leaves && tree.numbers != other.numbers)
      #expect(tree.leafSet != other.leafSet && tree.byName != other.byName)
      #expect(
        tree.numbers != List(arrayLiteral: 1) && List(arrayLiteral: 1) == List(arrayLiteral: 1)
      )
    }
  }

  @Test func `inverse relationships equal their copies only`() throws {
    try withTrees { tree, _, realm in
      let (first, second) = (Leaf(), Leaf())
      realm.add([first, second])
      #expect(first.trees != first.trees && first.trees != second.trees)
      let trees = first.trees
      let copy = trees
      #expect(trees == copy && trees != first.trees)
      #expect(tree.leaves[0].trees != tree.leaves[0].trees)
    }
  }

  @Test func `what stands for any collection equals itself and is described as what it is`() throws
  {
    try withTrees { tree, other, realm in
      let any = AnyRealmCollection(realm.objects(Leaf.self))
      let copy = any
      #expect(any == copy && any != AnyRealmCollection(realm.objects(Leaf.self)))
      #expect(AnyRealmCollection(tree.leaves) == AnyRealmCollection(tree.leaves))
      #expect(AnyRealmCollection(tree.leaves) != AnyRealmCollection(other.leaves))
      #expect(AnyRealmCollection(tree.leaves) != any)
      let numbers = AnyRealmCollection(tree.numbers)
      #expect(plain(numbers.description) == "AnyRealmCollection<int> <0x> (\n\t[0] 1\n)")
      #expect(numbers.description == numbers.description)
      #expect(plain(Leaf().trees.description) == "LinkingObjects<Tree> <0x> (\n\n)")
    }
  }
}
