// The results of all ranks on their way to the files: a sink for every rank's I/O thread. Ranks other than 0
// send their part of each frame; on rank 0 the parts are put into its frame, which holds whole records, and
// the frame goes on to the sink behind. So the files are those of one rank. Independent of file formats.
//
// All ranks submit the same frames in the same order, because their run loops decide together (core/run.h).
#ifndef FATHOM_PARALLEL_GATHER_H
#define FATHOM_PARALLEL_GATHER_H

#include "core/memory_plan.h"
#include "core/stream.h"
#include "parallel/ranks.h"

struct gather {
    struct ranks *ranks;
    const struct stream *const *streams;
    int stream_count;
    struct sink behind; // rank 0
    void *part;         // rank 0: the largest part of a frame of any other rank
    size_t part_bytes;
    double received_bytes, waited_s; // rank 0
};

// Declares the memory for parts on rank 0. Called by all ranks at the same time; streams must be final. One
// rank: declares nothing.
enum status gather_plan(struct gather *gather, struct ranks *ranks, const struct stream *const *streams,
                        int stream_count, struct memory_plan *plan);

// Returns the sink of this rank. `behind`: rank 0's sink for whole frames; for the others the one whose
// checkpoint, finish and abandon are called, and never its write. One rank: `behind` itself.
struct sink gather_sink(struct gather *gather, struct sink behind);

#endif
