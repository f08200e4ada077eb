// Kajiura's filter: what of a bottom's rise the surface shows. Water of depth h passes a rise of wave number
// k on as 1/cosh kh (Kajiura 1963, Bull. Earthq. Res. Inst. 41(3), 535–571). Independent of solvers and time.
//
// cosh z is the product of 1 + 4z²/((2m − 1)²π²), m = 1, 2, …; here
//   1/cosh z ≈ 1/((1 + a z²)(1 + b z²)⁴), a = 0.404771, b = (½ − a)/4,
// exact to z², and everywhere within 5e-4 (a minimises the largest difference). With −∇·h²∇ for (kh)² each
// factor is an equation for the surface,
//   η − c ∇·(h² ∇η) = the factor before, at first the uplift,
// on the sphere or a plane, over a depth that varies, with no flux through coasts and the domain's edges. So
// the volume is that of the uplift, a level rise stays level, and no factor makes new extremes. Land keeps
// its uplift. Solved by Chebyshev's iteration, preconditioned by the diagonal: it needs no sums, so that the
// bits are the same on any number of threads, and its number of steps is known beforehand.
#include "core/stop_signals.h"
#include "models/team.h"
#include "models/tsunami/instance.h"

#include <math.h>
#include <string.h>

static const double first_factor = 0.404771, next_factor = (0.5 - 0.404771) / 4;
enum { NEXT_FACTORS = 4 };
// A meridian's neighbours lie no closer than there: at a pole they would be one point.
static const double least_cosine = 0.01;
static const double largest_error = 1e-9; // of a factor, relative to what it acts on
// Water deeper than so many times the length of the box's longer side counts as so deep: of a wave as long as
// twice that side 1/((1 + a z²)(1 + b z²)⁴) leaves 2e-8 there (z = 10π), of all shorter ones less. Without it
// the number of steps grows with the depth over the spacing, and the result stays the same.
static const double deepest_share = 10;

static enum tsunami_uplift_parts filtered_parts(const struct tsunami_level *t)
{
    const struct tsunami_source *s = t->params.source;
    return (s->filters_faults && s->faults.count > 0 ? TSUNAMI_UPLIFT_FAULTS : 0) |
           (s->filters_displacement && s->displacement ? TSUNAMI_UPLIFT_DISPLACEMENT : 0);
}

enum status tsunami_filter_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    struct tsunami_filter *f = &t->filter;
    const struct tsunami_geometry *g = &t->geometry;
    f->parts = filtered_parts(t);
    if (!f->parts || !tsunami_source_moves(t, -INFINITY, INFINITY))
        return STATUS_OK;
    tsunami_uplift_box(t, f->parts, &f->box);
    if (f->box.rows == 0 || f->box.columns == 0)
        return STATUS_OK;
    f->is_active = true;
    f->is_round = f->box.columns == g->nx && g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC;
    f->is_round_y = f->box.rows == g->ny && g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
    f->is_pattern = f->parts == TSUNAMI_UPLIFT_FAULTS && tsunami_uplift_is_group(t);
    const struct {
        double **values;
        const char *name;
    } arrays[] = {{&f->uplift_m, "uplift"},
                  {&f->water_m, "water"},
                  {&f->residual_m, "residual"},
                  {&f->direction_m, "direction"}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, f->box.rows, f->box.columns,
                              (void **)arrays[k].values, "%sfilter %s", t->prefix, arrays[k].name));
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 2, f->box.columns, (void **)&f->inverse_m2,
                           "%sfilter columns", t->prefix);
}

// ---- the equation of one factor ----

struct factor {
    struct tsunami_level *level;
    double c;
    double keep, add; // of the direction: of its last value, of the residual
};

static double wet_depth_m(const struct tsunami_level *t, size_t row, size_t column)
{
    const double depth_m = t->depth_m[row * t->geometry.pitch + column];
    return depth_m > tsunami_params_dry_depth_m(&t->params) ? fmin(depth_m, t->filter.deepest_m) : 0;
}

// Of a node of the box, to its four neighbours (west, east, south, north): h² of the face over its distance
// and the cell's width (0 without a neighbour, or to land); index of the neighbour in the box's arrays.
struct faces {
    double weights[4];
    size_t places[4];
};

static struct faces faces_of(const struct tsunami_level *t, size_t row, size_t column)
{
    const struct tsunami_filter *f = &t->filter;
    const struct tsunami_geometry *g = &t->geometry;
    const size_t columns = f->box.columns, rows = f->box.rows;
    const size_t j = f->box.first_row + row, i = f->box.first_column + column;
    const double cosine = fmax(least_cosine, g->cos_latitude[j]), depth_m = wet_depth_m(t, j, i);
    const double height_m = 0.5 * (g->y_distance_m[(ptrdiff_t)j - 1] + g->y_distance_m[j]);
    const bool has[4] = {column > 0 || f->is_round, column + 1 < columns || f->is_round,
                         row > 0 || f->is_round_y, row + 1 < rows || f->is_round_y};
    const size_t west = column > 0 ? column - 1 : columns - 1, east = column + 1 < columns ? column + 1 : 0;
    const size_t south = row > 0 ? row - 1 : rows - 1, north = row + 1 < rows ? row + 1 : 0;
    const size_t lines[4] = {row, row, south, north}, places[4] = {west, east, column, column};
    struct faces to = {{0}, {0}};
    const double metric[4] = {f->inverse_m2[column] / (cosine * cosine),
                              f->inverse_m2[columns + column] / (cosine * cosine),
                              0.5 * (cosine + g->cos_latitude[f->box.first_row + south]) /
                                  (cosine * height_m * g->y_distance_m[(ptrdiff_t)j - 1]),
                              0.5 * (cosine + g->cos_latitude[f->box.first_row + north]) /
                                  (cosine * height_m * g->y_distance_m[j])};
    for (int k = 0; k < 4; k++) {
        to.places[k] = lines[k] * columns + places[k];
        if (has[k])
            to.weights[k] = depth_m * metric[k] *
                            wet_depth_m(t, f->box.first_row + lines[k], f->box.first_column + places[k]);
    }
    return to;
}

// values − c ∇·(h² ∇ values) at a node over the diagonal's coefficient; of a field with residual.
static double scaled_operator(const struct factor *factor, const double *values, size_t row, size_t column,
                              double *diagonal)
{
    const struct faces to = faces_of(factor->level, row, column);
    const size_t here = row * factor->level->filter.box.columns + column;
    double sum = values[here];
    *diagonal = 1;
    for (int k = 0; k < 4; k++) {
        sum += factor->c * to.weights[k] * (values[here] - values[to.places[k]]);
        *diagonal += factor->c * to.weights[k];
    }
    return sum / *diagonal;
}

// The first guess is the right side, the water before: what is left is c ∇·(h² ∇ water).
static void begin_row(void *context, size_t row)
{
    const struct factor *factor = context;
    const struct tsunami_filter *f = &factor->level->filter;
    for (size_t i = 0; i < f->box.columns; i++) {
        const size_t k = row * f->box.columns + i;
        double diagonal;
        const double whole = scaled_operator(factor, f->water_m, row, i, &diagonal);
        f->residual_m[k] = f->water_m[k] / diagonal - whole;
        f->direction_m[k] = factor->add * f->residual_m[k];
    }
}

static void advance_row(void *context, size_t row)
{
    const struct factor *factor = context;
    const struct tsunami_filter *f = &factor->level->filter;
    for (size_t i = 0; i < f->box.columns; i++) {
        const size_t k = row * f->box.columns + i;
        double diagonal;
        f->residual_m[k] -= scaled_operator(factor, f->direction_m, row, i, &diagonal);
        f->water_m[k] += f->direction_m[k];
    }
}

static void turn_row(void *context, size_t row)
{
    const struct factor *factor = context;
    const struct tsunami_filter *f = &factor->level->filter;
    for (size_t k = row * f->box.columns; k < (row + 1) * f->box.columns; k++)
        f->direction_m[k] = factor->keep * f->direction_m[k] + factor->add * f->residual_m[k];
}

// Chebyshev's iteration (Saad 2003, Iterative Methods for Sparse Linear Systems, algorithm 12.1). The
// eigenvalues of the scaled operator lie between 1/(1 + c s) and 2 less that, s the largest sum of a node's
// weights.
static void apply_factor(struct tsunami_level *t, double c, double largest_sum, bool may_stop)
{
    const double least = 1 / (1 + c * largest_sum), most = 2 - least;
    const double middle = 0.5 * (most + least), half = 0.5 * (most - least), root = sqrt(most / least);
    if (!(half > 1e-12))
        return; // the waves of the grid are all long ones
    const double rate = log((root + 1) / (root - 1));
    const int64_t count = (int64_t)ceil(log(2 / largest_error) / rate);
    struct factor factor = {.level = t, .c = c, .add = 1 / middle};
    const size_t rows = t->filter.box.rows;
    double rho = half / middle;
    team_for(t->threads, rows, begin_row, &factor);
    for (int64_t k = 0; k < count && !(may_stop && stop_signals_pending() != 0); k++) {
        const double next = 1 / (2 * middle / half - rho);
        team_for(t->threads, rows, advance_row, &factor);
        factor.keep = next * rho;
        factor.add = 2 * next / half;
        rho = next;
        team_for(t->threads, rows, turn_row, &factor);
    }
}

// ---- a lift ----

static double largest_sum(const struct tsunami_level *t)
{
    double largest = 0;
    for (size_t row = 0; row < t->filter.box.rows; row++)
        for (size_t column = 0; column < t->filter.box.columns; column++) {
            const struct faces to = faces_of(t, row, column);
            largest = fmax(largest, to.weights[0] + to.weights[1] + to.weights[2] + to.weights[3]);
        }
    return largest;
}

static void find_columns(const struct tsunami_level *t)
{
    const struct tsunami_filter *f = &t->filter;
    for (size_t k = 0; k < f->box.columns; k++) {
        const double *to_east = t->geometry.x_distance_m + f->box.first_column + k;
        const double width_m = 0.5 * (to_east[-1] + to_east[0]);
        f->inverse_m2[k] = 1 / (width_m * to_east[-1]);
        f->inverse_m2[f->box.columns + k] = 1 / (width_m * to_east[0]);
    }
}

// Of the box: its columns' widths at its widest row, its rows' heights.
static double longer_side_m(const struct tsunami_level *t)
{
    const struct tsunami_geometry *g = &t->geometry;
    const struct tsunami_box *box = &t->filter.box;
    double width_m = 0, height_m = 0, widest = least_cosine;
    for (size_t k = 0; k < box->rows; k++) {
        widest = fmax(widest, g->cos_latitude[box->first_row + k]);
        height_m += g->y_distance_m[box->first_row + k];
    }
    for (size_t k = 0; k < box->columns; k++)
        width_m += g->x_distance_m[box->first_column + k];
    return fmax(width_m * widest, height_m);
}

struct filling {
    struct tsunami_level *level;
    struct tsunami_span from, to;
};

static void fill_row(void *context, size_t row)
{
    const struct filling *filling = context;
    const struct tsunami_level *t = filling->level;
    const struct tsunami_box *box = &t->filter.box;
    double *uplift_m = t->filter.uplift_m + row * box->columns;
    tsunami_uplift_of(t, (struct tsunami_nodes){box->first_row + row, box->first_column, box->columns},
                      filling->from, filling->to, t->filter.parts, uplift_m);
    memcpy(t->filter.water_m + row * box->columns, uplift_m, box->columns * sizeof *uplift_m);
}

void tsunami_filter_lift(struct tsunami_level *t, struct tsunami_span from, struct tsunami_span to,
                         bool may_stop)
{
    struct tsunami_filter *f = &t->filter;
    if (!f->is_active)
        return;
    f->share = f->is_pattern ? tsunami_uplift_group_share(t, from, to) : 1;
    if (f->is_pattern && (f->is_known || f->share == 0))
        return;
    struct filling filling = {t, from, to};
    if (f->is_pattern) {
        filling.from = tsunami_at(-INFINITY);
        filling.to = tsunami_at(INFINITY);
    }
    find_columns(t);
    f->deepest_m = deepest_share * longer_side_m(t);
    team_for(t->threads, f->box.rows, fill_row, &filling);
    const double sum = largest_sum(t);
    apply_factor(t, first_factor, sum, may_stop);
    for (int k = 0; k < NEXT_FACTORS; k++)
        apply_factor(t, next_factor, sum, may_stop);
    f->is_known = f->is_pattern;
}

void tsunami_filter_uplift(const struct tsunami_level *t, size_t row, struct tsunami_span from,
                           struct tsunami_span to, double *uplift_m)
{
    const struct tsunami_filter *f = &t->filter;
    const struct tsunami_nodes nodes = {row, 0, t->geometry.nx};
    if (!f->is_active) {
        tsunami_uplift(t, nodes, from, to, uplift_m);
        return;
    }
    tsunami_uplift_of(t, nodes, from, to, TSUNAMI_UPLIFT_ALL & ~f->parts, uplift_m);
    if (f->share == 0 || row < f->box.first_row || row >= f->box.first_row + f->box.rows)
        return;
    const double *filtered_m = f->uplift_m + (row - f->box.first_row) * f->box.columns;
    for (size_t k = 0; k < f->box.columns; k++)
        uplift_m[f->box.first_column + k] += f->share * filtered_m[k];
}

bool tsunami_filter_water(const struct tsunami_level *t, size_t row, const double *uplift_m, double *water_m)
{
    const struct tsunami_filter *f = &t->filter;
    if (!f->is_active || f->share == 0 || row < f->box.first_row || row >= f->box.first_row + f->box.rows)
        return false;
    memcpy(water_m, uplift_m, t->geometry.nx * sizeof *water_m);
    const size_t first = (row - f->box.first_row) * f->box.columns;
    for (size_t k = 0; k < f->box.columns; k++)
        water_m[f->box.first_column + k] += f->share * (f->water_m[first + k] - f->uplift_m[first + k]);
    return true;
}
