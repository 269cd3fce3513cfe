// Feeds inputs that libFuzzer makes up to a part of the project; `make fuzz` builds and runs it.
//
//   Fuzzing TARGET FOLDER [-OPTION=VALUE...]   collects inputs in a folder, from the seeds on
//   Fuzzing TARGET FILE...                     runs inputs again, such as one that was found

import CFuzzer
import Foundation

let targets: [String: (type: any FuzzTarget.Type, run: Run)] = unsafe [
  "pages": (Pages.self, { unsafe feed(Pages.self, $0, $1) }),
  "realm": (RealmFiles.self, { unsafe feed(RealmFiles.self, $0, $1) }),
  "queries": (Queries.self, { unsafe feed(Queries.self, $0, $1) }),
  "lines": (DocumentLines.self, { unsafe feed(DocumentLines.self, $0, $1) }),
  "json": (JSONDocuments.self, { unsafe feed(JSONDocuments.self, $0, $1) }),
  "bson": (BSONDocuments.self, { unsafe feed(BSONDocuments.self, $0, $1) }),
  "archive": (Archives.self, { unsafe feed(Archives.self, $0, $1) }),
  "csv": (CSVDocuments.self, { unsafe feed(CSVDocuments.self, $0, $1) }),
  "schemas": (Schemas.self, { unsafe feed(Schemas.self, $0, $1) }),
  "configuration": (Configurations.self, { unsafe feed(Configurations.self, $0, $1) }),
]

let words = CommandLine.arguments
guard words.count > 2, let target = unsafe targets[words[1]] else {
  let names = unsafe targets.keys.sorted().joined(separator: "|")
  print("usage: Fuzzing \(names) FOLDER|FILE... [-OPTION=VALUE...]")
  exit(2)
}
let isFolder = try? URL(fileURLWithPath: words[2]).resourceValues(forKeys: [.isDirectoryKey])
if isFolder?.isDirectory == true {
  for (index, seed) in unsafe target.type.seeds.enumerated() {
    try Data(seed).write(to: URL(fileURLWithPath: "\(words[2])/seed-\(index)"))
  }
}
let arguments = unsafe ([words[0]] + words.dropFirst(2)).map { unsafe strdup($0) }
var pointers = unsafe arguments + [nil]
let status = unsafe fuzz(Int32(arguments.count), &pointers, target.run)
if status < 0 { print("This program was linked without libFuzzer: run it with `make fuzz`") }
exit(status == 0 ? 0 : 1)
