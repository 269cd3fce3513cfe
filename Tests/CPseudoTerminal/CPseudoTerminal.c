#include "CPseudoTerminal.h"
#include <pty.h>
#include <unistd.h>

pid_t pseudo_terminal_spawn(
    int *terminal, const char *path, char *const arguments[], char *const environment[],
    int rows, int columns) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  pid_t child = forkpty(terminal, NULL, NULL, &size);
  if (child == 0) {
    execve(path, arguments, environment);
    _exit(127);
  }
  return child;
}
