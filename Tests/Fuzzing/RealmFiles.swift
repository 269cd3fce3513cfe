import Foundation
import KennelConversion
import KennelCore
import KennelDocuments
import KennelRealmFile

/// Realm files, which say of themselves what they want.
///
/// An input is a file, if it begins as one does. Else it is a list of changes to a real one:
///
/// | bytes | what |
/// |---|---|
/// | 1 | what is done: bits 0–1 the file (in place, streamed, encrypted), 2 check, 3 convert, 4 save what is whole, 5 with freed rows |
/// | 1 | the class that is read |
/// | … | changes: the place and the byte count, the number of a node, an element, the bytes |
enum RealmFiles: FuzzTarget {
  /// What a change changes.
  private enum Place: Int, CaseIterable {
    case header
    case nodeHeader
    case element
    case reference
  }

  private static let bases = [
    "sample.realm.gz", "sample-streamed.realm.gz", "sample-encrypted.realm",
  ].map(RealmBase.init)

  private static let key = RealmEncryptionKey(bytes: 0..<64)

  private static let path = Scratch.path("realm")

  private static let database = Scratch.database("from-realm")

  /// Each class of each file, read, and some that are checked, converted and saved.
  static var seeds: [[UInt8]] {
    (0..<3).flatMap { base in (0..<16).map { [UInt8(base), UInt8($0)] } }
      + [[4, 0], [8, 0], [4, 0, 2, 9, 0, 0, 0, 1], [8, 0, 14, 9, 0, 0, 0, 1]]
      + [24, 25, 26, 56, 57, 58].map { [$0, 0, 14, 9, 0, 0, 0, 1] }
  }

  static func run(_ input: [UInt8]) {
    var bytes = input
    var (work, classIndex) = (12, 0)
    if !input.dropFirst(16).starts(with: "T-DB".utf8) {
      work = Int(input.first ?? 0)
      classIndex = Int(input.dropFirst().first ?? 0)
      let base = bases[(work & 3) % bases.count]
      bytes = base.bytes
      change(&bytes, base.nodes, input.dropFirst(2))
    }
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let isSaved = work & 16 != 0
      let file =
        isSaved
        ? try .salvaging(path: path, key: key, includesFreed: work & 32 != 0)
        : try RealmFile(path: path, key: key)
      if isSaved { readAll(file) }
      if !file.classes.isEmpty { try read(file.classes[classIndex % file.classes.count], of: file) }
      if work & 4 != 0 { _ = try file.check() }
      if work & 8 != 0 { try convert(file) }
    } catch is RealmFileError {
    } catch is RealmImportError {
    } catch is DatabaseError {
    } catch is Done {
    } catch {
      fatalError("\(error)")
    }
  }

  /// What cannot be read keeps nothing else from being read.
  private static func read(_ realmClass: RealmClass, of file: RealmFile) throws {
    try file.forEachCluster(of: realmClass) { cluster in
      for property in realmClass.properties {
        _ = try? cluster.values(of: property)
        _ = try? cluster.values(of: property, rows: 0..<1)
      }
      for backlink in realmClass.backlinks { _ = try? cluster.backlinks(of: backlink) }
    }
  }

  /// What was saved is whole.
  private static func readAll(_ file: RealmFile) {
    do {
      for realmClass in file.classes {
        try file.forEachCluster(of: realmClass) { cluster in
          for property in realmClass.properties { _ = try cluster.values(of: property) }
        }
      }
    } catch {
      fatalError("What was saved cannot be read: \(error)")
    }
  }

  private struct Done: Error {}

  private static func convert(_ file: RealmFile) throws {
    try database.write { transaction in
      let importer = RealmImporter(file)
      _ = importer.losses.sentence
      _ = try importer.run(in: transaction)
      throw Done()
    }
  }

  private static func change(
    _ bytes: inout [UInt8],
    _ nodes: [Int],
    _ input: ArraySlice<UInt8>
  ) {
    var rest = input
    while rest.count > 5 {
      let head = Array(rest.prefix(5))
      rest = rest.dropFirst(5)
      let number = (Int(head[1]) | Int(head[2]) << 8)
      let node = nodes.isEmpty ? number * 16 : nodes[number % nodes.count]
      let element = Int(head[3]) | Int(head[4]) << 8
      let width = (1 << Int(bytes[min(node + 4, bytes.count - 1)] & 7)) >> 4
      var new = Array(rest.prefix(1 << Int(head[0] & 3)))
      rest = rest.dropFirst(new.count)
      let start: Int
      switch Place(rawValue: Int(head[0] >> 2) % Place.allCases.count) ?? .header {
      case .header: start = element % 24
      case .nodeHeader: start = node + 4 + element % 4
      case .element: start = node + 8 + element * max(width, 1)
      case .reference:
        start = node + 8 + element * max(width, 1)
        let index = new.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        let target = nodes.isEmpty ? index * 8 : nodes[index % nodes.count]
        new = (0..<width).map { UInt8(truncatingIfNeeded: target >> (8 * $0)) }
      }
      for (index, byte) in new.enumerated() where start + index < bytes.count {
        bytes[start + index] = byte
      }
    }
  }
}

/// A real file, and where its nodes are.
private struct RealmBase {
  let bytes: [UInt8]
  private(set) var nodes: [Int] = []

  init(_ name: String) {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("KennelRealmFileTests/Recorded")
    do {
      var packed = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
      let input = try InputFile(format: .bson) {
        defer { packed = [] }
        return packed
      }
      var bytes: [UInt8] = []
      while case let more = try input.read(), !more.isEmpty { bytes += more }
      self.bytes = bytes
    } catch {
      fatalError("\(name) cannot be read: \(error)")
    }
    guard bytes[16..<20].elementsEqual("T-DB".utf8) else { return }
    let first = number(at: Int(bytes[23] & 1) * 8, size: 8)
    // The top of a streamed file is in its last bytes.
    nodes = [first > 0 ? first : number(at: bytes.count - 16, size: 8)]
    var seen = Set(nodes)
    var next = 0
    while next < nodes.count {
      let node = nodes[next]
      next += 1
      let size = (1 << Int(bytes[node + 4] & 7)) >> 4
      guard bytes[node + 4] & 0x40 != 0, size > 0 else { continue }
      let count = bytes[node + 5...node + 7].reduce(0) { $0 << 8 | Int($1) }
      for index in 0..<count {
        let ref = number(at: node + 8 + index * size, size: size)
        if ref > 0, ref & 7 == 0, ref < bytes.count, seen.insert(ref).inserted { nodes.append(ref) }
      }
    }
  }

  private func number(at offset: Int, size: Int) -> Int {
    Int(
      truncatingIfNeeded: (0..<size).reduce(UInt64(0)) {
        $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1)
      }
    )
  }
}
