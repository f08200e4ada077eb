// The user's own check: sweeps, spread over the run, made on the reference too from the very spins that the
// fast back end had, and compared bit for bit.
#include "models/ising/instance.h"
#include "models/ising/place.h"

#include <stdio.h>
#include <string.h>

enum status ising_check_begin(void *context, int64_t step)
{
    struct ising *g = context;
    const struct ising_backend *reference = &ising_backend_reference;
    const uint32_t temperature = ising_temperature_of(&g->params, step > 0 ? step - 1 : 0);
    struct check_record *record = &g->check;
    if (record->moments == 0) {
        record->places = CHECK_SITES;
        record->quantity_count = 1;
        snprintf(record->units, sizeof record->units, "1");
        snprintf(record->quantities[0].name, sizeof record->quantities[0].name, "spin");
        snprintf(record->quantities[0].units, sizeof record->quantities[0].units, "1");
        record->quantities[0].size = -1;
    }
    CHECK(ising_fetch(g));
    memcpy(reference->words(g->reference), g->backend->words(g->solver),
           ising_all_words(g) * sizeof(uint32_t));
    reference->set_temperature(g->reference, temperature, g->params.betas[temperature]);
    g->check_begin_step = step;
    return solver_touch(&reference->head, g->reference, false);
}

// Of the site whose spin is bit `bit` of this word.
static void keep_place(const struct ising *g, size_t word, int bit, struct check_quantity *q)
{
    const struct ising_words layout = ising_words_of(&g->params.physics.lattice);
    const int64_t place = (int64_t)word % layout.words, line = (int64_t)word / layout.words;
    const int64_t plane = line / layout.rows;
    q->plane = plane / 2;
    q->row = line % layout.rows;
    q->column = 2 * (bit * layout.words + place) + plane % 2;
    q->x = (double)q->column;
    q->y = (double)q->row;
}

static int spin(uint32_t word, int bit)
{
    return word >> bit & 1 ? 1 : -1;
}

// The largest difference is that of two opposite spins; the first one is kept.
static void compare(struct ising *g, const uint32_t *is, const uint32_t *should, int64_t step)
{
    struct check_quantity *q = &g->check.quantities[0];
    if (q->size < 0) {
        q->size = 0;
        q->step = step;
        q->from_step = g->check_begin_step;
    }
    for (size_t k = 0; k < ising_all_words(g); k++) {
        const uint32_t unlike = is[k] ^ should[k];
        if (unlike == 0)
            continue;
        q->sum_squares += 4 * __builtin_popcount(unlike);
        if (q->size > 0)
            continue;
        const int bit = __builtin_ctz(unlike);
        q->value = spin(is[k], bit);
        q->reference = spin(should[k], bit);
        q->size = 2;
        q->step = step;
        q->from_step = g->check_begin_step;
        keep_place(g, k, bit, q);
    }
}

enum status ising_check_end(void *context, int64_t step)
{
    struct ising *g = context;
    const struct ising_backend *reference = &ising_backend_reference;
    const int64_t steps = step - g->check_begin_step;
    CHECK(ising_sweep(g, reference, g->reference, g->check_begin_step, steps, false));
    CHECK(ising_fetch(g));
    CHECK(reference->head.fetch(g->reference));
    compare(g, g->backend->words(g->solver), reference->words(g->reference), step);
    g->check.nodes += (int64_t)ising_sites(&g->params.physics.lattice) * (int64_t)ising_replicas(g);
    g->check.moments++;
    g->check.steps += steps;
    return STATUS_OK;
}

enum status ising_check_verdict(struct ising *g)
{
    const struct check_record *record = &g->check;
    const struct check_quantity *q = &record->quantities[0];
    if (record->moments == 0 || q->size <= record->tolerance)
        return STATUS_OK;
    return FAIL(
        STATUS_CHECK_FAILED,
        "the check against the reference failed: after sweep %lld (repeated from sweep %lld), the spin at "
        "replica %lld, column %lld, row %lld is %+g, the reference's %+g; %.0f spins differed of %lld that "
        "were compared",
        (long long)q->step, (long long)q->from_step, (long long)q->plane, (long long)q->column,
        (long long)q->row, q->value, q->reference, q->sum_squares / 4, (long long)record->nodes);
}
