// What models/check.h compares of an Ising run: every spin, bit for bit.
#include "models/ising/instance.h"
#include "models/ising/place.h"

#include <stdio.h>
#include <string.h>

static enum status copy(void *instance, int64_t step)
{
    struct ising *g = instance;
    const struct ising_backend *reference = &ising_backend_reference;
    const uint32_t temperature = ising_temperature_of(&g->params, step > 0 ? step - 1 : 0);
    const uint32_t *words;
    CHECK(ising_whole_words(g, &words));
    memcpy(reference->words(g->base.reference), words, ising_all_words(g) * sizeof *words);
    reference->set_temperature(g->base.reference, temperature, g->params.betas[temperature]);
    return solver_touch(&reference->head, g->base.reference, false);
}

static enum status repeat(void *instance, int64_t first_sweep, int64_t count)
{
    struct ising *g = instance;
    const uint32_t *words;
    if (g->shares) { // for compare, which has no status
        CHECK(instance_fetch(&g->base));
        CHECK(ising_whole_words(g, &words));
    }
    CHECK(ising_sweep(g, &ising_backend_reference, g->base.reference, first_sweep, count, false));
    return solver_fetch(&ising_backend_reference.head, g->base.reference);
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
static int64_t compare(void *instance, int64_t step)
{
    struct ising *g = instance;
    const uint32_t *fast = g->shares ? g->whole_words : g->backend->words(g->base.solver),
                   *slow = ising_backend_reference.words(g->base.reference);
    (void)check_difference(&g->base, 0, step,
                           (struct check_pair){.size = 0}); // compared, if all are the same
    for (size_t k = 0; k < ising_all_words(g); k++) {
        const uint32_t unlike = fast[k] ^ slow[k];
        if (unlike == 0)
            continue;
        const int bit = __builtin_ctz(unlike);
        const struct check_pair pair = {spin(fast[k], bit), spin(slow[k], bit), .size = 2};
        struct check_quantity *q = check_difference(&g->base, 0, step, pair);
        if (q)
            keep_place(g, k, bit, q);
        g->base.check.quantities[0].sum_squares += 4 * __builtin_popcount(unlike);
    }
    return (int64_t)ising_sites(&g->params.physics.lattice) * (int64_t)ising_replicas(g);
}

static void complain(const void *instance, const struct check_quantity *q, char *text, size_t bytes)
{
    const struct ising *g = instance;
    snprintf(text, bytes,
             "the spin at replica %lld, column %lld, row %lld is %+g, the reference's %+g; %.0f spins "
             "differed of %lld that were compared",
             (long long)q->plane, (long long)q->column, (long long)q->row, q->value, q->reference,
             q->sum_squares / 4, (long long)g->base.check.nodes);
}

const struct check_operations ising_check = {
    .places = CHECK_SITES,
    .step = "sweep",
    .units = "1",
    .quantities = {{"spin", "1"}},
    .copy = copy,
    .repeat = repeat,
    .compare = compare,
    .complain = complain,
    .judged_in = "spins, which must be the same: +1 or -1",
};
