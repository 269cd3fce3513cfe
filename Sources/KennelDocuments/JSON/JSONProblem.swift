/// Where a line stops being JSON.
struct JSONProblem: Error {
  /// The column in characters, from 1.
  let column: Int
  let message: String
}
