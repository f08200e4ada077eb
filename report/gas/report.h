// The parts of a gas run's report: the particles in their box at several times, positions and velocities
// along an external force, energy, temperature and pressure over time, the structure. Internal to
// report/gas/.
#ifndef FATHOM_REPORT_GAS_REPORT_H
#define FATHOM_REPORT_GAS_REPORT_H

#include "report/model.h"
#include "report/particles.h"
#include "report/plot.h"
#include "report/style.h"

extern const struct report_model report_gas;

// The sections of the page: indices in the model's list.
enum report_gas_section { GAS_PARTICLES, GAS_FORCE, GAS_DIAGNOSTICS, GAS_STRUCTURE };

// The state of the report. Energies are per particle; means are of the second half of the run, with their
// standard errors. NaN where a figure does not exist.
struct report_gas_figures {
    double energy_change, energy_drift; // the largest; by a straight line, over the whole run
    double temperature, temperature_error, pressure, pressure_error, potential, potential_error;
    double first_largest_cluster, largest_cluster; // particles, at the start and at the end
    double peak_radius, peak;                      // of the radial distribution
    double limited;                                // times that a limiter acted
};

enum { GAS_REPORT_AXES = 2, GAS_REPORT_SIDES = 4, GAS_STAGES = 4, GAS_WALL_BYTES = 24 };

// box.c. The box and the forces on the particles, by run.json.
struct gas_box {
    double size[GAS_REPORT_AXES];
    char walls[GAS_REPORT_SIDES][GAS_WALL_BYTES]; // left, right, bottom, top; "" where unknown
    double core;                                  // of a particle: where its force vanishes; 0 if unknown
    double gravity[GAS_REPORT_AXES];
    bool has_pair_force;
};
// False without a box in it.
bool report_gas_read_box(const cJSON *run, struct gas_box *box);
// Of results without run.json: the rectangle that the particles fill, at the start and at the end.
enum status report_gas_estimate_box(const struct report_particles *particles, struct gas_box *box);
// "damped walls", "periodic", "left periodic, …"
const char *report_gas_walls_text(const struct gas_box *box, char *text, size_t bytes);
bool report_gas_is_periodic(const struct gas_box *box, int axis); // periodic
// Lines around the box, dashed where it is periodic, in units of the axes.
void report_gas_script_box(struct plot *plot, const struct gas_box *box);

// growth.c. structure.nc over time. Owned. Empty where the file has none, or where nearly all particles are
// one cluster at all times.
struct gas_growth {
    size_t count;
    double *times;
    double *largest, *mean; // particles of the largest cluster; of the cluster of a particle, on average
};
enum status report_gas_read_growth(const struct result_file *structure, struct gas_growth *growth);
void report_gas_free_growth(struct gas_growth *growth);
// Whether nearly all of the particles are one cluster at all times.
bool report_gas_is_one_cluster(const struct gas_growth *growth, double particles);
// The largest cluster at a time; NaN if unknown.
double report_gas_largest_at(const struct gas_growth *growth, double time);

// Up to four frames, ascending: where clusters grew, the largest one grows by the same factor between each
// two; else evenly spread. Returns how many.
size_t report_gas_choose_stages(const double *times, size_t frames, const struct gas_growth *growth,
                                size_t stages[GAS_STAGES]);

// stages.c: the particles at those times.
enum status report_gas_draw_stages(struct report *report, const struct report_particles *particles,
                                   const struct gas_box *box, const struct gas_growth *growth);
// phase.c: positions and velocities along an external force, of one run or of two, at the end.
enum status report_gas_draw_phase(struct report *report, const struct gas_box *box);
// series.c: diagnostics.nc; structure.c: structure.nc. Their figures go to the state.
enum status report_gas_draw_series(struct report *report, size_t particles);
enum status report_gas_draw_structure(struct report *report, const struct result_file *structure,
                                      const struct gas_growth *growth);

#endif
