#pragma once

// Records what a program writes to files, and when it has the system bring that to the disk.
//
// The calls of the C library that write and sync are defined here once more, so that every call in the
// process, those of other libraries included, comes here first. What they do is unchanged.
//
// A record is 25 bytes, numbers in the machine's order, and what follows them:
//
// | offset | bytes | what |
// |---|---|---|
// | 0 | 1 | `w` write, `t` truncation, `s` a sync begins, `S` it has succeeded, `F` it has failed, `n` note |
// | 1 | 8 | inode of the file; 0 for a note |
// | 9 | 8 | offset of a write, length of a truncation; else 0 |
// | 17 | 8 | how many bytes follow: what was written, or the text of a note |

/// Begins to record in a new file. Returns 0, or -1 with errno.
int file_recorder_begin(const char *path);

/// Adds a note, by which a program says how far it is.
void file_recorder_note(const char *text);
