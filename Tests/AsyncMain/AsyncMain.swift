import Foundation
@_spi(Tests) import KennelRealm

class Lamp: Object {
  @Persisted var name = ""
}

@MainActor let global = Result { try Realm(configuration: configuration) }

let configuration = Realm.Configuration(
  fileURL: URL(fileURLWithPath: CommandLine.arguments[1]),
  objectTypes: [Lamp.self]
)

/// Uses a realm of the main actor before and after suspensions, with no run loop: what the main actor
/// runs goes from the main thread to others.
@main struct AsyncMain {
  static func main() async throws {
    let realm = try global.get()
    try realm.write { realm.add(Lamp(value: ["name": "first"])) }
    try await Task.sleep(nanoseconds: 1_000_000)
    print("after a suspension:", Array(realm.objects(Lamp.self).map(\.name)))
    try realm.write { realm.objects(Lamp.self).first?.name = "renamed" }

    let opened = try await Realm(configuration: configuration, actor: MainActor.shared)
    print("one realm:", try opened == realm && Realm(configuration: configuration) == realm)

    try await realm.asyncWrite { _ = realm.create(Lamp.self, value: ["name": "second"]) }
    print("after asyncWrite:", Array(realm.objects(Lamp.self).map(\.name)))
    let completed: Bool = await withCheckedContinuation { continuation in
      realm.writeAsync {
        realm.add(Lamp())
      } onComplete: {
        continuation.resume(returning: $0 == nil)
      }
    }
    print("after writeAsync:", completed, realm.objects(Lamp.self).count)

    try await observe(realm)
    print("elsewhere:", await misuse(of: realm) ?? "nothing is wrong")
  }

  @MainActor private static func observe(_ realm: Realm) async throws {
    var counts: [Int] = []
    let token = realm.objects(Lamp.self).observe { change in
      if case .update(let lamps, _, _, _) = change { counts.append(lamps.count) }
      if case .initial(let lamps) = change { counts.append(lamps.count) }
    }
    let names = await realm.objects(Lamp.self).observe(on: MainActor.shared) { _, change in
      if case .update(let lamps, _, _, _) = change { print("told:", Array(lamps.map(\.name))) }
    }
    while counts.isEmpty { try await Task.sleep(nanoseconds: 1_000_000) }
    try await Task.detached {
      let other = try Realm(configuration: configuration)
      try other.write { other.deleteAll() }
    }.value
    while counts.last != 0 { try await Task.sleep(nanoseconds: 1_000_000) }
    print("observed:", counts)
    token.invalidate()
    names.invalidate()
  }

  @MainActor private static func misuse(of realm: Realm) async -> String? {
    nonisolated(unsafe) let realm = realm
    return await Task.detached {
      catchRealmException { _ = unsafe realm.isEmpty }?.prefix(36).description
    }.value
  }
}
