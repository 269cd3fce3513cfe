import KennelCore

/// Lines of objects, and the links that wait for their end.
extension DocumentImporter {
  /// The members of a JSON object, sorted by what is to be done with them.
  private struct Members {
    /// Values that are ready.
    var values: [PropertyKey: Value] = [:]
    /// Properties with links to objects that have not come yet.
    var forward: [(property: PropertySchema, node: Int, path: String)] = []
    /// Properties with embedded objects.
    var owned: [(property: PropertySchema, node: Int)] = []
  }

  /// An embedded object that exists and whose properties are to be set.
  private struct Pending {
    let object: ObjectIdentity
    let node: Int
    let path: String
  }

  mutating func readObject(_ json: JSONText) throws(DocumentError) {
    let (className, key) = try objectName(json)
    guard let state = classes[ExactName(className)] else {
      throw problem(className, "there is no such class")
    }
    guard !state.schema.isEmbedded else {
      throw problem(className, "the class is embedded: its objects are written inside their owners")
    }
    let members = try members(json, 0, of: state, path: className)
    let object: ObjectIdentity
    do throws(DatabaseError) {
      object = try create(state.schema.key, key, members.values, keepsKeys: state.keepsKeys)
    } catch {
      let property = error.propertyName.map { ".\($0)" } ?? ""
      throw problem(className + property, error.message, error)
    }
    if let key, !state.keepsKeys,
      classes[ExactName(className)]?.keys.updateValue(object.key, forKey: key) != nil
    {
      throw problem(className, "the object \(className)/\(key) occurs twice")
    }
    summary.objectCount += 1
    remember(members, json, of: object)
    try readEmbedded(members, json, of: object, path: className)
  }

  private func create(
    _ classKey: ClassKey,
    _ key: UInt64?,
    _ values: [PropertyKey: Value],
    keepsKeys: Bool
  ) throws(DatabaseError) -> ObjectIdentity {
    guard let key, keepsKeys else { return try transaction.create(classKey, values) }
    let next = transaction.firstUnusedKey(of: classKey).rawValue
    if key < next {
      throw DatabaseError(
        .outOfRange,
        "the objects of a class must come in the order of their keys, each once: "
          + "\(key) comes after \(next - 1)"
      )
    }
    return try transaction.create(classKey, key: ObjectKey(rawValue: key), values)
  }

  /// The class and the key that a line gives its object; the key may be left out.
  private func objectName(_ json: JSONText) throws(DocumentError) -> (String, UInt64?) {
    for key in json.keys(0) where json.string(key) == DocumentFormat.objectLine {
      guard let text = json.string(key + 1) else { break }
      guard text.utf8.contains(UInt8(ascii: "/")) else { return (text, nil) }
      guard let name = ObjectNames.split(text) else { break }
      return (name.className, name.key)
    }
    throw DocumentError(line: reader.line, "Expected \"$object\":\"Class/key\"")
  }

  // MARK: - Members

  private func members(
    _ json: JSONText,
    _ node: Int,
    of state: ClassState,
    path: String
  ) throws(DocumentError) -> Members {
    var members = Members()
    var seen: Set<PropertyKey> = []
    for key in json.keys(node) {
      guard let member = json.string(key) else {
        throw problem(path, "the name of a property is not valid Unicode")
      }
      if node == 0, member == DocumentFormat.objectLine { continue }
      guard let name = DocumentFormat.unescaped(member),
        let property = state.properties[ExactName(name)]
      else {
        throw problem(path, "\(state.schema.name) has no property \"\(member)\"")
      }
      guard seen.insert(property.key).inserted else {
        throw problem("\(path).\(name)", "the property occurs twice")
      }
      if property.isEmbedded {
        members.owned.append((property, key + 1))
        continue
      }
      do throws(ValueProblem) {
        members.values[property.key] = try value(json, key + 1, of: property)
      } catch {
        let place = "\(path).\(name)"
        guard error.isForwardLink else { throw problem(place + error.path, error.message) }
        members.forward.append((property, key + 1, place))
      }
    }
    return members
  }

  private func value(
    _ json: JSONText,
    _ node: Int,
    of property: PropertySchema
  ) throws(ValueProblem) -> Value {
    let names = ObjectNames(transaction: transaction, classes: classes)
    return try json.wholeValue(node, as: property.type) { (name: String) throws(ValueProblem) in
      try names.object(name)
    }
  }

  // MARK: - Forward links

  private mutating func remember(_ members: Members, _ json: JSONText, of object: ObjectIdentity) {
    for (property, node, path) in members.forward {
      let link = ForwardLink(
        line: reader.line,
        path: path,
        object: object,
        property: property,
        json: json.part(node)
      )
      forwardLinks.append(link)
    }
  }

  /// Sets what waited for objects that came later.
  mutating func setForwardLinks() throws(DocumentError) {
    for link in forwardLinks {
      let value: Value
      do throws(ValueProblem) {
        value = try self.value(link.json, 0, of: link.property)
      } catch {
        throw DocumentError(line: link.line, path: link.path + error.path, error.message)
      }
      do throws(DatabaseError) {
        try transaction.set(link.object, property: link.property.key, to: value)
      } catch {
        throw DocumentError(line: link.line, path: link.path, error.message, cause: error)
      }
    }
    forwardLinks = []
  }

  // MARK: - Embedded objects

  /// Creates the embedded objects of an object, and theirs.
  private mutating func readEmbedded(
    _ members: Members,
    _ json: JSONText,
    of owner: ObjectIdentity,
    path: String
  ) throws(DocumentError) {
    var pending: [Pending] = []
    for (property, node) in members.owned {
      pending += try makeEmbedded(property, json, node, of: owner, path: "\(path).\(property.name)")
    }
    while let next = pending.popLast() {
      guard let name = transaction.schema[next.object.classKey]?.name,
        let state = classes[ExactName(name)]
      else { continue }
      let inner = try self.members(json, next.node, of: state, path: next.path)
      for (key, value) in inner.values {
        do throws(DatabaseError) {
          try transaction.set(next.object, property: key, to: value)
        } catch {
          let property = state.schema[key]?.name ?? ""
          throw problem("\(next.path).\(property)", error.message, error)
        }
      }
      remember(inner, json, of: next.object)
      for (property, node) in inner.owned {
        let path = "\(next.path).\(property.name)"
        pending += try makeEmbedded(property, json, node, of: next.object, path: path)
      }
    }
  }

  /// Creates the objects of one embedded property, without their values.
  private func makeEmbedded(
    _ property: PropertySchema,
    _ json: JSONText,
    _ node: Int,
    of owner: ObjectIdentity,
    path: String
  ) throws(DocumentError) -> [Pending] {
    let kind = json[node].kind
    switch property.type.collection {
    case .none:
      if kind == .null { return [] }
      return [try makeEmbedded(Slot(owner, property.key, .value), json, node, path: path)]
    case .list:
      guard kind == .array else {
        throw problem(path, "expected an array, found \(json.described(node))")
      }
      var made: [Pending] = []
      for element in json.elements(node) {
        let slot = Slot(owner, property.key, .index(made.count))
        made.append(try makeEmbedded(slot, json, element, path: "\(path)[\(made.count)]"))
      }
      return made
    case .map:
      return try makeMap(property, json, node, of: owner, path: path)
    case .set:
      throw problem(path, "sets hold no embedded objects")
    }
  }

  private func makeMap(
    _ property: PropertySchema,
    _ json: JSONText,
    _ node: Int,
    of owner: ObjectIdentity,
    path: String
  ) throws(DocumentError) -> [Pending] {
    guard json[node].kind == .object else {
      throw problem(path, "expected an object, found \(json.described(node))")
    }
    var made: [Pending] = []
    var seen: Set<[UInt8]> = []
    for member in json.keys(node) {
      guard let text = json.string(member), let key = DocumentFormat.unescaped(text),
        seen.insert(Array(key.utf8)).inserted
      else { throw problem(path, "a key is invalid or occurs twice") }
      let place = "\(path)[\"\(key)\"]"
      if json[member + 1].kind == .null {
        do throws(DatabaseError) {
          try transaction.setEntry(key, to: .null, of: owner, property: property.key)
        } catch {
          throw problem(place, error.message, error)
        }
      } else {
        let slot = Slot(owner, property.key, .key(key))
        made.append(try makeEmbedded(slot, json, member + 1, path: place))
      }
    }
    return made
  }

  private func makeEmbedded(
    _ slot: Slot,
    _ json: JSONText,
    _ node: Int,
    path: String
  ) throws(DocumentError) -> Pending {
    guard json[node].kind == .object else {
      throw problem(path, "expected an embedded object, found \(json.described(node))")
    }
    do throws(DatabaseError) {
      return Pending(object: try transaction.createEmbedded(at: slot), node: node, path: path)
    } catch {
      throw problem(path, error.message, error)
    }
  }

  private func problem(
    _ path: String,
    _ message: String,
    _ cause: DatabaseError? = nil
  ) -> DocumentError {
    DocumentError(line: reader.line, path: path, message, cause: cause)
  }
}
