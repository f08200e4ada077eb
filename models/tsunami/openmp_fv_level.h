// What the tiles of the fast CPU version of `muscl-hancock` need to know of a level, once per precision (REAL and
// POINT(name) defined).

// Pointers are to interior node (0, 0); rows are `pitch` apart. Only nodes inside the domain are looked at: what lies beyond
// an edge is made by the tile. Coefficients are indexed −1 … n.
struct POINT(fv_level) {
    size_t nx, ny, pitch;
    const REAL *w, *u, *v, *z; // old state, and the bottom
    REAL *w_new, *u_new, *v_new;
    const REAL *kx0, *kx_width;                 // per column: 1/(dm + dp), dm + dp
    const REAL *rate_y;                         // per row: Δt over the cell's height and its cos φ
    const REAL *cosine, *cos_south, *cos_north; // per row: of its centre and of its faces
    const REAL *step_x;                         // per row: Δt / cos φ
    const REAL *coriolis, *curvature, *metric;  // per row, × Δt
    REAL friction, gravity, minimum, wet;
    bool has_rotation;
    const struct tsunami_setup *setup; // the edges, and what is given there
    int64_t step;
};
