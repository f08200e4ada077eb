// What the fast CPU version's tiles need to know of a level, once per precision (REAL and POINT(name)
// defined).

// Everything that a tile needs of the level, in this precision. Pointers are to interior node (0, 0); rows
// are `pitch` apart and may be indexed from −1 to ny, columns from −HALO to nx + HALO − 1. Coefficients are
// indexed −1 … n as well.
struct POINT(level) {
    size_t nx, ny, pitch;
    const REAL *e, *u, *v, *c0; // old state
    REAL *e_new, *u_new, *v_new;
    const REAL *kx0, *kxm, *kxp, *dx_difference; // per column
    const REAL *ky0, *kym, *kyp, *dy_difference; // per row
    const REAL *step_x;                          // per row: Δt / cos φ
    const REAL *coriolis, *curvature, *metric;   // per row, × Δt
    REAL step, friction, gravity;
    bool second_order, has_rotation, has_metric_source, has_metric_in_sweep;
    bool is_open[TSUNAMI_SIDES], is_periodic_x, is_periodic_y; // open: or given
    const struct tsunami_setup *setup;                         // what is given at the edges
    int64_t step_number;
};
