// Heat, volumes and extremes of the present state, the same on any number of threads; the guard against
// non-finite values; and warnings of temperatures beyond the range of the model.
#include "core/log.h"
#include "models/bioheat/cell_terms.h"
#include "models/bioheat/instance.h"
#include "models/bioheat/results.h"
#include "models/team.h"
#include "parallel/relay.h"

#include <string.h>

static const double most_c = BIOHEAT_BOILING_C, least_c = BIOHEAT_FREEZING_C,
                    zero_c = BIOHEAT_ABSOLUTE_ZERO_C;

enum { SUMS = 4 };

// Of this rank's cells.
static void own_cells(const struct bioheat_grid *grid, uint64_t *first, uint64_t *end)
{
    const struct bioheat_planes own = bioheat_own(grid);
    *first = bioheat_index(grid, own.first, 0, 0);
    *end = bioheat_index(grid, own.end, 0, 0);
}

size_t bioheat_block_count(const struct rank_sum *sum)
{
    return (size_t)((sum->end + STATISTICS_BLOCK - 1) / STATISTICS_BLOCK - sum->first_block);
}

void bioheat_block_range(const struct rank_sum *sum, size_t block, uint64_t *first, uint64_t *end)
{
    const uint64_t begin = (sum->first_block + block) * STATISTICS_BLOCK, beyond = begin + STATISTICS_BLOCK;
    *first = begin > sum->first ? begin : sum->first;
    *end = beyond < sum->end ? beyond : sum->end;
}

enum status bioheat_diagnostics_plan(struct bioheat *b, struct memory_plan *memory)
{
    uint64_t first, end;
    own_cells(&b->params.body.grid, &first, &end);
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_U8, SUMS, sums_bytes(first, end), (void **)&b->sums,
                           "diagnostic sums");
}

// Of cells that are not VOID. Index UINT64_MAX: no cell so far.
struct extremes {
    double smallest_k, largest_k, largest_dose_min;
    uint64_t largest_index;
};

static const struct extremes no_extremes = {INFINITY, -INFINITY, -INFINITY, UINT64_MAX};

// Of equal temperatures the first in index order.
static void merge(struct extremes *all, const struct extremes *one)
{
    all->smallest_k = fmin(all->smallest_k, one->smallest_k);
    all->largest_dose_min = fmax(all->largest_dose_min, one->largest_dose_min);
    if (one->largest_k > all->largest_k ||
        (one->largest_k == all->largest_k && one->largest_index < all->largest_index)) {
        all->largest_k = one->largest_k;
        all->largest_index = one->largest_index;
    }
}

struct diagnosis {
    struct bioheat *b;
    int64_t step;
    double known_dose_min; // of the record before; NaN or 0: none
    struct extremes extremes;
};

// Whether no cell of a piece can have the dose of a lesion or the largest dose, which never falls: bounded by
// the largest temperatures of its cells over the whole time. Most of a volume is hardly warm, and its doses
// would cost more than all other diagnostics.
static bool is_dose_small(const struct diagnosis *d, size_t z, size_t y, size_t first, size_t count)
{
    struct bioheat *b = d->b;
    const struct bioheat_params *p = &b->params;
    const double margin = 1.01; // of the rounding in a run of single precision
    double *largest = bioheat_row_buffer(b, 1), most_k = -INFINITY;
    if (!p->physics.has_maximum || b->chain || !(d->known_dose_min > 0))
        return false;
    b->backend->get_records(b->base.solver, d->step, z, y, first, count, NULL, largest, NULL);
    for (size_t k = 0; k < count; k++)
        most_k = largest[k] > most_k ? largest[k] : most_k;
    const double rate_min_s =
        fmax(bioheat_dose_rate_min_s(p->physics.dose, most_k, p->body.reference_c, true),
             bioheat_dose_rate_min_s(p->physics.dose, most_k, p->body.reference_c, false));
    const double bound_min = margin * rate_min_s * (double)d->step * b->step_s;
    return bound_min < p->lesion_dose_min && bound_min < d->known_dose_min;
}

static void diagnose_piece(const struct diagnosis *d, size_t z, size_t y, size_t first, size_t count,
                           struct extremes *extremes)
{
    struct bioheat *b = d->b;
    const double volume_m3 = bioheat_cell_volume_m3(&b->params.body.grid);
    const bool has_dose = b->params.physics.dose != BIOHEAT_DOSE_OFF && !is_dose_small(d, z, y, first, count);
    double *theta = bioheat_row_buffer(b, 0), *dose = bioheat_row_buffer(b, 1);
    b->backend->get(b->base.solver, z, y, first, count, theta);
    if (has_dose)
        b->backend->get_records(b->base.solver, d->step, z, y, first, count, dose, NULL, NULL);
    for (size_t k = 0; k < count; k++) {
        const uint64_t index = bioheat_index(&b->params.body.grid, z, y, first + k);
        const enum bioheat_role role = bioheat_role_at(b, index);
        if (role == BIOHEAT_VOID)
            continue;
        const double dose_min = has_dose ? dose[k] : NAN;
        const bool is_tissue = role == BIOHEAT_TISSUE;
        // In ascending order: the first of equal cells is kept.
        extremes->smallest_k = theta[k] < extremes->smallest_k ? theta[k] : extremes->smallest_k;
        if (theta[k] > extremes->largest_k) {
            extremes->largest_k = theta[k];
            extremes->largest_index = index;
        }
        if (is_tissue && dose_min > extremes->largest_dose_min)
            extremes->largest_dose_min = dose_min;
        if (!is_tissue)
            continue;
        const struct bioheat_cell_terms terms =
            bioheat_terms_of_cell(theta[k], bioheat_heat_capacity_at(b, index), volume_m3,
                                  b->params.body.reference_c, dose_min, b->params.lesion_dose_min);
        sums_add(&b->heat, index, terms.heat_j);
        if (terms.hot_m3 != 0) // a 0 changes no sum
            sums_add(&b->hot, index, terms.hot_m3);
        if (terms.lesion_m3 != 0)
            sums_add(&b->lesion, index, terms.lesion_m3);
    }
}

// A block of the sums is a range of indices, which may cross rows; each block belongs to one thread.
static void diagnose_block(void *context, size_t block)
{
    struct diagnosis *d = context;
    const struct bioheat_grid *grid = &d->b->params.body.grid;
    const uint64_t nx = grid->cells[BIOHEAT_X];
    struct extremes extremes = no_extremes;
    uint64_t index, end;
    bioheat_block_range(&d->b->heat, block, &index, &end);
    while (index < end) {
        size_t cell[BIOHEAT_AXES];
        bioheat_cell_at(grid, index, cell);
        const uint64_t left = nx - cell[BIOHEAT_X], count = left < end - index ? left : end - index;
        diagnose_piece(d, cell[BIOHEAT_Z], cell[BIOHEAT_Y], cell[BIOHEAT_X], (size_t)count, &extremes);
        index += count;
    }
#pragma omp critical(diagnosis) // extremes: the order does not matter
    merge(&d->extremes, &extremes);
}

// Of all ranks, on the channel of the calling thread.
static enum status merge_ranks(const struct bioheat *b, enum transport_channel channel,
                               struct rank_sum *const *sums, struct extremes *extremes, double *totals)
{
    struct extremes all = no_extremes;
    const struct relay_part part = {&all, sizeof all};
    CHECK(sums_totals_on(b->base.ranks, channel, sums, BIOHEAT_DIAGNOSED_SUMS, totals));
    CHECK(relay_take_on(b->base.ranks, channel, &part, 1));
    merge(&all, extremes);
    CHECK(relay_pass_on(b->base.ranks, channel, &part, 1));
    *extremes = all;
    return STATUS_OK;
}

// All but the source's power. totals: heat, hot volume, volume of the lesion.
static void fill_values(const struct bioheat *b, const struct extremes *all, const double *totals,
                        double *values)
{
    const double reference_c = b->params.body.reference_c;
    const bool has_dose = b->params.physics.dose != BIOHEAT_DOSE_OFF;
    const bool is_empty = all->largest_index == UINT64_MAX; // nothing but air
    values[BIOHEAT_SMALLEST_C] = is_empty ? NAN : bioheat_temperature_c(all->smallest_k, reference_c);
    values[BIOHEAT_LARGEST_C] = is_empty ? NAN : bioheat_temperature_c(all->largest_k, reference_c);
    values[BIOHEAT_LARGEST_INDEX] = is_empty ? 0 : (double)all->largest_index;
    values[BIOHEAT_HEAT_J] = totals[0];
    values[BIOHEAT_HOT_VOLUME_M3] = totals[1];
    values[BIOHEAT_LESION_VOLUME_M3] = has_dose ? totals[2] : NAN;
    values[BIOHEAT_LARGEST_DOSE_MIN] = has_dose && all->largest_dose_min >= 0 ? all->largest_dose_min : NAN;
}

size_t bioheat_diagnostics_bytes(const struct bioheat *b)
{
    uint64_t first, end;
    own_cells(&b->params.body.grid, &first, &end);
    const size_t record = BIOHEAT_DIAGNOSTICS * sizeof(double);
    return b->shares ? BIOHEAT_DIAGNOSED_SUMS * sums_bytes(first, end) + record +
                           sizeof(struct bioheat_own_extremes)
                     : record;
}

enum status bioheat_diagnostics_join(const struct bioheat *b, void *parts,
                                     double values[BIOHEAT_DIAGNOSTIC_VALUES])
{
    enum { OWN_SUMS = BIOHEAT_DIAGNOSED_SUMS };
    struct rank_sum sums[OWN_SUMS], *list[OWN_SUMS];
    struct bioheat_own_extremes own;
    double totals[OWN_SUMS];
    uint64_t first, end;
    own_cells(&b->params.body.grid, &first, &end);
    const size_t bytes = sums_bytes(first, end);
    for (size_t k = 0; k < OWN_SUMS; k++) {
        list[k] = &sums[k];
        CHECK(sums_take(list[k], first, end, bioheat_cells(&b->params.body.grid), (char *)parts + k * bytes,
                        bytes));
    }
    memcpy(&own, (const char *)parts + bioheat_diagnostics_bytes(b) - sizeof own, sizeof own);
    struct extremes extremes = {own.smallest_k, own.largest_k, own.largest_dose_min, UINT64_MAX};
    if (!isinf(own.largest_index))
        extremes.largest_index = (uint64_t)own.largest_index;
    CHECK(merge_ranks(b, TRANSPORT_FILES, list, &extremes, totals));
    fill_values(b, &extremes, totals, values);
    return STATUS_OK;
}

enum status bioheat_diagnose(struct bioheat *b, int64_t step, double values[BIOHEAT_DIAGNOSTIC_VALUES])
{
    const uint64_t cells = bioheat_cells(&b->params.body.grid);
    uint64_t first, end;
    own_cells(&b->params.body.grid, &first, &end);
    const size_t bytes = sums_bytes(first, end);
    double totals[SUMS];
    struct rank_sum *sums[SUMS] = {&b->heat, &b->hot, &b->lesion, &b->power};
    for (size_t k = 0; k < SUMS; k++) {
        // The plan gave exactly these bytes: this cannot fail.
        (void)sums_init(sums[k], first, end, cells, (char *)b->sums + k * bytes, bytes);
    }
    struct diagnosis d = {b, step, b->has_first ? b->last[BIOHEAT_LARGEST_DOSE_MIN] : NAN, no_extremes};
    team_for(b->threads, bioheat_block_count(&b->heat), diagnose_block, &d);
    CHECK(merge_ranks(b, TRANSPORT_STEPS, sums, &d.extremes, totals));
    fill_values(b, &d.extremes, totals, values);
    return bioheat_power_find(b, step - 1, &values[BIOHEAT_SOURCE_W]);
}

// Warns once of what the model cannot describe, and refuses what nature does not have.
static enum status check_temperature(struct bioheat *b, double temperature_c, const size_t cell[BIOHEAT_AXES],
                                     double time_s)
{
    char place[BIOHEAT_PLACE_BYTES], where[BIOHEAT_PLACE_BYTES + 8] = "";
    if (cell)
        snprintf(where, sizeof where, " at %s", bioheat_place(&b->params.body.grid, cell, place));
    if (temperature_c > most_c && !b->warnings.is_hot) {
        b->warnings.is_hot = 1;
        log_warning("%.5g °C%s after %g s: above %g °C water boils, and the model is no longer right; is a "
                    "source, or a temperature in kelvin, given in the wrong unit?",
                    temperature_c, where, time_s, most_c);
    }
    if (temperature_c < least_c && !b->warnings.is_cold) {
        b->warnings.is_cold = 1;
        log_warning("%.5g °C%s after %g s: tissue freezes far above %g °C, and the model is no longer right; "
                    "is a source, or a temperature, given in the wrong unit?",
                    temperature_c, where, time_s, least_c);
    }
    return !bioheat_is_impossible(temperature_c)
               ? STATUS_OK
               : FAIL(STATUS_DATA,
                      "the temperature%s is %.6g °C after %g s, below absolute zero (%g °C): a source takes "
                      "more heat than there is; is it, or a temperature, given in the wrong unit?",
                      where, temperature_c, time_s, zero_c);
}

enum status bioheat_diagnostics_complete(struct bioheat *b, double values[BIOHEAT_DIAGNOSTIC_VALUES],
                                         double time_s)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    size_t cell[BIOHEAT_AXES];
    bioheat_cell_at(grid, (uint64_t)values[BIOHEAT_LARGEST_INDEX], cell);
    double at_m[BIOHEAT_AXES];
    bioheat_cell_scanner_m(grid, cell, at_m);
    values[BIOHEAT_DIAGNOSTIC_X] = at_m[BIOHEAT_X];
    values[BIOHEAT_DIAGNOSTIC_Y] = at_m[BIOHEAT_Y];
    values[BIOHEAT_DIAGNOSTIC_Z] = at_m[BIOHEAT_Z];
    CHECK(check_temperature(b, values[BIOHEAT_LARGEST_C], cell, time_s));
    return check_temperature(b, values[BIOHEAT_SMALLEST_C], NULL, time_s);
}

// ---- the guard

// First non-finite cell in index order; hottest and coldest of all that are not VOID.
struct search {
    struct bioheat *b;
    uint64_t nonfinite, hottest, coldest;
    double nonfinite_k, hottest_k, coldest_k;
};

// 0: a finite value.
static void note_nonfinite(struct search *s, uint64_t index, double theta_k)
{
    if (bioheat_is_finite(theta_k) || index >= s->nonfinite)
        return;
    s->nonfinite = index;
    s->nonfinite_k = theta_k;
}

static void note_extreme(struct search *s, uint64_t index, double theta_k)
{
    if (theta_k > s->hottest_k || (theta_k == s->hottest_k && index < s->hottest)) {
        s->hottest_k = theta_k;
        s->hottest = index;
    }
    if (theta_k < s->coldest_k || (theta_k == s->coldest_k && index < s->coldest)) {
        s->coldest_k = theta_k;
        s->coldest = index;
    }
}

// Of all ranks: what this one found is put among what those before it found.
static enum status search_ranks(struct search *s)
{
    struct search all = {s->b, UINT64_MAX, UINT64_MAX, UINT64_MAX, NAN, -INFINITY, INFINITY};
    const struct relay_part part = {&all, sizeof all};
    CHECK(relay_take(s->b->base.ranks, &part, 1));
    note_nonfinite(&all, s->nonfinite, s->nonfinite_k);
    if (s->hottest != UINT64_MAX) {
        note_extreme(&all, s->hottest, s->hottest_k);
        note_extreme(&all, s->coldest, s->coldest_k);
    }
    CHECK(relay_pass(s->b->base.ranks, &part, 1));
    all.b = s->b;
    *s = all;
    return STATUS_OK;
}

static void search_row(void *context, size_t item)
{
    struct search *s = context;
    struct bioheat *b = s->b;
    const struct bioheat_grid *grid = &b->params.body.grid;
    const size_t nx = grid->cells[BIOHEAT_X], ny = grid->cells[BIOHEAT_Y],
                 row = bioheat_own(grid).first * ny + item, y = row % ny, z = row / ny;
    // Each warning is given once; below absolute zero the run ends.
    const double over_k = b->warnings.is_hot ? INFINITY : most_c - b->params.body.reference_c,
                 under_k = (b->warnings.is_cold ? zero_c : least_c) - b->params.body.reference_c;
    double *theta = bioheat_row_buffer(b, 0);
    b->backend->get(b->base.solver, z, y, 0, nx, theta);
    double low = INFINITY, high = -INFINITY;
    bool all_finite = true;
    for (size_t x = 0; x < nx; x++) {
        all_finite &= bioheat_is_finite(theta[x]);
        low = theta[x] < low ? theta[x] : low;
        high = theta[x] > high ? theta[x] : high;
    }
    if (all_finite && high <= over_k && low >= under_k)
        return;
    for (size_t x = 0; x < nx; x++) {
        const uint64_t index = (uint64_t)row * nx + x;
        const bool counts = bioheat_role_at(b, index) != BIOHEAT_VOID;
#pragma omp critical(search) // extremes and a minimum: the order does not matter
        {
            note_nonfinite(s, index, bioheat_is_finite(theta[x]) ? 0 : theta[x]);
            if (counts)
                note_extreme(s, index, theta[x]);
        }
    }
}

enum status bioheat_judge(const struct bioheat *b, const struct bioheat_nonfinite *found)
{
    char place[BIOHEAT_PLACE_BYTES];
    if (found->step < 0)
        return STATUS_OK;
    return FAIL(STATUS_DATA,
                "the temperature became non-finite by step %lld (%g s): at %s, cell [%zu][%zu][%zu] (z, y, "
                "x), it is %g °C; a smaller time.step or a weaker source may help",
                (long long)found->step, b->start_s + (double)found->step * b->step_s,
                bioheat_place(&b->params.body.grid, found->cell, place), found->cell[BIOHEAT_Z],
                found->cell[BIOHEAT_Y], found->cell[BIOHEAT_X], found->temperature_c);
}

enum status bioheat_guard(void *context, int64_t step)
{
    struct bioheat *b = context;
    const struct bioheat_grid *grid = &b->params.body.grid;
    struct bioheat_nonfinite found = {.step = -1};
    if (b->backend->guard) {
        CHECK(b->backend->guard(b->base.solver, step, &found));
        return bioheat_judge(b, &found);
    }
    CHECK(instance_fetch(&b->base));
    struct search search = {b, UINT64_MAX, UINT64_MAX, UINT64_MAX, NAN, -INFINITY, INFINITY};
    const struct bioheat_planes own = bioheat_own(grid);
    team_for(b->threads, (own.end - own.first) * grid->cells[BIOHEAT_Y], search_row, &search);
    CHECK(search_ranks(&search));
    const double time_s = b->start_s + (double)step * b->step_s;
    if (search.nonfinite != UINT64_MAX) {
        found.step = step;
        bioheat_cell_at(grid, search.nonfinite, found.cell);
        found.temperature_c = bioheat_temperature_c(search.nonfinite_k, b->params.body.reference_c);
    } else if (search.hottest != UINT64_MAX) {
        size_t cell[BIOHEAT_AXES];
        bioheat_cell_at(grid, search.hottest, cell);
        CHECK(check_temperature(b, bioheat_temperature_c(search.hottest_k, b->params.body.reference_c), cell,
                                time_s));
        bioheat_cell_at(grid, search.coldest, cell);
        CHECK(check_temperature(b, bioheat_temperature_c(search.coldest_k, b->params.body.reference_c), cell,
                                time_s));
    }
    return bioheat_judge(b, &found);
}
