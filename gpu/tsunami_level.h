// What the kernels need of a level, in one precision (REAL and POINT(name) defined), and how they are launched. Plain C.

// Everything that a kernel needs of the level; passed by value.
struct POINT(device_level) {
    int nx, ny;
    int pitch;
    REAL *state[2][3]; // e, u, v (w, u, v where the shore moves) before an even step, before an odd one
    const REAL *__restrict__ still;   // c0 (z, the bottom's height); interior (0, 0), as of the state
    const REAL *__restrict__ columns; // as host_level has them, [HOST_COLUMN_COEFFICIENTS][pitch]
    const REAL *__restrict__ rows;    // [ny + 2][ROW_CONSTANTS]
    REAL step, friction, gravity, inverse_gravity, minimum_depth;
    int has_rotation, has_metric_source, has_metric_in_sweep;
    int is_periodic_x, is_periodic_y;
    int is_open[TSUNAMI_SIDES]; // nothing comes in, or what is given
    int has_given;              // at one side or more
    struct device_edge edges[TSUNAMI_SIDES];
};

// What weak dispersion works with, beside a level: arrays [ny][pitch] as the state.
struct POINT(device_dispersion) {
    const REAL *u_before, *v_before;                                 // velocities at the step's start
    REAL *work;                                                      // D, then the change of w
    REAL *value_x, *value_y, *lower_x, *upper_x, *lower_y, *upper_y; // the equations along both axes
    REAL *psi_x, *psi_y;
    REAL *scratch; // of long lines; tsunami_dispersion.c knows how much
};

// Lines side by side: row k of line l lies at l·pitch + k along x, at k·pitch + l along y. lower ψ₋ + (1 − lower − upper) ψ +
// upper ψ₊ = value + added − taken, each of the latter where it is not NULL; ψ may lie in any of their places.
struct POINT(dispersion_lines) {
    const REAL *lower, *upper, *value, *added, *taken;
    REAL *psi;
    size_t pitch;
    int lines, rows;
};

// The first and last rows of the segments that long lines are cut into: [2 · segments][pitch].
struct POINT(dispersion_ends) {
    REAL *lower, *upper, *value;
    size_t pitch;
};

// Launches the steps on the stream. Errors are the launch's.
cudaError_t POINT(tsunami_launch_steps)(const struct POINT(device_level) * level,
                                        const struct device_records *records,
                                        const struct device_tiles *tiles, const struct device_steps *steps,
                                        int second_order, cudaStream_t stream);

// The plain version of one step, from copy 0 of the state to copy 0; copy 1 holds what lies between the sweeps.
cudaError_t POINT(tsunami_launch_plain)(const struct POINT(device_level) * level,
                                        const struct device_records *records, long long step,
                                        int second_order, float time_s, cudaStream_t stream);

// Brings the records up to the given copy of the state.
cudaError_t POINT(tsunami_launch_record)(const struct POINT(device_level) * level,
                                         const struct device_records *records, int copy, float time_s,
                                         cudaStream_t stream);

// The same where the shore moves.
cudaError_t POINT(tsunami_launch_fv_steps)(const struct POINT(device_level) * level,
                                           const struct device_records *records,
                                           const struct device_tiles *tiles, const struct device_steps *steps,
                                           cudaStream_t stream);
cudaError_t POINT(tsunami_launch_fv_plain)(const struct POINT(device_level) * level,
                                           const struct device_records *records, long long step, float time_s,
                                           cudaStream_t stream);
cudaError_t POINT(tsunami_launch_fv_record)(const struct POINT(device_level) * level,
                                            const struct device_records *records, int copy, float time_s,
                                            cudaStream_t stream);

// Weak dispersion after a step of the finite volumes, on the given copy of the state.
cudaError_t POINT(tsunami_launch_dispersion)(const struct POINT(device_level) * level,
                                             const struct POINT(device_dispersion) * dispersion, int copy,
                                             int is_x_first, cudaStream_t stream);

// A step of vtcs2-shore, in the manner of the plain versions.
cudaError_t POINT(tsunami_launch_shore)(const struct POINT(device_level) * level,
                                        const struct device_records *records, long long step, float time_s,
                                        cudaStream_t stream);
