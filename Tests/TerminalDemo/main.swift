// A program without a database, for testing what the terminal does with one.
//
// It shows its size, the keys that were pressed and what else happened. With arguments it shows those, each in two columns.

import Glibc
import KennelBrowser
import KennelTerminal
import Synchronization

/// What a job has found.
final class Sum: Sendable {
  let value = Mutex(-1)
}

final class Demo: TerminalProgram {
  private let charset: Charset
  private let texts: [String]
  private var log: [String] = []
  private var effects: [Effect] = []
  private var hasMouse = false
  private var ticks = 0
  private var showsCursor = false
  private let sum = Sum()

  init(charset: Charset, texts: [String]) {
    self.charset = charset
    self.texts = texts
  }

  func receive(_ event: Event) {
    switch event {
    case .resize(let size): log.append("size \(size)")
    case .mouse(let mouse): log.append("\(mouse.kind) \(mouse.row),\(mouse.column)")
    case .tick: ticks += 1
    case .edited(_, .saved(let text)): log.append("edited \(text)")
    case .edited(_, .failed(let reason)): log.append(reason)
    case .copied(let how): log.append(how)
    case .background(let isLight): log.append("background \(isLight)")
    case .drawsPictures: log.append("pictures")
    case .opened(let problem): log.append("opened \(problem ?? "")")
    case .terminate: log.append("terminate")
    case .job(.progress(let id, let progress)):
      log.append("job \(id.number) at \(progress ?? 0)")
    case .job(.finished(let id)):
      log.append("job \(id.number) gave \(sum.value.withLock(\.self))")
    case .job(.cancelled(let id)): log.append("job \(id.number) cancelled")
    case .key(let key):
      log.append("key \(key)")
      press(key)
    }
    log = log.suffix(500)
  }

  private func press(_ key: Key) {
    switch key.description {
    case "q": effects.append(.quit(exitCode: 3))
    case "^Z": effects.append(.suspend)
    case "^L": effects.append(.redraw)
    case "b": effects.append(.bell)
    case "y": effects.append(.copy("copied text"))
    case "e": effects.append(.editExternally(text: "before", token: 1))
    case "w":
      let message = "a message on standard error\n"
      unsafe write(2, message, message.utf8.count)
    case "c": showsCursor.toggle()
    case "%":
      hasMouse.toggle()
      effects.append(.mouse(hasMouse))
    case "J":
      effects.append(
        .run(
          Job(id: JobID(1), title: "Waiting") { context in
            while !context.isCancelled { usleep(1_000) }
          }
        )
      )
    case "j":
      effects.append(
        .run(
          Job(id: JobID(2), title: "Adding") { [sum] context in
            context.report(progress: 0.5)
            sum.value.withLock { $0 = 42 }
          }
        )
      )
    case "C": effects.append(.cancel(JobID(1)))
    case "S": kill(getpid(), SIGSEGV)
    case "T":
      let numbers = [1]
      log.append("\(numbers[log.count + 1])")
    case "O": log.append("\(deep(0))")
    case "A": abort()
    default: break
    }
  }

  /// Overflows the stack.
  private func deep(_ depth: Int) -> Int {
    depth < 0 ? depth : deep(depth + 1) + deep(depth + 2)
  }

  func draw(_ size: Size) -> Screen {
    var screen = Screen(size: size, charset: charset)
    if !texts.isEmpty {
      for (row, text) in texts.enumerated() {
        screen.put(text, row: row, column: 0, width: 20)
        screen.put("│", row: row, column: 20)
        screen.put(text, row: row, column: 21)
      }
      return screen
    }
    screen.put(
      "demo \(size) │ é 日本 👨‍👩‍👧 \u{1b}[31m",
      row: 0,
      column: 0,
      width: size.columns,
      style: .reversed
    )
    screen.put("red", row: 1, column: 0, style: .color(.red))
    screen.put("bold", row: 1, column: 4, style: .bold)
    screen.put("on blue", row: 1, column: 9, style: Style(background: .blue))
    for (row, line) in log.suffix(max(0, size.rows - 2)).enumerated() {
      screen.put(line, row: row + 2, column: 0)
    }
    if showsCursor { screen.showCursor(row: 1, column: 2) }
    return screen
  }

  func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }
}

do {
  let terminal = try Terminal()
  let loop = try EventLoop(
    terminal: terminal,
    program: Demo(
      charset: Terminal.charset,
      texts: Array(CommandLine.arguments.dropFirst())
    )
  )
  try loop.run().exitProcess()
} catch {
  let message = "demo: \(error)\n"
  unsafe write(2, message, message.utf8.count)
  exit(1)
}
