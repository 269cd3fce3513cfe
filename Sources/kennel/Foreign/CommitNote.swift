import Glibc
import KennelCore
import KennelDocuments
import KennelSQL

/// The note beside a copy by which a commit to its original is found out about after an interruption.
///
/// It is written, for its owner alone, before the database is asked to store the commit.
struct CommitNote {
  static let suffix = ".commit"

  /// The number of the copy's commit before it.
  let number: Int
  let trace: CommitTrace

  init(number: Int, _ trace: CommitTrace) {
    self.number = number
    self.trace = trace
  }

  /// Reads a note; `nil` if there is none, or it is damaged.
  init?(at path: String) {
    guard let bytes = try? FileInput(path).readAll(),
      let document = try? Document(json: bytes), let number = document["number"]?.integer,
      case .array(let queries)? = document["queries"]
    else { return nil }
    let read = queries.map(CommitTrace.Query.init)
    guard !read.contains(nil) else { return nil }
    let trace = CommitTrace(
      queries: read.compactMap(\.self),
      transaction: document["transaction"]?.string
    )
    self.init(number: Int(clamping: number), trace)
  }

  func write(to path: String) throws {
    let document: Document = [
      "number": .int64(Int64(number)),
      "queries": .array(trace.queries.map(\.document)),
      "transaction": trace.transaction.map { .string($0) },
    ]
    try replaceRegularFile(path, isPrivate: true) { try $0.write(document.json) }
  }
}

extension CommitTrace.Query {
  fileprivate var document: DocumentValue {
    .document([
      "text": .string(text), "values": .array(values.map(\.stored)), "found": .bool(found),
      "missing": missing.map { .bool($0) },
    ])
  }

  fileprivate init?(_ value: DocumentValue) {
    guard case .document(let document) = value, let text = document["text"]?.string,
      case .array(let stored)? = document["values"], case .bool(let found)? = document["found"]
    else { return nil }
    let values = stored.map(Value.init(stored:))
    guard !values.contains(nil) else { return nil }
    var missing: Bool?
    if case .bool(let answer)? = document["missing"] { missing = answer }
    self.init(text: text, values: values.compactMap(\.self), found: found, missing: missing)
  }
}

extension Value {
  /// The value as JSON holds it without a loss.
  fileprivate var stored: DocumentValue {
    switch self {
    case .int(let number): .int64(number)
    case .double(let number):
      .document(["bits": .int64(Int64(bitPattern: number.bitPattern))])
    case .string(let text): .string(text)
    case .data(let bytes): .document(["bytes": .array(bytes.map { .int64(Int64($0)) })])
    default: .null
    }
  }

  fileprivate init?(stored: DocumentValue) {
    switch stored {
    case .null: self = .null
    case .int64(let number): self = .int(number)
    case .string(let text): self = .string(text)
    case .document(let document):
      if case .int64(let bits)? = document["bits"] {
        self = .double(Double(bitPattern: UInt64(bitPattern: bits)))
      } else if case .array(let bytes)? = document["bytes"] {
        self = .data(bytes.compactMap { $0.integer.flatMap(UInt8.init(exactly:)) })
      } else {
        return nil
      }
    default: return nil
    }
  }
}
