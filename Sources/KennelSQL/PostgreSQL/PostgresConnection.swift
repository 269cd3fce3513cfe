internal import CPostgreSQL
internal import Glibc

/// A connection to a PostgreSQL server, for one thread.
///
/// Only this folder knows libpq. It never waits without end: for a connection at most
/// ``mostConnectSeconds``, and for a sign of life of a server at most ``mostSilence``. A server that says
/// nothing for so long is asked to cancel, and the connection is given up.
@safe package final class PostgresConnection {
  /// A connection takes at most so long, unless `connect_timeout` says another time.
  private static let mostConnectSeconds = 10

  let handle: OpaquePointer
  /// So long a server may say nothing.
  let mostSilence: Duration
  /// Whether the connection was given up.
  private var isLost = false
  /// The statement that the server has parsed last, if it was run without an error.
  private var parsed: String?

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - url: The database.
  ///   - password: A password that a person typed.
  ///   - mostSilence: So long the server may say nothing.
  /// - Throws: `SQLError` if there is no connection; one of the kind `needsPassword` if the server wants a
  ///   password and none was given.
  package init(
    _ url: PostgresURL,
    password: String? = nil,
    silence mostSilence: Duration = PostgresPart().mostSilence
  ) throws(SQLError) {
    self.mostSilence = mostSilence
    var parameters = [
      ("dbname", url.text), ("client_encoding", "UTF8"), ("fallback_application_name", "kennel"),
    ]
    if let password { parameters.append(("password", password)) }
    guard let started = unsafe Self.start(parameters) else {
      throw SQLError(.failed, "there is no memory for a connection")
    }
    unsafe handle = started
    // Notices would go to standard error.
    unsafe PQsetNoticeReceiver(started, { _, _ in }, nil)
    do throws(SQLError) {
      try connect()
    } catch {
      let needsPassword = unsafe PQconnectionNeedsPassword(started) != 0 && password == nil
      throw needsPassword ? SQLError(.needsPassword, error.message) : error
    }
    unsafe PQsetnonblocking(started, 1)
  }

  deinit { unsafe PQfinish(handle) }

  private static func start(_ parameters: [(name: String, value: String)]) -> OpaquePointer? {
    let texts = unsafe parameters.flatMap { unsafe [strdup($0.name), strdup($0.value)] }
    defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
    let even = unsafe stride(from: 0, to: texts.count, by: 2)
    let names = unsafe even.map { unsafe UnsafePointer(texts[$0]) } + [nil]
    let values = unsafe even.map { unsafe UnsafePointer(texts[$0 + 1]) } + [nil]
    return unsafe PQconnectStartParams(names, values, 1)
  }

  private func connect() throws(SQLError) {
    guard unsafe PQstatus(handle) != CONNECTION_BAD else { throw failure }
    let limit = connectLimit
    let end = ContinuousClock.now + limit
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      guard state != PGRES_POLLING_FAILED else { throw failure }
      let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard unsafe Self.wait(PQsocket(handle), Int16(events), until: end) else {
        throw SQLError(.tookTooLong, "it did not answer for \(limit.components.seconds) s")
      }
      state = unsafe PQconnectPoll(handle)
    }
  }

  /// The time that a connection may take.
  private var connectLimit: Duration {
    let limit = option("connect_timeout").flatMap(Int.init) ?? 0
    return .seconds(limit > 0 ? limit : Self.mostConnectSeconds)
  }

  /// The value that libpq uses for an option.
  private func option(_ name: String) -> String? {
    guard let options = unsafe PQconninfo(handle) else { return nil }
    defer { unsafe PQconninfoFree(options) }
    var index = 0
    while let keyword = unsafe options[index].keyword {
      if unsafe String(cString: keyword) == name {
        return unsafe options[index].val.map { unsafe String(cString: $0) }
      }
      index += 1
    }
    return nil
  }

  // MARK: - The server

  /// The version, such as 150004.
  var version: Int { unsafe Int(PQserverVersion(handle)) }

  /// The name of the database.
  package var database: String {
    unsafe PQdb(handle).map { unsafe String(cString: $0) } ?? ""
  }

  /// The database and its host, as in `shop on db.example.com`.
  package var name: String {
    let host = unsafe PQhost(handle).map { unsafe String(cString: $0) } ?? ""
    let port = unsafe PQport(handle).map { unsafe String(cString: $0) } ?? ""
    return "\(database) on \(host)\(port == "5432" || port.isEmpty ? "" : ":\(port)")"
  }

  /// Whether the server stores any bytes as text.
  var hasAnyBytes: Bool {
    unsafe PQparameterStatus(handle, "server_encoding").map { unsafe String(cString: $0) }
      == "SQL_ASCII"
  }

  // MARK: - Statements

  /// Runs a statement.
  ///
  /// - Parameters:
  ///   - text: One statement.
  ///   - values: The values of its parameters, as text.
  /// - Returns: Its rows.
  /// - Throws: `SQLError` if it cannot be run.
  @discardableResult
  package func run(_ text: String, _ values: String...) throws(SQLError) -> PostgresResult {
    try run(text, binding: values)
  }

  /// Runs a statement of a commit, with values of which `nil` stands for null.
  ///
  /// Where it is the one that was run last, the server parses it no more. So it must not be one whose columns other
  /// programs can change, which the server would refuse.
  func change(_ text: String, binding values: [String?]) throws(SQLError) -> PostgresResult {
    try result(of: text, values, isReused: text == parsed)
  }

  /// Runs a statement with values of which `nil` stands for null.
  func run(_ text: String, binding values: [String?]) throws(SQLError) -> PostgresResult {
    try result(of: text, values, isReused: false)
  }

  private func result(
    of text: String,
    _ values: [String?],
    isReused: Bool
  ) throws(SQLError) -> PostgresResult {
    try send(text, values, isReused: isReused)
    let first = try nextResult()
    while try nextResult() != nil {}
    guard let first else { throw failure }
    try first.requireSuccess()
    parsed = text
    return first
  }

  /// Begins to copy the rows of a query in PostgreSQL's binary format.
  func copy(_ query: String) throws(SQLError) {
    try send("COPY (\(query)) TO STDOUT (FORMAT binary)", [], isReused: false)
    guard let result = try nextResult() else { throw failure }
    if result.isCopy { return }
    while try nextResult() != nil {}
    try result.requireSuccess()
  }

  /// Appends what comes next of a copy; `false` at its end.
  func readCopy(into bytes: inout [UInt8]) throws(SQLError) -> Bool {
    while true {
      var data: UnsafeMutablePointer<CChar>?
      let count = unsafe PQgetCopyData(handle, &data, 1)
      if count > 0, let data = unsafe data {
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: Int(count)))
        unsafe PQfreemem(data)
        return true
      }
      guard count == 0 else { break }
      try readMore()
    }
    while let result = try nextResult() { try result.requireSuccess() }
    return false
  }

  private func send(
    _ text: String,
    _ values: [String?],
    isReused: Bool
  ) throws(SQLError) {
    parsed = nil
    if isLost { throw SQLError(.failed, "the connection was given up") }
    let copies = unsafe values.map { value in unsafe value.flatMap { unsafe strdup($0) } }
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    let pointers = unsafe copies.map { unsafe UnsafePointer($0) }
    let count = CInt(values.count)
    let isSent =
      isReused
      ? unsafe PQsendQueryPrepared(handle, "", count, pointers, nil, nil, 0)
      : unsafe PQsendQueryParams(handle, text, count, nil, pointers, nil, nil, 0)
    guard isSent == 1 else { throw failure }
    while true {
      let rest = unsafe PQflush(handle)
      if rest == 0 { return }
      guard rest > 0 else { throw failure }
      // A server that does not read may want to write first.
      try waitForServer(Int16(POLLIN | POLLOUT))
      guard unsafe PQconsumeInput(handle) == 1 else { throw failure }
    }
  }

  private func nextResult() throws(SQLError) -> PostgresResult? {
    while unsafe PQisBusy(handle) != 0 { try readMore() }
    return unsafe PQgetResult(handle).map { unsafe PostgresResult($0) }
  }

  private func readMore() throws(SQLError) {
    try waitForServer(Int16(POLLIN))
    guard unsafe PQconsumeInput(handle) == 1 else { throw failure }
  }

  // MARK: - Waiting

  private func waitForServer(_ events: Int16) throws(SQLError) {
    if unsafe Self.wait(PQsocket(handle), events, until: .now + mostSilence) { return }
    isLost = true
    unsafe PostgresCancellation.send(to: handle)
    throw SQLError(
      .tookTooLong,
      "the server has not answered for \(mostSilence.components.seconds) s"
    )
  }

  /// Waits a moment before a server is asked again.
  static func pause() { usleep(500_000) }

  /// Waits for events of a socket; `false` if none came.
  private static func wait(
    _ socket: CInt,
    _ events: Int16,
    until end: ContinuousClock.Instant
  ) -> Bool {
    while true {
      let milliseconds = (end - .now) / .milliseconds(1)
      guard milliseconds > 0 else { return false }
      var descriptor = pollfd(fd: socket, events: events, revents: 0)
      let count = unsafe poll(&descriptor, 1, CInt(min(milliseconds.rounded(.up), 3_600_000)))
      if count > 0 || count < 0 && errno != EINTR { return true }
    }
  }

  /// The reason that libpq gives for a failure of the connection.
  private var failure: SQLError {
    let text = unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
    return SQLError(.failed, Self.sentence(text))
  }

  /// Makes a part of a sentence of a message; it may have hints in further lines.
  static func sentence(_ text: String) -> String {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("\t") }
    let message = lines.joined(separator: "; ").replacing("FATAL:  ", with: "")
    return message.isEmpty ? "the connection broke" : message
  }
}
