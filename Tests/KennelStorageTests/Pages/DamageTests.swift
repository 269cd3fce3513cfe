import Glibc
import KennelLMDB
import KennelStorage
import Testing

/// Random damage to a file: an error or the same data, never a signal.
///
/// A signal ends the test process, which is how these tests fail for one.
struct DamageTests {
  enum Kind: String, CaseIterable, Sendable {
    case bit
    case byte
    case sixteenBytes
    case manyBytes
    case zeroedPage
    case randomPage
    case anotherPage
    case pageHeader
    case metaPage
    case truncation
  }

  /// Damages of each kind; `KENNEL_DAMAGES` asks for more.
  static let trials =
    unsafe getenv("KENNEL_DAMAGES").flatMap { unsafe Int(String(cString: $0)) } ?? 60

  @Test(arguments: Kind.allCases)
  func `random damage is an error or the same data`(kind: Kind) throws {
    let folder = PageFolder()
    let sample = try DamageSample(folder)
    var dice = Dice(UInt64(kind.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt($1) }))
    var found = 0
    for trial in 0..<Self.trials {
      let damaged = damage(sample.bytes, kind, &dice)
      try write(damaged, to: folder.file)
      switch sample.read(folder.file) {
      case .same: break
      case .error: found += 1
      case .different(let what): Issue.record("\(kind) \(trial): \(what)")
      }
    }
    if kind != .bit && kind != .byte { #expect(found > 0) }
  }

  private func damage(_ bytes: [UInt8], _ kind: Kind, _ dice: inout Dice) -> [UInt8] {
    var bytes = bytes
    let pageSize = DamageSample.pageSize
    let pages = bytes.count / pageSize
    let page = Int.random(in: 2..<pages, using: &dice) * pageSize
    let place = Int.random(in: 0..<bytes.count, using: &dice)
    func scramble(_ range: Range<Int>) {
      for index in range where index < bytes.count {
        bytes[index] = UInt8.random(in: 0...255, using: &dice)
      }
    }
    switch kind {
    case .bit: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
    case .byte: scramble(place..<place + 1)
    case .sixteenBytes: scramble(place..<place + 16)
    case .manyBytes: scramble(place..<place + 256)
    case .zeroedPage: for index in page..<page + pageSize { bytes[index] = 0 }
    case .randomPage: scramble(page..<page + pageSize)
    case .anotherPage:
      let other = Int.random(in: 2..<pages, using: &dice) * pageSize
      bytes.replaceSubrange(page..<page + pageSize, with: bytes[other..<other + pageSize])
    case .pageHeader:
      let offset = page + Int.random(in: 0..<24, using: &dice)
      bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
    case .metaPage:
      let offset = Int.random(in: 0..<2, using: &dice) * pageSize
      bytes[offset + Int.random(in: 0..<152, using: &dice)] ^=
        1 << UInt8.random(in: 0..<8, using: &dice)
    case .truncation: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &dice))
    }
    return bytes
  }
}

/// A file with every kind of page, and what it holds.
///
/// Each value ends in a checksum that covers its key, as all of Kennel's do.
struct DamageSample {
  static let pageSize = 4096

  enum Outcome {
    case same
    case error
    case different(String)
  }

  let bytes: [UInt8]
  private var integers: [UInt64: [UInt8]] = [:]
  private var texts: [[UInt8]: [UInt8]] = [:]
  private let commit: UInt64

  init(_ folder: PageFolder) throws {
    let environment = try folder.open()
    var dice = Dice(42)
    for round in 0..<6 {
      let transaction = try environment.beginWrite()
      for _ in 0..<200 {
        let key = UInt64.random(in: 0..<1_000, using: &dice) << 20
        if round > 3, integers[key] != nil {
          integers[key] = nil
          try transaction.delete(.chunks, key)
          continue
        }
        let size =
          Int.random(in: 0..<40, using: &dice) == 0 ? 6_000 : Int.random(in: 0..<80, using: &dice)
        let value = unsafe sealed(
          [UInt8](repeating: UInt8(round), count: size),
          key: withUnsafeBytes(of: key) { unsafe Array($0) }
        )
        integers[key] = value
        try transaction.put(.chunks, key, value)
        let text = Array("\(key % 9_973)-\(key)".utf8)
        let seal = sealed([], key: text)
        texts[text] = seal
        try transaction.put(.indexes, text, seal)
      }
      try transaction.commit()
    }
    commit = environment.latestTransactionID()
    environment.close()
    bytes = try contents(of: folder.file)
  }

  /// Opens a file, reads everything, checks it, and writes to it if it may.
  func read(_ path: String) -> Outcome {
    let environment: Environment
    do { environment = try .open(path: path) } catch { return .error }
    defer { environment.close() }
    let reading = readAll(environment)
    // What a reader cannot know is told by the check before the first write.
    do {
      let transaction = try environment.beginCheckedWrite()
      if case .different = reading { return reading }
      try change(transaction)
    } catch { return .error }
    if case .error = reading { return .error }
    let pin: ReadPin
    do {
      pin = try environment.beginRead()
      defer { pin.release() }
      try WholeFileCheck.run(pin)
    } catch { return .different("after the write: \(error)") }
    return .same
  }

  private func change(_ transaction: WriteTransaction) throws {
    for key in UInt64(0)..<40 {
      try transaction.put(.chunks, key << 21 | 1, [UInt8](repeating: 9, count: Int(key) * 100))
      try transaction.delete(.chunks, key << 22)
    }
    try transaction.commit()
  }

  private func readAll(_ environment: Environment) -> Outcome {
    do {
      let pin = try environment.beginRead()
      defer { pin.release() }
      if pin.transactionID != commit { return .different("commit \(pin.transactionID)") }
      let source = PageSource(pin)
      let chunks = try source.tree(.chunks)
      let indexes = try source.tree(.indexes)
      var problems: [String] = []
      for (key, value) in integers {
        guard let found = try chunks.bytes(key) else {
          problems.append("\(key) is missing")
          continue
        }
        if found != value,
          unsafe isSealed(found, key: withUnsafeBytes(of: key) { unsafe Array($0) })
        {
          problems.append("\(key) has another value")
        }
        if found != value { return .error }
      }
      for (key, value) in texts {
        guard let found = try indexes.bytes(key) else {
          problems.append("\(key) is missing")
          continue
        }
        if found != value { return .error }
      }
      // A flipped key hides its entry; but then the entry's checksum tells.
      if try hasBrokenSeal(chunks, indexes) { return .error }
      return problems.isEmpty ? .same : .different(problems[0])
    } catch {
      return .error
    }
  }

  private func hasBrokenSeal(_ chunks: TreeReader, _ indexes: TreeReader) throws -> Bool {
    for tree in [chunks, indexes] {
      var forward = 0
      var cursor = tree.cursor()
      var isFound = try cursor.first()
      while isFound {
        if try unsafe !isSealed(Array(cursor.value()), key: Array(cursor.key)) { return true }
        forward += 1
        isFound = try cursor.next()
      }
      isFound = try cursor.last()
      while isFound {
        forward -= 1
        isFound = try cursor.previous()
      }
      if forward != 0 { return true }
    }
    return false
  }
}

/// A value with the FNV-1a hash of its bytes and its key behind it.
private func sealed(_ value: [UInt8], key: [UInt8]) -> [UInt8] {
  unsafe value + withUnsafeBytes(of: hash(value + key)) { unsafe Array($0) }
}

private func isSealed(_ value: [UInt8], key: [UInt8]) -> Bool {
  value.count >= 8 && sealed(Array(value.dropLast(8)), key: key) == value
}

private func hash(_ bytes: [UInt8]) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return hash
}

func contents(of path: String) throws -> [UInt8] {
  let descriptor = unsafe Glibc.open(path, O_RDONLY)
  defer { close(descriptor) }
  let size = Int(lseek(descriptor, 0, SEEK_END))
  return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = unsafe pread(descriptor, buffer.baseAddress, size, 0)
  }
}

func write(_ bytes: [UInt8], to path: String) throws {
  unsafe unlink(path)
  unsafe unlink(path + "-lock")
  let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
  defer { close(descriptor) }
  unsafe #expect(
    bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      == bytes.count
  )
}
