// Refuses a grid that cannot fit into memory by its number of nodes, before its rows are read: 10¹⁰ nodes
// take minutes, and the memory plan comes later. Independent of the state.
#include "models/tsunami/instance.h"

#include "core/memory_limits.h"
#include "io/units.h"

#include <math.h>

// A smaller grid is read in about a second, and the memory plan reports it array by array.
static const double few_nodes = 1e8;

// The least memory of every node on the host, on any back end: depth, state and bottom in the solver's
// precision, and the records and grids of the job.
static double least_bytes_per_node(const struct tsunami_level *t)
{
    enum { STATE_AND_BOTTOM = TSUNAMI_FIELDS + 1, MAXIMA = 4 };
    const struct tsunami_params *p = &t->params;
    const size_t real = element_bytes(tsunami_level_real(t));
    size_t floats = (size_t)p->arrival_count;
    floats += p->has_maxima ? MAXIMA : 0;
    floats += p->drawdown_m > 0;
    floats += p->has_deformation;
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        floats += p->source->initial[f] != NULL;
    if (p->source->displacement)
        floats += grid_info(p->source->displacement)->records;
    return (double)(sizeof(double) + STATE_AND_BOTTOM * real + floats * sizeof(float));
}

static double nodes_of(const struct tsunami_level *t)
{
    return (double)t->params.window.nx * (double)t->params.window.ny;
}

enum status tsunami_level_check_size(const struct tsunami_level *t)
{
    const struct job *job = t->job;
    const struct grid_window *w = &t->params.window;
    const double nodes = nodes_of(t);
    double needed = 0;
    for (const struct tsunami_level *level = t; level; level = level->parent)
        needed += nodes_of(level) * least_bytes_per_node(level);
    // The job's limits hold for the whole run, and are in its outermost part.
    const struct tsunami_level *outermost = t;
    while (outermost->parent)
        outermost = outermost->parent;
    const size_t available = memory_limits_find("").available;
    const size_t allowed = job_has(outermost->job, "memory.host")
                               ? (size_t)job_integer(outermost->job, "memory.host")
                               : SIZE_MAX;
    const double most = (double)(allowed < available ? allowed : available);
    if (nodes < few_nodes || needed <= most)
        return STATUS_OK;
    // A plan takes about two and a half times the least.
    const double spacing = (w->y[w->ny - 1] - w->y[0]) / (double)(w->ny - 1),
                 fitting = spacing * sqrt(2.5 * needed / most);
    char needed_text[24], most_text[24];
    return job_blame(job, "domain",
                     FAIL(STATUS_SYSTEM,
                          "%zu x %zu nodes are %.3g, and need more than %s of memory; %s %s%s: give narrower "
                          "limits, or a domain.spacing of about %.2g %s (it is %.2g)",
                          w->nx, w->ny, nodes, units_format_bytes(needed, needed_text, sizeof needed_text),
                          allowed < available ? "memory.host allows" : "this machine has",
                          units_format_bytes(most, most_text, sizeof most_text),
                          allowed < available ? "" : " free", fitting, w->is_geographic ? "degree" : "m",
                          spacing));
}
