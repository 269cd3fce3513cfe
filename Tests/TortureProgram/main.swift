// A program that tests start to have it killed, to see whether a damaged file kills it, or to record
// what it writes and syncs.
//
//   TortureProgram write FILE
//   TortureProgram compact FILE
//   TortureProgram damage FILE FOLDER FIRST COUNT
//   TortureProgram flip FILE FOLDER FIRST COUNT
//   TortureProgram append FILE HISTORY NUMBER
//   TortureProgram read FILE HISTORY NUMBER
//   TortureProgram record commit FILE RECORD
//   TortureProgram record undo FILE RECORD
//   TortureProgram record draft FILE RECORD FOLDER

import CFileRecorder
import Glibc

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
}

let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.first, arguments.count) {
  case ("write", 2):
    try CrashingWriter(path: CommandLine.arguments[2]).run()
  case ("compact", 2):
    try CompactingWriter(path: CommandLine.arguments[2]).run()
  case ("damage", 5), ("flip", 5):
    let numbers = CommandLine.arguments[4...].compactMap { UInt64($0) }
    let trials = try DamageTrials(base: CommandLine.arguments[2], folder: CommandLine.arguments[3])
    for number in numbers[0]..<numbers[0] + numbers[1] {
      try trials.run(number, isRandom: arguments.first == "damage")
    }
  case ("append", 4), ("read", 4):
    let words = CommandLine.arguments
    var history = try ListHistory(path: words[2], history: words[3], number: Int64(words[4]) ?? 0)
    if words[1] == "append" { try history.append() } else { try history.read() }
  case ("record", 4...5):
    let words = CommandLine.arguments
    guard unsafe file_recorder_begin(words[4]) == 0 else { exit(1) }
    let writer = RecordedWriter(path: words[3])
    switch (words[2], words.count) {
    case ("commit", 5): try writer.commit()
    case ("undo", 5): try writer.undo()
    case ("draft", 6): try writer.keepAndCommit(in: words[5])
    default: exit(2)
    }
  default:
    exit(2)
  }
} catch {
  say("failed \(error)")
  exit(1)
}
