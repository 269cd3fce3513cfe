#pragma once
#include <sys/types.h>
#include <termios.h>
/// Starts a program in a new pseudo terminal of the given size; returns its process id, or -1.
/// `modes` are those of the terminal before the program runs.
pid_t pseudo_terminal_spawn(
    int *terminal, const char *path, char *const arguments[], char *const environment[],
    int rows, int columns, struct termios *modes);
/// Starts a program without input whose output and messages go to a descriptor; returns its process id, or -1.
pid_t piped_spawn(
    int output, const char *path, char *const arguments[], char *const environment[]);
