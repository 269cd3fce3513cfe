import BoxGeneration
import Foundation
import SwiftScanning
import Testing

@Suite struct `Bindings of entities` {
  private static let goldens = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "Goldens")

  /// Compares with files beside a source; writes them where UPDATE_GOLDENS is set.
  private func expectGolden(_ text: String?, _ name: String) throws {
    let file = Self.goldens.appending(path: name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try text?.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)))
  }

  @Test func `read, write and describe every kind of property`() throws {
    let source = Self.goldens.appending(path: "shop.swift")
    let result = BoxGeneration.generate(
      target: "Shop",
      sources: [.init(path: "shop.swift", text: try String(contentsOf: source, encoding: .utf8))],
      model: nil,
      modelPath: "model.json"
    )
    #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
    try expectGolden(result.code, "shop.generated.txt")
    try expectGolden(result.model, "shop.json")
  }
}
