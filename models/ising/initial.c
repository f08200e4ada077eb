// The spins at a temperature's start: see initial.h.
#include "models/ising/initial.h"

#include "models/ising/initial_private.h"
#include "models/ising/method.h"
#include "models/ising/place.h"
#include "models/ising/random.h"
#include "models/params.h"
#include "models/team.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct ising_initial {
    const struct ising_physics *physics;
    const struct ising_lattice *lattice; // its own
    enum ising_initial_kind kind;
    uint64_t seed;
    struct ising_file *file; // NULL: none
    uint32_t *words;         // what it holds, as initial.h has them
};

enum status ising_initial_create(const struct job *job, const struct ising_physics *physics,
                                 struct ising_initial **initial)
{
    static const char *const names[] = {[ISING_START_COLD] = "cold",
                                        [ISING_START_HOT] = "hot",
                                        [ISING_START_STRIPES] = "stripes",
                                        [ISING_START_FILE] = "file"};
    struct ising_initial *made = *initial = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for the start");
    made->physics = physics;
    made->lattice = &physics->lattice;
    made->kind = (enum ising_initial_kind)params_choice(job_string(job, "start.kind"), names,
                                                        (int)(sizeof names / sizeof *names));
    made->seed = job_has(job, "start.seed") ? (uint64_t)job_integer(job, "start.seed") : physics->seed;
    return made->kind == ISING_START_FILE ? ising_file_open(job, made->lattice, &made->file) : STATUS_OK;
}

void ising_initial_destroy(struct ising_initial *initial)
{
    if (initial)
        ising_file_close(initial->file);
    free(initial);
}

enum ising_initial_kind ising_initial_kind(const struct ising_initial *initial)
{
    return initial->kind;
}

int ising_initial_inputs(const struct ising_initial *initial, const char **paths)
{
    if (!initial->file)
        return 0;
    paths[0] = ising_file_path(initial->file);
    return 1;
}

enum status ising_initial_plan(struct ising_initial *initial, struct memory_plan *memory)
{
    const size_t replicas = (size_t)initial->lattice->replicas;
    if (!initial->file)
        return STATUS_OK;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_I32, replicas, ising_lattice_words(initial->lattice),
                          (void **)&initial->words, "spins at the start"));
    return ising_file_plan(initial->file, memory);
}

// Whether each spin has two neighbours up and two down.
static bool is_striped(const struct ising_words *layout, const uint32_t *words, int64_t replica)
{
    const uint32_t mask = ising_word_mask(layout->bits);
    for (int plane = 0; plane < 2; plane++)
        for (int64_t row = 0; row < layout->rows; row++)
            for (int64_t word = 0; word < layout->words; word++) {
                uint32_t n[ISING_NEIGHBOUR_WORDS];
                ising_neighbour_words(layout, words, replica, plane, row, word, n);
                const uint32_t odd = n[0] ^ n[1] ^ n[2] ^ n[3], all = n[0] & n[1] & n[2] & n[3];
                const uint32_t two = (n[0] | n[1] | n[2] | n[3]) & ~odd & ~all;
                if ((two & mask) != mask)
                    return false;
            }
    return true;
}

enum status ising_initial_prepare(struct ising_initial *initial)
{
    const struct ising_words layout = ising_words_of(initial->lattice);
    if (!initial->file)
        return STATUS_OK;
    CHECK(ising_file_read(initial->file, initial->words));
    for (int64_t replica = 0; ising_keeps_stripes(initial->physics) && replica < layout.replicas; replica++)
        if (is_striped(&layout, initial->words, replica))
            return FAIL(STATUS_DATA,
                        "%s: replica %lld (counted from 0): each spin has two neighbours up and two down: on "
                        "a periodic lattice method %s flips all of them in every sweep and never leaves such "
                        "stripes; method heat-bath, or other spins, are expected",
                        ising_file_path(initial->file), (long long)replica,
                        ising_method_names[initial->physics->method]);
    return STATUS_OK;
}

// ---- setting the spins, a row of a plane at a time

struct apply_work {
    const struct ising_initial *initial;
    struct philox_key key;
    int64_t first, rows; // that are written
    uint32_t *words;
};

// to: the line among those that are written.
static void fill_line(const struct apply_work *work, uint64_t to, uint64_t row_words, uint32_t mask)
{
    const uint32_t purpose = ising_purpose(ISING_USE_START, 0, 0);
    const struct ising_initial *initial = work->initial;
    const uint64_t row = (uint64_t)work->first + to % (uint64_t)work->rows;
    const uint64_t line = to / (uint64_t)work->rows * (uint64_t)initial->lattice->rows + row;
    const bool is_up = initial->kind == ISING_START_COLD || row % 2 == 0;
    const uint64_t first = line * row_words, end = first + row_words;
    uint32_t *words = work->words + to * row_words;
    if (initial->kind == ISING_START_FILE) {
        memcpy(words, initial->words + first, row_words * sizeof *words);
        return;
    }
    struct philox_counter drawn = {{0}};
    for (uint64_t g = first; g < end; g++) {
        if (initial->kind == ISING_START_HOT && (g == first || g % 4 == 0))
            drawn = ising_random_quad(work->key, g / 4, 0, purpose);
        words[g - first] = initial->kind == ISING_START_HOT ? mask & drawn.v[g % 4] : is_up ? mask : 0;
    }
}

enum { PIECE_LINES = 256 };

static void apply_piece(void *context, size_t piece)
{
    const struct apply_work *work = context;
    const struct ising_lattice *lattice = work->initial->lattice;
    const uint64_t row_words = (uint64_t)ising_row_words(lattice->columns);
    const uint32_t mask = ising_word_mask(ising_word_bits(lattice->columns));
    const uint64_t lines = 2 * (uint64_t)lattice->replicas * (uint64_t)work->rows;
    const uint64_t first = (uint64_t)piece * PIECE_LINES, end = first + PIECE_LINES;
    for (uint64_t line = first; line < end && line < lines; line++)
        fill_line(work, line, row_words, mask);
}

void ising_initial_apply(const struct ising_initial *initial, uint32_t temperature, int64_t first,
                         int64_t end, uint32_t *words)
{
    struct apply_work work = {.initial = initial,
                              .key = ising_key(initial->seed, temperature),
                              .first = first,
                              .rows = end - first,
                              .words = words};
    const size_t lines = 2 * (size_t)initial->lattice->replicas * (size_t)work.rows;
    const size_t pieces = (lines + PIECE_LINES - 1) / PIECE_LINES;
    team_for(pieces == 1 ? 1 : omp_get_max_threads(), pieces, apply_piece, &work);
}
