// A group's walk through the tree, and what it feels of the bodies and cells that it lists on the way, in one precision: part of
// openmp_tree_isa.c. Lanes are the group's bodies, the padding among them; what they feel comes one by one, the same for all.

// Lanes' bodies that are kept in registers while cells come by.
#if LANES_BYTES == 64
#define CELLS_WIDE 2
#else
#define CELLS_WIDE 1
#endif

LANES_FUNCTION struct POINT(bodies) POINT(group_of)(const struct tree_view *view)
{
    return (struct POINT(bodies)){view->position[NBODY_X], view->position[NBODY_Y], view->position[NBODY_Z],
                                  NULL};
}

LANES_FUNCTION struct POINT(bodies) POINT(sources_of)(const struct tree_scratch *scratch)
{
    const SCALAR *sources = (const SCALAR *)(const void *)scratch->sources;
    return (struct POINT(bodies)){sources, sources + TREE_LIST, sources + 2 * TREE_LIST,
                                  sources + 3 * TREE_LIST};
}

// ---- the lists are gone through

static void POINT(feel_sources)(const struct tree_view *view, size_t first, struct tree_scratch *scratch)
{
    const struct POINT(bodies) group = POINT(group_of)(view), sources = POINT(sources_of)(scratch);
    const SCALAR softening_square = (SCALAR)(view->physics->softening * view->physics->softening);
    const size_t count = scratch->source_count;
    for (size_t i = 0; i < NBODY_GROUP_BODIES && view->acceleration[0]; i += (size_t)(WIDE * LANES))
        if (view->is_hard)
            POINT(pull_block)(group, first + i, sources, 0, count, softening_square, true, scratch->sum, i);
        else
            POINT(pull_block)(group, first + i, sources, 0, count, softening_square, false, scratch->sum, i);
    for (size_t i = 0; i < NBODY_GROUP_BODIES && view->potential; i += (size_t)LANES)
        POINT(potential_block)
    (group, first + i, sources, scratch->numbers, 0, count, softening_square, scratch->sum[NBODY_AXES] + i);
    scratch->source_count = 0;
}

LANES_FUNCTION void POINT(cells_block)(const struct tree_view *view, size_t first,
                                       struct tree_scratch *scratch, bool is_hard, bool has_potential,
                                       size_t target)
{
    const struct POINT(bodies) group = POINT(group_of)(view);
    const REAL softening = NUMBER(view->physics->softening * view->physics->softening);
    struct POINT(vector) at[CELLS_WIDE], block[CELLS_WIDE];
    REAL potential[CELLS_WIDE];
    for (int w = 0; w < CELLS_WIDE; w++) {
        at[w] = POINT(lanes_at)(&group, first + target + (size_t)(w * LANES));
        block[w] = POINT(no_pull)();
        potential[w] = NUMBER(0);
    }
    for (size_t k = 0; k < scratch->cell_count; k++) {
        const SCALAR *terms = (const SCALAR *)view->terms + TREE_TERMS * (size_t)scratch->cells[k];
        const REAL s[6] = {NUMBER(terms[4]), NUMBER(terms[5]), NUMBER(terms[6]),
                           NUMBER(terms[7]), NUMBER(terms[8]), NUMBER(terms[9])};
        for (int w = 0; w < CELLS_WIDE; w++) {
            const struct POINT(vector) r = {terms[0] - at[w].x, terms[1] - at[w].y, terms[2] - at[w].z};
            const REAL square = POINT(softened_square)(r, softening);
            REAL guess = POINT(guess)(square);
            if (is_hard)
                guess = POINT(kept)(square >= NUMBER(LEAST_SQUARE), guess);
            const REAL inverse = POINT(mended)(guess, square);
            POINT(add_cell)
            (r, inverse, NUMBER(terms[3]), s, NUMBER(terms[10]), &block[w],
             has_potential ? &potential[w] : NULL);
        }
    }
    for (int w = 0; w < CELLS_WIDE; w++, target += (size_t)LANES)
        if (has_potential)
            POINT(add_lanes)(potential[w], scratch->sum[NBODY_AXES] + target);
        else
            POINT(add_vector)(block[w], scratch->sum, target);
}

static void POINT(feel_cells)(const struct tree_view *view, size_t first, struct tree_scratch *scratch)
{
    for (size_t i = 0; i < NBODY_GROUP_BODIES && view->acceleration[0]; i += (size_t)(CELLS_WIDE * LANES))
        if (view->is_hard)
            POINT(cells_block)(view, first, scratch, true, false, i);
        else
            POINT(cells_block)(view, first, scratch, false, false, i);
    for (size_t i = 0; i < NBODY_GROUP_BODIES && view->potential; i += (size_t)(CELLS_WIDE * LANES))
        POINT(cells_block)(view, first, scratch, true, true, i);
    scratch->cell_count = 0;
}

// ---- the lists are filled

static void POINT(list_bodies)(const struct tree_view *view, size_t first, struct tree_scratch *scratch,
                               size_t from, size_t count)
{
    SCALAR *sources = (SCALAR *)(void *)scratch->sources;
    while (count > 0) {
        const size_t at = scratch->source_count, room = TREE_LIST - at, now = count < room ? count : room;
        for (int axis = 0; axis < NBODY_AXES; axis++)
            memcpy(sources + axis * TREE_LIST + at, (const SCALAR *)view->position[axis] + from,
                   now * sizeof *sources);
        memcpy(sources + NBODY_AXES * TREE_LIST + at, (const SCALAR *)view->mass + from,
               now * sizeof *sources);
        for (size_t k = 0; k < now && view->potential; k++)
            scratch->numbers[at + k] = (uint32_t)(from + k);
        scratch->source_count += now;
        from += now;
        count -= now;
        if (scratch->source_count == TREE_LIST)
            POINT(feel_sources)(view, first, scratch);
    }
}

// Cells of which a bit is set, from `cell` on. Without quadrupoles they are like bodies, which have no number.
LANES_FUNCTION void POINT(list_cells)(const struct tree_view *view, size_t first,
                                      struct tree_scratch *scratch, uint32_t cell, unsigned bits)
{
    SCALAR *sources = (SCALAR *)(void *)scratch->sources;
    if (view->physics->tree.has_quadrupole) {
        if (scratch->cell_count + TREE_PARTS > TREE_LIST)
            POINT(feel_cells)(view, first, scratch);
        for (unsigned k = 0; k < TREE_PARTS; k++) {
            scratch->cells[scratch->cell_count] = cell + k;
            scratch->cell_count += bits >> k & 1;
        }
        return;
    }
    for (; bits; bits &= bits - 1) {
        const SCALAR *terms = (const SCALAR *)view->terms + TREE_TERMS * (cell + (size_t)__builtin_ctz(bits));
        for (int k = 0; k < NBODY_AXES + 1; k++)
            sources[(size_t)k * TREE_LIST + scratch->source_count] = terms[k];
        scratch->numbers[scratch->source_count++] = UINT32_MAX;
        if (scratch->source_count == TREE_LIST)
            POINT(feel_sources)(view, first, scratch);
    }
}

static void POINT(find_boxes)(const struct tree_view *view, size_t first, size_t end,
                              struct tree_scratch *scratch)
{
    struct tree_box *around = &scratch->around;
    scratch->box_count = 0;
    for (size_t from = first; from < end; from += NBODY_BOX_BODIES) {
        struct tree_box *box = &scratch->boxes[scratch->box_count++];
        const size_t to = from + NBODY_BOX_BODIES < end ? from + NBODY_BOX_BODIES : end;
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const SCALAR *x = view->position[axis];
            SCALAR least = x[from], most = x[from];
            for (size_t i = from + 1; i < to; i++) {
                least = x[i] < least ? x[i] : least;
                most = x[i] > most ? x[i] : most;
            }
            box->least[axis] = (double)least;
            box->most[axis] = (double)most;
            if (from == first || around->least[axis] > box->least[axis])
                around->least[axis] = box->least[axis];
            if (from == first || around->most[axis] < box->most[axis])
                around->most[axis] = box->most[axis];
        }
    }
}

// From the cube down, the last of what waits first.
static void POINT(walk)(const struct tree_view *view, size_t first, size_t count,
                        struct tree_scratch *scratch)
{
    struct {
        uint32_t cells, parts;
    } waiting[TREE_STACK] = {{0, 1}};
    for (size_t height = 1; height > 0;) {
        const uint32_t cell = waiting[--height].cells, parts = waiting[height].parts;
        const unsigned all = (1u << parts) - 1;
        unsigned empty;
        const unsigned stands = look_at_cells(view, scratch, cell, parts, &empty);
        const unsigned listed = stands & ~empty;
        POINT(list_cells)(view, first, scratch, cell, listed);
        scratch->cell_interactions += (int64_t)count * __builtin_popcount(listed);
        for (unsigned open = all & ~stands; open; open &= open - 1) {
            const struct tree_link link = view->links[cell + (size_t)__builtin_ctz(open)];
            if (link.parts > 0) {
                waiting[height].cells = link.cells;
                waiting[height++].parts = link.parts;
            } else {
                POINT(list_bodies)(view, first, scratch, link.first, link.count);
                scratch->body_interactions += (int64_t)count * (int64_t)link.count;
            }
        }
    }
}

static void POINT(feel)(const struct tree_view *view, size_t first, struct tree_scratch *scratch)
{
    const size_t end = first + NBODY_GROUP_BODIES < view->count ? first + NBODY_GROUP_BODIES : view->count;
    memset(scratch->sum, 0, sizeof scratch->sum);
    scratch->source_count = scratch->cell_count = 0;
    POINT(find_boxes)(view, first, end, scratch);
    POINT(walk)(view, first, end - first, scratch);
    POINT(feel_sources)(view, first, scratch);
    POINT(feel_cells)(view, first, scratch);
    for (int axis = 0; axis < NBODY_AXES && view->acceleration[0]; axis++)
        for (size_t i = 0; i < NBODY_GROUP_BODIES; i++)
            ((SCALAR *)view->acceleration[axis])[first + i] = (SCALAR)scratch->sum[axis][i];
    for (size_t i = 0; i < NBODY_GROUP_BODIES && view->potential; i++)
        ((SCALAR *)view->potential)[first + i] = (SCALAR)scratch->sum[NBODY_AXES][i];
}
#undef CELLS_WIDE
