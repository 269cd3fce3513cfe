#define _GNU_SOURCE
#include "CTerminalSignals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int asking[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT};
static const int ending[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGQUIT};
enum { asking_count = sizeof asking / sizeof *asking, ending_count = sizeof ending / sizeof *ending };
enum { stack_size = 64 * 1024, patience_in_milliseconds = 1000 };

static struct sigaction before_asking[asking_count];
static struct sigaction before_ending[ending_count];
static struct sigaction before_pipe;
static volatile sig_atomic_t is_crash_told;
enum { most_leftovers = 8 };
static char *leftovers[most_leftovers];
/// The path of the file whose bytes are read in place, and what its meta pages begin with for its life.
static char *watched;
static unsigned char watched_start[32];
static volatile sig_atomic_t is_installed, is_armed, is_end_asked;
static struct timespec end_asked;
static int terminal_descriptor, wake_descriptor;
static struct termios saved;
static char restore_bytes[512];
static size_t restore_length;
static int real_error = -1, kept_error = -1;

static void write_all(int descriptor, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(descriptor, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    bytes += count;
    length -= (size_t)count;
  }
}

static void say(const char *text) { write_all(STDERR_FILENO, text, strlen(text)); }

/// Keeps what is written to standard error, the last words of a crash among it, from the screen.
static void keep_error(void) {
  if (real_error >= 0 || !isatty(STDERR_FILENO)) return;
  if (kept_error < 0) kept_error = memfd_create("messages", MFD_CLOEXEC);
  if (kept_error < 0) return;
  real_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (real_error >= 0) dup2(kept_error, STDERR_FILENO);
}

static void show_error(void) {
  if (real_error < 0) return;
  dup2(real_error, STDERR_FILENO);
  close(real_error);
  real_error = -1;
  char block[512];
  ssize_t count;
  lseek(kept_error, 0, SEEK_SET);
  while ((count = read(kept_error, block, sizeof block)) > 0)
    write_all(STDERR_FILENO, block, (size_t)count);
  lseek(kept_error, 0, SEEK_SET);
  if (ftruncate(kept_error, 0) != 0) kept_error = -1;
}

static void give_back(void) {
  if (!is_armed) return;
  is_armed = 0;
  // A job in the background may not change the terminal, and must not stop for trying.
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  write_all(terminal_descriptor, restore_bytes, restore_length);
  tcsetattr(terminal_descriptor, TCSADRAIN, &saved);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  show_error();
}

static const char *name(int number) {
  switch (number) {
  case SIGSEGV: return "SIGSEGV, an access to memory that is not there";
  case SIGBUS: return "SIGBUS, an access to a part of a file that is not there";
  case SIGABRT: return "SIGABRT";
  case SIGILL: return "SIGILL";
  case SIGTRAP: return "SIGTRAP";
  case SIGFPE: return "SIGFPE";
  default: return NULL;
  }
}

/// Whether the file that is watched begins with neither meta page that it had, in the places of both.
static int is_overwritten(void) {
  if (!watched) return 0;
  int descriptor = open(watched, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  int is_there = 0;
  for (int page = 0; page < 2; page++) {
    unsigned char start[sizeof watched_start];
    ssize_t count = pread(descriptor, start, sizeof start, 4096 * page);
    is_there |= count == sizeof start && memcmp(start, watched_start, sizeof start) == 0;
  }
  close(descriptor);
  return !is_there;
}

/// The likely cause of a crash: what is read lies in the file, and has changed with it.
static void say_cause(void) {
  if (!is_overwritten()) return;
  say("kennel: Another program has overwritten ");
  say(watched);
  say(" with other data while it was open\n");
}

/// The last handler of a crash: nothing is left behind, and the program ends at once.
static void crash(int number) {
  if (!is_crash_told) {
    is_crash_told = 1;
    say("kennel: Crashed (");
    say(name(number) ? name(number) : "a signal");
    say(")\n");
    say_cause();
  }
  for (int i = 0; i < most_leftovers; i++)
    if (leftovers[i]) unlink(leftovers[i]);
  terminal_signals_die(number);
}

void crash_handler_install(void) {
  const char *wish = getenv("SWIFT_BACKTRACE");
  if (wish && strstr(wish, "enable=yes")) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  action.sa_handler = crash;
  for (int i = 0; i < ending_count; i++)
    if (ending[i] != SIGQUIT) sigaction(ending[i], &action, NULL);
}

int crash_handler_will_remove(const char *path) {
  for (int i = 0; i < most_leftovers; i++) {
    if (leftovers[i] && strcmp(leftovers[i], path) == 0) return 0;
    if (leftovers[i]) continue;
    leftovers[i] = strdup(path);
    return leftovers[i] ? 0 : -1;
  }
  return -1;
}

void crash_handler_forget(void) {
  for (int i = 0; i < most_leftovers; i++) {
    char *path = leftovers[i];
    leftovers[i] = NULL;
    free(path);
  }
}

void crash_handler_watch(const char *path) {
  char *before = watched;
  watched = NULL;
  free(before);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  for (int page = 0; page < 2 && !watched; page++) {
    ssize_t count = pread(descriptor, watched_start, sizeof watched_start, 4096 * page);
    // One of them may be empty.
    if (count == sizeof watched_start && watched_start[0]) watched = strdup(path);
  }
  close(descriptor);
}

static void end(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  if (is_armed && name(number)) {
    give_back();
    is_crash_told = 1;
    say("\nkennel: Crashed (");
    say(name(number));
    say("); the terminal is as before, and what was kept of your changes is offered next time\n");
    say_cause();
  }
  give_back();
  for (int i = 0; i < ending_count; i++)
    if (ending[i] == number) sigaction(number, &before_ending[i], NULL);
  errno = error;
  // What the processor raised, it raises again on return, for the handler before this one.
  if (info->si_code <= 0 || number == SIGQUIT) raise(number);
}

/// Whether the end was asked for a while ago and has not come. A line that breaks asks twice at once,
/// through the system and through the shell.
static int is_impatient(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!is_end_asked) {
    end_asked = now;
    is_end_asked = 1;
    return 0;
  }
  long passed = (now.tv_sec - end_asked.tv_sec) * 1000 + (now.tv_nsec - end_asked.tv_nsec) / 1000000;
  return passed >= patience_in_milliseconds;
}

static void ask(int number) {
  int error = errno;
  if ((number == SIGTERM || number == SIGHUP) && is_impatient()) {
    give_back();
    terminal_signals_die(number);
  }
  char byte = (char)number;
  write_all(wake_descriptor, &byte, 1);
  errno = error;
}

int terminal_signals_install(int terminal, int wake, const char *restore, size_t length) {
  if (is_installed) return 0;
  if (tcgetattr(terminal, &saved) != 0) return -1;
  terminal_descriptor = terminal;
  wake_descriptor = wake;
  restore_length = length < sizeof restore_bytes ? length : sizeof restore_bytes;
  memcpy(restore_bytes, restore, restore_length);
  is_end_asked = 0;

  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = ask;
  for (int i = 0; i < asking_count; i++) {
    sigaction(asking[i], NULL, &before_asking[i]);
    // Who starts a program with a signal ignored (nohup, a shell without job control) means it.
    int is_ignored = before_asking[i].sa_handler == SIG_IGN;
    if (is_ignored && asking[i] != SIGWINCH && asking[i] != SIGCONT) continue;
    sigaction(asking[i], &action, NULL);
  }
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  action.sa_sigaction = end;
  for (int i = 0; i < ending_count; i++) sigaction(ending[i], &action, &before_ending[i]);
  signal(SIGPIPE, SIG_DFL);
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &before_pipe);
  is_installed = 1;
  return 0;
}

void terminal_signals_arm(int armed) {
  if (!is_installed) return;
  is_armed = armed;
  if (armed) {
    keep_error();
  } else {
    show_error();
  }
}

void terminal_signals_remove(void) {
  if (!is_installed) return;
  show_error();
  is_armed = 0;
  is_installed = 0;
  for (int i = 0; i < asking_count; i++) sigaction(asking[i], &before_asking[i], NULL);
  for (int i = 0; i < ending_count; i++) sigaction(ending[i], &before_ending[i], NULL);
  sigaction(SIGPIPE, &before_pipe, NULL);
}

void *terminal_signals_use_stack(void) {
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE)) return NULL;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = malloc(stack_size);
  stack.ss_size = stack_size;
  if (!stack.ss_sp || sigaltstack(&stack, NULL) != 0) {
    free(stack.ss_sp);
    return NULL;
  }
  return stack.ss_sp;
}

void terminal_signals_drop_stack(void *memory) {
  if (!memory) return;
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, NULL);
  free(memory);
}

void terminal_signals_stop(void) {
  struct sigaction standard, before;
  sigaction(SIGTSTP, NULL, &before);
  if (before.sa_handler == SIG_IGN) return;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &standard, &before);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &before, NULL);
}

void terminal_signals_die(int number) {
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(number);
  _exit(128 + number);
}
