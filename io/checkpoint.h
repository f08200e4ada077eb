// The state of a run in one file, and the verification of such a file. Independent of models: a state is a
// header (core/stream.h) and named arrays of bytes. No allocation; memory used does not depend on the size of
// the state.
//
// The file, all numbers little-endian except the arrays' content, which is as in memory:
//   offset  bytes
//   0       8        magic: 89 'F' 'T' 'H' 'M' 0D 0A 1A (a transfer as text would change it)
//   8       4        format version, 2
//   12      4        number of arrays
//   16      8        bytes of the whole file
//   24      4        0x01020304 in the byte order of the writer
//   28      4        bytes of the header that follows
//   32      880      header: job_hash, input_hash, step, time_s, steps_run, segment, records[80] (8 bytes
//                    each),
//                    then version, backend, instruction_set (64 bytes each, padded with zeros)
//   ...     64 each  table: name (48 bytes, padded with zeros), offset, bytes of each array
//   ...              the arrays, each at a multiple of 64, the gaps filled with zeros
//   end-16  16       XXH3-128 of everything before, in xxHash's canonical (big-endian) form
#ifndef FATHOM_IO_CHECKPOINT_H
#define FATHOM_IO_CHECKPOINT_H

#include "core/status.h"
#include "core/stream.h"

#include <stdint.h>

enum { CHECKPOINT_FORMAT_VERSION = 2, CHECKPOINT_NAME_MAX = 47 };

// Bytes of the file that checkpoint_write would make, for the plan of a run.
uint64_t checkpoint_file_bytes(const struct checkpoint_array *arrays, int count);

// Writes the state to `path`: under the name "PATH.tmp" first, synced, then renamed, so that an earlier file
// of that name is there, whole, until the new one is. `arrays`: `count` ≤ CHECKPOINT_ARRAYS_MAX, names of at
// most CHECKPOINT_NAME_MAX bytes, all different. STATUS_CANNOT_CREATE, STATUS_IO (disk full: "... no space
// left on device"), STATUS_SOFTWARE (arguments out of bounds); the temporary file is then removed.
enum status checkpoint_write(const char *path, const struct checkpoint_header *header,
                             const struct checkpoint_array *arrays, int count);

// Reads the whole file and compares its checksum before it uses anything else in it; then returns the
// header (`header` may be NULL). STATUS_NO_INPUT if it cannot be opened, STATUS_IO if it cannot be read;
// STATUS_DATA if it is not a checkpoint, of another format version or byte order, truncated, or damaged.
enum status checkpoint_verify(const char *path, struct checkpoint_header *header);

// checkpoint_verify, then fills arrays[i].data. The file must hold exactly these arrays (names, sizes,
// order), else STATUS_DATA naming the first that differs and nothing is filled.
enum status checkpoint_read(const char *path, struct checkpoint_header *header,
                            const struct checkpoint_array *arrays, int count);

// ---- parts of a file, for io/checkpoint_set.h

struct checkpoint_entry {
    char name[CHECKPOINT_NAME_MAX + 1];
    uint64_t offset, bytes;
};

// Reads the header and the table of arrays: at most CHECKPOINT_ARRAYS_MAX entries, *count of them.
// `verifies`: compares the checksum first. As checkpoint_verify fails.
enum status checkpoint_inspect(const char *path, bool verifies, struct checkpoint_header *header,
                               struct checkpoint_entry *entries, int *count);

// Reads `bytes` at `offset` of a file that was inspected.
enum status checkpoint_read_bytes(const char *path, uint64_t offset, void *data, uint64_t bytes);

#endif
