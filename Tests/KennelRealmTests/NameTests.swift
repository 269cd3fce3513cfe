import Foundation
import KennelRealm
import RealmTestSupport
import Testing

// Classes with a property for every name that the base classes and their protocols use: this file does
// not compile if one of them is in a program's way.

private final class Words: Object {
  @Persisted var age: String
  @Persisted var aim: String
  @Persisted var bind: String
  @Persisted var className: String
  @Persisted var collection: String
  @Persisted var collections: String
  @Persisted var context: String
  @Persisted var decode: String
  @Persisted var decodeIfValid: String
  @Persisted var dynamicList: String
  @Persisted var dynamicMap: String
  @Persisted var dynamicMutableSet: String
  @Persisted var dynamicPlace: String
  @Persisted var embedded: String
  @Persisted var encode: String
  @Persisted var freeze: String
  @Persisted var frozen: String
  @Persisted var get: String
  @Persisted var getOptional: String
  @Persisted var identity: String
  @Persisted var ignoredProperties: String
  @Persisted var indexedProperties: String
  @Persisted var isCached: String
  @Persisted var isEqual: String
  @Persisted var isKnownByIdentity: String
  @Persisted var isLink: String
  @Persisted var isNil: String
  @Persisted var isObject: String
  @Persisted var isSameObject: String
  @Persisted var keep: String
  @Persisted var lastTarget: String
  @Persisted var level: String
  @Persisted var linked: String
  @Persisted var lockedKey: String
  @Persisted var makeDefault: String
  @Persisted var newTarget: String
  @Persisted var object: String
  @Persisted var observe: String
  @Persisted var observed: String
  @Persisted var observedContext: String
  @Persisted var place: String
  @Persisted var primaryKey: String
  @Persisted var propertiesMapping: String
  @Persisted var property: String
  @Persisted var read: String
  @Persisted var readSlowly: String
  @Persisted var readWord: String
  @Persisted var realmColumnNames: String
  @Persisted var realmObjectName: String
  @Persisted var recipe: String
  @Persisted var record: String
  @Persisted var recorder: String
  @Persisted var recording: String
  @Persisted var requireWritable: String
  @Persisted var set: String
  @Persisted var setOptional: String
  @Persisted var setValue: String
  @Persisted var shape: String
  @Persisted var sharedSchema: String
  @Persisted var shouldIncludeInDefaultSchema: String
  @Persisted var store: String
  @Persisted var stored: String
  @Persisted var storedClassName: String
  @Persisted var target: String
  @Persisted var text: String
  @Persisted var thaw: String
  @Persisted var thawed: String
  @Persisted var unmanagedInteger: String
  @Persisted var value: String
  @Persisted var wrappedType: String
  @Persisted var write: String
  @Persisted var writeSlowly: String
}

/// The names of what embedded objects have beside the base class of both.
private final class EmbeddedWords: EmbeddedObject {
  @Persisted var decode: String
  @Persisted var embedded: String
  @Persisted var encode: String
  @Persisted var getOptional: String
  @Persisted var isObject: String
  @Persisted var makeDefault: String
  @Persisted var record: String
  @Persisted var shape: String
  @Persisted var text: String
}

private final class ProjectedWords: Projection<Words> {
  @Projected(\Words.age) var age
  @Projected(\Words.aim) var aim
  @Projected(\Words.bind) var bind
  @Projected(\Words.className) var className
  @Projected(\Words.collection) var collection
  @Projected(\Words.collections) var collections
  @Projected(\Words.context) var context
  @Projected(\Words.decode) var decode
  @Projected(\Words.decodeIfValid) var decodeIfValid
  @Projected(\Words.dynamicList) var dynamicList
  @Projected(\Words.dynamicMap) var dynamicMap
  @Projected(\Words.dynamicMutableSet) var dynamicMutableSet
  @Projected(\Words.dynamicPlace) var dynamicPlace
  @Projected(\Words.embedded) var embedded
  @Projected(\Words.encode) var encode
  @Projected(\Words.freeze) var freeze
  @Projected(\Words.frozen) var frozen
  @Projected(\Words.get) var get
  @Projected(\Words.getOptional) var getOptional
  @Projected(\Words.identity) var identity
  @Projected(\Words.ignoredProperties) var ignoredProperties
  @Projected(\Words.indexedProperties) var indexedProperties
  @Projected(\Words.isCached) var isCached
  @Projected(\Words.isEqual) var isEqual
  @Projected(\Words.isKnownByIdentity) var isKnownByIdentity
  @Projected(\Words.isLink) var isLink
  @Projected(\Words.isNil) var isNil
  @Projected(\Words.isObject) var isObject
  @Projected(\Words.isSameObject) var isSameObject
  @Projected(\Words.keep) var keep
  @Projected(\Words.lastTarget) var lastTarget
  @Projected(\Words.level) var level
  @Projected(\Words.linked) var linked
  @Projected(\Words.lockedKey) var lockedKey
  @Projected(\Words.makeDefault) var makeDefault
  @Projected(\Words.newTarget) var newTarget
  @Projected(\Words.object) var object
  @Projected(\Words.observe) var observe
  @Projected(\Words.observed) var observed
  @Projected(\Words.observedContext) var observedContext
  @Projected(\Words.place) var place
  @Projected(\Words.primaryKey) var primaryKey
  @Projected(\Words.propertiesMapping) var propertiesMapping
  @Projected(\Words.property) var property
  @Projected(\Words.read) var read
  @Projected(\Words.readSlowly) var readSlowly
  @Projected(\Words.readWord) var readWord
  @Projected(\Words.realmColumnNames) var realmColumnNames
  @Projected(\Words.realmObjectName) var realmObjectName
  @Projected(\Words.recipe) var recipe
  @Projected(\Words.record) var record
  @Projected(\Words.recorder) var recorder
  @Projected(\Words.recording) var recording
  @Projected(\Words.requireWritable) var requireWritable
  @Projected(\Words.set) var set
  @Projected(\Words.setOptional) var setOptional
  @Projected(\Words.setValue) var setValue
  @Projected(\Words.shape) var shape
  @Projected(\Words.sharedSchema) var sharedSchema
  @Projected(\Words.shouldIncludeInDefaultSchema) var shouldIncludeInDefaultSchema
  @Projected(\Words.store) var store
  @Projected(\Words.stored) var stored
  @Projected(\Words.storedClassName) var storedClassName
  @Projected(\Words.target) var target
  @Projected(\Words.text) var text
  @Projected(\Words.thaw) var thaw
  @Projected(\Words.thawed) var thawed
  @Projected(\Words.unmanagedInteger) var unmanagedInteger
  @Projected(\Words.value) var value
  @Projected(\Words.wrappedType) var wrappedType
  @Projected(\Words.write) var write
  @Projected(\Words.writeSlowly) var writeSlowly
}

private final class WordsOwner: Object {
  @Persisted var object: Words?
  @Persisted var words: EmbeddedWords?
}

@Suite struct `Properties have any name` {
  /// The names of members of the base classes, and of what their protocols ask for, without
  /// underscores; but those that Realm's base classes have, too.
  private static func words() throws -> (all: Set<String>, embedded: Set<String>) {
    var members: [String: [String]] = [:]
    var supertypes: [String: Set<String>] = [:]
    for text in try sources() {
      var (type, isHead) = ("", false)
      for line in text.split(separator: "\n") {
        if !line.hasPrefix(" "),
          let match = line.firstMatch(
            of: /^[^\/]*\b(?:class|struct|enum|protocol|extension|func) (\w+)/
          )
        {
          (type, isHead) = (String(match.output.1), true)
        }
        if isHead {
          let end = line.firstRange(of: "where")?.lowerBound ?? line.endIndex
          let names = line[..<end].matches(of: /\w+/).map { String($0.output) }
          supertypes[type, default: []].formUnion(names)
          isHead = !line.contains("{")
        } else if let match = line.prefixMatch(
          of: #/  (?:@?\w+(?:\(\w+\))? )*(?:var|let|func) _?(\w+)/#
        ) {
          members[type, default: []].append(String(match.output.1))
        }
      }
    }
    var types: Set = ["Object", "EmbeddedObject", "Projection"]
    var next = types
    while !next.isEmpty {
      next = Set(next.flatMap { supertypes[$0] ?? [] }).subtracting(types)
      types.formUnion(next)
    }
    let all = Set(types.flatMap { members[$0] ?? [] }).subtracting([
      "realm", "objectSchema", "isInvalidated", "isFrozen", "description", "hash", "rootObject",
    ])
    return (all, Set(members["EmbeddedObject"] ?? []))
  }

  private static func sources() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appendingPathComponent("Sources/KennelRealm").path
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
  }

  @Test func `also those of members of the base classes`() throws {
    let words = try Self.words()
    #expect(words.all.isSuperset(of: ["object", "embedded", "context", "identity"]))
    let wanted: [(ObjectBase.Type, Set<String>)] = [
      (Words.self, words.all), (EmbeddedWords.self, words.embedded),
    ]
    for (type, words) in wanted {
      let names = try #require(type.sharedSchema()).properties.map(\.name)
      let missing = words.subtracting(names).sorted()
      #expect(missing.isEmpty, "add these properties to the classes of this file")
    }
  }

  @Test func `and are stored, queried and projected under them`() throws {
    try withRealm([Words.self, EmbeddedWords.self, WordsOwner.self]) { realm in
      let names = try #require(Words.sharedSchema()).properties.map(\.name)
      let values = Dictionary(uniqueKeysWithValues: names.map { ($0, "the \($0)") })
      try realm.write {
        let embedded = values.filter { EmbeddedWords.sharedSchema()?[$0.key] != nil }
        realm.create(WordsOwner.self, value: ["words": embedded, "object": values])
      }
      let owner = try #require(realm.objects(WordsOwner.self).first)
      let (words, embedded) = try (#require(owner.object), #require(owner.words))
      #expect(embedded.embedded == "the embedded" && words.context == "the context")
      #expect(realm.objects(Words.self).where { $0.object == "the object" }.count == 1)
      #expect(realm.objects(WordsOwner.self).sorted(by: \.words?.embedded).count == 1)
      let projection = ProjectedWords(projecting: words)
      #expect(projection.object == "the object")
      for (name, value) in values {
        #expect(words[name] as? String == value)
        if embedded.objectSchema[name] != nil { #expect(embedded[name] as? String == value) }
        #expect(projection.description.contains("\t\(name)(\\.\(name)) = \(value);"))
        #expect(realm.objects(ProjectedWords.self).filter("\(name) == %@", value).count == 1)
      }
    }
  }
}
