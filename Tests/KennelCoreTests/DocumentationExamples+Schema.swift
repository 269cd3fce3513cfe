import KennelCore
import KennelTestSupport
import Testing

/// The examples of changes of the schema; a tidy test compares them with the doc comments.
@Suite struct `The examples of changes of the schema` {
  @Test func `run`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        try transaction.define([define("Dog", ["name": .string, "age": .int])])
        _ = try transaction.make("Dog", ["name": .string("Rex"), "age": .int(3)])
      }
      try plan(database.makeDraft())
      try misfit(database.makeDraft())
      try listed(change(database))
    }
  }

  private func change(_ database: Database) throws -> Draft {
    let draft = try database.makeDraft()
    try draft.changeSchema(.renameProperty("name", of: "Dog", to: "callName"))
    try draft.changeSchema(.retypeProperty("age", of: "Dog", to: .double, clearing: false))
    print(draft.schemaChanges.map { "\($0.change)" })
    return draft
  }

  private func plan(_ draft: Draft) throws {
    let plan = try draft.reader.plan(of: .deleteProperty("age", of: "Dog"))
    print(plan.valueCount, "values would be deleted")
    #expect(plan.valueCount == 1)
  }

  private func misfit(_ draft: Draft) throws {
    let toInt = SchemaChange.retypeProperty("name", of: "Dog", to: .int, clearing: false)
    for misfit in try draft.reader.plan(of: toInt).misfits {
      print(draft.reader.describe(misfit.object), ValueText.describe(misfit.value))
    }
  }

  private func listed(_ draft: Draft) throws {
    for change in draft.schemaChanges where !change.isConflicting {
      print(change.change, change.plan?.valueCount ?? 0)
    }
    #expect(draft.schemaChanges.count == 2)
  }
}
