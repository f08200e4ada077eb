// A small text file (a page, a summary) that gets its name only when it is complete: it is written as
// PATH.part, then synced and renamed (io/path.h). Of several processes that write one path each waits for the
// one before, and the last one's file stays. Independent of its content.
#ifndef FATHOM_IO_WHOLE_FILE_H
#define FATHOM_IO_WHOLE_FILE_H

#include "core/status.h"
#include "io/path.h"

#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *stream; // write here; failures are noticed at the end
    char path[PATH_BYTES], part[PATH_BYTES + 8];
    int part_lock;       // of `part`, until it is renamed
    bool is_named_later; // set after begin: the caller syncs the folder (path_place)
};

// STATUS_CANNOT_CREATE, naming the file; STATUS_IO: a full disk. Each successful begin is followed by exactly
// one end.
enum status whole_file_begin(struct whole_file *file, const char *path);

// `written` STATUS_OK: publishes the file; STATUS_IO if some of it could not be written (a full disk). Else
// deletes the unfinished file and returns `written`.
enum status whole_file_end(struct whole_file *file, enum status written);

#endif
