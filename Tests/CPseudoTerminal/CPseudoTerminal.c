#include "CPseudoTerminal.h"
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <unistd.h>
#include <utmp.h>

// The threads of tests block signals, and a program begins with those of who starts it. What the
// tests hold open may not stay open for as long as a program runs that outlives them.
static void begin(const char *path, char *const arguments[], char *const environment[]) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  for (int descriptor = 3; descriptor < 1024; descriptor++) close(descriptor);
  execve(path, arguments, environment);
  _exit(127);
}

pid_t pseudo_terminal_spawn(
    int *terminal, const char *path, char *const arguments[], char *const environment[],
    int rows, int columns, struct termios *modes) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  int inside;
  if (openpty(terminal, &inside, NULL, NULL, &size) != 0) return -1;
  fcntl(*terminal, F_SETFD, FD_CLOEXEC);
  tcgetattr(inside, modes);
  pid_t child = fork();
  if (child == 0) {
    login_tty(inside);
    begin(path, arguments, environment);
  }
  close(inside);
  return child;
}

pid_t piped_spawn(
    int output, const char *path, char *const arguments[], char *const environment[]) {
  pid_t child = fork();
  if (child == 0) {
    int input = open("/dev/null", O_RDONLY);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    begin(path, arguments, environment);
  }
  return child;
}
