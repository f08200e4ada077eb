// Forces of pairs and of multipoles in lanes, in one precision and for one instruction set: part of openmp_pairs_isa.c, after
// lanes.h and point.h. Lanes are targets; a sum has its terms in the order of the sources or of the list, whatever the lanes.

#if LANES_DOUBLE
#define NEAREST_SHIFT 0x1.8p52 // x + this − this is x rounded to an integer
#else
#define NEAREST_SHIFT 0x1.8p23f
#endif

LANES_FUNCTION REAL POINT(nearest_image)(REAL r, REAL length, REAL inverse_length)
{
    const REAL shift = NUMBER(NEAREST_SHIFT);
    return r - length * ((r * inverse_length + shift) - shift);
}

// Places about the origin: of targets, in lanes; of sources.
struct POINT(places) {
    SCALAR x[PAIR_BLOCK], y[PAIR_BLOCK];
};

LANES_FUNCTION void POINT(find_places)(const struct pair_view *view, size_t first, size_t count,
                                       struct POINT(places) * places)
{
    const double *x = view->particles->position[GAS_X] + first, *y = view->particles->position[GAS_Y] + first;
    for (size_t k = 0; k < count; k++) {
        places->x[k] = (SCALAR)(x[k] - view->origin[GAS_X]);
        places->y[k] = (SCALAR)(y[k] - view->origin[GAS_Y]);
    }
}

// Targets beyond the range's end stand where its first one stands: lanes that nobody looks at.
LANES_FUNCTION void POINT(find_targets)(const struct pair_view *view, struct pair_range targets,
                                        struct POINT(places) * places)
{
    const size_t count = targets.end - targets.first;
    POINT(find_places)(view, targets.first, count, places);
    for (size_t k = count; k < PAIR_TARGETS; k++) {
        places->x[k] = places->x[0];
        places->y[k] = places->y[0];
    }
}

LANES_FUNCTION REAL_INT POINT(lane_numbers)(void)
{
    REAL_INT numbers;
    for (int k = 0; k < LANES; k++)
        numbers[k] = k;
    return numbers;
}

LANES_FUNCTION void POINT(add_to)(REAL block, double *sum)
{
    SCALAR lanes[LANES_BYTES / sizeof(SCALAR)];
    memcpy(lanes, &block, sizeof lanes);
    for (int k = 0; k < LANES; k++)
        sum[k] += (double)lanes[k];
}

// What a block of sources does to lanes of targets. `itself`: the target of lane 0 as an index into the block, which may be outside.
LANES_FUNCTION void POINT(add_block)(const struct pair_view *view, enum gas_law_kind kind, bool has_images,
                                     bool has_own, const struct POINT(places) * targets, size_t target,
                                     const struct POINT(places) * sources, size_t count, int64_t itself,
                                     struct pair_sums *sums)
{
    struct POINT(law) law;
    POINT(make_law)(view->law, &law);
    const REAL length_x = NUMBER(view->periodic[GAS_X]), length_y = NUMBER(view->periodic[GAS_Y]);
    const REAL per_x = NUMBER(view->periodic[GAS_X] > 0 ? 1 / view->periodic[GAS_X] : 0);
    const REAL per_y = NUMBER(view->periodic[GAS_Y] > 0 ? 1 / view->periodic[GAS_Y] : 0);
    const REAL at_x = POINT(load)(targets->x + target), at_y = POINT(load)(targets->y + target);
    const REAL_INT own = POINT(lane_numbers)() + (SCALAR_INT)itself;
    REAL sum_x = NUMBER(0), sum_y = NUMBER(0);
    for (size_t j = 0; j < count; j++) {
        REAL x = at_x - NUMBER(sources->x[j]), y = at_y - NUMBER(sources->y[j]);
        if (has_images) {
            x = POINT(nearest_image)(x, length_x, per_x);
            y = POINT(nearest_image)(y, length_y, per_y);
        }
        const REAL s = MADD(x, x, MADD(y, y, law.softening_square));
        REAL f = POINT(pair_force)(kind, &law, s, POINT(guess)(s));
        if (has_own)
            f = POINT(kept)(own != (SCALAR_INT)j, f);
        sum_x = MADD(f, x, sum_x);
        sum_y = MADD(f, y, sum_y);
    }
    POINT(add_to)(sum_x, sums->x + target);
    POINT(add_to)(sum_y, sums->y + target);
}

LANES_FUNCTION void POINT(add_range_of)(const struct pair_view *view, enum gas_law_kind kind, bool has_images,
                                        struct pair_range targets, struct pair_range sources,
                                        struct pair_sums *sums)
{
    struct POINT(places) at, block;
    POINT(find_targets)(view, targets, &at);
    for (size_t j = sources.first; j < sources.end; j += PAIR_BLOCK) {
        const size_t count = sources.end - j < PAIR_BLOCK ? sources.end - j : PAIR_BLOCK;
        const bool has_own = targets.first < j + count && j < targets.end;
        POINT(find_places)(view, j, count, &block);
        for (size_t k = 0; k < targets.end - targets.first; k += (size_t)LANES) {
            const int64_t itself = (int64_t)(targets.first + k) - (int64_t)j;
            if (has_own)
                POINT(add_block)(view, kind, has_images, true, &at, k, &block, count, itself, sums);
            else
                POINT(add_block)(view, kind, has_images, false, &at, k, &block, count, 0, sums);
        }
    }
}

static void POINT(add_range)(const struct pair_view *view, struct pair_range targets,
                             struct pair_range sources, struct pair_sums *sums)
{
    const bool has_images = view->periodic[GAS_X] > 0 || view->periodic[GAS_Y] > 0;
#define ADD_RANGE(kind)                                                                                      \
    if (has_images)                                                                                          \
        POINT(add_range_of)(view, kind, true, targets, sources, sums);                                       \
    else                                                                                                     \
        POINT(add_range_of)(view, kind, false, targets, sources, sums)
    GAS_FOR_LAW(view->law->kind, ADD_RANGE)
#undef ADD_RANGE
}

// ---- multipoles

static void POINT(add_multipoles)(const struct pair_view *view, struct pair_range targets,
                                  const struct pair_multipole *multipoles, const int32_t *cells, size_t count,
                                  struct pair_sums *sums)
{
    struct POINT(places) at;
    const REAL softening_square = NUMBER(view->softening_square);
    POINT(find_targets)(view, targets, &at);
    for (size_t k = 0; k < targets.end - targets.first; k += (size_t)LANES) {
        const REAL at_x = POINT(load)(at.x + k), at_y = POINT(load)(at.y + k);
        for (size_t start = 0; start < count; start += PAIR_BLOCK) {
            REAL field_x = NUMBER(0), field_y = NUMBER(0);
            for (size_t n = start; n < count && n < start + PAIR_BLOCK; n++) {
                const struct pair_multipole *cell = &multipoles[cells[n]];
                if (!(cell->count > 0))
                    continue;
                const REAL x = at_x - NUMBER(cell->x - view->origin[GAS_X]);
                const REAL y = at_y - NUMBER(cell->y - view->origin[GAS_Y]);
                const REAL square = MADD(x, x, y * y), s = square + softening_square;
                POINT(add_multipole)
                (x, y, POINT(inverse)(s, POINT(guess)(s)), POINT(inverse)(square, POINT(guess)(square)),
                 NUMBER(cell->count), NUMBER(cell->square_x), NUMBER(cell->square_y), &field_x, &field_y);
            }
            POINT(add_to)(NUMBER(-view->attraction) * field_x, sums->x + k);
            POINT(add_to)(NUMBER(view->attraction) * field_y, sums->y + k);
        }
    }
}

#undef NEAREST_SHIFT
