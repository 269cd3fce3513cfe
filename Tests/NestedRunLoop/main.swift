import Foundation
import KennelRealm

class Lamp: Object {
  @Persisted var name = ""
}

let configuration = Realm.Configuration(
  fileURL: URL(fileURLWithPath: CommandLine.arguments[1]),
  objectTypes: [Lamp.self]
)

// A run loop inside a block of the main queue: what is asked for there is done there.
DispatchQueue.main.async {
  guard let realm = try? Realm(configuration: configuration) else { exit(1) }
  var count = 0
  let token = realm.objects(Lamp.self).observe { change in
    if case .update(let lamps, _, _, _) = change { count = lamps.count }
  }
  var names: [String] = []
  for name in ["first", "second"] {
    realm.writeAsync {
      realm.add(Lamp(value: ["name": name]))
    } onComplete: { _ in
      names.append(name)
    }
  }
  let end = Date(timeIntervalSinceNow: 60)
  while names.count < 2 || count < 2, Date() < end {
    _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
  }
  print("inside:", names, count)
  token.invalidate()
  DispatchQueue.main.async {
    print("outside:", realm.objects(Lamp.self).count)
    exit(0)
  }
}
RunLoop.main.run(until: Date(timeIntervalSinceNow: 100))
exit(2)
