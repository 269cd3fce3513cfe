internal import CPostgreSQL

/// The rows of a statement, as text.
@safe package final class PostgresResult {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) {
    unsafe self.result = result
  }

  deinit { unsafe PQclear(result) }

  var rowCount: Int { unsafe Int(PQntuples(result)) }

  /// A value; `nil` for null.
  func text(_ row: Int, _ column: Int) -> String? {
    let (row, column) = (CInt(clamping: row), CInt(clamping: column))
    if unsafe PQgetisnull(result, row, column) != 0 { return nil }
    return unsafe PQgetvalue(result, row, column).map { unsafe String(cString: $0) }
  }

  /// The command that was run, as in `UPDATE 1`, without its number.
  var command: String { String(status.prefix { $0 != " " }) }

  /// How many rows a statement changed; `nil` for another one.
  var changedCount: Int? {
    ["INSERT", "UPDATE", "DELETE"].contains(command)
      ? status.split(separator: " ").last.flatMap { Int($0) } : nil
  }

  private var status: String {
    unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? ""
  }

  func integer(_ row: Int, _ column: Int) -> Int64 {
    text(row, column).flatMap { Int64($0) } ?? 0
  }

  func isTrue(_ row: Int, _ column: Int) -> Bool { text(row, column) == "t" }

  /// The elements of an array of numbers or truth values.
  func elements(_ row: Int, _ column: Int) -> [Substring] {
    (text(row, column) ?? "{}").dropFirst().dropLast().split(separator: ",")
  }

  /// Whether rows are copied, which come in another way.
  var isCopy: Bool { unsafe PQresultStatus(result) == PGRES_COPY_OUT }

  /// - Throws: `SQLError` if the statement was refused.
  func requireSuccess() throws(SQLError) {
    let isDone = unsafe [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result))
    if isDone || isCopy { return }
    let state = field("C") ?? ""
    let whole = unsafe String(cString: PQresultErrorMessage(result))
    let message = field("M") ?? PostgresConnection.sentence(whole)
    switch state {
    case "57014": throw SQLError(.tookTooLong, message)
    case "57P01", "57P02", "57P03":
      throw SQLError(.failed, "the server ended the connection: \(message)")
    case "55P03": throw SQLError(.busy, message)
    // Constraints, permissions, and values that are none of the type.
    case _ where ["22", "23", "42", "44"].contains(state.prefix(2)):
      throw SQLError(.refused, message)
    default: throw SQLError(.failed, message)
    }
  }

  private func field(_ name: Unicode.Scalar) -> String? {
    unsafe PQresultErrorField(result, CInt(name.value)).map { unsafe String(cString: $0) }
  }
}
