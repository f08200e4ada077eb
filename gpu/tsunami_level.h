// What the kernels need of a level, in one precision (REAL and POINT(name) defined), and how they are launched. Plain C.

// Everything that a kernel needs of the level; passed by value.
struct POINT(device_level) {
    int nx, ny;
    int pitch;
    REAL *state[2][3];                // e, u, v before an even step, before an odd one; interior (0, 0)
    const REAL *__restrict__ c0;      // the same place
    const REAL *__restrict__ columns; // [4][pitch]: k0, km, kp, dp − dm
    const REAL
        *__restrict__ rows; // [ny + 2][ROW_CONSTANTS]: ky0, kym, kyp, dy difference, step_x, coriolis, curvature, metric
    REAL step, friction, inverse_gravity;
    int has_rotation, has_metric_source, has_metric_in_sweep;
    int is_open[TSUNAMI_SIDES], is_periodic_x, is_periodic_y;
};

// Launches the steps on the stream. Errors are the launch's.
cudaError_t POINT(tsunami_launch_steps)(const struct POINT(device_level) * level,
                                        const struct device_records *records,
                                        const struct device_tiles *tiles, const struct device_steps *steps,
                                        int second_order, cudaStream_t stream);

// The plain version of one step, from copy 0 of the state to copy 0; copy 1 holds what lies between the sweeps.
cudaError_t POINT(tsunami_launch_plain)(const struct POINT(device_level) * level,
                                        const struct device_records *records, int is_odd, int second_order,
                                        float time_s, cudaStream_t stream);

// Brings the records up to the given copy of the state.
cudaError_t POINT(tsunami_launch_record)(const struct POINT(device_level) * level,
                                         const struct device_records *records, int copy, float time_s,
                                         cudaStream_t stream);
