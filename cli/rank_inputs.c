// The inputs of all ranks (see the header).
#include "cli/rank_inputs.h"

#include "parallel/launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

// Of every rank, rank by rank: numbers that tell files of a host apart without reading them, and hashes of
// contents, which the ranks that read have.
struct inputs {
    int count;
    int64_t *marks, *hashes; // [ranks][count]
};

static enum status mark_file(const char *path, int64_t *mark)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return FAIL(STATUS_NO_INPUT, "%s: %s", path, strerror(errno));
    const int64_t what[] = {(int64_t)file.st_dev, (int64_t)file.st_ino, (int64_t)file.st_size,
                            (int64_t)file.st_mtim.tv_sec, (int64_t)file.st_mtim.tv_nsec};
    *mark = (int64_t)XXH3_64bits(what, sizeof what);
    return STATUS_OK;
}

// The rank that reads a file for this one: the lowest on the same host that has the same file.
static int reader_of(const struct ranks *ranks, const struct inputs *inputs, int input)
{
    const int64_t own = inputs->marks[ranks->rank * inputs->count + input];
    for (int r = ranks_host_of(ranks, ranks->rank).first; r < ranks->rank; r++)
        if (inputs->marks[r * inputs->count + input] == own &&
            strcmp(ranks->places[r].host, ranks->places[ranks->rank].host) == 0)
            return r;
    return ranks->rank;
}

// All ranks find the same first difference: of the lowest rank its first file.
static enum status report_difference(const struct session *s, const struct ranks *ranks, int own_input)
{
    const int inputs = s->plan.input_count;
    int64_t place = own_input < inputs ? (int64_t)(ranks->count - ranks->rank) * inputs - own_input : 0;
    CHECK(ranks_largest(launch_ranks(), TRANSPORT_STEPS, &place, 1));
    if (place == 0)
        return STATUS_OK;
    const int rank = ranks->count - (int)((place + inputs - 1) / inputs),
              input = (int)((int64_t)(ranks->count - rank) * inputs - place);
    return FAIL(STATUS_CONFIGURATION,
                "%s: rank %d on %s has other content in this file than rank 0 on %s: copy it anew, or use a "
                "folder that all hosts see",
                s->plan.input_files[input], rank, ranks->places[rank].host, ranks->places[0].host);
}

static enum status compare(struct session *s, struct inputs *inputs)
{
    struct ranks *ranks = launch_ranks();
    const int count = inputs->count, all = ranks->count * count;
    int64_t *own_marks = inputs->marks + ranks->rank * count,
            *own_hashes = inputs->hashes + ranks->rank * count;
    for (int k = 0; k < count; k++)
        CHECK(mark_file(s->plan.input_files[k], &own_marks[k]));
    CHECK(ranks_add(ranks, TRANSPORT_STEPS, inputs->marks, all));
    for (int k = 0; k < count; k++) {
        if (reader_of(ranks, inputs, k) != ranks->rank)
            continue;
        CHECK(path_hash(s->plan.input_files[k], &s->input_hashes[k]));
        own_hashes[k] = (int64_t)s->input_hashes[k];
    }
    CHECK(ranks_add(ranks, TRANSPORT_STEPS, inputs->hashes, all));
    int different = count;
    for (int k = count - 1; k >= 0; k--) {
        const int64_t hash = inputs->hashes[reader_of(ranks, inputs, k) * count + k];
        s->input_hashes[k] = (uint64_t)hash;
        if (hash != inputs->hashes[k])
            different = k;
    }
    return report_difference(s, ranks, different);
}

enum status rank_inputs_compare(struct session *s)
{
    struct ranks *ranks = launch_ranks();
    struct inputs inputs = {.count = s->plan.input_count};
    int64_t counts[] = {inputs.count, -(int64_t)inputs.count};
    if (ranks->count == 1 || s->has_input_hashes)
        return STATUS_OK;
    CHECK(ranks_largest(ranks, TRANSPORT_STEPS, counts, 2));
    if (counts[0] != -counts[1])
        return FAIL(STATUS_CONFIGURATION, "%s: rank %d on %s has %d input files, another rank has %lld",
                    job_path(s->job), ranks->rank, ranks->places[ranks->rank].host, inputs.count,
                    (long long)(counts[0] == inputs.count ? -counts[1] : counts[0]));
    inputs.marks = calloc((size_t)(2 * ranks->count * inputs.count) + 1, sizeof *inputs.marks);
    if (!inputs.marks)
        return FAIL(STATUS_SYSTEM, "no memory for the hashes of %d ranks", ranks->count);
    inputs.hashes = inputs.marks + ranks->count * inputs.count;
    const enum status status = inputs.count > 0 ? compare(s, &inputs) : STATUS_OK;
    free(inputs.marks);
    s->has_input_hashes = status == STATUS_OK;
    return status;
}
