import SwiftScanning

/// The Swift type of an Objective-C property.
enum SwiftType: Hashable {
  /// `Int`, `Date`: a scalar, optional or required.
  case scalar(String, isOptional: Bool)
  /// A link to an object, or an embedded object.
  case object(String)
  /// `List`, `MutableSet` or `Map` of elements.
  case collection(String, element: String)
  case linkingObjects
  /// `AnyRealmValue`.
  case anything

  /// Scalars of C.
  static let plain = [
    "BOOL": "Bool", "bool": "Bool", "_Bool": "Bool", "Boolean": "Bool", "NSInteger": "Int",
    "int": "Int", "long": "Int", "long int": "Int", "long long": "Int", "long long int": "Int",
    "short": "Int", "short int": "Int", "signed": "Int", "signed int": "Int", "signed long": "Int",
    "int16_t": "Int", "int32_t": "Int", "int64_t": "Int", "SInt16": "Int", "SInt32": "Int",
    "SInt64": "Int", "float": "Float", "double": "Double", "CGFloat": "Double",
    "NSTimeInterval": "Double", "CFTimeInterval": "Double",
  ]

  /// Classes whose objects are values.
  static let valueClasses = [
    "NSString": "String", "NSDate": "Date", "NSData": "Data", "NSUUID": "UUID",
    "RLMObjectId": "ObjectId", "RLMDecimal128": "Decimal128",
  ]

  /// The protocols that name the type of a number or an element.
  static let tags = [
    "RLMInt": "Int", "RLMBool": "Bool", "RLMFloat": "Float", "RLMDouble": "Double",
    "RLMString": "String", "RLMDate": "Date", "RLMData": "Data", "RLMUUID": "UUID",
    "RLMObjectId": "ObjectId", "RLMDecimal128": "Decimal128", "RLMValue": "AnyRealmValue",
  ]

  static let collections = ["RLMArray": "List", "RLMSet": "MutableSet", "RLMDictionary": "Map"]
}

/// Finds the types of properties among the classes that were read.
struct SwiftTypeReader {
  /// Whether each model class is embedded, by name.
  let models: Set<String>
  let enumerations: Set<String>

  /// Reads the type of an optional or required property.
  func type(
    of property: ObjectiveCProperty,
    in owner: String,
    isRequired: Bool
  ) throws(Diagnostic) -> SwiftType {
    let type = property.type
    func diagnostic(_ message: String) -> Diagnostic {
      property.place.error("\(owner).\(property.name): \(message)")
    }
    if type.name == "id", type.arguments == [["RLMValue"]] { return .anything }
    if !type.isPointer {
      if let plain = SwiftType.plain[type.name] { return .scalar(plain, isOptional: false) }
      if enumerations.contains(type.name) { return .scalar("Int", isOptional: false) }
      if type.name.hasPrefix("unsigned") || type.name == "NSUInteger" || type.name.hasPrefix("uint")
      {
        throw diagnostic("Realm does not store \(type); declare it as NSInteger")
      }
      if SwiftType.valueClasses[type.name] != nil || models.contains(type.name) {
        throw diagnostic("\(type) lacks its asterisk")
      }
      throw diagnostic("\(type) is not a type that is stored; name it in +ignoredProperties")
    }
    if type.name == "NSNumber" {
      guard let tag = type.arguments.first?.first, let scalar = SwiftType.tags[tag] else {
        throw diagnostic(
          "a number says what it is: NSNumber<RLMInt> *, RLMBool, RLMFloat, RLMDouble"
        )
      }
      return .scalar(scalar, isOptional: !isRequired)
    }
    if let scalar = SwiftType.valueClasses[type.name] {
      return .scalar(scalar, isOptional: !isRequired)
    }
    if type.name == "RLMLinkingObjects" { return .linkingObjects }
    if let collection = SwiftType.collections[type.name] {
      guard let element = element(of: type, isRequired: isRequired) else {
        throw diagnostic(
          "\(type.name) says what it holds, as in \(type.name)<Dog *><Dog> *; "
            + "give the file that declares the class as well"
        )
      }
      return .collection(collection, element: element)
    }
    guard models.contains(type.name) else {
      throw diagnostic(
        "\(type.name) is neither a value nor a class declared in these files; "
          + "give the file that declares it as well, or name it in +ignoredProperties"
      )
    }
    guard !isRequired else {
      throw diagnostic("a to-one link is always optional; remove it from +requiredProperties")
    }
    return .object(type.name)
  }

  /// The element type of a collection, from its protocol or from the type itself.
  private func element(of type: ObjectiveCType, isRequired: Bool) -> String? {
    let isMap = type.name == "RLMDictionary"
    let candidates = type.arguments.reversed().compactMap(\.last)
    for name in candidates {
      if name == "RLMValue" || name == "id<RLMValue>" { return "AnyRealmValue" }
      if let scalar = SwiftType.tags[name] ?? SwiftType.valueClasses[name] {
        return isRequired ? scalar : scalar + "?"
      }
      if models.contains(name) { return isMap ? name + "?" : name }
    }
    return nil
  }
}
