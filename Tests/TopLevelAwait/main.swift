import Foundation
import KennelRealm

class Lamp: Object {
  @Persisted var name = ""
}

let configuration = Realm.Configuration(
  fileURL: URL(fileURLWithPath: CommandLine.arguments[1]),
  objectTypes: [Lamp.self]
)
try await Task.sleep(nanoseconds: 1_000_000)
let realm = try Realm(configuration: configuration)
try await Task.sleep(nanoseconds: 1_000_000)
try await realm.asyncWrite { realm.add(Lamp(value: ["name": "only"])) }
print(Array(realm.objects(Lamp.self).map(\.name)))
