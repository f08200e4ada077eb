// Makes the cells of the fast CPU version's tree from the sorted keys, depth by depth: counts the children of
// every divided cell of a depth, numbers them by a sum over blocks, then writes them. Threads share the
// blocks. Masses and moments are summed from the deepest cells upwards.
#include "models/nbody/openmp_tree.h"

#include "models/arrays.h"
#include "models/nbody/tree.h"
#include "models/team.h"

#include <assert.h>

enum status tree_cells_plan(struct nbody_tree *t, struct memory_plan *plan, const char *prefix)
{
    struct tree_view *view = &t->view;
    t->cells_planned = nbody_tree_cells_bound(t->setup.count);
    // A tree walk reads TREE_PARTS cells wherever it begins.
    const size_t cells = t->cells_planned + TREE_PARTS, touched = view->has_touch ? cells : 0;
    const struct array_row arrays[] = {
        {ELEMENT_U8, cells, sizeof *t->links, &t->links, "tree, cells"},
        {ELEMENT_F64, 1, cells, &view->centre[NBODY_X], "tree, centre of mass x"},
        {ELEMENT_F64, 1, touched, &view->corner[NBODY_X], "tree, corner x"},
        {ELEMENT_F64, 1, cells, &view->centre[NBODY_Y], "tree, centre of mass y"},
        {ELEMENT_F64, 1, touched, &view->corner[NBODY_Y], "tree, corner y"},
        {ELEMENT_F64, 1, cells, &view->centre[NBODY_Z], "tree, centre of mass z"},
        {ELEMENT_F64, 1, touched, &view->corner[NBODY_Z], "tree, corner z"},
        {ELEMENT_F64, 1, touched, &view->side, "tree, sides"},
        {ELEMENT_F64, 1, cells, &view->cell_mass, "tree, masses"},
        {ELEMENT_F64, 1, cells, &view->least_square, "tree, least distances"},
        {t->setup.precision, cells, TREE_TERMS, &view->terms, "tree, terms of cells"},
        {ELEMENT_I32, 1, tree_blocks(cells, TREE_BLOCK), &t->block_parts, "tree, cells of a block"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

// ---- the cells of one depth from those of the depth before

struct depth_work {
    struct nbody_tree *tree;
    int depth; // of the cells that already exist
};

// The number (0 … 7) of the child, at `depth`, in which a body lies: a digit of its key.
static uint32_t part_of(uint64_t key, int depth)
{
    return (uint32_t)(key >> 3 * (NBODY_KEY_BITS - depth)) & (TREE_PARTS - 1);
}

// The first of the bodies first … end − 1 in another child than `first`, by bisection: the keys are sorted.
static uint32_t part_end(const uint64_t *keys, uint32_t first, uint32_t end, int depth)
{
    const uint32_t part = part_of(keys[first], depth);
    if (part_of(keys[end - 1], depth) == part)
        return end;
    while (end - first > 1) { // `first` is in the part, `end` beyond it
        const uint32_t middle = first + (end - first) / 2;
        if (part_of(keys[middle], depth) == part)
            first = middle;
        else
            end = middle;
    }
    return end;
}

// Finds the ends of a cell's children at `depth` in the order of the bodies; returns their number.
static uint32_t find_parts(const struct nbody_tree *t, const struct tree_link *cell, int depth,
                           uint32_t ends[TREE_PARTS])
{
    const uint32_t end = cell->first + cell->count;
    uint32_t parts = 0;
    for (uint32_t first = cell->first; first < end; first = ends[parts - 1]) {
        ends[parts] = part_end(t->keys[0], first, end, depth);
        parts++;
    }
    return parts;
}

static size_t block_end(const struct depth_work *work, size_t first)
{
    const size_t end = work->tree->depth_first[work->depth + 1];
    return first + TREE_BLOCK < end ? first + TREE_BLOCK : end;
}

static void count_parts(void *context, size_t item)
{
    const struct depth_work *work = context;
    struct nbody_tree *t = work->tree;
    const size_t first = t->depth_first[work->depth] + item * TREE_BLOCK;
    uint32_t ends[TREE_PARTS], sum = 0;
    for (size_t cell = first; cell < block_end(work, first); cell++) {
        struct tree_link *link = &t->links[cell];
        link->parts = 0;
        if (link->count > NBODY_LEAF_BODIES && work->depth < NBODY_KEY_BITS)
            link->parts = find_parts(t, link, work->depth + 1, ends);
        sum += link->parts;
    }
    t->block_parts[item] = sum;
}

static void make_parts(void *context, size_t item)
{
    const struct depth_work *work = context;
    struct nbody_tree *t = work->tree;
    const size_t from = t->depth_first[work->depth] + item * TREE_BLOCK;
    uint32_t ends[TREE_PARTS], next = t->block_parts[item];
    for (size_t cell = from; cell < block_end(work, from); cell++) {
        struct tree_link *link = &t->links[cell];
        uint32_t first = link->first;
        link->cells = next;
        if (link->parts == 0)
            continue;
        find_parts(t, link, work->depth + 1, ends);
        for (uint32_t part = 0; part < link->parts; part++) {
            t->links[next++] = (struct tree_link){.first = first, .count = ends[part] - first};
            first = ends[part];
        }
    }
}

static void for_blocks(struct depth_work *work, void (*body)(void *context, size_t item))
{
    const struct nbody_tree *t = work->tree;
    const size_t cells = t->depth_first[work->depth + 1] - t->depth_first[work->depth];
    const size_t blocks = tree_blocks(cells, TREE_BLOCK);
    team_for(blocks > 1 ? t->threads : 1, blocks, body, work);
}

// The number of leaves of a depth is known only after the cells of the next depth were counted.
void tree_make_cells(struct nbody_tree *t)
{
    size_t made = 1;
    t->view.links = t->links;
    t->links[0] = (struct tree_link){.count = (uint32_t)t->setup.count};
    t->depth_first[0] = 0;
    t->depths = 0;
    for (size_t before = 0; before < made; t->depths++) {
        struct depth_work work = {t, t->depths};
        const size_t blocks = tree_blocks(made - before, TREE_BLOCK);
        t->depth_first[t->depths + 1] = before = made;
        for_blocks(&work, count_parts);
        for (size_t block = 0; block < blocks; block++) {
            const uint32_t parts = t->block_parts[block];
            t->block_parts[block] = (uint32_t)made;
            made += parts;
        }
        assert(made <= t->cells_planned);
        for_blocks(&work, make_parts);
    }
    t->cell_count = made;
    t->leaf_count = 0;
    for (size_t cell = 0; cell < made; cell++)
        t->leaf_count += t->links[cell].parts == 0;
}

// ---- sums

static void sum_block(void *context, size_t item)
{
    const struct depth_work *work = context;
    const struct nbody_tree *t = work->tree;
    const size_t first = t->depth_first[work->depth] + item * TREE_BLOCK;
    t->functions->sum_cells[t->kind](&t->view, work->depth, first, block_end(work, first));
}

void tree_sum_cells(struct nbody_tree *t)
{
    for (struct depth_work work = {t, t->depths - 1}; work.depth >= 0; work.depth--)
        for_blocks(&work, sum_block);
}
