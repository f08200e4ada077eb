// What a process that makes one run after another keeps of its inputs: whose content it is, and how much may
// be kept. A process with a single run keeps nothing.
#ifndef FATHOM_IO_KEPT_H
#define FATHOM_IO_KEPT_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// From here on inputs are kept: grids (io/grid/kept.h) up to so many bytes, and checksums.
void kept_begin(size_t grid_bytes_most);
size_t kept_grid_bytes_most(void); // 0: nothing is kept

// Whose content a file is: it changes whenever the content does, because every writer changes `changed`,
// which no program can set.
struct kept_file {
    uint64_t device, inode, bytes;
    struct timespec written, changed;
};

// Looks a file up. False if it may change without showing that: it is no plain file, or it was changed so
// recently that a further change could bear the same time.
bool kept_file_find(const char *path, struct kept_file *file);
bool kept_file_is_same(const struct kept_file *a, const struct kept_file *b);

// path_hash; of a file that was hashed before and is the same, what it was then.
enum status kept_hash(const char *path, uint64_t *hash);

#endif
