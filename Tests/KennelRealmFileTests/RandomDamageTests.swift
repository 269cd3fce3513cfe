import Foundation
import KennelConversion
import KennelCore
import KennelRealmFile
import KennelTestSupport
import Testing

/// `KENNEL_LONG=1` tries 20,000 damages instead of 2,000, `KENNEL_SEED=n` begins with another one.
@Suite struct `Random damage to Realm files` {
  private static let environment = ProcessInfo.processInfo.environment
  private static let trials = environment["KENNEL_LONG"] == nil ? 250 : 2500
  private static let seed = environment["KENNEL_SEED"].flatMap(UInt64.init) ?? 1

  enum Kind: String, CaseIterable {
    case anyByte, header, element, reference, odd, sixteenBytes, anotherNode, zeros
  }

  private let files: RecordedFiles

  init() throws {
    files = try RecordedFiles()
  }

  @Test(arguments: Kind.allCases)
  func `random damage is an error or a value`(kind: Kind) throws {
    var dice = Dice(state: Self.seed &+ UInt64(kind.rawValue.utf8.reduce(0) { $0 + Int($1) }))
    let sample = EditedRealm()
    let tables = try RealmFile(path: files.write(sample.bytes)).classes.map(\.name)
    let nodes = tables.map { sample.nodes(from: sample.table($0)) }
    var errors = 0
    for trial in 0..<Self.trials {
      var realm = sample
      let table = Int.random(in: 0..<tables.count, using: &dice)
      for _ in 0..<Int.random(in: 1...3, using: &dice) {
        damage(&realm, nodes[table], kind, &dice)
      }
      let path = try files.write(realm.bytes)
      do {
        let file = try RealmFile(path: path)
        for realmClass in file.classes where realmClass.name == tables[table] {
          try read(realmClass, of: file)
        }
        if trial % 25 == 0 { _ = try file.check() }
        if trial % 50 == 0 { try convert(file) }
      } catch is RealmFileError {
        errors += 1
      } catch is RealmImportError {
        errors += 1
      } catch is DatabaseError {
        errors += 1
      }
    }
    #expect(errors > 0)
  }

  /// Makes a database, which is sound or not there.
  private func convert(_ file: RealmFile) throws {
    try withTemporaryDatabase { database in
      try database.write { _ = try RealmImporter(file).run(in: $0) }
    }
  }

  private func read(_ realmClass: RealmClass, of file: RealmFile) throws {
    try file.forEachCluster(of: realmClass) { cluster in
      var first: (any Error)?
      for property in realmClass.properties {
        do {
          #expect(try cluster.values(of: property).count == cluster.keys.count)
        } catch {
          first = first ?? error
        }
      }
      for backlink in realmClass.backlinks {
        #expect(try cluster.backlinks(of: backlink).count == cluster.keys.count)
      }
      if let first { throw first }
    }
  }

  private func damage(
    _ realm: inout EditedRealm,
    _ nodes: [EditedRealm.Node],
    _ kind: Kind,
    _ dice: inout Dice
  ) {
    guard let node = nodes.randomElement(using: &dice),
      let other = nodes.randomElement(using: &dice)
    else { return }
    let start = node.offset + 8
    let place = start + Int.random(in: 0...max(0, node.byteCount - 1), using: &dice)
    let index = Int.random(in: 0...max(0, node.count - 1), using: &dice)
    func scramble(_ range: Range<Int>) {
      for index in range where index < realm.bytes.count {
        realm.bytes[index] = UInt8.random(in: 0...255, using: &dice)
      }
    }
    switch kind {
    case .anyByte: scramble(place..<place + 1)
    case .header: scramble(node.offset + 4 + index % 4..<node.offset + 5 + index % 4)
    case .element: if node.width >= 8 { realm.setElement(index, of: node, to: -index) }
    case .reference: if node.width >= 8 { realm.setElement(index, of: node, to: other.offset) }
    case .odd: if node.width >= 8 { realm.setElement(index, of: node, to: index << 1 | 1) }
    case .sixteenBytes: scramble(place..<place + 16)
    case .anotherNode:
      let bytes = realm.bytes[other.offset...].prefix(8 + node.byteCount)
      realm.bytes.replaceSubrange(node.offset..<node.offset + bytes.count, with: bytes)
    case .zeros:
      for index in start..<min(start + node.byteCount, realm.bytes.count) { realm.bytes[index] = 0 }
    }
  }

  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var word = state
      word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
      return word ^ word >> 31
    }
  }
}
