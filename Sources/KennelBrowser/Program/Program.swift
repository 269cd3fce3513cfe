// How a program with a screen and the terminal that it runs in talk to each other
//
// A program is a value machine: events go in, pictures and effects come out. It never waits, never
// reads a clock and never touches a file on its own; what takes time is a job, a value that it
// returns as an effect and that runs elsewhere, on a thread of the terminal's event loop or, in a
// test, on the spot. That a job is over comes back as an event, as keys do.

/// An event for a program.
package enum Event: Sendable {
  case key(Key)
  case resize(Size)
  case mouse(MouseEvent)
  case job(JobEvent)

  /// Time has passed: another process may have committed. The screen is painted only where the
  /// program asks for it, since mostly nothing has changed.
  case tick

  /// The text comes back from the person's editor; nil when nothing was saved.
  case edited(token: Int, Edited)

  /// The terminal says what its background is like, after `Effect.ask`.
  case background(isLight: Bool)

  /// The terminal says that it draws pictures, after `Effect.ask`.
  case drawsPictures

  /// Another program shows a file, or why none does.
  case opened(problem: String?)

  /// A text was copied; says where to, as in "the clipboard of the terminal, by OSC 52".
  case copied(String)

  /// The terminal is going away: only urgent jobs are still run; nothing is shown any more.
  case terminate
}

package struct MouseEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case press
    case doublePress
    case release
    case wheelUp
    case wheelDown
  }

  package var kind: Kind
  package var row: Int
  package var column: Int

  /// 1 is the left button, 2 the middle one, 3 the right one; 0 for the wheel.
  package var button: Int

  package init(_ kind: Kind, row: Int, column: Int, button: Int = 1) {
    self.kind = kind
    self.row = row
    self.column = column
    self.button = button
  }
}

/// A request of a program to its terminal.
package enum Effect: Sendable {
  /// Runs a job beside the screen.
  case run(Job)

  /// Asks a job to stop; its last event still comes.
  case cancel(JobID)

  /// Stops the process as Ctrl-Z does, until its shell continues it.
  case suspend

  /// Shows what has changed, after a tick.
  case paint

  /// Paints every cell anew.
  case redraw

  /// Ends the program.
  case quit(exitCode: Int32)

  /// Copies a text to the person's clipboard.
  case copy(String)

  /// Begins or ends reporting the mouse to the program.
  case mouse(Bool)

  /// Opens a text in the person's editor and comes back with `Event.edited`.
  case editExternally(text: String, token: Int)

  case bell

  /// Asks the terminal whether it draws pictures, and for its background, where that matters; one that
  /// says it answers with `Event.drawsPictures` and `Event.background`.
  case ask(background: Bool)

  /// Shows bytes in the person's program for files with an ending; comes back with `Event.opened`.
  case openExternally([UInt8], ending: String)
}

/// A program with a screen.
///
/// All calls come from one thread. After each event, or a few of them at once, the caller performs
/// the effects, then draws.
package protocol TerminalProgram: AnyObject {
  func receive(_ event: Event)

  /// The picture of the program's state at a size.
  func draw(_ size: Size) -> Screen

  /// The effects that were asked for since the last call, in order.
  func takeEffects() -> [Effect]
}

/// The outcome of editing a text in the person's editor.
package enum Edited: Sendable {
  case saved(String)
  /// Why there is no text, as a sentence without a period.
  case failed(String)
}
