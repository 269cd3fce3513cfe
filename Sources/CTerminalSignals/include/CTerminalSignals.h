#pragma once
#include <stddef.h>

// What must happen inside of signal handlers, where Swift's runtime may not run: the handlers touch
// only the memory of this file and call only functions that POSIX calls async-signal-safe.
//
// Signals that ask for something (SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT) become
// bytes in a pipe. Signals that mean the end (SIGSEGV and its kind, SIGQUIT, and another SIGTERM or
// SIGHUP when one was not answered for a second) give the terminal back as it was found and then
// take their course.

/// Installs the handlers, keeping those that were there; `wake` is the pipe's end to write to.
/// `settings` are the terminal's own now; `restore` are the bytes that undo what the screen's modes do.
/// Returns 0, or -1 with errno.
int terminal_signals_install(int terminal, int wake, const char *restore, size_t length);

/// Says whether the terminal is in the program's hands, so that a crash has something to give back.
/// Meanwhile what is written to standard error is kept, and shown when the terminal is given back.
void terminal_signals_arm(int is_armed);

/// Puts the handlers back that were there before.
void terminal_signals_remove(void);

/// Lets the thread that calls this handle the overflow of its own stack.
/// Returns what `terminal_signals_drop_stack` takes when the thread ends.
void *terminal_signals_use_stack(void);
void terminal_signals_drop_stack(void *stack);

/// Stops the process and its group as Ctrl-Z does; returns when it is continued.
/// Does nothing where the process was started with SIGTSTP ignored.
void terminal_signals_stop(void);

/// Ends the process by a signal, as if it had never been handled.
void terminal_signals_die(int number);

/// Makes a crash end the program at once by its signal, after a sentence on standard error and without
/// a backtrace. Does nothing where a developer asks for one by SWIFT_BACKTRACE=enable=yes.
/// To be called before `terminal_signals_install`, whose handlers come first.
void crash_handler_install(void);

/// Has a crash remove a file; of eight at most. Returns 0, or -1 where there is no room.
int crash_handler_will_remove(const char *path);

/// Has a crash say so if another program has overwritten a file since, in place of the one before.
void crash_handler_watch(const char *path);

/// Has a crash remove nothing any more.
void crash_handler_forget(void);
