import KennelStorage

/// The one place where operations become changes.
extension Workspace {
  /// The result of an operation of a draft, with the edits that undo it.
  struct Outcome {
    var result: Draft.Operation.Outcome
    var edits: [Edit]
    /// The objects that were deleted with it.
    var plan: BlastRadius
    /// Its effect, if it changed the schema.
    var schemaPlan: SchemaPlan?
  }

  /// Performs an operation and keeps its edits; a failure leaves everything as it was.
  func record(
    _ operation: Draft.Operation,
    key: ObjectKey? = nil,
    seen: Precondition = .nothing
  ) throws(DatabaseError) -> Outcome {
    _ = takeEdits()
    executedPlan = BlastRadius()
    executedSchemaPlan = nil
    do throws(DatabaseError) {
      let result = try perform(operation, key: key, seen: seen)
      return Outcome(
        result: result,
        edits: takeEdits(),
        plan: executedPlan,
        schemaPlan: executedSchemaPlan
      )
    } catch {
      try undo(takeEdits())
      throw error
    }
  }

  /// Performs an operation; a new object gets the key, if there is one.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - key: The key of the object that it makes; `nil` for the next one of the class.
  ///   - seen: What was read of its place at this moment, if it was.
  /// - Returns: What it gave.
  /// - Throws: `DatabaseError` if it cannot be performed.
  func perform(
    _ operation: Draft.Operation,
    key: ObjectKey? = nil,
    seen: Precondition = .nothing
  ) throws(DatabaseError) -> Draft.Operation.Outcome {
    var outcome = Draft.Operation.Outcome()
    switch operation {
    case .create(let classKey, let values):
      outcome.created = try create(classKey, key: key, values)
    case .delete(let objects): outcome.deletedCount = try delete(objects)
    case .change(let slot, let change): try perform(change, slot, key, seen, &outcome)
    case .schema(let change, let number):
      try noteSchema { () throws(DatabaseError) in
        executedSchemaPlan = try perform(change, number: number)
      }
    }
    return outcome
  }

  private func perform(
    _ change: Draft.Operation.Change,
    _ slot: Slot,
    _ newKey: ObjectKey?,
    _ seen: Precondition,
    _ outcome: inout Draft.Operation.Outcome
  ) throws(DatabaseError) {
    let (object, property) = (slot.object, slot.property)
    switch (change, slot.position) {
    case (.set(let value), .value):
      try setValue(object, property, value, old: seen.wholeValue)
    case (.set(let value), .index(let index)):
      try replaceElement(at: index, with: value, of: object, property)
    case (.set(let value), .key(let name)): try setEntry(name, value, of: object, property)
    case (.insert(let value), .index(let index)):
      try insertElement(value, at: index, of: object, property)
    case (.remove, .index(let index)): try removeElement(at: index, of: object, property)
    case (.remove, .key(let name)): try setEntry(name, nil, of: object, property)
    case (.remove, .member(let member)):
      outcome.didChange = try removeMember(member, of: object, property)
    case (.add, .member(let member)):
      outcome.didChange = try insertMember(member, of: object, property)
    case (.move(let destination), .index(let index)):
      try moveElement(from: index, to: destination, of: object, property)
    case (.create, _): outcome.created = try createEmbedded(at: slot, key: newKey)
    case (.set, .member), (.insert, _), (.remove, .value), (.add, _), (.move, _):
      let schema = try reader.classSchema(object.classKey)
      let name = try reader.existing(object, property).name
      throw DatabaseError(
        .wrongType,
        "\(schema.name).\(name): a slot of this kind does not support the operation",
        className: schema.name,
        propertyName: name
      )
    }
  }

  /// Takes edits back, the last one first.
  func undo(_ edits: [Edit]) throws(DatabaseError) {
    for edit in edits.reversed() { try apply(edit.inverse) }
    _ = takeEdits()
  }
}
