import Foundation

/// What a program wrote and synced, in order, as `CFileRecorder` recorded it.
package struct FileRecord {
  /// One call.
  package enum Event {
    /// Bytes were written to a file.
    case write(file: UInt64, offset: Int, bytes: [UInt8])
    /// A file was given a length.
    case truncation(file: UInt64, length: Int)
    /// A sync of a file began.
    case syncBegan(file: UInt64)
    /// A sync of a file ended.
    case syncEnded(file: UInt64, succeeded: Bool)
    /// The program said how far it was.
    case note(String)
  }

  package var events: [Event] = []

  /// Reads a recording.
  package init(contentsOf path: String) throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var position = 0
    while position + 25 <= bytes.count {
      let file = Self.word(bytes, position + 1)
      let offset = Int(truncatingIfNeeded: Self.word(bytes, position + 9))
      let end = position + 25 + Int(Self.word(bytes, position + 17))
      guard end <= bytes.count else { throw TestFailure("the recording is cut off") }
      let rest = Array(bytes[position + 25..<end])
      switch bytes[position] {
      case UInt8(ascii: "w"): events.append(.write(file: file, offset: offset, bytes: rest))
      case UInt8(ascii: "t"): events.append(.truncation(file: file, length: offset))
      case UInt8(ascii: "s"): events.append(.syncBegan(file: file))
      case UInt8(ascii: "S"): events.append(.syncEnded(file: file, succeeded: true))
      case UInt8(ascii: "F"): events.append(.syncEnded(file: file, succeeded: false))
      case UInt8(ascii: "n"): events.append(.note(String(decoding: rest, as: UTF8.self)))
      default: throw TestFailure("the recording has an unknown event")
      }
      position = end
    }
  }

  private static func word(_ bytes: [UInt8], _ start: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * $1) }
  }

  /// The number by which a recording names a file.
  package static func number(of path: String) throws -> UInt64 {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw TestFailure("there is no \(path)") }
    return UInt64(status.st_ino)
  }
}

/// What the disk may still lack of one file, as a recording is read from its beginning.
package struct UnsyncedBytes {
  private let file: UInt64
  /// What was written since the last sync began.
  private var fresh: [Range<Int>] = []
  /// What was written before a sync that has not ended.
  private var underway: [Range<Int>] = []
  /// How many writes and syncs there were.
  package private(set) var writeCount = 0
  package private(set) var syncCount = 0

  package init(of file: UInt64) { self.file = file }

  /// Everything that a power failure could take.
  package var ranges: [Range<Int>] { underway + fresh }

  package mutating func apply(_ event: FileRecord.Event) {
    switch event {
    case .write(file, let offset, let bytes):
      fresh.append(offset..<offset + bytes.count)
      writeCount += 1
    case .truncation(file, let length):
      fresh.append(length..<length)
      writeCount += 1
    case .syncBegan(file):
      underway += fresh
      fresh = []
    case .syncEnded(file, succeeded: true):
      underway = []
      syncCount += 1
    case .write, .truncation, .syncBegan, .syncEnded, .note:
      break
    }
  }
}
