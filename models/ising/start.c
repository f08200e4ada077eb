// The spins at a temperature's start: see start.h.
#include "models/ising/start.h"

#include "models/ising/params_private.h"
#include "models/ising/place.h"
#include "models/ising/random.h"
#include "models/ising/start_private.h"
#include "models/team.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct ising_start {
    const struct ising_lattice *lattice;
    enum ising_start_kind kind;
    uint64_t seed;
    struct ising_file *file; // NULL: none
    uint32_t *words;         // what it holds, as start.h has them
};

enum status ising_start_create(const struct job *job, const struct ising_params *p,
                               struct ising_start **start)
{
    static const char *const names[] = {[ISING_START_COLD] = "cold",
                                        [ISING_START_HOT] = "hot",
                                        [ISING_START_STRIPES] = "stripes",
                                        [ISING_START_FILE] = "file"};
    struct ising_start *made = *start = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for the start");
    made->lattice = &p->physics.lattice;
    made->kind = (enum ising_start_kind)ising_choice(job_string(job, "start.kind"), names,
                                                     (int)(sizeof names / sizeof *names));
    made->seed = job_has(job, "start.seed") ? (uint64_t)job_integer(job, "start.seed") : p->physics.seed;
    return made->kind == ISING_START_FILE ? ising_file_open(job, made->lattice, &made->file) : STATUS_OK;
}

void ising_start_destroy(struct ising_start *start)
{
    if (start)
        ising_file_close(start->file);
    free(start);
}

enum ising_start_kind ising_start_kind(const struct ising_start *start)
{
    return start->kind;
}

int ising_start_inputs(const struct ising_start *start, const char **paths)
{
    if (!start->file)
        return 0;
    paths[0] = ising_file_path(start->file);
    return 1;
}

enum status ising_start_plan(struct ising_start *start, struct memory_plan *memory)
{
    const size_t replicas = (size_t)start->lattice->replicas;
    if (!start->file)
        return STATUS_OK;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_I32, replicas, ising_lattice_words(start->lattice),
                          (void **)&start->words, "spins at the start"));
    return ising_file_plan(start->file, memory);
}

enum status ising_start_prepare(struct ising_start *start)
{
    return start->file ? ising_file_read(start->file, start->words) : STATUS_OK;
}

// ---- setting the spins, a row of a plane at a time

struct apply_work {
    const struct ising_start *start;
    struct philox_key key;
    uint32_t *words;
};

static void fill_line(const struct apply_work *work, uint64_t line, int64_t row_words, uint32_t mask)
{
    const uint32_t purpose = ising_purpose(ISING_USE_START, 0, 0);
    const struct ising_start *start = work->start;
    const bool is_row_up = line % (uint64_t)start->lattice->rows % 2 == 0;
    const uint64_t first = line * (uint64_t)row_words;
    for (uint64_t g = first; g < first + (uint64_t)row_words; g++)
        work->words[g] = start->kind == ISING_START_HOT ? mask & ising_random_word(work->key, g, 0, purpose)
                         : start->kind == ISING_START_COLD || is_row_up ? mask
                                                                        : 0;
}

enum { PIECE_LINES = 256 };

static void apply_piece(void *context, size_t piece)
{
    const struct apply_work *work = context;
    const struct ising_lattice *lattice = work->start->lattice;
    const int64_t row_words = ising_row_words(lattice->columns);
    const uint32_t mask = ising_word_mask(ising_word_bits(lattice->columns));
    const uint64_t lines = 2 * (uint64_t)lattice->replicas * (uint64_t)lattice->rows;
    const uint64_t first = (uint64_t)piece * PIECE_LINES, end = first + PIECE_LINES;
    if (work->start->kind == ISING_START_FILE) {
        const uint64_t count = (end < lines ? end : lines) - first, offset = first * (uint64_t)row_words;
        memcpy(work->words + offset, work->start->words + offset,
               count * (uint64_t)row_words * sizeof *work->words);
        return;
    }
    for (uint64_t line = first; line < end && line < lines; line++)
        fill_line(work, line, row_words, mask);
}

void ising_start_apply(const struct ising_start *start, uint32_t temperature, uint32_t *words)
{
    struct apply_work work = {.start = start, .key = ising_key(start->seed, temperature), .words = words};
    const size_t lines = 2 * (size_t)start->lattice->replicas * (size_t)start->lattice->rows;
    team_for(omp_get_max_threads(), (lines + PIECE_LINES - 1) / PIECE_LINES, apply_piece, &work);
}
