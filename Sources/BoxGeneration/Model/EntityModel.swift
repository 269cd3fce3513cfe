/// A number and a unique number, which `model.json` writes as `"1:123"`.
struct IdUid: Hashable {
  var id = 0
  var uid: Int64 = 0

  var text: String { "\(id):\(uid)" }

  init(id: Int = 0, uid: Int64 = 0) {
    self.id = id
    self.uid = uid
  }

  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = Int(parts[0]), let uid = Int64(parts[1]), id >= 0, uid >= 0
    else { return nil }
    self.init(id: id, uid: uid)
    guard text == self.text else { return nil }
  }
}

/// `// objectbox: uid = 123`, or without a number, to be told one.
struct UidAnnotation {
  let number: Int64?
  let place: Place
}

/// An entity of a target.
struct EntityModel {
  let declaration: DeclaredType
  /// Its name in the database.
  let name: String
  let uid: UidAnnotation?
  var properties: [Property] = []
  var hasAssignableIds = false

  // What `model.json` says.
  var id = IdUid()
  var formerNames: [String] = []

  var isStruct: Bool { declaration.kind == .struct }
  var place: Place { declaration.place }
  /// The name of the generated type that reads and writes it.
  var bindingName: String { declaration.path.joined(separator: "_") + "Binding" }

  /// A property of the entity.
  struct Property {
    enum Kind {
      case id
      case value
      case toOne
      case toMany
      /// The other direction of a relation; with the name of its property in the database.
      case backlink(through: String)
    }

    let swiftName: String
    /// Its name in the database.
    let name: String
    let place: Place
    let access: Access
    let isLet: Bool
    var kind: Kind
    /// The type that is stored.
    let type: EntityPropertyType
    /// The full name of the entity that a relation leads to.
    var target: String?
    var conversion: Conversion?
    var flags: Set<PropertyFlag> = []
    let uid: UidAnnotation?

    // What `model.json` says.
    var id = IdUid()
    var formerNames: [String] = []
    var replacesType = false

    var isRelation: Bool {
      switch kind {
      case .id, .value: false
      case .toOne, .toMany, .backlink: true
      }
    }

    /// Where `model.json` has it.
    var members: WritableKeyPath<ModelFile.Entity, [ModelFile.Member]> {
      isToMany ? \.relations : \.properties
    }

    var isId: Bool { if case .id = kind { true } else { false } }
    var isToMany: Bool { if case .toMany = kind { true } else { false } }
    var isToOne: Bool { if case .toOne = kind { true } else { false } }
    var isBacklink: Bool { if case .backlink = kind { true } else { false } }
    var flagBits: Int { flags.reduce(0) { $0 | $1.rawValue } }
    var hasIndex: Bool { flags.contains(.indexed) }
  }

  /// How a property becomes a stored value and is made of one again.
  enum Conversion {
    /// A type with two functions `convert`.
    case converter(String)
    /// An enum or the like, with the value for what is none of its raw values.
    case rawValue(type: String, isOptional: Bool, default: String?)
  }
}

/// The flags of properties in `model.json`.
enum PropertyFlag: Int {
  case id = 1
  case indexed = 8
  case unique = 32
  case assignableId = 128
  case skipsZero = 512
  case hashIndex = 2048
  case longHashIndex = 4096
  case unsigned = 8192
  case idCompanion = 16384
  case replacesOnConflict = 32768
}
