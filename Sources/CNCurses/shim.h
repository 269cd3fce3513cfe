#pragma once

// The wide-character curses, and functions for those of its macros and variables that Swift
// cannot import.

#define NCURSES_WIDECHAR 1
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#include <ncursesw/curses.h>
#include <stdio.h>

// Declared by term.h, whose macros would take hundreds of short words, and by wchar.h, but not to Swift.
extern int setupterm(const char *, int, int *);
extern int wcwidth(wchar_t);

/// Whether the type of the terminal, from TERM, is known.
static inline int curses_knows_terminal(int descriptor) {
  int status = 0;
  return setupterm(NULL, descriptor, &status) == OK;
}

/// The columns of a character for the C library and so for curses; -1 where it has none.
static inline int curses_width(wchar_t character) { return wcwidth(character); }

/// Begins curses on standard input and output; NULL where the type of the terminal is unknown.
static inline SCREEN *curses_begin(void) { return newterm(NULL, stdout, stdin); }

static inline WINDOW *curses_window(void) { return stdscr; }

/// Makes the next refresh paint every cell.
static inline int curses_repaint(void) { return clearok(curscr, TRUE); }

/// Writes one glyph, a letter and its combining marks, without moving the cursor.
static inline int curses_put(int row, int column, const wchar_t *text, attr_t attributes, short pair) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, pair, NULL) == ERR) return ERR;
  return mvwadd_wchnstr(stdscr, row, column, &cell, 1);
}

static inline attr_t curses_bold(void) { return A_BOLD; }
static inline attr_t curses_dim(void) { return A_DIM; }
static inline attr_t curses_reversed(void) { return A_REVERSE; }
static inline attr_t curses_underlined(void) { return A_UNDERLINE; }

static inline int curses_color_count(void) { return COLORS; }
static inline int curses_pair_count(void) { return COLOR_PAIRS; }

/// Defines a pair of colors, whose numbers may be larger than those of a palette.
static inline int curses_define_pair(int pair, int foreground, int background) {
  return init_extended_pair(pair, foreground, background);
}

/// A string of the terminal's description, or NULL.
static inline const char *curses_capability(const char *name) {
  const char *text = tigetstr(name);
  return text == (const char *)-1 ? NULL : text;
}

/// Whether the terminal's description has a flag.
static inline int curses_has(const char *flag) { return tigetflag(flag) > 0; }

