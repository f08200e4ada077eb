// The estimated time of the source beside the steps, for the plan: Okada's formula at the nodes near the
// faults, and Kajiura's filter. Times of one core of 2023.
#include "models/tsunami/instance.h"

#include <math.h>

// A node and a fault: the uplift of a row; with the horizontal displacement, node by node.
static const double okada_row_s = 1.2e-8, okada_node_s = 1.2e-7;
static const double iteration_s = 2e-8; // a node in an iteration of the filter

// From a motion's begin to its end: the lifts of a step are two, and one is that of the start.
static double count_lifts(const struct tsunami_level *t, double begin_s, double end_s)
{
    const double from_s = fmax(begin_s, t->start_s),
                 to_s = fmin(end_s, t->start_s + (double)t->steps * t->step_s);
    const double at_start = begin_s <= t->start_s ? 1 : 0;
    if (!(to_s > t->start_s) || to_s < from_s)
        return at_start;
    return at_start + 2 * fmax(1, ceil((to_s - from_s) / t->step_s));
}

static double begin_s(const struct tsunami_source *source)
{
    double begin_s = source->displacement ? source->displacement_start_s : INFINITY;
    for (size_t k = 0; k < source->faults.count; k++)
        if (source->faults.faults[k].slip_m != 0)
            begin_s = fmin(begin_s, source->faults.faults[k].start_s);
    return begin_s;
}

static double count_all_lifts(const struct tsunami_level *t)
{
    return count_lifts(t, begin_s(t->params.source), tsunami_source_end_s(t->params.source));
}

// Of the filter in one grid, once.
static double filter_s(const struct tsunami_level *t)
{
    const struct tsunami_box *box = &t->filter.box;
    const double longer = (double)(box->rows > box->columns ? box->rows : box->columns);
    const double depths = fmin(t->survey.deepest_m / tsunami_params_spacing_m(&t->params), 10 * longer);
    return iteration_s * tsunami_filter_iterations(4 * depths * depths) * (double)box->rows *
           (double)box->columns / t->threads;
}

// Records closer to each other than the steps are not kept one by one.
static double count_filterings(const struct tsunami_level *t)
{
    const struct tsunami_filter *f = &t->filter;
    const struct tsunami_source *source = t->params.source;
    double shapes = f->parts & TSUNAMI_UPLIFT_FAULTS ? 1 : 0;
    if (!f->is_by_shapes)
        return count_all_lifts(t);
    if (!(f->parts & TSUNAMI_UPLIFT_DISPLACEMENT))
        return shapes;
    const struct grid_info *info = grid_info(source->displacement);
    if (info->records == 1)
        return shapes + 1;
    const double gap_s = (info->times_s[info->records - 1] - info->times_s[0]) / (double)(info->records - 1);
    return gap_s < t->step_s ? count_all_lifts(t) : shapes + (double)info->records;
}

static double okada_total_s(const struct tsunami_level *t)
{
    const struct fault_table *table = &t->params.source->faults;
    struct tsunami_box box;
    double evaluations = 0;
    for (size_t k = 0; k < table->count; k++) {
        const struct fault *fault = &table->faults[k], *group = t->group_fault;
        const bool is_once = group && fault->start_s == group->start_s && fault->rise_s == group->rise_s;
        if (fault->slip_m != 0)
            evaluations += is_once ? 1 : count_lifts(t, fault->start_s, fault->start_s + fault->rise_s);
    }
    tsunami_uplift_box(t, TSUNAMI_UPLIFT_FAULTS, &box);
    const double okada_s = t->params.source->has_slope_term ? okada_node_s : okada_row_s;
    return okada_s * evaluations * (double)box.rows * (double)box.columns / t->threads;
}

double tsunami_source_seconds(const struct tsunami_level *t)
{
    const struct tsunami_filter *f = &t->filter;
    double seconds = okada_total_s(t);
    if (!f->is_active)
        return seconds;
    const double filterings = count_filterings(t);
    seconds += filterings * filter_s(t);
    // The edges of a nested grid's lifts need the same of its parent.
    if (t->parent && t->parent->filter.is_active && !f->is_by_shapes)
        seconds += filterings * filter_s(t->parent);
    return seconds;
}
