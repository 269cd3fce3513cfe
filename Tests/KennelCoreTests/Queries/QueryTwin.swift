// swift-format-ignore-file: NeverForceUnwrap
// A property that a table of questions names and the classes do not have should stop the test.

import KennelCore

/// The objects of a snapshot as plain values, to ask by hand what queries ask.
struct QueryTwin {
  /// An object.
  struct Object {
    let key: ObjectKey
    let twin: QueryTwin
    let values: [String: Value]

    subscript(name: String) -> Value { values[name] ?? .null }

    func string(_ name: String) -> String? { self[name].asString }
    func int(_ name: String) -> Int64? { self[name].asInt }
    func double(_ name: String) -> Double? {
      if case .double(let number) = self[name] { number } else { nil }
    }
    func elements(_ name: String) -> [Value] { self[name].elements }
    func strings(_ name: String) -> [String] { elements(name).compactMap(\.asString) }
    func ints(_ name: String) -> [Int64] { elements(name).compactMap(\.asInt) }
    func entry(_ name: String, _ key: String) -> Value {
      guard case .map(let entries) = self[name] else { return .null }
      return entries.first { $0.key == key }?.value ?? .null
    }
    func link(_ name: String) -> Object? { twin.object(self[name]) }
    func links(_ name: String) -> [Object] { elements(name).compactMap(twin.object) }

    /// The objects of a class that link here, once per link.
    func origins(_ origin: String, _ property: String) -> [Object] {
      (twin.origins["\(origin).\(property)"]?[identity] ?? []).compactMap {
        twin.object(.link($0))
      }
    }

    var identity: ObjectIdentity { ObjectIdentity(classKey, key) }
    let classKey: ClassKey
  }

  private(set) var objects: [String: [Object]] = [:]
  private let names: [ClassKey: String]
  private var byIdentity: [ObjectIdentity: [String: Value]] = [:]
  /// By `Class.property`: who links to each object, once per link.
  private var origins: [String: [ObjectIdentity: [ObjectIdentity]]] = [:]

  init(_ snapshot: DatabaseReader) throws {
    names = Dictionary(uniqueKeysWithValues: snapshot.schema.classes.map { ($0.key, $0.name) })
    for schema in snapshot.schema.classes {
      for identity in try snapshot.objects(of: schema.key) {
        byIdentity[identity] = Dictionary(
          uniqueKeysWithValues: try schema.properties.map {
            ($0.name, try snapshot.value(of: identity, property: $0.key))
          }
        )
      }
    }
    for (identity, values) in byIdentity.sorted(by: { $0.key < $1.key }) {
      for (property, value) in values {
        let name = "\(names[identity.classKey]!).\(property)"
        for case .link(let target) in value.elements {
          origins[name, default: [:]][target, default: []].append(identity)
        }
      }
    }
    let whole = self
    for identity in byIdentity.keys.sorted() {
      objects[names[identity.classKey]!, default: []] += [whole.object(.link(identity))!]
    }
  }

  func object(_ value: Value) -> Object? {
    guard case .link(let identity) = value, let values = byIdentity[identity] else { return nil }
    return Object(key: identity.key, twin: self, values: values, classKey: identity.classKey)
  }
}

extension Value {
  /// The elements of a collection; any other value alone.
  var elements: [Value] {
    switch self {
    case .list(let values), .set(let values): values
    case .map(let entries): entries.map(\.value)
    default: [self]
    }
  }

  var asString: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var asInt: Int64? {
    if case .int(let number) = self { number } else { nil }
  }
}
