// The order of the fast CPU version's tree: the cube, the keys, a radix sort of them, and the bodies in that
// order. A pass of the sort splits the keys into as many pieces as threads; it is stable, so the result does
// not depend on the pieces.
#include "models/nbody/openmp_tree.h"

#include "models/arrays.h"
#include "models/team.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 1 << TREE_DIGIT_BITS, KEY_BITS = 3 * NBODY_KEY_BITS };
// Bodies that a thread is worth.
enum { WORTH = 8192 };

enum status tree_sort_plan(struct nbody_tree *t, struct memory_plan *plan, const char *prefix)
{
    const size_t n = t->setup.count, padded = tree_blocks(n, NBODY_PAD) * NBODY_PAD;
    const struct array_row arrays[] = {
        {ELEMENT_I64, 1, n, &t->keys[0], "tree, keys"},
        {ELEMENT_I32, 1, n, &t->order[0], "tree, order"},
        {ELEMENT_I64, 1, n, &t->keys[1], "tree, keys, sorted"},
        {ELEMENT_I32, 1, n, &t->order[1], "tree, order, sorted"},
        {ELEMENT_I32, (size_t)t->threads, DIGITS, &t->heads, "tree, heads of digits"},
        {t->setup.precision, 1, padded, &t->spare, "tree, bodies on the move"},
        {ELEMENT_I32, 1, padded, &t->spare_id, "tree, ids on the move"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

// ---- pieces of the bodies

struct piece {
    size_t first, end;
};

static int pieces_of(const struct nbody_tree *t)
{
    const size_t worth = 1 + t->setup.count / WORTH;
    return worth < (size_t)t->threads ? (int)worth : t->threads;
}

static struct piece piece_of(const struct nbody_tree *t, size_t item)
{
    const size_t n = t->setup.count, pieces = (size_t)pieces_of(t);
    return (struct piece){n / pieces * item + (item < n % pieces ? item : n % pieces),
                          n / pieces * (item + 1) + (item + 1 < n % pieces ? item + 1 : n % pieces)};
}

static void for_pieces(struct nbody_tree *t, void (*body)(void *context, size_t item), void *context)
{
    team_for(pieces_of(t), (size_t)pieces_of(t), body, context);
}

// ---- the cube

static double position_of(const struct nbody_tree *t, const struct nbody_arrays *bodies, int axis, size_t i)
{
    return t->kind == 0 ? (double)((const float *)bodies->position[axis])[i]
                        : ((const double *)bodies->position[axis])[i];
}

struct box_work {
    struct nbody_tree *tree;
    const struct nbody_arrays *bodies;
};

static void find_box(void *context, size_t item)
{
    const struct box_work *work = context;
    const struct piece piece = piece_of(work->tree, item);
    struct tree_scratch *to = &work->tree->scratch[item];
    double nothing = 0; // sum of x − x: NaN if an x is not finite
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        double least = position_of(work->tree, work->bodies, axis, piece.first), most = least;
        for (size_t i = piece.first; i < piece.end; i++) {
            const double x = position_of(work->tree, work->bodies, axis, i);
            least = x < least ? x : least;
            most = x > most ? x : most;
            nothing += x - x;
        }
        to->around.least[axis] = least;
        to->around.most[axis] = most;
    }
    to->is_finite = nothing == 0;
}

void tree_find_cube(struct nbody_tree *t, const struct nbody_arrays *bodies)
{
    struct box_work work = {t, bodies};
    struct tree_box box;
    double longest = 0, middle[NBODY_AXES];
    for_pieces(t, find_box, &work);
    t->view.is_finite = true;
    for (int k = 0; k < pieces_of(t); k++)
        t->view.is_finite &= t->scratch[k].is_finite;
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        for (int k = 0; k < pieces_of(t); k++) {
            const struct tree_box *piece = &t->scratch[k].around;
            box.least[axis] =
                k == 0 || piece->least[axis] < box.least[axis] ? piece->least[axis] : box.least[axis];
            box.most[axis] =
                k == 0 || piece->most[axis] > box.most[axis] ? piece->most[axis] : box.most[axis];
        }
        longest = fmax(longest, box.most[axis] - box.least[axis]);
        middle[axis] = (box.least[axis] + box.most[axis]) / 2;
    }
    t->view.cube.side = longest > 0 ? longest * (1 + 0x1p-20) : 1;
    for (int axis = 0; axis < NBODY_AXES; axis++)
        t->view.cube.corner[axis] = middle[axis] - t->view.cube.side / 2;
}

// ---- keys, and a pass over one digit of them

static void find_keys(void *context, size_t item)
{
    struct nbody_tree *t = context;
    const struct piece piece = piece_of(t, item);
    t->functions->find_keys[t->kind](&t->view, piece.first, piece.end, t->keys[0]);
    for (size_t i = piece.first; i < piece.end; i++)
        t->order[0][i] = (uint32_t)i;
}

static bool are_sorted(const struct nbody_tree *t)
{
    for (size_t i = 1; i < t->setup.count; i++)
        if (t->keys[0][i - 1] > t->keys[0][i])
            return false;
    return true;
}

struct pass {
    struct nbody_tree *tree;
    int shift;
};

static size_t digit_of(const struct pass *pass, uint64_t key)
{
    return key >> pass->shift & (DIGITS - 1);
}

static void count_digits(void *context, size_t item)
{
    const struct pass *pass = context;
    const struct piece piece = piece_of(pass->tree, item);
    uint32_t *heads = pass->tree->heads + item * DIGITS;
    const uint64_t *keys = pass->tree->keys[0];
    memset(heads, 0, DIGITS * sizeof *heads);
    for (size_t i = piece.first; i < piece.end; i++)
        heads[digit_of(pass, keys[i])]++;
}

// Counts become places: of a digit, first those of the first piece. False if all keys have one digit.
static bool place_digits(struct nbody_tree *t)
{
    uint32_t sum = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        const uint32_t before = sum;
        for (size_t item = 0; item < (size_t)pieces_of(t); item++) {
            const uint32_t count = t->heads[item * DIGITS + digit];
            t->heads[item * DIGITS + digit] = sum;
            sum += count;
        }
        if (sum - before == t->setup.count)
            return false;
    }
    return true;
}

static void move_keys(void *context, size_t item)
{
    const struct pass *pass = context;
    struct nbody_tree *t = pass->tree;
    const struct piece piece = piece_of(t, item);
    uint32_t *heads = t->heads + item * DIGITS;
    for (size_t i = piece.first; i < piece.end; i++) {
        const uint32_t to = heads[digit_of(pass, t->keys[0][i])]++;
        t->keys[1][to] = t->keys[0][i];
        t->order[1][to] = t->order[0][i];
    }
}

static void sort_keys(struct nbody_tree *t)
{
    for (struct pass pass = {t, 0}; pass.shift < KEY_BITS; pass.shift += TREE_DIGIT_BITS) {
        uint64_t *keys = t->keys[0];
        uint32_t *order = t->order[0];
        for_pieces(t, count_digits, &pass);
        if (!place_digits(t))
            continue;
        for_pieces(t, move_keys, &pass);
        t->keys[0] = t->keys[1];
        t->order[0] = t->order[1];
        t->keys[1] = keys;
        t->order[1] = order;
    }
}

// ---- the bodies

struct move_work {
    struct nbody_tree *tree;
    const void *from;
    void *to;
    size_t bytes; // of a number
};

static void move_numbers(void *context, size_t item)
{
    const struct move_work *work = context;
    const struct piece piece = piece_of(work->tree, item);
    const uint32_t *order = work->tree->order[0];
    const char *from = work->from;
    char *to = work->to;
    if (work->bytes == 4)
        for (size_t i = piece.first; i < piece.end; i++)
            memcpy(to + i * 4, from + (size_t)order[i] * 4, 4);
    else
        for (size_t i = piece.first; i < piece.end; i++)
            memcpy(to + i * 8, from + (size_t)order[i] * 8, 8);
}

// The array's numbers in the tree's order: into the spare one, which becomes the array.
static void move_array(struct nbody_tree *t, void **array, void **spare, size_t bytes)
{
    struct move_work work = {t, *array, *spare, bytes};
    for_pieces(t, move_numbers, &work);
    *spare = *array;
    *array = work.to;
}

void tree_sort(struct nbody_tree *t, struct nbody_arrays *bodies)
{
    void *id = bodies->id, *spare_id = t->spare_id;
    for_pieces(t, find_keys, t);
    if (are_sorted(t))
        return;
    sort_keys(t);
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        move_array(t, &bodies->position[axis], &t->spare, t->element);
        move_array(t, &bodies->velocity[axis], &t->spare, t->element);
    }
    move_array(t, &bodies->mass, &t->spare, t->element);
    move_array(t, &id, &spare_id, sizeof *bodies->id);
    bodies->id = id;
    t->spare_id = spare_id;
}
