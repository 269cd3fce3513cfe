// LMDB, and what Glibc's module leaves out: `statfs`, which tells on which file system a file is, and
// `malloc_trim`.
#include <lmdb.h>
#include <malloc.h>
#include <sys/vfs.h>
