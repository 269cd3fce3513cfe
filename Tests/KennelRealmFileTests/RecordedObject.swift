import KennelRealmFile

/// An object with all that the file says of it.
struct RecordedObject: Equatable {
  let key: Int64
  var values: [String: RealmValue] = [:]
  var backlinks: [String: [Int64]] = [:]
}

/// A class as Realm read it.
struct ExpectedClass {
  let json: JSON
  let classes: [RealmClass]

  var objects: [RecordedObject] {
    json["objects"].array.map { object in
      var values: [String: RealmValue] = [:]
      for column in json["columns"].array {
        let name = column["name"].text ?? ""
        values[name] = value(object["values"][name], isSet: column["collection"].text == "set")
      }
      return RecordedObject(
        key: object["key"].int ?? -1,
        values: values,
        backlinks: object["backlinks"].object.mapValues { $0.array.compactMap(\.int) }
      )
    }
  }

  /// What a class that was read says otherwise.
  func differences(from found: RealmClass) -> [String] {
    var differences: [String] = []
    func compare<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
      if found != expected { differences.append("\(what): \(found), not \(expected)") }
    }
    let kinds = ["TopLevel": RealmClass.Kind.topLevel, "Embedded": .embedded]
    compare("kind", found.kind, kinds[json["type"].text ?? ""] ?? .asymmetric)
    compare("key", Int64(found.tableKey), json["key"].int ?? -1)
    compare("primary key", found.primaryKey?.name, json["pk"].text)
    compare("count", Int64(found.count), json["count"].int ?? -1)
    let columns = json["columns"].array
    compare("names", found.properties.map(\.name), columns.compactMap { $0["name"].text })
    for (property, column) in zip(found.properties, columns) {
      let name = property.name
      let collections = [
        "list": RealmCollectionKind.list, "set": .set, "dictionary": .dictionary,
      ]
      compare(name, property.columnKey, column["key"].int ?? -1)
      compare(name, Int64(property.index), column["index"].int ?? -1)
      compare(name, property.kind, kind(column))
      compare(name, property.collection, collections[column["collection"].text ?? ""])
      if case .bool(let isOptional) = column["nullable"] {
        compare(name, property.isOptional, isOptional)
      }
      compare(name, property.isIndexed, column["index_type"].text != nil)
      compare(name, property.isFullText, column["index_type"].text == "fulltext")
    }
    return differences
  }

  private func kind(_ column: JSON) -> RealmKind {
    let kinds: [String: RealmKind] = [
      "int": .int, "bool": .bool, "string": .string, "binary": .data, "mixed": .mixed,
      "timestamp": .timestamp, "float": .float, "double": .double, "decimal128": .decimal,
      "objectid": .objectId, "uuid": .uuid,
    ]
    return kinds[column["type"].text ?? ""] ?? .object(target: tableKey(column["target"]))
  }

  private func tableKey(_ name: JSON) -> Int {
    classes.first { $0.name == name.text }?.tableKey ?? -1
  }

  private func value(_ json: JSON, isSet: Bool = false) -> RealmValue {
    switch json {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .int(let int): return .int(int)
    case .text(let text): return .string(text)
    case .array(let array):
      let values = array.map { value($0) }
      return isSet ? .set(values) : .list(values)
    case .object(let object):
      if let hex = object["$binary"]?.text { return .data(bytes(hex)) }
      if let hex = object["$oid"]?.text {
        return .objectId(high: word(hex.prefix(16)), low: UInt32(word(hex.suffix(8))))
      }
      if let text = object["$uuid"]?.text {
        let hex = text.filter { $0 != "-" }
        return .uuid(high: word(hex.prefix(16)), low: word(hex.suffix(16)))
      }
      if let parts = object["$timestamp"]?.array.compactMap(\.int) {
        return .timestamp(seconds: parts[0], nanoseconds: Int32(parts[1]))
      }
      if let parts = object["$link"]?.array {
        return .link(table: tableKey(parts[0]), key: parts[1].int ?? -1)
      }
      if let entries = object["$dict"]?.array {
        return .dictionary(
          entries.map { RealmEntry(key: $0.array[0].text ?? "", value: value($0.array[1])) }
        )
      }
      if object["$float"] != nil { return .float(bits: UInt32(word(json["bits"].text ?? ""))) }
      if object["$double"] != nil { return .double(bits: word(json["bits"].text ?? "")) }
      return .decimal(high: word(json["hi"].text ?? ""), low: word(json["lo"].text ?? ""))
    }
  }

  private func word(_ hex: some StringProtocol) -> UInt64 { UInt64(hex, radix: 16) ?? 0 }

  private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16) ?? 0
    }
  }
}
