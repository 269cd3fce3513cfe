/// The scenarios in the order in which they are measured.
enum ScenarioName: String, CaseIterable, Codable {
  case scalars
  case hub
  case firstWrite = "first-write"
  case changes
  case list
  case data
  case updates
  case readers
  case index
  case queries
  case draft
  case oneCommit = "one-commit"

  var scenario: any Scenario.Type {
    switch self {
    case .scalars: ScalarsScenario.self
    case .hub: HubScenario.self
    case .firstWrite: FirstWriteScenario.self
    case .changes: ChangesScenario.self
    case .list: ListScenario.self
    case .data: DataScenario.self
    case .updates: UpdatesScenario.self
    case .readers: ReadersScenario.self
    case .index: IndexScenario.self
    case .queries: QueriesScenario.self
    case .draft: DraftScenario.self
    case .oneCommit: OneCommitScenario.self
    }
  }
}
