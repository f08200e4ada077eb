// The running records of one tile in the fast CPU version of `muscl-hancock`, from its new state. Included once per precision
// by openmp_fv.c, with REAL and POINT(name) defined; knows no scheme.

// A segment of a row as the records see it.
struct POINT(fv_seen) {
    const REAL *w, *u, *v, *z;
    REAL wet; // shallower water is not recorded
};

TILE_INLINE float POINT(fv_eta)(struct POINT(fv_seen) s, ptrdiff_t i)
{
    return (float)(s.w[i] + POINT(fv_max)((REAL)0, s.z[i]));
}

TILE_INLINE REAL POINT(fv_depth)(struct POINT(fv_seen) s, ptrdiff_t i)
{
    return s.w[i] + POINT(fv_max)((REAL)0, -s.z[i]);
}

// The first times above the thresholds, from the level that the source left or from still water; w: on land an arrival is a
// matter of the flow's depth. Above a level that stays such a time is one of a new maximum.
TILE_INLINE void POINT(fv_record_arrivals)(struct POINT(fv_seen) s, const struct tsunami_records *records,
                                           ptrdiff_t offset, ptrdiff_t width, float time_s)
{
    const float *restrict highest = records->max_eta_m + offset;
    const float *restrict from = records->source_level_m ? records->source_level_m + offset : NULL;
    const int looks_everywhere = records->has_moving_level;
    for (int a = 0; a < records->arrival_count; a++) {
        float *restrict arrival = records->arrival_s[a] + offset;
        const float threshold = (float)records->arrival_m[a];
#pragma omp simd
        for (ptrdiff_t i = 0; i < width; i++) {
            const float least = from ? from[i] + threshold : threshold;
            const int has_grown = looks_everywhere | (POINT(fv_eta)(s, i) > highest[i]);
            const int is_first = ((float)s.w[i] >= least) & (arrival[i] != arrival[i]);
            const int is_wet = POINT(fv_depth)(s, i) > s.wet;
            arrival[i] = has_grown & is_first & is_wet ? time_s : arrival[i];
        }
    }
}

// The maximum of η and what hangs on its growth: first a look whether it grows anywhere, because mostly it does not.
TILE_INLINE void POINT(fv_record_maximum)(struct POINT(fv_seen) s, const struct tsunami_records *records,
                                          ptrdiff_t offset, ptrdiff_t width, float time_s)
{
    float *restrict highest = records->max_eta_m + offset;
    int grown = 0;
#pragma omp simd reduction(| : grown)
    for (ptrdiff_t i = 0; i < width; i++)
        grown |= (POINT(fv_eta)(s, i) > highest[i]) & (POINT(fv_depth)(s, i) > s.wet);
    if (grown || records->has_moving_level)
        POINT(fv_record_arrivals)(s, records, offset, width, time_s);
    if (!grown)
        return;
    if (records->time_of_max_s) {
        float *restrict time_of_max = records->time_of_max_s + offset;
#pragma omp simd
        for (ptrdiff_t i = 0; i < width; i++) {
            const int has_grown = (POINT(fv_eta)(s, i) > highest[i]) & (POINT(fv_depth)(s, i) > s.wet);
            time_of_max[i] = has_grown ? time_s : time_of_max[i];
        }
    }
#pragma omp simd
    for (ptrdiff_t i = 0; i < width; i++) {
        const float eta = POINT(fv_eta)(s, i);
        const int has_grown = (eta > highest[i]) & (POINT(fv_depth)(s, i) > s.wet);
        highest[i] = has_grown ? eta : highest[i];
    }
}

// The maxima of depth, speed and flux: each its own loop, so that a run has only what it asked for.
TILE_INLINE void POINT(fv_record_flow)(struct POINT(fv_seen) s, const struct tsunami_records *records,
                                       ptrdiff_t offset, ptrdiff_t width)
{
    if (records->max_depth_m) {
        float *restrict deepest = records->max_depth_m + offset;
#pragma omp simd
        for (ptrdiff_t i = 0; i < width; i++) {
            const REAL depth = POINT(fv_depth)(s, i);
            deepest[i] = (depth > s.wet) & ((float)depth > deepest[i]) ? (float)depth : deepest[i];
        }
    }
    if (!records->max_speed_m_s && !records->max_flux_m2_s)
        return;
    float *fastest = records->max_speed_m_s ? records->max_speed_m_s + offset : NULL;
    float *strongest = records->max_flux_m2_s ? records->max_flux_m2_s + offset : NULL;
#pragma omp simd
    for (ptrdiff_t i = 0; i < width; i++) {
        const REAL depth = POINT(fv_depth)(s, i);
        const float speed =
            depth > s.wet ? __builtin_sqrtf((float)(s.u[i] * s.u[i] + s.v[i] * s.v[i])) : 0.0f;
        const float flux = speed * (float)depth;
        if (fastest)
            fastest[i] = speed > fastest[i] ? speed : fastest[i];
        if (strongest)
            strongest[i] = flux > strongest[i] ? flux : strongest[i];
    }
}

TILE_INLINE void POINT(fv_record_row)(const struct POINT(fv_level) * level,
                                      const struct tsunami_records *records, ptrdiff_t row, ptrdiff_t column,
                                      ptrdiff_t width, float time_s)
{
    const ptrdiff_t offset = row * (ptrdiff_t)level->pitch + column;
    const struct POINT(fv_seen) s = {level->w_new + offset, level->u_new + offset, level->v_new + offset,
                                     level->z + offset, level->wet};
    if (records->max_eta_m)
        POINT(fv_record_maximum)(s, records, offset, width, time_s);
    POINT(fv_record_flow)(s, records, offset, width);
    if (records->first_drawdown_s) {
        float *restrict drawn = records->first_drawdown_s + offset;
        const float *restrict from = records->source_level_m ? records->source_level_m + offset : NULL;
        const float threshold = (float)-records->drawdown_m;
#pragma omp simd
        for (ptrdiff_t i = 0; i < width; i++) {
            const float least = from ? from[i] + threshold : threshold;
            const int is_first = (POINT(fv_eta)(s, i) < least) & (drawn[i] != drawn[i]);
            drawn[i] = is_first & (s.z[i] < (REAL)0) ? time_s : drawn[i];
        }
    }
}

// Whether the step changed anything in the tile.
static bool POINT(fv_has_changed)(const struct POINT(fv_level) * level, const struct tsunami_tile *tile)
{
    int changed = 0;
    for (ptrdiff_t row = tile->row_begin; row < tile->row_end && !changed; row++) {
        const ptrdiff_t offset = row * (ptrdiff_t)level->pitch + tile->column;
        const REAL *w = level->w + offset, *u = level->u + offset, *v = level->v + offset;
        const REAL *w_new = level->w_new + offset, *u_new = level->u_new + offset,
                   *v_new = level->v_new + offset;
#pragma omp simd reduction(| : changed)
        for (ptrdiff_t i = 0; i < tile->width; i++)
            changed |= (w_new[i] != w[i]) | (u_new[i] != u[i]) | (v_new[i] != v[i]);
    }
    return changed != 0;
}

static bool POINT(fv_record_tile)(const struct POINT(fv_level) * level, const struct tsunami_records *records,
                                  const struct tsunami_tile *tile, float time_s)
{
    int moving = 0;
    for (ptrdiff_t row = tile->row_begin; row < tile->row_end; row++) {
        const ptrdiff_t offset = row * (ptrdiff_t)level->pitch + tile->column;
        const REAL *w = level->w_new + offset, *u = level->u_new + offset, *v = level->v_new + offset;
        POINT(fv_record_row)(level, records, row, tile->column, tile->width, time_s);
        if (moving)
            continue;
#pragma omp simd reduction(| : moving)
        for (ptrdiff_t i = 0; i < tile->width; i++)
            moving |= (w[i] != (REAL)0) | (u[i] != (REAL)0) | (v[i] != (REAL)0);
    }
    return moving != 0;
}
