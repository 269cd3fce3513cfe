import KennelPages
import Synchronization

/// Records what a store does to its file, and lets it fail.
final class RecordingFile: DataFile {
  enum Event: Sendable {
    case write(offset: Int, bytes: [UInt8])
    case synchronize
    /// The system gave up what was written, or a part of it.
    case failedSynchronize
    /// A commit was acknowledged.
    case acknowledge(Int)
  }

  private let file: SystemFile
  let log: Log

  /// The record, which outlives the file.
  final class Log: Sendable {
    let state = Mutex<State>(State())

    struct State: Sendable {
      var events: [Event] = []
      var failure: Failure?
    }

    struct Failure: Sendable {
      let steps: Set<Step>
      /// How many of these steps succeed first.
      var after: Int
      /// How many fail then.
      var count: Int
      let code: Int32
    }

    var events: [Event] { state.withLock { $0.events } }

    func acknowledge(_ number: Int) {
      state.withLock { $0.events.append(.acknowledge(number)) }
    }

    /// Forgets the first events.
    func forget(_ count: Int) {
      state.withLock { $0.events.removeFirst(count) }
    }

    /// Lets steps fail after some of them succeeded, until ``recover()`` or as often as said.
    func fail(_ steps: Set<Step>, after: Int = 0, times count: Int = .max, code: Int32) {
      let failure = Failure(steps: steps, after: after, count: count, code: code)
      state.withLock { $0.failure = failure }
    }

    func recover() {
      state.withLock { $0.failure = nil }
    }

    /// The error of a step that fails; one that succeeds is recorded.
    fileprivate func record(_ step: Step, _ event: Event) -> SystemError? {
      state.withLock { state in
        guard let failure = state.failure, failure.steps.contains(step), failure.count > 0 else {
          state.events.append(event)
          return nil
        }
        if failure.after > 0 {
          state.failure?.after -= 1
          state.events.append(event)
          return nil
        }
        state.failure?.count -= 1
        if step == .synchronize { state.events.append(.failedSynchronize) }
        return SystemError(code: failure.code)
      }
    }
  }

  enum Step: CaseIterable {
    case write, synchronize
  }

  init(_ file: SystemFile, _ log: Log) {
    self.file = file
    self.log = log
  }

  /// A write that fails has written a part of it.
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    var bytes: [UInt8] = []
    for index in unsafe pieces.indices { unsafe bytes.append(contentsOf: pieces[index]) }
    guard let failure = log.record(.write, .write(offset: offset, bytes: bytes)) else {
      return try unsafe file.write(pieces, at: offset)
    }
    // What a disk writes as a whole is not written at all.
    if let first = unsafe pieces.first, bytes.count > 512 {
      let half = unsafe UnsafeRawBufferPointer(rebasing: first.prefix(first.count / 2))
      try? unsafe file.write([half], at: offset)
    }
    throw failure
  }

  func synchronize() throws(SystemError) {
    if let failure = log.record(.synchronize, .synchronize) { throw failure }
    try file.synchronize()
  }
}

/// What a disk may have after a power failure: everything before the last synchronization, and any
/// sectors of what was written after it, in any order, with the old or the new size.
struct DiskImages {
  private static let sector = 512
  private(set) var durable: [UInt8] = []
  private var pending: [(offset: Int, bytes: [UInt8])] = []

  init(_ durable: [UInt8]) { self.durable = durable }

  mutating func add(_ event: RecordingFile.Event, _ random: inout SeededNumbers) {
    switch event {
    case .failedSynchronize:
      // What did not reach the disk now is never written again.
      durable = image(&random)
      pending = []
    case .write(let offset, let bytes): pending.append((offset, bytes))
    case .synchronize:
      for write in pending { Self.apply(write.offset, write.bytes[...], to: &durable) }
      pending = []
    case .acknowledge: break
    }
  }

  /// One of the images that are possible now.
  func image(_ random: inout SeededNumbers) -> [UInt8] {
    var image = durable
    // Whole writes, sectors of them, nothing or everything.
    let kind = Int.random(in: 0..<5, using: &random)
    var parts: [(offset: Int, bytes: ArraySlice<UInt8>)] = []
    for write in pending {
      if kind == 0 || kind == 1 && Bool.random(using: &random) {
        parts.append((write.offset, write.bytes[...]))
        continue
      }
      if kind == 1 { continue }
      let odds = kind == 2 ? 1 : kind == 3 ? 5 : 9
      for start in stride(from: 0, to: write.bytes.count, by: Self.sector)
      where Int.random(in: 0..<10, using: &random) < odds {
        let end = min(start + Self.sector, write.bytes.count)
        parts.append((write.offset + start, write.bytes[start..<end]))
      }
    }
    parts.shuffle(using: &random)
    for part in parts { Self.apply(part.offset, part.bytes, to: &image) }
    // The new size of a file may come without its bytes.
    let end = pending.map { $0.offset + $0.bytes.count }.max() ?? 0
    if end > image.count, Bool.random(using: &random) {
      image.append(contentsOf: repeatElement(0, count: end - image.count))
    }
    return image
  }

  private static func apply(_ offset: Int, _ bytes: ArraySlice<UInt8>, to image: inout [UInt8]) {
    let end = offset + bytes.count
    if end > image.count { image.append(contentsOf: repeatElement(0, count: end - image.count)) }
    image.replaceSubrange(offset..<end, with: bytes)
  }
}
