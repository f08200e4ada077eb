// What the kernels need of a level, in one precision (REAL and POINT(name) defined), and how they are launched. Plain C.

// Everything that a kernel needs of the level; passed by value.
struct POINT(device_level) {
    int nx, ny;
    int pitch;
    const REAL *__restrict__ e, *__restrict__ u, *__restrict__ v, *__restrict__ c0; // interior (0, 0)
    REAL *__restrict__ e_new, *__restrict__ u_new, *__restrict__ v_new;
    const REAL *__restrict__ columns; // [4][pitch]: k0, km, kp, dp − dm
    const REAL
        *__restrict__ rows; // [ny + 2][8]: ky0, kym, kyp, dy difference, step_x, coriolis, curvature, metric
    REAL step, friction, inverse_gravity;
    int has_rotation, has_metric_source, has_metric_in_sweep;
    int is_open[TSUNAMI_SIDES];
};

struct POINT(row_constants) {
    REAL k0, km, kp, dd, step_x, coriolis, curvature, metric;
};

// Launches one step on the stream: all tiles, then what periodic edges show. Errors are the launch's.
cudaError_t POINT(tsunami_launch_step)(const struct POINT(device_level) * level,
                                       const struct device_records *records, const struct device_tiles *tiles,
                                       int is_odd, int second_order, float time_s, cudaStream_t stream);

// Brings the records up to the state in the level's new arrays.
cudaError_t POINT(tsunami_launch_record)(const struct POINT(device_level) * level,
                                         const struct device_records *records, float time_s,
                                         cudaStream_t stream);
