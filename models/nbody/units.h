// Units of the run (G = 1), and of the job and its results. Independent of bodies.
#ifndef FATHOM_MODELS_NBODY_UNITS_H
#define FATHOM_MODELS_NBODY_UNITS_H

#include "io/job/job.h"

// CODATA 2018 (Tiesinga et al., Rev. Mod. Phys. 93, 025010, 2021).
#define NBODY_GRAVITY_M3_KG_S2 6.67430e-11

// What one of the run's units is in those of the job and of the results. `units`: "nbody" (G = 1, everything
// 1) or "si" (m, kg, s): then the mass unit is the bodies' total, the length unit makes them O(1), and the
// time unit follows from G.
struct nbody_units {
    bool is_si;
    double length, mass, time, velocity, energy; // result = number of the run × this
    const char *length_name, *velocity_name, *time_name, *energy_name, *mass_name; // "m", … or "1"
};

extern const struct job_key_table nbody_keys; // keys.c

// Whether the job is in SI units.
bool nbody_units_is_si(const struct job *job);

// Every length, mass and time of the job is a bare number or a text with a unit, as `units` requires (0 may
// be bare). STATUS_CONFIGURATION.
enum status nbody_units_check_keys(const struct job *job);

// A key of type JOB_REDUCED in the job's units (SI, or bare). Not given: `fallback` in units "nbody",
// STATUS_CONFIGURATION in SI.
enum status nbody_units_read(const struct job *job, const char *key, double fallback, double *value);

// The run's units out of a length and a mass (m, kg; ignored in units "nbody").
struct nbody_units nbody_units_make(bool is_si, double length_m, double mass_kg);

#endif
