import Foundation
import KennelCore

/// The classes of the program, bound to those of files of one schema.
internal final class FileBindings: Sendable {
  /// By class, as the list of classes of the realm asked for them.
  let byClass: [ObjectIdentifier: ClassBinding]
  let byKey: [ClassKey: ClassBinding]
  private let byNumber: [ClassBinding?]
  /// The classes of the program that each class of the file is bound to, the one that stands for it
  /// first.
  private let models: [ClassKey: [ModelClass]]
  /// The classes of the program while a migration runs, which binds each as it makes objects of it.
  let migrated: [ModelClass]
  private let migratedBindings = Memo<ObjectIdentifier, ClassBinding?>()

  /// No bindings: what a migration starts from.
  ///
  /// - Parameter models: The classes that the migration leads to; none for what it comes from.
  convenience init(migrating models: [ModelClass]) {
    self.init([], KennelCore.Schema(), migrating: models)
  }

  private init(
    _ models: [ModelClass],
    _ schema: KennelCore.Schema,
    migrating migrated: [ModelClass] = []
  ) {
    self.migrated = migrated
    var byClass: [ObjectIdentifier: ClassBinding] = [:]
    var byKey: [ClassKey: ClassBinding] = [:]
    var bound: [ClassKey: [ModelClass]] = [:]
    for model in models {
      // A file that was opened for reading only need not have every class.
      guard let binding = ClassBinding(model, in: schema) else { continue }
      byClass[ObjectIdentifier(model.objectClass)] = binding
      // Of classes that share their objects, the first stands for them.
      if byKey[binding.classKey] == nil { byKey[binding.classKey] = binding }
      bound[binding.classKey, default: []].append(model)
    }
    self.byClass = byClass
    self.byKey = byKey
    self.models = bound
    let highest = byKey.keys.map(\.rawValue).max().map(Int.init) ?? -1
    byNumber = (0..<highest + 1).map { byKey[ClassKey(rawValue: UInt16($0))] }
  }

  /// Returns the binding of a class of the file; `nil` if the program has no such class.
  func binding(_ classKey: ClassKey) -> ClassBinding? {
    let number = Int(classKey.rawValue)
    return number < byNumber.count ? byNumber[number] : nil
  }

  /// How objects of a class are stored by a migration that makes them.
  func migrated(_ type: ObjectBase.Type, in schema: KennelCore.Schema) -> ClassBinding? {
    migratedBindings.content(ObjectIdentifier(type)) {
      let model = migrated.first { $0.storedName == type.storedClassName }
      return model.flatMap { $0.objectClass == type ? ClassBinding($0, in: schema) : nil }
    }
  }

  /// The classes of the program whose objects are stored in a class of the file.
  func models(of classKey: ClassKey) -> [ModelClass] { models[classKey] ?? [] }

  // MARK: - Schemas that were met before

  /// A schema that has all that a list of classes asks for.
  private struct Known {
    let classes: [ObjectIdentifier]
    let schema: KennelCore.Schema
    let bindings: FileBindings
  }

  private static let lock = NSLock()
  /// The schemas that were met last: a program opens its files again and again.
  ///
  /// Safe to use: under the lock.
  @safe nonisolated(unsafe) private static var known: [Known] = []
  private static let remembered = 8

  /// The bindings for a schema that has all that the classes ask for, if it was met before.
  static func known(_ models: ModelSet, _ schema: KennelCore.Schema) -> FileBindings? {
    lock.withLock {
      known.first { $0.classes == models.classes && $0.schema == schema }?.bindings
    }
  }

  /// The bindings for a schema.
  ///
  /// - Parameters:
  ///   - models: The classes.
  ///   - schema: The schema.
  ///   - isComplete: Whether it has all that the classes ask for.
  /// - Returns: The bindings, which are kept for the next file of the schema where it is complete.
  static func made(
    _ models: ModelSet,
    _ schema: KennelCore.Schema,
    isComplete: Bool
  ) -> FileBindings {
    if let bindings = known(models, schema) { return bindings }
    let bindings = FileBindings(models.models, schema)
    guard isComplete else { return bindings }
    lock.withLock {
      if known.count == remembered { known.removeFirst() }
      known.append(Known(classes: models.classes, schema: schema, bindings: bindings))
    }
    return bindings
  }
}

/// A file with the model classes bound to it: every file of a realm.
internal final class BoundFile: OpenFile, @unchecked Sendable {
  fileprivate let bound: FileBindings

  init(_ database: Database, _ bindings: FileBindings, memory: SharedMemoryFile? = nil) {
    bound = bindings
    super.init(database, memory: memory)
  }
}

extension OpenFile {
  /// The classes of the program, bound to those of the file.
  internal final var bindings: FileBindings { known(self, as: BoundFile.self).bound }
}
