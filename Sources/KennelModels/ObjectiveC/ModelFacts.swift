import SwiftScanning

/// The facts about properties that a model's class methods return.
struct ModelFacts {
  /// The default value of a property.
  struct Default {
    let value: ObjectiveCLiteral
    let place: ObjectiveCPlace
  }

  /// The link that a backlink inverts.
  struct Origin {
    let className: String
    let property: String
    let place: ObjectiveCPlace
  }

  private(set) var primaryKey: String?
  /// The names of properties that each method lists.
  private var lists: [String: Set<String>] = [:]
  private(set) var defaults: [String: Default] = [:]
  private(set) var origins: [String: Origin] = [:]
  /// Every property that a class method names, with the method and its line.
  private(set) var named: [(name: String, method: String, place: ObjectiveCPlace)] = []

  init(_ declared: ObjectiveCClass) throws(Diagnostic) {
    for (method, answer) in declared.answers.sorted(by: { $0.key < $1.key }) {
      let reader = Reader(className: declared.name, method: method, answer: answer)
      var names: Set<String> = []
      switch method {
      case "primaryKey":
        primaryKey = try reader.name()
        names.formUnion([primaryKey].compactMap(\.self))
      case "requiredProperties", "indexedProperties", "ignoredProperties":
        names = try reader.names()
        lists[method] = names
      case "defaultPropertyValues":
        for (name, value, place) in try reader.entries() {
          defaults[name] = Default(value: value, place: place)
          named.append((name, method, place))
        }
      case "linkingObjectsProperties", "linkingObjectProperties":
        for (name, value, place) in try reader.entries() {
          origins[name] = try reader.origin(value, place)
          named.append((name, method, place))
        }
      default: continue
      }
      named += names.sorted().map { ($0, method, answer.place) }
    }
  }

  var required: Set<String> { lists["requiredProperties"] ?? [] }
  var indexed: Set<String> { lists["indexedProperties"] ?? [] }
  var ignored: Set<String> { lists["ignoredProperties"] ?? [] }

  /// Reads what one class method returns.
  private struct Reader {
    let className: String
    let method: String
    let answer: ObjectiveCAnswer

    func diagnostic(_ what: String, at place: ObjectiveCPlace? = nil) -> Diagnostic {
      (place ?? answer.place).error("+[\(className) \(method)] \(what)")
    }

    func name() throws(Diagnostic) -> String? {
      switch answer.value {
      case .string(let name): return name
      case .null: return nil
      case .number, .bool, .array, .dictionary, .message:
        throw diagnostic("does not return a string")
      }
    }

    func names() throws(Diagnostic) -> Set<String> {
      if answer.value == .null { return [] }
      guard case .array(let elements) = answer.value else {
        throw diagnostic("does not return an array")
      }
      var names: Set<String> = []
      for element in elements {
        guard case .string(let name) = element else {
          throw diagnostic("returns an array with something else than strings")
        }
        names.insert(name)
      }
      return names
    }

    func entries() throws(Diagnostic) -> [(String, ObjectiveCLiteral, ObjectiveCPlace)] {
      if answer.value == .null { return [] }
      guard case .dictionary(let entries) = answer.value else {
        throw diagnostic("does not return a dictionary")
      }
      var result: [(String, ObjectiveCLiteral, ObjectiveCPlace)] = []
      for entry in entries {
        guard case .string(let name) = entry.key else {
          throw diagnostic("has a key that is no string", at: entry.place)
        }
        result.append((name, entry.value, entry.place))
      }
      return result
    }

    func origin(_ value: ObjectiveCLiteral, _ place: ObjectiveCPlace) throws(Diagnostic) -> Origin {
      guard
        case .message("RLMPropertyDescriptor", "descriptorWithClass:propertyName:", let parts) =
          value, parts.count == 2,
        case .message(let className, "class", []) = parts[0],
        case .string(let property) = parts[1]
      else {
        throw diagnostic(
          "holds something else than [RLMPropertyDescriptor "
            + "descriptorWithClass:X.class propertyName:@\"y\"]",
          at: place
        )
      }
      return Origin(className: className, property: property, place: place)
    }
  }
}
