// Threads that make chunks as HDF5 stores them: numbers of a record are packed (io/output/pack.c), padded,
// shuffled (the bytes of one significance together) and deflated. A ring of pieces goes from the one thread
// that fills and empties it through all of them, and is emptied in the order in which it was filled: files
// have the same bytes for any number of threads. Independent of files. Memory is the caller's; nothing is
// allocated after output_crew_open, which starts the threads.
#ifndef FATHOM_IO_OUTPUT_CREW_H
#define FATHOM_IO_OUTPUT_CREW_H

#include "core/status.h"
#include "core/stream.h"
#include "io/netcdf/chunks.h"
#include "io/output/range.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OUTPUT_CREW_THREADS_MAX = 64,
    OUTPUT_CREW_ALIGNMENT = 64, // a line of the cache: two threads share none
};

static inline size_t output_crew_aligned(size_t bytes)
{
    return (bytes + OUTPUT_CREW_ALIGNMENT - 1) / OUTPUT_CREW_ALIGNMENT * OUTPUT_CREW_ALIGNMENT;
}

// What the numbers of a variable are, and how they are stored.
struct output_numbers {
    enum element element;                   // in the source
    const struct stream_variable *variable; // not NULL: its resolution decides about integers
    size_t stored_bytes;                    // of a number in the file: 1, 4 or 8
    bool is_deflated;                       // after shuffling; else stored plainly
    unsigned char missing[8];               // fill value: of the elements of a chunk beyond the variable's
};

// One chunk: records of `elements` numbers each, in a chunk of chunk_records × chunk_elements.
struct output_piece {
    struct output_numbers numbers;
    const void *source;
    size_t stride; // bytes from one record of the source to the next
    size_t records, elements, chunk_records, chunk_elements;
    // The caller's own.
    int stream, column;
    uint64_t offset[CHUNKS_RANK_MAX];
    // Once it is done.
    const void *data;
    size_t bytes;
    uint32_t left_out;         // filters that were not applied, as chunks_write has them
    struct output_range range; // of the numbers that the source's stand for in the file
    bool is_refused;           // a number does not fit: known as soon as the source is read
};

struct output_crew;

// Bytes of memory, aligned to 64, for chunks of up to `chunk_bytes`, in the file's numbers.
size_t output_crew_bytes(int threads, size_t chunk_bytes);
// STATUS_SYSTEM: the system refuses a thread.
enum status output_crew_open(void *memory, int threads, size_t chunk_bytes, struct output_crew **crew);
// Ends the threads. Pieces that are not done are dropped. NULL: does nothing.
void output_crew_close(struct output_crew *crew);

// The next piece to be filled; NULL: all are in use. output_crew_submit gives it to the threads.
struct output_piece *output_crew_free(struct output_crew *crew);
void output_crew_submit(struct output_crew *crew);

// Returns the oldest piece once it is done; without `waits_for_done` waits only as long as a submitted
// piece's source has not been read. NULL: the oldest is not done. output_crew_release frees it.
const struct output_piece *output_crew_oldest(struct output_crew *crew, bool waits_for_done);
void output_crew_release(struct output_crew *crew);

// A piece in the ring whose numbers do not fit, among those whose sources were read; NULL: all fit.
const struct output_piece *output_crew_refused(struct output_crew *crew);

// Waits for the threads and drops all pieces.
void output_crew_drop(struct output_crew *crew);

#endif
