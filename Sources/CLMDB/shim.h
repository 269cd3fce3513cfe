// LMDB, and `statfs`, which tells on which file system a file is: Glibc's module leaves it out.
#include <lmdb.h>
#include <sys/vfs.h>
