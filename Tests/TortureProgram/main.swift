// A program that tests start to have it killed, or to see whether a damaged file kills it.
//
//   TortureProgram write FILE
//   TortureProgram compact FILE
//   TortureProgram damage FILE FOLDER FIRST COUNT

import Glibc

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.first, arguments.count) {
  case ("write", 2):
    try CrashingWriter(path: CommandLine.arguments[2]).run()
  case ("compact", 2):
    try CompactingWriter(path: CommandLine.arguments[2]).run()
  case ("damage", 5):
    let numbers = CommandLine.arguments[4...].compactMap { UInt64($0) }
    let trials = try DamageTrials(base: CommandLine.arguments[2], folder: CommandLine.arguments[3])
    for number in numbers[0]..<numbers[0] + numbers[1] { try trials.run(number) }
  default:
    exit(2)
  }
} catch {
  say("failed \(error)")
  exit(1)
}
