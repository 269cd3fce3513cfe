import ArgumentParser
import Glibc
import KennelCore
import KennelDocuments
import KennelReports
import Synchronization

/// Runs a command whose exit code is 1 where something was found, and 2 where it failed.
func reporting(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch {
    guard let message = sentence(of: error) else { throw error }
    printError(message)
    throw ExitCode(2)
  }
}

/// Lines on standard output, below which a progress bar stands while nothing is written.
final class ReportOutput: Sendable {
  /// So many bytes are collected where no person reads along.
  private static let limit = 1 << 16

  private let bar: Mutex<ProgressBar>
  private let buffer = Mutex<[UInt8]>([])
  private let isTerminal = isatty(STDOUT_FILENO) != 0

  init(_ title: String) {
    bar = Mutex(ProgressBar(title))
  }

  /// Shows how far the report is.
  var progress: QueryProgress {
    QueryProgress(isCancelled: { false }, report: { part in self.bar.withLock { $0.show(part) } })
  }

  /// Removes the bar.
  func removeBar() {
    bar.withLock { $0.finish() }
  }

  /// Writes what is collected, and removes the bar.
  ///
  /// - Throws: `DatabaseError` if standard output cannot be written.
  func finish() throws(DatabaseError) {
    removeBar()
    try flush(past: 0)
  }

  /// Writes a line.
  ///
  /// - Throws: `DatabaseError`, so that the report ends, if standard output cannot be written.
  func write(_ line: String) throws(DatabaseError) {
    if isTerminal { removeBar() }
    buffer.withLock { $0 += Array("\(line)\n".utf8) }
    try flush(past: isTerminal ? 0 : Self.limit)
  }

  private func flush(past limit: Int) throws(DatabaseError) {
    let bytes = buffer.withLock { buffer in
      guard buffer.count > limit else { return [UInt8]() }
      defer { buffer.removeAll(keepingCapacity: true) }
      return buffer
    }
    if bytes.isEmpty { return }
    do {
      try StandardOutput.file.write(bytes)
    } catch {
      throw DatabaseError(.diskFull, "\(error)")
    }
  }

  /// Writes a line without what a terminal would take for a command.
  func writeText(_ line: String) throws(DatabaseError) {
    try write(TerminalText.line(line))
  }
}

// MARK: - Reports as documents

extension DocumentValue {
  /// A value that was compared.
  init(_ value: ComparedValue) {
    switch value {
    case .scalar(let value): self.init(value)
    case .link(let name): self = .document(Document(link: name))
    case .embedded(let members), .map(let members):
      self = .document(Document(members.map { .init($0.name, DocumentValue($0.value)) }))
    case .list(let values), .set(let values): self = .array(values.map { DocumentValue($0) })
    }
  }

  /// A single value.
  init(_ value: Value) {
    self =
      switch value.shape {
      case .null: .null
      case .scalar(let scalar): DocumentValue(scalar)
      case .link: .string(ValueText.describe(value))
      case .list(let values), .set(let values): .array(values.map { DocumentValue($0) })
      case .map(let entries):
        .document(Document(entries.map { .init($0.key, DocumentValue($0.value)) }))
      }
  }

  /// Converts a scalar to the value that documents have for it, or to text.
  private init(_ scalar: any ScalarKind) {
    self =
      switch scalar {
      case let value as Bool: .bool(value)
      case let value as Int64: .int64(value)
      case let value as Float: .double(Double(value))
      case let value as Double: .double(value)
      case let bytes as [UInt8]: .binary(subtype: 0, bytes)
      case let value as Timestamp: .date(value)
      case let value as ObjectId: .objectId(value)
      case let value as Decimal128: .decimal128(value)
      case _: .string(scalar.valueText)
      }
  }
}

extension Document {
  /// A link: `{"$ref":"Dog/42"}`, with the primary key of the target if it has one.
  fileprivate init(link name: ObjectName) {
    self = [
      "$ref": .string("\(name.className)/\(name.key.rawValue)"),
      "primaryKey": name.primaryKey.map { DocumentValue($0) },
    ]
  }

  /// A class, a property or an object that differs.
  init(_ change: ReportedChange) {
    switch change {
    case .schema(let change):
      self = [
        "change": .string("schema"), "class": .string(change.className),
        "property": change.propertyName.map { .string($0) },
        "old": change.old.map { .string($0) }, "new": change.new.map { .string($0) },
      ]
    case .object(let change):
      self = [
        "change": .string(change.kind.rawValue), "class": .string(change.name.className),
        "key": .int64(Int64(change.name.key.rawValue)),
        "primaryKey": change.name.primaryKey.map { DocumentValue($0) },
        "values": .array(change.values.map { .document(Document($0)) }),
      ]
    }
  }

  private init(_ change: ValueChange) {
    self = [
      "path": .string(change.path), "old": change.old.map { DocumentValue($0) },
      "new": change.new.map { DocumentValue($0) },
    ]
  }
}

extension ReportOutput {
  /// Writes a change as text, its values indented below it.
  func writeText(_ change: ReportedChange) throws(DatabaseError) {
    switch change {
    case .schema(let change): try writeText(change.text)
    case .object(let change):
      try writeText("\(change.kind.sign) \(change.text)")
      for line in change.valueTexts { try writeText("    \(line)") }
    }
  }
}
