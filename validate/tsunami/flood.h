// Shared by the cases of waves on land: one set of numerical parameters, jobs on a plane, maps of what they
// left, and what is measured on them. Uses jobs and result files, and no solver. Internal to
// validate/tsunami.
//
// Numerical parameters, the same in every case: method muscl-hancock; spacing FLOOD_SPACING still depths in
// the laboratory's tanks; the step, the smallest depth that flows and the smallest that counts as wet are the
// program's own defaults. One roughness for all tanks, none for closed forms. Chow (1959), Open-Channel
// Hydraulics, table 5-6, has 0.008 to 0.010 for lucite, 0.009 to 0.013 for smooth brass and glass.
#ifndef FATHOM_VALIDATE_TSUNAMI_FLOOD_H
#define FATHOM_VALIDATE_TSUNAMI_FLOOD_H

#include "validate/case_job.h"

#include <stdbool.h>
#include <stddef.h>

#define FLOOD_SPACING     0.1   // still depths
#define FLOOD_TANK_ROUGH  0.009 // Manning's n, s m^(-1/3)
#define FLOOD_GRAVITY     9.81  // m/s2, as the jobs have it
#define FLOOD_MASS_SOURCE "conservation of mass"

enum { FLOOD_ROWS = 4 }; // across grids that are one-dimensional in what happens

// ---- jobs

struct flood_job {
    const char *title;
    const char *bathymetry; // file with the variable "depth", positive down
    double duration_s, manning_n;
    // West, east, south, north: "wall", "open", "periodic"; NULL: not given.
    const char *edges[4];
    double fields_every_s; // maps of η; 0: none
    bool has_velocity;     // u and v too
    // physics.dispersion; for waves in tanks, not for closed forms of the shallow-water equations.
    bool has_dispersion;
};
// A job on a plane without rotation; maxima, no other results but the maps.
struct case_job flood_job_new(const struct flood_job *wanted);

// A wave at the western edge: a series written to the case's folder as FILE, and the job's keys for it.
// is_travelling: it comes in as a wave that travels east alone; otherwise the elevation is as given and
// reflected waves leave.
void flood_give_wave(const struct validation_run *run, struct case_job *job, const char *file,
                     const struct case_series *series, bool is_travelling);

// ---- maps

struct flood_map {
    size_t records, ny, nx;
    double *time_s, *x_m, *y_m; // time_s: NULL of maxima
    double *eta_m; // [records][ny][nx], NaN where it is dry; of maxima: the largest, NaN where never wet
    double *u_m_s, *v_m_s; // [records][ny][nx]; NULL if not wanted
    double *depth_m;       // [ny][nx] still depth, negative on land; of maxima only
};
enum status flood_read_fields(const struct validation_run *run, const char *job, bool has_velocity,
                              struct flood_map *map);
// `file`: "maxima.nc", "NAME.maxima.nc" of a nested grid. On a geographic grid x and y are degrees.
enum status flood_read_maxima(const struct validation_run *run, const char *job, const char *file,
                              bool is_geographic, struct flood_map *map);
void flood_map_free(struct flood_map *map);

static inline double flood_eta(const struct flood_map *map, size_t record, size_t row, size_t column)
{
    return map->eta_m[(record * map->ny + row) * map->nx + column];
}

// Finds the record nearest to a time; STATUS_DATA if it is further away than half of `within_s`.
enum status flood_record_at(const struct flood_map *map, double time_s, double within_s, size_t *record);

// ---- the surface along a grid's x axis

// Still depth, positive down, as the case built it.
typedef double flood_depth(const void *context, double x_m);

// Returns the elevation at x in a record's middle row, linear between nodes, but at least the height of the
// ground, which is also the elevation of a dry node.
double flood_profile_m(const struct flood_map *map, size_t record, flood_depth *depth_m, const void *context,
                       double x_m);

// ---- run-up

// How high the water went, in one measure everywhere: `level_m`, the largest elevation at a node on land that
// was flooded (along a line: at the last node that was), as the program's own run.json has it. For
// information beside it, `continued_m`: the surface through the last two flooded nodes continued to where it
// meets the ground, at most to the next node, which stayed dry. The first is too low by up to the ground's
// rise from node to node, the second too high where a jet runs against a wall. NaN: nothing was flooded.
struct flood_height {
    double level_m, continued_m;
    double x_m, y_m; // of level_m
};

// Finds the run-up among all nodes on land within a rectangle; the surface is continued along the grid's
// axes.
struct flood_box {
    double x_m[2], y_m[2];
};
struct flood_height flood_runup(const struct flood_map *maxima, const struct flood_box *box);

// Finds the run-up along a line from a point in the water in the direction (east, north), a unit vector, in
// steps of the spacing.
struct flood_height flood_runup_along(const struct flood_map *maxima, double x_m, double y_m, double east,
                                      double north, double length_m);

// ---- series

// A gauge's series against what was observed: the largest value and the rms of the difference, within a
// window, judged by the tolerances "gauge-peak" and "gauge-rms"; and a picture.
struct flood_gauge {
    const char *label, *source, *unit;
    const char *time_unit;                      // NULL: s
    const char *reference;                      // the reference in a word; NULL: laboratory
    double begin_s, end_s;                      // the window
    const char *peak_tolerance, *rms_tolerance; // NULL: shown, not judged
};
enum status flood_measure_gauge(struct validation_run *run, const struct flood_gauge *gauge,
                                const struct case_series *observed, const struct case_series *computed);

// A gauge of the run ("gauges.nc", "NAME.gauges.nc" of a nested grid): while it is dry it shows the ground.
enum status flood_read_gauge(const struct validation_run *run, const char *job, const char *file,
                             const char *gauge, struct case_series *series);

// Subtracts the mean of the values before a time: what a gauge shows at rest.
void flood_subtract_rest(struct case_series *series, double before_s);

// ---- mass

// Measures the change of volume in a closed basin, relative to `scale_m3`; tolerance "mass-closed".
enum status flood_measure_mass(struct validation_run *run, const char *job, const char *quantity,
                               double scale_m3);

// Measures, for a wave through the western edge while all other edges are closed or not reached yet, the
// volume gained at the last map less the volume that flowed through the first column of the maps (which must
// have velocities), relative to all that flowed in or out; tolerance "mass-inflow".
enum status flood_measure_inflow(struct validation_run *run, const char *job, const char *quantity,
                                 const struct flood_map *maps, flood_depth *depth_m, const void *context);

#endif
