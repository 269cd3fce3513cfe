import KennelCore

/// What a document calls objects, and which objects they are.
struct ObjectNames {
  let transaction: WriteTransaction
  let classes: [ExactName: DocumentImporter.ClassState]

  /// The class and the key of `Dog/7`; `nil` for another text and for keys that no object has.
  static func split(_ text: String) -> (className: String, key: UInt64)? {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")),
      let key = UInt64(text[text.index(after: slash)...]),
      key > 0, key < ObjectKey.firstProvisional
    else { return nil }
    return (String(text[..<slash]), key)
  }

  /// The object that the document calls by a name.
  func object(_ name: String) throws(ValueProblem) -> ObjectIdentity {
    guard let (className, number) = Self.split(name) else {
      throw ValueProblem("\"\(name.prefix(100))\" does not name an object as in \"Dog/7\"")
    }
    guard let state = classes[ExactName(className)] else {
      throw ValueProblem("there is no class \(className)")
    }
    guard !state.schema.isEmbedded else {
      throw ValueProblem("\(className) is embedded: only its owner links to it")
    }
    guard state.keepsKeys else {
      guard let key = state.keys[number] else { throw missing(name) }
      return ObjectIdentity(state.schema.key, key)
    }
    let identity = ObjectIdentity(state.schema.key, ObjectKey(rawValue: number))
    do throws(DatabaseError) {
      if try transaction.contains(identity) { return identity }
    } catch {
      throw ValueProblem(error.message)
    }
    throw missing(name)
  }

  private func missing(_ name: String) -> ValueProblem {
    ValueProblem("there is no object \(name) in the document", isForwardLink: true)
  }
}
