// Spins at the start for tests: made from a job's text, without a back end and a run.
// Header only. What goes wrong in here fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_ISING_START_H
#define FATHOM_TESTS_SUPPORT_ISING_START_H

#include "models/ising/initial.h"
#include "models/ising/params.h"
#include "tests/support/asserts.h"
#include "tests/support/model_job.h"

static struct ising_lattice start_lattice; // of the last start_try

static inline size_t start_words(void)
{
    return (size_t)start_lattice.replicas * ising_lattice_words(&start_lattice);
}

// What the words were before: a start that leaves something as it was is seen.
enum { START_UNTOUCHED = 0x5a };

static inline uint32_t *start_prepare(struct ising_params *p, uint32_t temperature)
{
    static struct memory_plan plan;
    uint32_t *words = NULL;
    memory_plan_begin(&plan);
    assert_int_equal(ising_initial_plan(p->initial, &plan), STATUS_OK);
    if (plan.count > 0)
        assert_int_equal(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_OK);
    if (ising_initial_prepare(p->initial) == STATUS_OK) {
        words = owned_zeros(start_words(), sizeof *words);
        memset(words, START_UNTOUCHED, start_words() * sizeof *words);
        ising_initial_apply(p->initial, temperature, 0, start_lattice.rows, words);
    }
    memory_plan_release(&plan);
    return words;
}

// The words of the blocks given as members of a job ("'lattice': ..., 'start': ..."), malloc'ed; NULL:
// refused, status_message() states why.
static inline uint32_t *start_try(const char *blocks, uint32_t temperature)
{
    static struct ising_params p;
    uint32_t *words = NULL;
    struct job *job = model_job(
        ising_keys,
        "{'fathom': 1, 'model': 'ising', 'backend': 'reference', %s, 'temperatures': {'beta': [0.4, 0.5]}, "
        "'method': {'name': 'heat-bath'}, 'sweeps': {'count': 100}, 'output': {'directory': 'out'}}",
        blocks);
    if (ising_params_read(job, &p) == STATUS_OK) {
        start_lattice = p.physics.lattice;
        words = start_prepare(&p, temperature);
    }
    ising_params_free(&p);
    job_free(job);
    return words;
}

static inline uint32_t *start_make(const char *blocks, uint32_t temperature)
{
    uint32_t *words = start_try(blocks, temperature);
    if (!words)
        fail_msg("%s", status_message());
    return words;
}

// Whether the spin is up, by state.h's text.
static inline bool start_is_up(const uint32_t *words, int64_t replica, int64_t y, int64_t x)
{
    const int64_t row_words = ising_row_words(start_lattice.columns), k = x / 2;
    const int64_t line = (replica * 2 + x % 2) * start_lattice.rows + y;
    return words[line * row_words + k % row_words] >> (k / row_words) & 1;
}

// The bits beyond a word's spins.
static inline bool start_is_clean(const uint32_t *words)
{
    const int bits = ising_word_bits(start_lattice.columns);
    for (size_t k = 0; k < start_words(); k++)
        if (bits < 32 && words[k] >> bits)
            return false;
    return true;
}

#endif
