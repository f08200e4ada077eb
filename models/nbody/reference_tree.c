// The reference's tree, written only from the description in state.h (THE TREE): serial, in double precision,
// by simple recursion. Every sum of a cell is computed directly from its bodies, and every group checks the
// cells one by one.
#include "models/arrays.h"
#include "models/nbody/reference.h"
#include "models/nbody/tree.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { PARTS = 8 };

// Cells are in the order of a tree walk: a divided cell, then its children with their descendants, up to
// `end`.
struct cell {
    size_t first, count; // bodies
    size_t end;          // one after the last cell within this one; a leaf's is itself + 1
    bool is_leaf;
    double corner[NBODY_AXES], side;  // of its cube
    double mass, centre[NBODY_AXES];  // of mass
    double offset;                    // of the centre of mass from the middle of the cube
    double s[NBODY_AXES][NBODY_AXES]; // S
};

struct reference_tree {
    struct nbody_setup setup;
    size_t cells_planned, cell_count, leaf_count;
    struct cell *cells;
    uint64_t *keys, *old_keys;
    size_t *order, *old_order;
    struct nbody_body *old_bodies;
    uint32_t *old_ids;
    double corner[NBODY_AXES], side; // of the cube
    bool is_finite;                  // all positions are
    double cell_interactions, body_interactions;
};

// ---- plan

enum status reference_tree_plan(const struct nbody_setup *setup, struct memory_plan *plan, const char *prefix,
                                struct reference_tree **tree)
{
    struct reference_tree *t = calloc(1, sizeof *t);
    const size_t n = setup->count;
    *tree = t;
    if (!t)
        return FAIL(STATUS_SYSTEM, "no memory for the reference's tree");
    t->setup = *setup;
    t->cells_planned = nbody_tree_cells_bound(n);
    const struct array_row arrays[] = {
        {ELEMENT_U8, t->cells_planned, sizeof *t->cells, &t->cells, "reference tree, cells"},
        {ELEMENT_U8, n, sizeof *t->keys, &t->keys, "reference tree, keys"},
        {ELEMENT_U8, n, sizeof *t->old_keys, &t->old_keys, "reference tree, keys before the sort"},
        {ELEMENT_U8, n, sizeof *t->order, &t->order, "reference tree, order"},
        {ELEMENT_U8, n, sizeof *t->old_order, &t->old_order, "reference tree, order, half merged"},
        {ELEMENT_U8, n, sizeof *t->old_bodies, &t->old_bodies, "reference tree, bodies before the sort"},
        {ELEMENT_U8, n, sizeof *t->old_ids, &t->old_ids, "reference tree, ids before the sort"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

// ---- 1, 2: the cube and the keys

static void find_cube(struct reference_tree *t, const struct nbody_body *bodies)
{
    double longest = 0, middle[NBODY_AXES];
    t->is_finite = true;
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        double least = bodies[0].position[axis], most = least;
        for (size_t i = 0; i < t->setup.count; i++) {
            least = fmin(least, bodies[i].position[axis]);
            most = fmax(most, bodies[i].position[axis]);
            t->is_finite &= isfinite(bodies[i].position[axis]) != 0;
        }
        longest = fmax(longest, most - least);
        middle[axis] = (least + most) / 2;
    }
    t->side = longest > 0 ? longest * (1 + 0x1p-20) : 1;
    for (int axis = 0; axis < NBODY_AXES; axis++)
        t->corner[axis] = middle[axis] - t->side / 2;
}

static void place_of(const struct reference_tree *t, const double position[NBODY_AXES],
                     uint64_t place[NBODY_AXES])
{
    const double places = (double)(1 << NBODY_KEY_BITS);
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const double x = floor((position[axis] - t->corner[axis]) * (places / t->side));
        place[axis] = (uint64_t)fmin(fmax(x, 0), places - 1);
    }
}

// Computes a position's index on the curve with Skilling's algorithm: first the rotations, from the largest
// cubes to the smallest (in each half-cube of an axis the finer curve is mirrored, or two axes are
// exchanged), then the Gray code is decoded.
static uint64_t key_of(const struct reference_tree *t, const double position[NBODY_AXES])
{
    uint64_t key = 0, x[NBODY_AXES], turn = 0;
    place_of(t, position, x);
    for (uint64_t half = 1 << (NBODY_KEY_BITS - 1); half > 1; half /= 2)
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const uint64_t below = half - 1, differ = (x[0] ^ x[axis]) & below;
            if (x[axis] & half)
                x[0] ^= below;
            else {
                x[0] ^= differ;
                x[axis] ^= differ;
            }
        }
    for (int axis = 1; axis < NBODY_AXES; axis++)
        x[axis] ^= x[axis - 1];
    for (uint64_t half = 1 << (NBODY_KEY_BITS - 1); half > 1; half /= 2)
        if (x[NBODY_AXES - 1] & half)
            turn ^= half - 1;
    for (int bit = NBODY_KEY_BITS - 1; bit >= 0; bit--)
        for (int axis = 0; axis < NBODY_AXES; axis++)
            key = key << 1 | ((x[axis] ^ turn) >> bit & 1);
    return key;
}

// ---- 3: the sort

// Merges pairs of sorted runs of `width` in `from` into `to`. The merge is stable.
static void merge_runs(const uint64_t *keys, const size_t *from, size_t *to, size_t width, size_t count)
{
    for (size_t start = 0; start < count; start += 2 * width) {
        const size_t middle = start + width < count ? start + width : count;
        const size_t end = start + 2 * width < count ? start + 2 * width : count;
        size_t left = start, right = middle;
        for (size_t k = start; k < end; k++)
            to[k] = left < middle && (right == end || keys[from[left]] <= keys[from[right]]) ? from[left++]
                                                                                             : from[right++];
    }
}

static void sort_bodies(struct reference_tree *t, struct nbody_body *bodies, uint32_t *ids)
{
    const size_t n = t->setup.count;
    for (size_t i = 0; i < n; i++) {
        t->old_keys[i] = key_of(t, bodies[i].position);
        t->old_bodies[i] = bodies[i];
        t->old_ids[i] = ids[i];
        t->order[i] = i;
    }
    for (size_t width = 1; width < n; width *= 2) {
        size_t *from = t->order;
        merge_runs(t->old_keys, from, t->old_order, width, n);
        t->order = t->old_order;
        t->old_order = from;
    }
    for (size_t i = 0; i < n; i++) {
        t->keys[i] = t->old_keys[t->order[i]];
        bodies[i] = t->old_bodies[t->order[i]];
        ids[i] = t->old_ids[t->order[i]];
    }
}

// ---- 4, 5: the cells

static void sum_cell(struct cell *cell, const struct nbody_body *bodies)
{
    double square = 0;
    for (size_t i = cell->first; i < cell->first + cell->count; i++) {
        cell->mass += bodies[i].mass;
        for (int axis = 0; axis < NBODY_AXES; axis++)
            cell->centre[axis] += bodies[i].mass * bodies[i].position[axis];
    }
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const double middle = cell->corner[axis] + cell->side / 2;
        cell->centre[axis] = cell->mass != 0 ? cell->centre[axis] / cell->mass : middle;
        square += (cell->centre[axis] - middle) * (cell->centre[axis] - middle);
    }
    cell->offset = sqrt(square);
    for (size_t i = cell->first; i < cell->first + cell->count; i++)
        for (int a = 0; a < NBODY_AXES; a++)
            for (int b = 0; b < NBODY_AXES; b++)
                cell->s[a][b] += bodies[i].mass * (bodies[i].position[a] - cell->centre[a]) *
                                 (bodies[i].position[b] - cell->centre[b]);
}

// The number of the child at `depth` in which a body lies, in the order of the curve.
static int part_of(uint64_t key, int depth)
{
    return (int)(key >> 3 * (NBODY_KEY_BITS - depth) & (PARTS - 1));
}

static void make_cell(struct reference_tree *t, const struct nbody_body *bodies, size_t first, size_t count,
                      int depth)
{
    struct cell *cell = &t->cells[t->cell_count];
    uint64_t place[NBODY_AXES];
    assert(t->cell_count < t->cells_planned && count > 0);
    t->cell_count++;
    *cell = (struct cell){.first = first, .count = count, .side = ldexp(t->side, -depth)};
    place_of(t, bodies[first].position, place);
    for (int axis = 0; axis < NBODY_AXES; axis++)
        cell->corner[axis] = t->corner[axis] + (double)(place[axis] >> (NBODY_KEY_BITS - depth)) * cell->side;
    sum_cell(cell, bodies);
    cell->is_leaf = count <= NBODY_LEAF_BODIES || depth == NBODY_KEY_BITS;
    t->leaf_count += cell->is_leaf;
    for (size_t i = first; i < first + count && !cell->is_leaf;) {
        const int part = part_of(t->keys[i], depth + 1);
        const size_t start = i;
        while (i < first + count && part_of(t->keys[i], depth + 1) == part)
            i++;
        make_cell(t, bodies, start, i - start, depth + 1);
    }
    cell->end = t->cell_count;
}

void reference_tree_build(struct reference_tree *tree, struct nbody_body *bodies, uint32_t *ids)
{
    find_cube(tree, bodies);
    tree->cell_count = tree->leaf_count = 0;
    if (!tree->is_finite)
        return;
    sort_bodies(tree, bodies, ids);
    make_cell(tree, bodies, 0, tree->setup.count, 0);
}

// ---- 6: the walk

enum { BOXES = NBODY_GROUP_BODIES / NBODY_BOX_BODIES };

struct group {
    size_t first, count;
    int boxes;
    double least[BOXES][NBODY_AXES], most[BOXES][NBODY_AXES];
};

static struct group group_from(const struct reference_tree *t, const struct nbody_body *bodies, size_t first)
{
    struct group group = {.first = first, .count = NBODY_GROUP_BODIES};
    if (first + group.count > t->setup.count)
        group.count = t->setup.count - first;
    for (size_t k = 0; k < group.count; k++) {
        const size_t box = k / NBODY_BOX_BODIES;
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const double x = bodies[first + k].position[axis];
            if (k % NBODY_BOX_BODIES == 0)
                group.least[box][axis] = group.most[box][axis] = x;
            group.least[box][axis] = fmin(group.least[box][axis], x);
            group.most[box][axis] = fmax(group.most[box][axis], x);
        }
        group.boxes = (int)box + 1;
    }
    return group;
}

static bool touches(const struct group *group, int box, const struct cell *cell)
{
    for (int axis = 0; axis < NBODY_AXES; axis++)
        if (group->most[box][axis] < cell->corner[axis] ||
            group->least[box][axis] > cell->corner[axis] + cell->side)
            return false;
    return true;
}

static double distance_from(const struct group *group, int box, const struct cell *cell)
{
    double square = 0;
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const double below = group->least[box][axis] - cell->centre[axis];
        const double beyond = cell->centre[axis] - group->most[box][axis];
        const double away = fmax(fmax(below, beyond), 0);
        square += away * away;
    }
    return sqrt(square);
}

static bool is_accepted(const struct nbody_tree_rule *rule, const struct group *group,
                        const struct cell *cell)
{
    double least = 0;
    switch (rule->opening) {
    case NBODY_OPENING_OFFSET:
        least = cell->side / rule->theta + cell->offset;
        break;
    case NBODY_OPENING_SIZE:
        least = cell->side / rule->theta;
        break;
    case NBODY_OPENING_DISTANCE:
        least = rule->distance;
        break;
    }
    for (int box = 0; box < group->boxes; box++)
        if (distance_from(group, box, cell) < least || touches(group, box, cell))
            return false;
    return true;
}

// Adds the field of a whole cell at a position.
static void add_cell(const struct reference_tree *t, const struct cell *cell,
                     const double position[NBODY_AXES], struct nbody_field *field)
{
    const double softening = t->setup.physics->softening;
    double r[NBODY_AXES], sr[NBODY_AXES] = {0}, square = softening * softening, q = 0, trace = 0;
    for (int a = 0; a < NBODY_AXES; a++) {
        r[a] = position[a] - cell->centre[a];
        square += r[a] * r[a];
    }
    const double distance = sqrt(square), r3 = square * distance, r5 = square * r3, r7 = square * r5;
    for (int a = 0; a < NBODY_AXES && t->setup.physics->tree.has_quadrupole; a++) {
        for (int b = 0; b < NBODY_AXES; b++)
            sr[a] += cell->s[a][b] * r[b];
        q += r[a] * sr[a];
        trace += cell->s[a][a];
    }
    for (int a = 0; a < NBODY_AXES; a++)
        field->acceleration[a] +=
            -cell->mass * r[a] / r3 + 3 * sr[a] / r5 + 1.5 * trace * r[a] / r5 - 7.5 * q * r[a] / r7;
    field->potential += -cell->mass / distance - 1.5 * q / r5 + 0.5 * trace / r3;
}

static void add_body(const struct reference_tree *t, const struct nbody_body *body,
                     const double position[NBODY_AXES], struct nbody_field *field)
{
    const double softening = t->setup.physics->softening;
    double r[NBODY_AXES], square = softening * softening;
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        r[axis] = body->position[axis] - position[axis];
        square += r[axis] * r[axis];
    }
    if (square == 0)
        return;
    for (int axis = 0; axis < NBODY_AXES; axis++)
        field->acceleration[axis] += body->mass * r[axis] / (square * sqrt(square));
    field->potential -= body->mass / sqrt(square);
}

static void add_leaf(const struct reference_tree *t, const struct cell *cell, const struct nbody_body *bodies,
                     size_t i, struct nbody_field *field)
{
    for (size_t j = cell->first; j < cell->first + cell->count; j++)
        if (j != i)
            add_body(t, &bodies[j], bodies[i].position, field);
}

// Adds the field of a cell to the bodies of a group.
static void walk(struct reference_tree *t, const struct group *group, size_t at,
                 const struct nbody_body *bodies, struct nbody_field *field)
{
    const struct cell *cell = &t->cells[at];
    if (cell->mass == 0)
        return;
    if (is_accepted(&t->setup.physics->tree, group, cell)) {
        for (size_t i = group->first; i < group->first + group->count; i++)
            add_cell(t, cell, bodies[i].position, &field[i]);
        t->cell_interactions += (double)group->count;
    } else if (cell->is_leaf) {
        for (size_t i = group->first; i < group->first + group->count; i++)
            add_leaf(t, cell, bodies, i, &field[i]);
        t->body_interactions += (double)group->count * (double)cell->count;
    } else {
        for (size_t child = at + 1; child < cell->end; child = t->cells[child].end)
            walk(t, group, child, bodies, field);
    }
}

void reference_tree_forces(struct reference_tree *tree, const struct nbody_body *bodies,
                           struct nbody_field *field)
{
    tree->cell_interactions = tree->body_interactions = 0;
    for (size_t i = 0; i < tree->setup.count; i++)
        field[i] = tree->is_finite ? (struct nbody_field){0} : (struct nbody_field){{NAN, NAN, NAN}, NAN};
    for (size_t first = 0; first < tree->setup.count && tree->is_finite; first += NBODY_GROUP_BODIES) {
        const struct group group = group_from(tree, bodies, first);
        walk(tree, &group, 0, bodies, field);
    }
}

struct nbody_tree_counts reference_tree_count(const struct reference_tree *tree)
{
    return (struct nbody_tree_counts){.cells = (int64_t)tree->cell_count,
                                      .leaves = (int64_t)tree->leaf_count,
                                      .cells_planned = (int64_t)tree->cells_planned,
                                      .cell_interactions = tree->cell_interactions,
                                      .body_interactions = tree->body_interactions};
}
