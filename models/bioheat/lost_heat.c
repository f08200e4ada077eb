// Heat that warms nothing, and what follows from it: see lost_heat.h.
#include "models/bioheat/lost_heat.h"

#include "core/log.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/initial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Of the heat of the source: what a rounding of the focus' edge may be, and what changes a verdict. Air takes
// no heat anyway: of what lies there 5 % are 0.1 K of the 2 K that the levels allow.
static const double told_share = 1e-3, much_in_layers = 1e-2, much_unsolved = 5e-2;
// A hot spot in the layers, by the rise that its heat would cause at most: half of what the levels allow is
// too much, and never more than 1 K. Above a fifth of the rise of the hottest cell that is solved, a spot in
// the layers may be what decides.
static const double most_rise_k = 1, level_part = 0.5, much_ratio = 0.2;

const char *bioheat_tell_unjudged(bool is_much)
{
    return is_much ? ", and thermal safety is not judged as passed" : "";
}

// ---- the start

static enum status add_plane(struct bioheat *b, size_t z, double *planes, uint8_t *roles)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const size_t nx = grid->cells[BIOHEAT_X], cells = grid->cells[BIOHEAT_Y] * nx;
    double *theta_k = planes + 3 * cells;
    CHECK(bioheat_domain_read_roles(b->params.domain, z, roles, planes));
    CHECK(bioheat_read_start(b, z, theta_k));
    for (size_t i = 0; i < cells; i++)
        if (roles[i] == BIOHEAT_TISSUE && bioheat_is_in_layer(grid, (size_t[]){z, i / nx, i % nx}))
            b->layers_start_c = fmax(b->layers_start_c, b->params.body.reference_c + theta_k[i]);
    return STATUS_OK;
}

static enum status read_layers_start(struct bioheat *b)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const size_t cells = grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    double *planes = malloc(4 * cells * sizeof *planes);
    uint8_t *roles = malloc(cells);
    enum status status =
        planes && roles ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for planes of %zu cells", cells);
    for (size_t z = 0; z < grid->cells[BIOHEAT_Z] && status == STATUS_OK; z++)
        status = add_plane(b, z, planes, roles);
    free(planes);
    free(roles);
    return status;
}

// Only where a spot in the layers may be too hot.
static enum status find_layers_start(struct bioheat *b)
{
    const struct bioheat_lost all = bioheat_lost_of_chain(b);
    b->layers_start_c = bioheat_initial_constant_c(b->params.initial);
    return isnan(b->layers_start_c) && !(all.layers_rise_k < BIOHEAT_TOLD_RISE_K) ? read_layers_start(b)
                                                                                  : STATUS_OK;
}

// A start warmer than 37 degC leaves less than 2 K.
static double much_rise_k(const struct bioheat *b)
{
    const double start_c = fmax(b->params.body.arterial_c, b->layers_start_c),
                 half_k = level_part * (bioheat_exposure_level_c(b) - start_c);
    return fmin(most_rise_k, fmax(half_k, BIOHEAT_TOLD_RISE_K));
}

// ---- the rules

static bool has_hot_spot(const struct bioheat *b, const struct bioheat_lost *lost)
{
    return lost->layers_rise_k >= BIOHEAT_TOLD_RISE_K &&
           (lost->layers_rise_k >= much_rise_k(b) || lost->layers_rise_k >= much_ratio * lost->solved_rise_k);
}

// The share counts where the rise may be more. Else an upper bound of what the heat Q of the layers would
// add anywhere, if the tissue went on beyond them, is the sum over sources q(x) a(t) of max q/ρc ∫ a dt, of
// what is positive: V, the same everywhere, has ρc V_t ≥ Q, and is no less than 0 at any boundary.
static bool has_large_share(const struct bioheat_lost *lost)
{
    return lost->layers_share >= much_in_layers && !lost->is_bound;
}

bool bioheat_lost_is_bounded(const struct bioheat *b)
{
    const struct bioheat_lost all = bioheat_lost_of_chain(b);
    return all.layers_share >= much_in_layers && all.is_bound;
}

// Whether it is too much. whose: of the run, or of the whole chain.
static bool warn_of_layers(struct bioheat *b, const struct bioheat_lost *lost, const char *whose)
{
    const bool is_spot = has_hot_spot(b, lost), is_much = has_large_share(lost) || is_spot;
    const bool is_added = !is_much && lost->layers_share >= much_in_layers;
    char rise[96] = "", added[112] = "";
    if (!(lost->layers_share >= told_share || lost->layers_rise_k >= BIOHEAT_TOLD_RISE_K))
        return false;
    if (lost->layers_rise_k >= BIOHEAT_TOLD_RISE_K)
        snprintf(rise, sizeof rise,
                 "enough to warm a cell there by %.2g K, of those that are solved by %.2g K",
                 lost->layers_rise_k, lost->solved_rise_k);
    if (is_added)
        snprintf(added, sizeof added,
                 ", and thermal safety passes only if it would, too, with %.2g K more everywhere",
                 lost->layers_rise_k);
    if (is_much)
        bioheat_drop(b, BIOHEAT_LACKS_LAYERS,
                     "%.3g %% of the source's heat%s lies in layers of fixed faces%s%s",
                     100 * lost->layers_share, whose, is_spot ? ", " : "", is_spot ? rise : "");
    log_warning(
        "domain.faces: %.3g %% of the heat that the source gives to tissue%s lies in the two layers of "
        "cells at fixed faces, which keep their temperature: it warms nothing%s%s%s; take insulated "
        "or convective faces, or a larger domain",
        100 * lost->layers_share, whose, is_added ? added : bioheat_tell_unjudged(is_much),
        rise[0] ? "; it is " : "", rise);
    return is_much;
}

static bool warn_of_unsolved(struct bioheat *b, const struct bioheat_lost *lost, const char *whose)
{
    const bool is_much = lost->unsolved_share >= much_unsolved;
    if (!(lost->unsolved_share >= told_share))
        return false;
    if (is_much)
        bioheat_drop(b, BIOHEAT_LACKS_UNSOLVED,
                     "%.3g %% of the source's heat%s lies in air or cells of fixed temperature",
                     100 * lost->unsolved_share, whose);
    log_warning(
        "source: %.3g %% of its heat%s lies in void cells (air) or cells of fixed temperature: it warms "
        "nothing%s; does the source lie where it should, and are these cells no tissue?",
        100 * lost->unsolved_share, whose, bioheat_tell_unjudged(is_much));
    return is_much;
}

// ---- the run, and the chain

// A chain is judged as one run would be. Where this run gives nothing, the one before was judged already;
// where it is too much by itself, nothing needs to be added.
static void warn_of_chain(struct bioheat *b, const struct bioheat_given *own, bool is_much_in_layers,
                          bool is_much_unsolved)
{
    static const char whose[] = ", with that of the runs before (initial.from),";
    const struct bioheat_lost all = bioheat_lost_of_chain(b);
    double own_j = 0;
    for (int place = 0; place < BIOHEAT_GIVEN; place++)
        own_j += own->warming_j[place] + own->cooling_j[place];
    if (!b->chain || !(own_j > 0))
        return;
    const bool is_much = has_large_share(&all) || has_hot_spot(b, &all);
    if (is_much && !is_much_in_layers)
        warn_of_layers(b, &all, whose);
    if (all.unsolved_share >= much_unsolved && !is_much_unsolved)
        warn_of_unsolved(b, &all, whose);
}

static void warn_of_lost(struct bioheat *b, const struct bioheat_given *own)
{
    const struct bioheat_lost lost = bioheat_given_lost(own);
    const bool is_much_in_layers = warn_of_layers(b, &lost, ""),
               is_much_unsolved = warn_of_unsolved(b, &lost, "");
    warn_of_chain(b, own, is_much_in_layers, is_much_unsolved);
}

static void add_given(struct bioheat *b, const struct bioheat_given *own)
{
    const struct bioheat_carried *before = b->chain ? bioheat_chain_carried(b->chain) : NULL;
    b->carried.given = before ? bioheat_given_sum(&before->given, own) : *own;
}

enum status bioheat_lost_begin(struct bioheat *b)
{
    const struct bioheat_given own = bioheat_heating_given(b->heating);
    add_given(b, &own);
    CHECK(find_layers_start(b));
    warn_of_lost(b, &own);
    return STATUS_OK;
}

void bioheat_lost_end(struct bioheat *b)
{
    if (!bioheat_heating_loses_streamed(b->heating))
        return;
    const struct bioheat_given own = bioheat_heating_given(b->heating);
    add_given(b, &own);
    warn_of_lost(b, &own);
}

struct bioheat_lost bioheat_lost_of_chain(const struct bioheat *b)
{
    return bioheat_given_lost(&b->carried.given);
}
