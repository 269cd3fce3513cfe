public import KennelCore
import Synchronization

/// A model of a database: the instance whose members know where they are in the file.
@usableFromInline
internal class AnyBinding: @unchecked Sendable {
  let type: any Model.Type
  let members: [ModelMember]
  /// The class in the file, once the database is open.
  ///
  /// Safe to use without checks, as ``Property/column``.
  @safe @exclusivity(unchecked) @usableFromInline
  internal final var classKey = ClassKey(rawValue: 0)

  init(_ type: any Model.Type, _ members: [ModelMember]) {
    self.type = type
    self.members = members
  }
}

/// A model of a database, with its type.
@usableFromInline
internal final class Binding<M: Model>: AnyBinding, @unchecked Sendable {
  @usableFromInline internal let model: M

  /// Members of ``Object``, ``Editor`` and ``Query``, which would hide a property of that name.
  private static var hidden: Set<String> {
    [
      "append", "create", "debugDescription", "exists", "hash", "hashValue", "itself",
      "objectKey",
    ]
  }

  /// A member of the model, which is not copied for it: each of its members would be counted.
  @inlinable
  @inline(__always)
  internal final func member<Member>(_ path: KeyPath<M, Member>) -> Member { model[keyPath: path] }

  /// Instantiates a model and gives its members names.
  init(_ type: M.Type) throws(DatabaseError) {
    let model = type.init()
    var members: [ModelMember] = []
    for child in Mirror(reflecting: model).children {
      guard let member = child.value as? ModelMember else {
        throw DatabaseError(
          .schemaMismatch,
          "\(type.className).\(child.label ?? "?") is neither a Property nor Backlinks; "
            + "a model declares nothing else",
          className: type.className,
          propertyName: child.label
        )
      }
      let label = child.label ?? ""
      guard !Self.hidden.contains(label) else {
        throw DatabaseError(
          .schemaMismatch,
          "\(type.className).\(label) cannot be read, since each object has a member of that name; "
            + "call it otherwise, and give it the name in the file by Property(name: \"\(label)\")",
          className: type.className,
          propertyName: label
        )
      }
      if member.name.isEmpty { member.name = label }
      members.append(member)
    }
    self.model = model
    super.init(type, members)
  }
}

/// The models of a database.
@usableFromInline
internal final class Bindings: Sendable {
  let database: KennelCore.Database
  /// In the order of the names of their classes.
  @usableFromInline internal let all: [AnyBinding]
  /// The type of each.
  @usableFromInline internal let ids: [ObjectIdentifier]
  private let boundSchema = Mutex(Schema())

  /// Instantiates models, those that they name included.
  init(
    _ database: KennelCore.Database,
    _ types: [any Model.Type]
  ) throws(DatabaseError) {
    self.database = database
    var bindings: [ObjectIdentifier: AnyBinding] = [:]
    var left = types
    while let type = left.popLast() {
      if bindings[ObjectIdentifier(type)] != nil { continue }
      let binding = try Self.makeBinding(type)
      bindings[ObjectIdentifier(type)] = binding
      left += binding.members.flatMap(\.neighbors)
    }
    all = bindings.values.sorted { $0.type.className < $1.type.className }
    ids = all.map { ObjectIdentifier($0.type) }
  }

  private static func makeBinding<M: Model>(_ type: M.Type) throws(DatabaseError) -> AnyBinding {
    try Binding(type)
  }

  /// The schema when the database was opened, with all of its models.
  var schema: Schema { boundSchema.withLock { $0 } }

  /// The definitions of the classes, in the order of their names.
  func definitions() throws(DatabaseError) -> [ClassDefinition] {
    var definitions: [ClassDefinition] = []
    for binding in all {
      var properties: [PropertyDefinition] = []
      var backlinks: [BacklinkDefinition] = []
      for member in binding.members {
        if let property = try member.property() { properties.append(property) }
        if let backlink = try member.backlink(self) { backlinks.append(backlink) }
      }
      definitions.append(
        ClassDefinition(
          binding.type.className,
          isEmbedded: binding.type.isEmbedded,
          properties: properties,
          backlinks: backlinks
        )
      )
    }
    return definitions
  }

  /// Finds every member in a schema.
  func bind(to schema: Schema) throws(DatabaseError) {
    boundSchema.withLock { $0 = schema }
    for binding in all {
      let name = binding.type.className
      let found = try schema.require(name)
      binding.classKey = found.key
      for member in binding.members {
        try member.bind(name, self)
        unsafe member.neighbor = member.neighbors.first.flatMap(self.binding).map {
          unsafe Unmanaged.passUnretained($0)
        }
      }
    }
  }

  private func binding(of type: any Model.Type) -> AnyBinding? {
    ids.firstIndex(of: ObjectIdentifier(type)).map { all[$0] }
  }

  /// The instance of a model.
  @inlinable
  internal func binding<M: Model>(_ type: M.Type) throws(DatabaseError) -> Binding<M> {
    let id = ObjectIdentifier(type)
    // There are few models: comparing them all takes less than hashing one.
    for index in ids.indices where ids[index] == id {
      return unsafe unsafeDowncast(all[index], to: Binding<M>.self)
    }
    throw missing(type.className)
  }

  @usableFromInline
  @inline(never)
  internal func missing(_ className: String) -> DatabaseError {
    DatabaseError(
      .noSuchClass,
      "\(className) is not a model of the database at \(database.path); "
        + "name it in Database.open(_:models:)",
      path: database.path,
      className: className
    )
  }
}
