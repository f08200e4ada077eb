// What the fast CPU version's dispersion needs to know of a level, once per precision (REAL and POINT(name) defined).

// Pointers are to interior node (0, 0); rows are `pitch` apart. One column to either side is written: what lies beyond the
// edges. Coefficients are indexed −1 … n.
struct POINT(dispersion_level) {
    ptrdiff_t nx, ny, pitch;
    REAL *w, *u, *v, *z;                        // the step's new state, and the bottom
    REAL *u_before, *v_before;                  // the old state's velocities
    REAL *psi_x, *psi_y, *phi, *work, *far;     // far: NULL unless periodic along y
    const REAL *kx0, *kx_width;                 // per column: 1/(dm + dp), dm + dp
    const REAL *between;                        // per column: 1 over the mean width of its cell and the next
    const REAL *rate_y;                         // per row: Δt over the cell's height and its cos φ
    const REAL *cosine, *cos_south, *cos_north; // per row: of its centre and of its faces
    REAL step, minimum;
    enum tsunami_edge edges[TSUNAMI_SIDES];
};
