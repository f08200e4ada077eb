// A checkpoint of a run of several ranks: a set of files, each as io/checkpoint.h has them, which is whole
// or not there. partial/checkpoint.a (or .b) is rank 0's and is written last, when all others have synced
// theirs: partial/checkpoint.SEGMENT.RANK, SEGMENT the number of the next output segment, which no other set
// has. Independent of models and of how ranks speak with each other.
//
// The first array of each file of a set is "rows of ranks" (numbers of 8 bytes: ranks, rank, and for each
// array of the run its row_bytes, first, end, rows, parts). Rank 0's file has all arrays; the others only
// those divided by rows, of which they have a part. A run of any number of ranks reads a set of any other
// number, or the one file of a run of one rank, because rows are known by their number in the whole array.
#ifndef FATHOM_IO_CHECKPOINT_SET_H
#define FATHOM_IO_CHECKPOINT_SET_H

#include "io/checkpoint.h"
#include "io/path.h"

// What an array of a checkpoint has of the whole one. All zero: everything, the same on every rank.
struct checkpoint_rows {
    uint64_t row_bytes;  // of a part; 0: not divided
    uint64_t first, end; // rows that the array holds: this rank's own ones
    uint64_t rows;       // of the whole array
    uint64_t parts;      // that follow each other, each of these rows: lattices, or fields; 0: one
};

// This rank among those that save together, and how they wait for each other. NULL: a run of one rank.
struct checkpoint_set {
    int rank, ranks;
    const struct checkpoint_rows *rows; // one for each array, in the same order
    void *context;
    // Gives rank 0's data to all; returns when all ranks have called it.
    enum status (*share)(void *context, void *data, size_t bytes);
    enum status (*settle)(void *context);
};

// Size of this rank's file of a set.
uint64_t checkpoint_set_bytes(const struct checkpoint_array *arrays, int count,
                              const struct checkpoint_set *set);

// Writes this rank's file of a set.
enum status checkpoint_set_write(const char *path, const struct checkpoint_header *header,
                                 const struct checkpoint_array *arrays, int count,
                                 const struct checkpoint_set *set);

// checkpoint_verify, and the same for the other files of the set, if it is one: they must belong together.
enum status checkpoint_set_verify(const char *path, struct checkpoint_header *header);

// Fills arrays[i].data with the rows that `rows` says (NULL: no array is divided), from the set or the one
// file whose first file is `path`. As checkpoint_read fails, and with STATUS_DATA if a row is in none of the
// files.
enum status checkpoint_set_read(const char *path, const struct checkpoint_array *arrays, int count,
                                const struct checkpoint_rows *rows);

// The file of another rank than 0: DIRECTORY/checkpoint.0007.0003. STATUS_CANNOT_CREATE: too long.
enum status checkpoint_set_path(const char *directory, int64_t segment, int rank, char path[PATH_BYTES]);
// The segment in such a name (with or without ".tmp" behind), or −1 if it is another file's.
int64_t checkpoint_set_segment(const char *file);

#endif
