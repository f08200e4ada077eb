// A solitary wave that runs up a plane beach 1:19.85: the benchmarks BP1 (closed form) and BP4 (laboratory)
// of NOAA's and NTHMP's workshops. Internal to validate/tsunami.
//
// Frame: x = 0 at the initial shoreline, x seaward (east); depth min(d, x/19.85). Nodes lie in the middle of
// cells, half a spacing off the shoreline. The wave is that of closed/solitary_wave.h.
#ifndef FATHOM_VALIDATE_TSUNAMI_BEACH_H
#define FATHOM_VALIDATE_TSUNAMI_BEACH_H

#include "validate/tsunami/flood.h"

#define BEACH_SLOPE 19.85 // cot β

struct beach {
    const char *name;       // of the job
    double depth_m, height; // d; H/d
    double spacing;         // in d
    double manning_n;
    double duration;     // in τ = √(d/g); 0: until well after the largest run-up
    double fields_every; // maps of η every so many τ; 0: none
    double gauge_at[2];  // in d, 0: none; "near" and "far", sampled every tenth of τ
    bool has_dispersion; // flood.h
    bool is_exact;       // the steady wave's velocity, as a wave maker gives it; else that of the closed form
};

flood_depth beach_depth_m; // context: struct beach

// Writes the inputs and runs the job.
enum status beach_run(struct validation_run *run, const struct beach *beach);

// Largest run-up R/d of a job that was run; `continued` as flood.h has it (NULL: not wanted).
enum status beach_runup(const struct validation_run *run, const struct beach *beach, double *runup,
                        double *continued);

// A gauge in d and τ: "near", "far".
enum status beach_gauge(const struct validation_run *run, const struct beach *beach, const char *gauge,
                        struct case_series *series);

// A profile (in d) at a time (in τ) against points of a reference, x ascending, NaN where it is dry: the rms
// of the difference, and the reference's range. A dry node counts with the ground's height.
struct beach_points {
    size_t count;
    const double *x, *eta;
};
struct beach_difference {
    double rms, range;
};
enum status beach_compare(const struct flood_map *map, const struct beach *beach, double time,
                          const struct beach_points *reference, struct beach_difference *difference);

// A picture of it; `name`: of the reference, in a word or two.
enum status beach_draw(struct validation_run *run, const struct flood_map *map, const struct beach *beach,
                       double time, const struct beach_points *reference, const char *name, const char *title,
                       const char *caption);

#endif
