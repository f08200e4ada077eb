// The parts of `fathom report` for a run of N bodies: the bodies seen along two axes at several times, energy
// and radii over time, and what was conserved. Internal to report/.
#ifndef FATHOM_REPORT_NBODY_REPORT_H
#define FATHOM_REPORT_NBODY_REPORT_H

#include "report/context.h"
#include "report/particles.h"
#include "report/plot.h"
#include "report/style.h"

enum { NBODY_SPACE = PARTICLES_AXES };

// A unit for people: shown = the file's number / size. N-body units have no name.
struct nbody_unit {
    const char *name;
    double size;
};

// frames.c. What the pictures show of space: a cube, the same at all times.
struct nbody_view {
    double middle[NBODY_SPACE], half; // in the file's unit
};
// Holds nearly all bodies of these frames: the few that flew far would make the others small.
enum status nbody_choose_view(const struct report_particles *bodies, const size_t *frames, size_t count,
                              struct nbody_view *view);

// Along which axis one looks.
struct nbody_plane {
    int across, up;
    const char *name; // "x–y"
};
enum { NBODY_PLANES = 2 };
extern const struct nbody_plane nbody_planes[NBODY_PLANES];

// Bodies per pixel, [up][across] of side × side pixels; each body is spread over nine of them.
enum status nbody_count_pixels(const struct report_particles *bodies, size_t frame, int plane,
                               const struct nbody_view *view, size_t side, float *pixels);

// draw.c: snapshots and projections, or orbits of few bodies.
enum status report_draw_nbody_bodies(struct report *report, const struct report_particles *bodies);

// series.c: diagnostics.nc.
enum status report_draw_nbody_series(struct report *report);

// report.c. Of SI: one in which `largest` is a number of people's size; of N-body units: itself.
struct nbody_unit nbody_length_unit(const struct report *report, double largest);
struct nbody_unit nbody_time_unit(const struct report *report, double largest);
const char *nbody_time_text(const struct nbody_unit *unit, double time, char text[STYLE_TEXT_BYTES]);

#endif
