// Nested grids: a run's tree of levels, the place of a child's edges in its parent, and the order of steps.
// One-way, as in MOST: a parent drives its children's edges and is not changed by them. A child's step is a
// whole part of its parent's. After each step of the parent its children follow, between the state before (in
// one slot of their given edges) and after (in the other). Independent of the physics.
#include "models/tsunami/nesting.h"

#include "models/tsunami/axis.h"

#include "core/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char nested_key[] = "nested";
static const char *const side_names[TSUNAMI_SIDES] = {"western", "eastern", "southern", "northern"};

// ---- the tree

// One of the job's nested grids before it is created.
struct entry {
    const char *name, *parent; // parent NULL: the outermost grid
    bool is_created;
};

static enum status read_entries(const struct job *job, struct entry *entries, size_t count)
{
    char path[64];
    for (size_t k = 0; k < count; k++) {
        entries[k] = (struct entry){.name = job_part_name(job, nested_key, k)};
        CHECK(job_part_text(job, nested_key, k, "parent", &entries[k].parent));
    }
    for (size_t k = 0; k < count; k++) {
        const char *const parent = entries[k].parent;
        const char *others[TSUNAMI_LEVELS_MAX];
        size_t other_count = 0;
        bool is_known = !parent;
        snprintf(path, sizeof path, "nested.%s.parent", entries[k].name);
        for (size_t other = 0; other < count; other++) {
            if (other == k)
                continue;
            others[other_count++] = entries[other].name;
            is_known = is_known || strcmp(entries[other].name, parent) == 0;
        }
        if (is_known)
            continue;
        if (strcmp(parent, entries[k].name) == 0)
            return job_fail(job, path, "a grid cannot lie in itself");
        const char *nearest = suggest_word(parent, others, other_count);
        return job_fail(
            job, path,
            "there is no nested grid \"%.40s\"%s%s%s; the outermost grid is the parent where nothing is said",
            parent, nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
    }
    return STATUS_OK;
}

static struct tsunami_level *find_level(const struct tsunami *run, const char *name)
{
    for (int k = 0; k < run->level_count; k++)
        if (strcmp(run->levels[k]->name, name ? name : "") == 0)
            return run->levels[k];
    return NULL;
}

static enum status make_level(struct tsunami *run, const struct job *job, size_t index,
                              const struct entry *entry, struct tsunami_level *parent)
{
    struct job *part;
    CHECK(job_part_open(job, nested_key, index, parent->job, &tsunami_nested_rules, &part));
    struct tsunami_level *level;
    const enum status status = tsunami_level_create(part, entry->name, parent, &level);
    if (level)
        run->levels[run->level_count++] = level;
    else
        job_free(part);
    return status;
}

enum status tsunami_nesting_create(struct tsunami *run, const struct job *job)
{
    struct entry entries[TSUNAMI_LEVELS_MAX];
    const size_t count = job_has(job, nested_key) ? job_part_count(job, nested_key) : 0;
    if (count > TSUNAMI_LEVELS_MAX - 1)
        return job_fail(job, nested_key, "%zu nested grids; with the outermost one a run has %d at most",
                        count, TSUNAMI_LEVELS_MAX);
    CHECK(read_entries(job, entries, count));
    // In the order of the file, but parents first. If a round creates none, the rest lie in each other.
    for (size_t created = 0, before = SIZE_MAX; created < count;) {
        if (created == before)
            break;
        before = created;
        for (size_t k = 0; k < count; k++) {
            struct tsunami_level *parent = find_level(run, entries[k].parent);
            if (entries[k].is_created || !parent)
                continue;
            CHECK(make_level(run, job, k, &entries[k], parent));
            entries[k].is_created = true;
            created++;
        }
    }
    for (size_t k = 0; k < count; k++) {
        char path[64];
        snprintf(path, sizeof path, "nested.%s.parent", entries[k].name);
        if (!entries[k].is_created)
            return job_fail(job, path,
                            "%s and %s lie in each other: no way leads from them to the outermost grid",
                            entries[k].name, entries[k].parent);
    }
    return STATUS_OK;
}

// ---- the place in the parent

// A child's coordinate in the parent's turn of longitude.
static double x_in_parent(const struct tsunami_level *t, double x)
{
    const struct grid_window *w = &t->params.window, *p = &t->parent->params.window;
    if (!p->is_geographic)
        return x;
    if (t->parent->params.edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC) {
        // Within rounding a node on the first column stays there, and does not move a turn further.
        const double slack = 1e-9;
        return x - 360 * floor((x - p->x[0]) / 360 + slack / 360);
    }
    const double middle = 0.5 * (w->x[0] + w->x[w->nx - 1]);
    return x + 360 * nearbyint((0.5 * (p->x[0] + p->x[p->nx - 1]) - middle) / 360);
}

static double mean_spacing(const double *axis, size_t first, size_t last)
{
    return (axis[last] - axis[first]) / (double)(last - first);
}

// Neither axis may be coarser than the parent's where the child lies.
static enum status check_spacing(const struct tsunami_level *t, const char *name, const double *own,
                                 size_t own_count, const double *parent, size_t parent_count, double shift)
{
    double share;
    const size_t first = axis_locate(parent, parent_count, own[0] + shift, &share);
    size_t last = axis_locate(parent, parent_count, own[own_count - 1] + shift, &share) + 1;
    if (last <= first) // across the seam of a parent that goes once round
        last = first + 1;
    const double here = mean_spacing(own, 0, own_count - 1), there = mean_spacing(parent, first, last);
    const char *unit = t->params.window.is_geographic ? "degree" : "m";
    if (here <= there * (1 + 1e-6))
        return STATUS_OK;
    return job_fail(
        t->job, "domain",
        "this grid is coarser than its parent: its spacing in %s is %.6g %s, the parent's there %.6g %s",
        name, here, unit, there, unit);
}

static enum status fail_outside(const struct tsunami_level *t, enum tsunami_side side, double own,
                                double parent, double excess)
{
    const char *unit = t->params.window.is_geographic ? "degree" : "m";
    return job_fail(t->job, "domain",
                    "this grid reaches beyond its parent%s%s: its %s edge, at %.8g %s, by %.4g %s (the "
                    "parent's is at %.8g)",
                    t->parent->name[0] ? " " : "", t->parent->name, side_names[side], own, unit, excess, unit,
                    parent);
}

static enum status check_inside(const struct tsunami_level *t)
{
    const struct grid_window *w = &t->params.window, *p = &t->parent->params.window;
    const bool is_round = t->parent->params.edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC && p->is_geographic;
    const double own[TSUNAMI_SIDES] = {x_in_parent(t, w->x[0]), x_in_parent(t, w->x[w->nx - 1]), w->y[0],
                                       w->y[w->ny - 1]};
    const double parent[TSUNAMI_SIDES] = {p->x[0], p->x[p->nx - 1], p->y[0], p->y[p->ny - 1]};
    const double slack[TSUNAMI_SIDES] = {1e-6 * (p->x[1] - p->x[0]), 1e-6 * (p->x[1] - p->x[0]),
                                         1e-6 * (p->y[1] - p->y[0]), 1e-6 * (p->y[1] - p->y[0])};
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const bool is_low = side == TSUNAMI_WEST || side == TSUNAMI_SOUTH;
        const double excess = is_low ? parent[side] - own[side] : own[side] - parent[side];
        if ((!is_round || side >= TSUNAMI_SOUTH) && excess > slack[side])
            return fail_outside(t, (enum tsunami_side)side, own[side], parent[side], excess);
    }
    // The parent's arrays have no neighbours across its seam, between the last column and the first.
    for (size_t i = 0; is_round && i < w->nx; i++)
        if (x_in_parent(t, w->x[i]) > p->x[p->nx - 1] + slack[0])
            return job_fail(t->job, "domain",
                            "this grid lies across the seam of its parent, between %g and %g degrees east; "
                            "begin the parent's longitudes elsewhere",
                            p->x[p->nx - 1], p->x[0] + 360);
    return STATUS_OK;
}

enum status tsunami_nesting_check_place(const struct tsunami_level *t)
{
    const struct grid_window *w = &t->params.window, *p = &t->parent->params.window;
    if (w->is_geographic != p->is_geographic)
        return job_fail(t->job, "domain.bathymetry", "this grid is in %s, its parent in %s",
                        w->is_geographic ? "degrees" : "metres", p->is_geographic ? "degrees" : "metres");
    CHECK(check_inside(t));
    CHECK(check_spacing(t, w->is_geographic ? "longitude" : "x", w->x, w->nx, p->x, p->nx,
                        x_in_parent(t, w->x[0]) - w->x[0]));
    CHECK(check_spacing(t, w->is_geographic ? "latitude" : "y", w->y, w->ny, p->y, p->ny, 0));
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (t->params.edges[side] == TSUNAMI_EDGE_GIVEN)
            return STATUS_OK;
    return job_fail(t->job, "domain.edges",
                    "no edge is left to be given by the parent: nothing could come in");
}

// ---- the bottoms of both

// Counts of a comparison of both bottoms at the child's nodes.
struct bottoms {
    size_t same_sign, opposite_sign;
    size_t wet[TSUNAMI_SIDES]; // nodes of each given side with water in both
    size_t walled;             // nodes of given sides that are water, but shallower than the parent's wall
};

static bool is_on(const struct grid_window *w, int side, size_t column, size_t row)
{
    return side == TSUNAMI_WEST    ? column == 0
           : side == TSUNAMI_EAST  ? column == w->nx - 1
           : side == TSUNAMI_SOUTH ? row == 0
                                   : row == w->ny - 1;
}

static void compare_row(const struct tsunami_level *t, size_t row, const double *own_m,
                        const double *parent_m, struct bottoms *bottoms)
{
    const struct grid_window *w = &t->params.window;
    for (size_t i = 0; i < w->nx; i++) {
        bottoms->same_sign += own_m[i] * parent_m[i] > 0;
        bottoms->opposite_sign += own_m[i] * parent_m[i] < 0;
        if (!(own_m[i] > tsunami_params_dry_depth_m(&t->params) && parent_m[i] > 0))
            continue;
        const bool is_wet = parent_m[i] > tsunami_params_dry_depth_m(&t->parent->params);
        bool is_edge = false;
        for (int side = 0; side < TSUNAMI_SIDES; side++) {
            const bool is_here = t->params.edges[side] == TSUNAMI_EDGE_GIVEN && is_on(w, side, i, row);
            bottoms->wet[side] += is_here && is_wet;
            is_edge = is_edge || is_here;
        }
        bottoms->walled += is_edge && !is_wet;
    }
}

// Reads the parent's file at the child's nodes: enough to distinguish water and land.
static enum status compare_bottoms(const struct tsunami_level *t, double *rows, struct bottoms *bottoms)
{
    const struct tsunami_params *own = &t->params, *parent = &t->parent->params;
    const struct grid_window_request anything = {.missing_value = 0, .outside_value = 0};
    struct grid_sampler *samplers[2] = {NULL, NULL};
    enum status status = grid_sampler_open(own->bathymetry, &own->window, &own->window_request, &samplers[0]);
    if (status == STATUS_OK)
        status = grid_sampler_open(parent->bathymetry, &own->window, &anything, &samplers[1]);
    for (size_t row = 0; row < own->window.ny && status == STATUS_OK; row++) {
        status = grid_sampler_row(samplers[0], row, rows);
        if (status == STATUS_OK)
            status = grid_sampler_row(samplers[1], row, rows + own->window.nx);
        if (status == STATUS_OK)
            compare_row(t, row, rows, rows + own->window.nx, bottoms);
    }
    grid_sampler_close(samplers[0]);
    grid_sampler_close(samplers[1]);
    return status;
}

static enum status fail_no_water(const struct tsunami_level *t, size_t walled)
{
    const struct tsunami_level *parent = t->parent;
    const char *name = parent->name[0] ? parent->name : "the outermost grid";
    char why[320] = "";
    if (walled > 0)
        snprintf(why, sizeof why,
                 "; at %zu nodes of these edges %s has water that is shallower than its physics.wall_depth, "
                 "%g m, and counts as land: let it flood (method), lower its physics.wall_depth, or extend "
                 "this grid into deeper water",
                 walled, name, parent->params.physics.wall_depth_m);
    return job_fail(
        t->job, "domain",
        "no wave can come in: the edges that its parent gives do not have a node with water in both grids%s",
        why);
}

enum status tsunami_nesting_check_bottom(struct tsunami_level *t)
{
    struct bottoms bottoms = {0};
    double *rows = calloc(2 * t->params.window.nx, sizeof *rows);
    enum status status =
        rows ? compare_bottoms(t, rows, &bottoms)
             : FAIL(STATUS_SYSTEM, "no memory for two rows of %zu depths", t->params.window.nx);
    free(rows);
    CHECK(status);
    if (bottoms.opposite_sign > bottoms.same_sign)
        return job_fail(t->job, "domain.bathymetry",
                        "%zu of the grid's %zu nodes are water where %s has land, or land where it has "
                        "water: is \"positive\" right in both grids?",
                        bottoms.opposite_sign, t->params.window.nx * t->params.window.ny,
                        t->parent->params.bathymetry_path);
    size_t wet = 0;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        wet += bottoms.wet[side];
    if (wet == 0)
        return fail_no_water(t, bottoms.walled);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        t->is_dry_edge[side] = t->params.edges[side] == TSUNAMI_EDGE_GIVEN && bottoms.wet[side] == 0;
    return STATUS_OK;
}

// ---- the links

enum status tsunami_nesting_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    t->link_count = 0;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        if (t->params.edges[side] != TSUNAMI_EDGE_GIVEN)
            continue;
        const size_t nodes = tsunami_nesting_edge_nodes(t, side);
        t->given[side] = (struct tsunami_given_edge){
            .nodes = nodes, .slots = 2, .steps_per_record = t->steps_per_parent, .has_velocity = true};
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 2 * TSUNAMI_FIELDS, nodes,
                              (void **)&t->given[side].values, "%s%s edge", t->prefix, side_names[side]));
        t->link_count += nodes;
    }
    return tsunami_level_array(t, memory, ELEMENT_U8, t->link_count, sizeof *t->links, (void **)&t->links,
                               "links");
}

static struct tsunami_link link_of(const struct tsunami_level *t, double x, double y)
{
    const struct grid_window *p = &t->parent->params.window;
    double east, north;
    const size_t column = axis_locate(p->x, p->nx, x_in_parent(t, x), &east),
                 row = axis_locate(p->y, p->ny, y, &north);
    return (struct tsunami_link){
        .column = column,
        .row = row,
        .weights = {(1 - east) * (1 - north), east * (1 - north), (1 - east) * north, east * north}};
}

// From an edge's node to the place of its boundary data: for finite volumes the outermost face, half a
// spacing out; taken at the node, the wave would be late by that. (Where the parent ends before, its last
// nodes serve.)
static void way_out(const struct tsunami_level *t, int side, double out[2])
{
    const struct grid_window *w = &t->params.window;
    const double first[2] = {w->x[1] - w->x[0], w->y[1] - w->y[0]};
    const double last[2] = {w->x[w->nx - 1] - w->x[w->nx - 2], w->y[w->ny - 1] - w->y[w->ny - 2]};
    const int axis = side < TSUNAMI_SOUTH ? 0 : 1;
    out[0] = out[1] = 0;
    if (tsunami_method_has_cells(t->params.physics.method))
        out[axis] = side == TSUNAMI_WEST || side == TSUNAMI_SOUTH ? -0.5 * first[axis] : 0.5 * last[axis];
}

size_t tsunami_nesting_edge_nodes(const struct tsunami_level *t, int side)
{
    return side < TSUNAMI_SOUTH ? t->params.window.ny : t->params.window.nx;
}

void tsunami_nesting_edge_node(const struct tsunami_level *t, int side, size_t k, size_t *column, size_t *row)
{
    const struct grid_window *w = &t->params.window;
    *column = side == TSUNAMI_WEST ? 0 : side == TSUNAMI_EAST ? w->nx - 1 : k;
    *row = side == TSUNAMI_SOUTH ? 0 : side == TSUNAMI_NORTH ? w->ny - 1 : k;
}

void tsunami_nesting_edge_place(const struct tsunami_level *t, int side, size_t k, double *x, double *y)
{
    double out[2];
    size_t column, row;
    way_out(t, side, out);
    tsunami_nesting_edge_node(t, side, k, &column, &row);
    *x = t->params.window.x[column] + out[0];
    *y = t->params.window.y[row] + out[1];
}

struct tsunami_link tsunami_nesting_edge_link(const struct tsunami_level *t, int side, size_t k)
{
    double x, y;
    tsunami_nesting_edge_place(t, side, k, &x, &y);
    return link_of(t, x, y);
}

struct tsunami_link tsunami_nesting_node_link(const struct tsunami_level *t, int side, size_t k)
{
    size_t column, row;
    tsunami_nesting_edge_node(t, side, k, &column, &row);
    return link_of(t, t->params.window.x[column], t->params.window.y[row]);
}

void tsunami_nesting_link(struct tsunami_level *t)
{
    struct tsunami_link *link = t->links;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        if (t->params.edges[side] != TSUNAMI_EDGE_GIVEN)
            continue;
        if (t->is_dry_edge[side])
            log_info("%sits whole %s edge lies on land, here or in its parent", t->about, side_names[side]);
        for (size_t k = 0; k < t->given[side].nodes; k++)
            *link++ = tsunami_nesting_edge_link(t, side, k);
    }
}

// ---- the steps

static bool has_children(const struct tsunami *run, const struct tsunami_level *t)
{
    for (int k = 0; k < run->level_count; k++)
        if (run->levels[k]->parent == t)
            return true;
    return false;
}

enum status tsunami_nesting_begin(struct tsunami *run, int64_t step)
{
    for (int k = 1; k < run->level_count; k++)
        tsunami_nesting_note_shift(run->levels[k]);
    for (int k = 1; k < run->level_count; k++) {
        struct tsunami_level *child = run->levels[k];
        const int64_t record = step * child->parent->steps_per_outermost;
        CHECK(child->backend->gather_edges(child->solver, (size_t)(record % 2)));
    }
    return STATUS_OK;
}

enum status tsunami_nesting_advance(struct tsunami *run, struct tsunami_level *t, int64_t first_step,
                                    int64_t count)
{
    if (!has_children(run, t))
        return tsunami_level_advance(t, first_step, count);
    for (int64_t step = first_step; step < first_step + count; step++) {
        CHECK(tsunami_level_advance(t, step, 1));
        for (int k = 0; k < run->level_count; k++) {
            struct tsunami_level *child = run->levels[k];
            if (child->parent != t)
                continue;
            CHECK(child->backend->gather_edges(child->solver, (size_t)((step + 1) % 2)));
            CHECK(
                tsunami_nesting_advance(run, child, step * child->steps_per_parent, child->steps_per_parent));
        }
    }
    return STATUS_OK;
}
