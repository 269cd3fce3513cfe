import KennelCore
import SwiftScanning

/// Generates the models of one of the libraries.
protocol ModelWriter {
  static var module: String { get }
  /// The types that the library has and the source mentions.
  static var types: Set<String> { get }
  /// Whether a class can be declared.
  static func canDeclare(_ definition: ClassDefinition) -> Bool
  /// The names that a property cannot have.
  static func reserved(in definition: ClassDefinition) -> Set<String>

  init(names: ModelNames, notes: [String])
  var names: ModelNames { get }
  /// The differences between the classes and their models.
  var notes: [String] { get set }
  /// The source of a class that can be declared.
  mutating func text(of definition: ClassDefinition, _ members: SwiftPropertyNames) -> String
}

extension ModelWriter {
  static func canDeclare(_ definition: ClassDefinition) -> Bool { true }
  static func reserved(in definition: ClassDefinition) -> Set<String> { SwiftPropertyNames.realm }

  /// Generates the models of classes; the classes that their links point to must be among them.
  static func models(of classes: [ClassDefinition]) -> GeneratedModels {
    let names = ModelNames(classes, for: Self.self)
    var writer = Self(names: names, notes: [])
    var text = "import \(module)\n"
    for (definition, members) in zip(classes, names.members) {
      if canDeclare(definition) {
        text += "\n" + writer.text(of: definition, members)
      } else {
        writer.notes.append("\(definition.name): an embedded class cannot be an entity")
      }
    }
    return GeneratedModels(
      text: text,
      notes: writer.notes,
      classNames: classes.filter(canDeclare).map { names.classNames[$0.name] }
    )
  }
}

/// The Swift names of classes and their properties.
struct ModelNames {
  let classes: [ClassDefinition]
  let members: [SwiftPropertyNames]
  private(set) var classNames: SwiftClassNames

  init<Writer: ModelWriter>(_ classes: [ClassDefinition], for writer: Writer.Type) {
    self.classes = classes
    classNames = SwiftClassNames(taken: Writer.types)
    for definition in classes where Writer.canDeclare(definition) {
      classNames.add(definition.name)
    }
    members = classes.map { SwiftPropertyNames($0, reserved: Writer.reserved(in: $0)) }
  }

  /// The name of a class in code.
  func code(_ className: String?) -> String { SwiftText.name(classNames[className ?? ""]) }

  /// The class that backlinks come from, and the Swift name of the property with the links.
  func origin(of backlink: BacklinkDefinition) -> (definition: ClassDefinition, member: String)? {
    classes.firstIndex { $0.name.hasSameBytes(as: backlink.origin) }
      .map { (classes[$0], members[$0][backlink.property]) }
  }
}
