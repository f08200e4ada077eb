// The parts of `fathom report` for a run of the gas: the particles in their box at several times, what an
// outer force makes of them, energy, temperature and pressure over time, the structure. Internal to report/.
#ifndef FATHOM_REPORT_GAS_REPORT_H
#define FATHOM_REPORT_GAS_REPORT_H

#include "report/context.h"
#include "report/particles.h"
#include "report/plot.h"
#include "report/style.h"

enum { GAS_REPORT_AXES = 2, GAS_REPORT_SIDES = 4, GAS_STAGES = 4, GAS_WALL_BYTES = 24 };

// The box and what acts on the particles, by run.json.
struct gas_box {
    double size[GAS_REPORT_AXES];
    char walls[GAS_REPORT_SIDES][GAS_WALL_BYTES]; // left, right, bottom, top; "" where unknown
    double core;                                  // of a particle: where its force vanishes; 0 if unknown
    double gravity[GAS_REPORT_AXES];
    bool has_pair_force;
};
// False without a box in it.
bool gas_read_box(const cJSON *run, struct gas_box *box);
// Of results without run.json: what the particles fill, at the start and at the end.
enum status gas_guess_box(const struct report_particles *particles, struct gas_box *box);
// "damped walls", "periodic", "left periodic, …"
const char *gas_walls_text(const struct gas_box *box, char *text, size_t bytes);
bool gas_is_ring(const struct gas_box *box, int axis); // periodic
// Lines around the box, broken where it is periodic. Axes: of the plot's, in this order.
void gas_script_box(struct plot *plot, const struct gas_box *box);

// structure.nc over time. Owned. Nothing where the file has none, or where all the time nearly all particles
// are one cluster.
struct gas_growth {
    size_t count;
    double *times, *largest,
        *mean; // particles of the largest cluster, and of the cluster that a particle is of
};
enum status gas_read_growth(const struct result_file *structure, struct gas_growth *growth);
void gas_free_growth(struct gas_growth *growth);
// The largest cluster at a time; NaN if unknown.
double gas_largest_at(const struct gas_growth *growth, double time);

// Up to four frames, ascending: where clusters grew, the largest of them by the same factor between each two,
// else evenly spread. Returns how many.
size_t gas_choose_stages(const double *times, size_t frames, const struct gas_growth *growth,
                         size_t stages[GAS_STAGES]);

// draw.c: the particles at those times.
enum status report_draw_gas_stages(struct report *report, const struct report_particles *particles,
                                   const struct gas_box *box, const struct gas_growth *growth);
// phase.c: places and velocities along an outer force, of one run or of two, at the end.
enum status report_draw_gas_phase(struct report *report, const struct gas_box *box);
// series.c: diagnostics.nc and structure.nc; what they come to is noted in report->gas.
enum status report_draw_gas_series(struct report *report, size_t particles);
enum status report_draw_gas_structure(struct report *report, const struct result_file *structure,
                                      const struct gas_growth *growth);

#endif
