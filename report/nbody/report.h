// The parts of an N-body report: the bodies seen along two axes at several times, energy, radii and conserved
// quantities over time. Internal to report/nbody/.
#ifndef FATHOM_REPORT_NBODY_REPORT_H
#define FATHOM_REPORT_NBODY_REPORT_H

#include "report/model.h"
#include "report/particles.h"
#include "report/plot.h"
#include "report/style.h"

extern const struct report_model report_nbody;

enum { NBODY_SPACE = PARTICLES_AXES };

// The sections of the page: indices in the model's list.
enum report_nbody_section { NBODY_BODIES, NBODY_SNAPSHOTS, NBODY_DIAGNOSTICS };

// The state of the report: the units, and the largest changes since the start. NaN where a figure does not
// exist.
struct report_bodies {
    bool is_si;
    double energy_change;   // relative to |E₀|
    double momentum_change; // relative to Σ m|v|
    double angular_change;  // relative to max(|L₀|, r½ Σ m|v|)
    double virial_ratio;    // at the end of the run
};

// A unit of the page: shown = the file's number / size. N-body units have no name.
struct nbody_unit {
    const char *name;
    double size;
};

// view.c. The part of space in the pictures: a cube, the same at all times.
struct nbody_view {
    double middle[NBODY_SPACE], half; // in the file's unit
};
// The view that contains nearly all bodies of these frames. A few distant bodies are left out, because they
// would make the others small.
enum status report_nbody_choose_view(const struct report_particles *bodies, const size_t *frames,
                                     size_t count, struct nbody_view *view);

// A projection.
struct nbody_plane {
    int across, up;
    const char *name; // "x–y"
};
enum { NBODY_PLANES = 2 };
extern const struct nbody_plane report_nbody_planes[NBODY_PLANES];

// Bodies per pixel, [up][across] of side × side pixels; each body is spread over nine of them.
enum status report_nbody_count_pixels(const struct report_particles *bodies, size_t frame, int plane,
                                      const struct nbody_view *view, size_t side, float *pixels);

// bodies.c: snapshots and projections, or orbits of few bodies.
enum status report_nbody_draw_bodies(struct report *report, const struct report_particles *bodies);

// series.c: diagnostics.nc.
enum status report_nbody_draw_series(struct report *report);

// report.c. In SI: the unit in which `largest` is a number of ordinary size; in N-body units: 1.
struct nbody_unit report_nbody_length_unit(const struct report *report, double largest);
struct nbody_unit report_nbody_time_unit(const struct report *report, double largest);
const char *report_nbody_time_text(const struct nbody_unit *unit, double time, char text[STYLE_TEXT_BYTES]);

#endif
