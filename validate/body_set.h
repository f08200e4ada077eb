// Bodies (particles, of the gas) that a case makes for a job or reads from what it left. Independent of their
// laws.
#ifndef FATHOM_VALIDATE_BODY_SET_H
#define FATHOM_VALIDATE_BODY_SET_H

#include "validate/suite.h"

// By id; arrays owned. In two dimensions z is 0.
struct body_set {
    size_t count;
    double *position, *velocity; // [count][3]
    double *mass;
};

// All 0. STATUS_SYSTEM without memory. Free with body_set_free, also after a failure.
enum status body_set_new(struct body_set *set, size_t count);
void body_set_free(struct body_set *set);

// To a file in the case's folder, for particles.file; from a job's final.nc.
enum status body_set_write(const struct validation_run *run, const struct body_set *set, const char *file);
enum status body_set_read(const struct validation_run *run, const char *name, struct body_set *set);

// √(Σ_axis (a − b)²) of two vectors; |a|.
double body_distance(const double a[3], const double b[3]);
double body_length(const double a[3]);
// The larger of two; NaN counts as the largest.
double body_worse(double worst, double error);

#endif
