// Keys of bodies, and the sums of cells, in one precision: part of openmp_tree_isa.c. Both are in double, whatever the precision of
// the bodies.

static void POINT(find_keys)(const struct tree_view *view, size_t first, size_t end, uint64_t *keys)
{
    const SCALAR *x = view->position[NBODY_X], *y = view->position[NBODY_Y], *z = view->position[NBODY_Z];
    const struct tree_cube cube = view->cube;
    for (size_t i = first; i < end; i++)
        keys[i] =
            nbody_tree_key(tree_place(&cube, NBODY_X, (double)x[i]), tree_place(&cube, NBODY_Y, (double)y[i]),
                           tree_place(&cube, NBODY_Z, (double)z[i]));
}

// Mass, centre of mass, 3 S about it.
struct POINT(sums) {
    double mass, centre[NBODY_AXES], s[6];
};

static inline void POINT(add_moments)(double mass, const double d[NBODY_AXES], double s[6])
{
    const double x = 3 * mass * d[NBODY_X], y = 3 * mass * d[NBODY_Y], z = 3 * mass * d[NBODY_Z];
    s[0] += x * d[NBODY_X];
    s[1] += x * d[NBODY_Y];
    s[2] += x * d[NBODY_Z];
    s[3] += y * d[NBODY_Y];
    s[4] += y * d[NBODY_Z];
    s[5] += z * d[NBODY_Z];
}

// A cell without mass stands at its middle.
static inline void POINT(centre_of)(struct POINT(sums) * sums, const double middle[NBODY_AXES])
{
    for (int axis = 0; axis < NBODY_AXES; axis++)
        sums->centre[axis] = sums->mass != 0 ? sums->centre[axis] / sums->mass : middle[axis];
}

static inline struct POINT(sums)
    POINT(sum_bodies)(const struct tree_view *view, struct tree_link link, const double middle[NBODY_AXES])
{
    const SCALAR *mass = view->mass;
    struct POINT(sums) sums = {.mass = 0};
    double d[NBODY_AXES];
    for (size_t i = link.first; i < link.first + link.count; i++) {
        sums.mass += (double)mass[i];
        for (int axis = 0; axis < NBODY_AXES; axis++)
            sums.centre[axis] += (double)mass[i] * (double)((const SCALAR *)view->position[axis])[i];
    }
    POINT(centre_of)(&sums, middle);
    for (size_t i = link.first; i < link.first + link.count; i++) {
        for (int axis = 0; axis < NBODY_AXES; axis++)
            d[axis] = (double)((const SCALAR *)view->position[axis])[i] - sums.centre[axis];
        POINT(add_moments)((double)mass[i], d, sums.s);
    }
    return sums;
}

// About the common centre a part has its own S, and that of its mass at its centre.
static inline struct POINT(sums)
    POINT(sum_parts)(const struct tree_view *view, struct tree_link link, const double middle[NBODY_AXES])
{
    struct POINT(sums) sums = {.mass = 0};
    double d[NBODY_AXES];
    for (size_t part = link.cells; part < link.cells + link.parts; part++) {
        sums.mass += view->cell_mass[part];
        for (int axis = 0; axis < NBODY_AXES; axis++)
            sums.centre[axis] += view->cell_mass[part] * view->centre[axis][part];
    }
    POINT(centre_of)(&sums, middle);
    for (size_t part = link.cells; part < link.cells + link.parts; part++) {
        const SCALAR *terms = (const SCALAR *)view->terms + TREE_TERMS * part;
        for (int k = 0; k < 6; k++)
            sums.s[k] += (double)terms[4 + k];
        for (int axis = 0; axis < NBODY_AXES; axis++)
            d[axis] = view->centre[axis][part] - sums.centre[axis];
        POINT(add_moments)(view->cell_mass[part], d, sums.s);
    }
    return sums;
}

// The square of the least distance; never 0, so that nothing stands for bodies at its own centre of mass.
static inline double POINT(least_square)(const struct nbody_tree_rule *rule, double side, double offset)
{
    double least = rule->distance;
    if (rule->opening != NBODY_OPENING_DISTANCE)
        least = side / rule->theta + (rule->opening == NBODY_OPENING_OFFSET ? offset : 0);
    return fmax(least * least, 0x1p-1022);
}

static void POINT(sum_cells)(const struct tree_view *view, int depth, size_t first, size_t end)
{
    const double side = ldexp(view->cube.side, -depth);
    for (size_t cell = first; cell < end; cell++) {
        const struct tree_link link = view->links[cell];
        SCALAR *terms = (SCALAR *)view->terms + TREE_TERMS * cell;
        double middle[NBODY_AXES], square = 0;
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const double x = (double)((const SCALAR *)view->position[axis])[link.first];
            const uint32_t place = tree_place(&view->cube, axis, x) >> (NBODY_KEY_BITS - depth);
            const double corner = view->cube.corner[axis] + (double)place * side;
            if (view->has_touch)
                view->corner[axis][cell] = corner;
            middle[axis] = corner + side / 2;
        }
        const struct POINT(sums) sums =
            link.parts > 0 ? POINT(sum_parts)(view, link, middle) : POINT(sum_bodies)(view, link, middle);
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            square += (sums.centre[axis] - middle[axis]) * (sums.centre[axis] - middle[axis]);
            view->centre[axis][cell] = sums.centre[axis];
            terms[axis] = (SCALAR)sums.centre[axis];
        }
        if (view->has_touch)
            view->side[cell] = side;
        view->cell_mass[cell] = sums.mass;
        view->least_square[cell] =
            sums.mass != 0 ? POINT(least_square)(&view->physics->tree, side, sqrt(square)) : -1;
        terms[3] = (SCALAR)sums.mass;
        for (int k = 0; k < 6; k++)
            terms[4 + k] = (SCALAR)sums.s[k];
        terms[10] = (SCALAR)(0.5 * (sums.s[0] + sums.s[3] + sums.s[5]));
    }
}
