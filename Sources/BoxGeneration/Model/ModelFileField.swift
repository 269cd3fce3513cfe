import SwiftScanning

/// An object of `model.json`, whose table says how its members are read and written.
protocol ModelFileObject {
  init()
  /// In the order in which they are written.
  static var fields: [ModelFileField<Self>] { get }
  /// Members that are not known here.
  var others: [JSON.Member] { get set }
  /// The line of its brace.
  var line: Int { get set }
}

extension ModelFileObject {
  var json: JSON {
    .object(JSON.Object(members: Self.fields.flatMap { $0.write(self) }))
  }
}

/// A row of such a table.
struct ModelFileField<Owner: ModelFileObject> {
  /// `nil` for members that are not known.
  let key: String?
  let read: (inout Owner, JSON.Member, ModelFileReader) throws(Diagnostic) -> Void
  let write: (Owner) -> [JSON.Member]

  /// A value, written unless it is one of these.
  init<V: ModelFileValue>(_ key: String, _ path: WritableKeyPath<Owner, V>, unless absent: V?...) {
    self.key = key
    read = { (owner, member, reader) throws(Diagnostic) in
      owner[keyPath: path] = try reader.value(member, V.kind, V.value)
    }
    write = { owner in
      let value = owner[keyPath: path]
      return absent.contains(value) ? [] : value.json.map { [.init(key: key, value: $0)] } ?? []
    }
  }

  private init(
    _ key: String?,
    _ read:
      @escaping (inout Owner, JSON.Member, ModelFileReader) throws(Diagnostic) -> Void,
    _ write: @escaping (Owner) -> [JSON.Member]
  ) {
    self.key = key
    self.read = read
    self.write = write
  }

  /// An object, written unless it is empty.
  static func object<T: ModelFileObject>(
    _ key: String,
    _ path: WritableKeyPath<Owner, T>
  ) -> Self {
    Self(key) { (owner, member, reader) throws(Diagnostic) in
      owner[keyPath: path] = try reader.read(reader.value(member, "an object", \.object))
    } _: { owner in
      let json = owner[keyPath: path].json
      return json.object?.members.isEmpty == true ? [] : [.init(key: key, value: json)]
    }
  }

  static func objects<T: ModelFileObject>(
    _ key: String,
    _ path: WritableKeyPath<Owner, [T]>
  ) -> Self {
    Self(key) { (owner, member, reader) throws(Diagnostic) in
      let objects = try reader.value(member, "a list of objects") { $0.array(of: \.object) }
      for object in objects { owner[keyPath: path].append(try reader.read(object)) }
    } _: { owner in
      [.init(key: key, value: .array(owner[keyPath: path].map(\.json)))]
    }
  }

  /// The place of members that are not known.
  static func others(_ isHere: @escaping (String) -> Bool) -> Self {
    Self(nil) { (_, _, _) throws(Diagnostic) in
    } _: { owner in
      owner.others.filter { isHere($0.key) }
    }
  }
}

/// A value of `model.json`.
protocol ModelFileValue: Equatable {
  /// Its name in messages.
  static var kind: String { get }
  static func value(_ json: JSON) -> Self?
  /// `nil` if it is not written.
  var json: JSON? { get }
}

extension IdUid: ModelFileValue {
  static var kind: String { "two numbers such as \"1:123\"" }
  static func value(_ json: JSON) -> IdUid? { json.text.flatMap(IdUid.init) }
  var json: JSON? { .string(text) }
}

extension Int: ModelFileValue {
  static var kind: String { Int64.kind }
  static func value(_ json: JSON) -> Int? { json.integer.map(Int.init) }
  var json: JSON? { Int64(self).json }
}

extension Int64: ModelFileValue {
  static var kind: String { "a whole number" }
  static func value(_ json: JSON) -> Int64? { json.integer }
  var json: JSON? { .number("\(self)") }
}

extension String: ModelFileValue {
  static var kind: String { "a text" }
  static func value(_ json: JSON) -> String? { json.text }
  var json: JSON? { .string(self) }
}

extension Bool: ModelFileValue {
  static var kind: String { "true or false" }
  static func value(_ json: JSON) -> Bool? { json.flag }
  var json: JSON? { .flag(self) }
}

extension Optional: ModelFileValue where Wrapped: ModelFileValue {
  static var kind: String { Wrapped.kind }
  static func value(_ json: JSON) -> Wrapped?? { Wrapped.value(json).map { .some($0) } }
  var json: JSON? { self?.json }
}

extension Array: ModelFileValue where Element: ModelFileValue {
  static var kind: String { "a list of \(Element.self == String.self ? "texts" : "numbers")" }
  static func value(_ json: JSON) -> [Element]? { json.array(of: Element.value) }
  var json: JSON? { .array(compactMap(\.json)) }
}
