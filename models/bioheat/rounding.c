// Heat that is lost in single precision: see rounding.h.
//
// A step rounds the θ of a cell by up to half of the spacing of floats there, and once more for each term of
// the source that is added to it by itself. The equation makes no difference larger, so that after n
// roundings no cell is further off than n of these. This much is lost where every term warms by less than
// half of the spacing; what warms faster is rounded up and down.
#include "models/bioheat/rounding.h"

#include "models/bioheat/initial.h"

#include <math.h>
#include <string.h>

// Where no largest temperatures are kept: a tissue whose dose passes was not this warm.
static const double unkept_c = 60;

static double largest_theta_k(const struct bioheat *b)
{
    const struct bioheat_params *p = &b->params;
    const double start_c = bioheat_initial_constant_c(p->initial); // NaN: of a file
    double at_s, largest_c = bioheat_exposure_largest_c(b, &at_s);
    if (isnan(largest_c))
        largest_c = unkept_c;
    return fmax(fabs(largest_c - p->body.reference_c),
                fmax(fabs(p->body.arterial_c - p->body.reference_c), fabs(start_c - p->body.reference_c)));
}

static bool overlap(const struct bioheat_box *a, const struct bioheat_box *b)
{
    bool do_overlap = true;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        do_overlap = do_overlap && a->first[axis] <= b->last[axis] && b->first[axis] <= a->last[axis];
    return do_overlap;
}

static struct bioheat_box term_cells(const struct bioheat_source *source, size_t k)
{
    struct bioheat_box box;
    if (k >= source->point_count)
        return source->boxes[k - source->point_count];
    memcpy(box.first, source->points[k], sizeof box.first);
    memcpy(box.last, source->points[k], sizeof box.last);
    return box;
}

// At least as many points and boxes as any cell has: the most that share a cell with one of them. Of many,
// all.
static double most_terms_in_cell(const struct bioheat_source *source)
{
    enum { MANY = 4000 };
    const size_t count = source->point_count + source->box_count;
    size_t most = 0;
    if (count > MANY)
        return (double)count;
    for (size_t k = 0; k < count; k++) {
        const struct bioheat_box box = term_cells(source, k);
        size_t shared = 0;
        for (size_t other = 0; other < count; other++) {
            const struct bioheat_box cells = term_cells(source, other);
            shared += overlap(&box, &cells);
        }
        most = shared > most ? shared : most;
    }
    return (double)most;
}

// Each stage of method rkl2 rounds, and what a stage loses the later ones multiply: about s²/4 of s stages in
// all where all lose the same.
static double roundings_a_step(const struct bioheat_physics *physics, double terms)
{
    const double stages = fmax(physics->stages, physics->substeps * physics->substep_stages);
    return physics->method == BIOHEAT_RKL2 ? (1 + terms) * (stages + stages * stages / 4) : 1 + terms;
}

double bioheat_rounding_k(const struct bioheat *b)
{
    static const double slack = 1e-6; // θ is known to the rounding of °C only
    const double before_k = b->chain ? bioheat_chain_rounding_k(b->chain) : 0;
    if (bioheat_real(b) != ELEMENT_F32)
        return before_k;
    const float theta_k = (float)(largest_theta_k(b) * (1 + slack));
    const double terms = most_terms_in_cell(bioheat_heating_source(b->heating)),
                 spacing_k = (double)nextafterf(theta_k, INFINITY) - (double)theta_k,
                 own_k = 0.5 * spacing_k * (double)b->steps * roundings_a_step(&b->params.physics, terms);
    return fmin(before_k + own_k, BIOHEAT_ROUNDING_MOST_K);
}
