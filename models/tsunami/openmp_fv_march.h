// One step of one tile in the fast CPU version of `muscl-hancock`: both sweeps in one pass, marching along y with a ring of
// four rows. Included once per precision by openmp_fv.c, with REAL and POINT(name) defined; knows no threads, no schedule and
// no files.
//
// Even steps sweep X, then Y, then apply the sources; odd steps apply the sources, then sweep Y, then X.

struct POINT(fv_tile) {
    const struct POINT(fv_level) * level;
    const struct tsunami_tile *tile;
    REAL *scratch;
    ptrdiff_t begin, end; // columns of the tile that the sweep along y covers
    bool is_odd, has_friction, is_periodic_y;
};

TILE_INLINE struct POINT(fv_row) POINT(fv_ring_row)(const struct POINT(fv_tile) * t, ptrdiff_t row)
{
    return POINT(fv_scratch_row)(t->scratch, (int)((row + FV_RING) % FV_RING));
}

TILE_INLINE struct POINT(fv_row) POINT(fv_spare_row)(const struct POINT(fv_tile) * t)
{
    return POINT(fv_scratch_row)(t->scratch, FV_RING);
}

TILE_INLINE bool POINT(fv_is_inside)(const struct POINT(fv_tile) * t, ptrdiff_t row)
{
    return t->is_periodic_y || (row >= 0 && row < (ptrdiff_t)t->level->ny);
}

TILE_INLINE ptrdiff_t POINT(fv_wrapped)(const struct POINT(fv_tile) * t, ptrdiff_t row)
{
    const ptrdiff_t ny = (ptrdiff_t)t->level->ny;
    return (row % ny + ny) % ny;
}

// Makes a row ready for the sweep along y: swept along x, or its sources applied.
static void POINT(fv_prepare_row)(const struct POINT(fv_tile) * t, ptrdiff_t row)
{
    const struct POINT(fv_level) *level = t->level;
    const ptrdiff_t column = t->tile->column, width = t->tile->width, from = POINT(fv_wrapped)(t, row);
    const struct POINT(fv_row) to = POINT(fv_ring_row)(t, row);
    const bool has_sources = level->has_rotation || t->has_friction;
    if (t->is_odd) {
        POINT(fv_load_row)(level, from, column, width, to);
        if (has_sources && t->has_friction)
            POINT(fv_sources)(level, from, t->begin, t->end, to.w, to.z, to.u, to.v, true, true);
        else if (has_sources)
            POINT(fv_sources)(level, from, t->begin, t->end, to.w, to.z, to.u, to.v, false, true);
        return;
    }
    const struct POINT(fv_row) loaded = POINT(fv_spare_row)(t);
    POINT(fv_load_row)(level, from, column, width, loaded);
    POINT(fv_fill_ghosts_x)(level, from, column, width, loaded);
    POINT(fv_sweep_x)(level, t->scratch, from, column, width, loaded, to.w, to.u, to.v);
    memcpy(to.z, loaded.z, (size_t)width * sizeof *to.z);
}

// Rows row_begin − 2 and on, each once, in the order in which the march needs them; those beyond an edge follow from those
// inside.
static void POINT(fv_take_row)(const struct POINT(fv_tile) * t, ptrdiff_t row)
{
    if (POINT(fv_is_inside)(t, row)) {
        POINT(fv_prepare_row)(t, row);
        return;
    }
    const ptrdiff_t ny = (ptrdiff_t)t->level->ny;
    if (row == ny) // both at once
        POINT(fv_fill_ghost_rows)
    (t->level, TSUNAMI_NORTH, t->tile->column, t->begin, t->end, POINT(fv_ring_row)(t, ny - 1),
     POINT(fv_ring_row)(t, ny - 2), POINT(fv_ring_row)(t, ny), POINT(fv_ring_row)(t, ny + 1));
}

// The rows before the first that the march prepares sides of, that one, and the one behind it.
static void POINT(fv_take_first_rows)(const struct POINT(fv_tile) * t)
{
    const ptrdiff_t first = t->tile->row_begin;
    if (POINT(fv_is_inside)(t, first - FV_BEYOND)) {
        for (ptrdiff_t row = first - FV_BEYOND; row <= first; row++)
            POINT(fv_take_row)(t, row);
        return;
    }
    POINT(fv_prepare_row)(t, 0);
    POINT(fv_prepare_row)(t, 1);
    POINT(fv_fill_ghost_rows)
    (t->level, TSUNAMI_SOUTH, t->tile->column, t->begin, t->end, POINT(fv_ring_row)(t, 0),
     POINT(fv_ring_row)(t, 1), POINT(fv_ring_row)(t, -1), POINT(fv_ring_row)(t, -2));
}

static struct POINT(fv_march) POINT(fv_march_of)(const struct POINT(fv_tile) * t, ptrdiff_t row)
{
    const struct POINT(fv_level) *level = t->level;
    const ptrdiff_t south = row > 0 ? row - 1 : -1; // before row −1 nothing is finished
    const REAL share = row > 0 ? level->cos_north[south] : level->cos_south[0];
    const REAL inverse = share > (REAL)0 ? (REAL)1 / share : (REAL)0;
    const REAL before = level->rate_y[south], here = level->rate_y[row];
    const REAL height_over_step = (REAL)1 / (before * level->cosine[south]);
    return (struct POINT(fv_march)){.half = (REAL)0.5 * here * level->cosine[row],
                                    // Beyond a wall lies the mirror image.
                                    .metric = POINT(fv_is_inside)(t, row) ? level->metric[row]
                                                                          : -level->metric[row],
                                    .held_before = inverse / before,
                                    .held_here = inverse / here,
                                    .share = share,
                                    .rate = before,
                                    .cosine = level->cosine[south],
                                    .fastest = FV_FASTEST * height_over_step};
}

// A row that the sweep along y has finished: the sources (even steps) or the sweep along x (odd steps) complete the step.
static void POINT(fv_finish_row)(const struct POINT(fv_tile) * t, ptrdiff_t row, struct POINT(fv_row) swept)
{
    const struct POINT(fv_level) *level = t->level;
    const ptrdiff_t column = t->tile->column, width = t->tile->width;
    const ptrdiff_t offset = row * (ptrdiff_t)level->pitch + column;
    REAL *w = level->w_new + offset, *u = level->u_new + offset, *v = level->v_new + offset;
    if (t->is_odd) {
        memcpy(swept.z - FV_BEYOND, POINT(fv_ring_row)(t, row).z - FV_BEYOND,
               (size_t)(width + 2 * FV_BEYOND) * sizeof *swept.z);
        POINT(fv_fill_ghosts_x)(level, row, column, width, swept);
        POINT(fv_sweep_x)(level, t->scratch, row, column, width, swept, w, u, v);
    } else if (t->has_friction) {
        POINT(fv_sources)(level, row, 0, width, w, level->z + offset, u, v, true, false);
    } else if (level->has_rotation) {
        POINT(fv_sources)(level, row, 0, width, w, level->z + offset, u, v, false, false);
    }
}

static void POINT(fv_step_tile)(const struct POINT(fv_tile) * t)
{
    const struct POINT(fv_level) *level = t->level;
    const int first_carried = FV_ROWS * FV_ROW_FIELDS + FV_FACE_FIELDS + FV_FLUX_FIELDS;
    REAL *a[FV_CARRIED_FIELDS + 3];
    for (int f = 0; f < FV_CARRIED_FIELDS + 3; f++)
        a[f] = POINT(fv_array)(t->scratch, first_carried + f);
    const struct POINT(fv_carried) carried = {a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]};
    const struct POINT(fv_row) dropped = {a[10], a[11], a[12], NULL};
    for (int f = 0; f < FV_CARRIED_FIELDS; f++)
        memset(a[f] - FV_BEYOND, 0, (size_t)(t->tile->width + 2 * FV_BEYOND) * sizeof(REAL));
    POINT(fv_take_first_rows)(t);
    for (ptrdiff_t row = t->tile->row_begin - 1; row <= t->tile->row_end; row++) {
        if (row + 1 > t->tile->row_begin && !(row == 0 && !t->is_periodic_y))
            POINT(fv_take_row)(t, row + 1);
        const ptrdiff_t offset = (row - 1) * (ptrdiff_t)level->pitch + t->tile->column;
        // The first two only fill what is carried.
        struct POINT(fv_row) out = dropped;
        if (row > t->tile->row_begin)
            out = t->is_odd ? POINT(fv_spare_row)(t)
                            : (struct POINT(fv_row)){level->w_new + offset, level->u_new + offset,
                                                     level->v_new + offset, NULL};
        POINT(fv_march_row)
        (level, t->begin, t->end, POINT(fv_march_of)(t, row), POINT(fv_ring_row)(t, row - 1),
         POINT(fv_ring_row)(t, row), POINT(fv_ring_row)(t, row + 1), carried, out.w, out.u, out.v);
        if (row > t->tile->row_begin)
            POINT(fv_finish_row)(t, row - 1, out);
    }
}

static bool POINT(fv_advance_tile)(const struct POINT(fv_level) * level,
                                   const struct tsunami_records *records, const struct tsunami_tile *tile,
                                   REAL *scratch, bool is_odd, float time_s)
{
    const ptrdiff_t beyond = is_odd ? FV_BEYOND : 0;
    const struct POINT(fv_tile)
        t = {.level = level,
             .tile = tile,
             .scratch = scratch,
             .begin = -beyond,
             .end = tile->width + beyond,
             .is_odd = is_odd,
             .has_friction = level->friction > (REAL)0,
             .is_periodic_y = level->setup->geometry->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC};
    POINT(fv_step_tile)(&t);
    const bool has_changed = POINT(fv_has_changed)(level, tile);
    POINT(fv_record_tile)(level, records, tile, time_s);
    return has_changed;
}
