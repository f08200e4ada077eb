// The suite `nbody`: gravity of many bodies against exact orbits, conservation laws, spheres in equilibrium
// and in collapse, and direct summation in double. Every case runs jobs on the back end that the user names.
#include "validate/case_job.h"
#include "validate/nbody/suites.h"

static const char plain[] =
    "the same jobs on the back end reference: plain, serial, double, written from the equations";
static const char kepler[] = "Kepler's orbit: Murray & Dermott, Solar System Dynamics (1999), chapter 2";
static const char sphere[] =
    "conservation laws; the virial theorem; Plummer (1911), Aarseth, Henon & Wielen (1974)";

static const struct validation_case cases[] = {
    {"kepler-energy",
     "two bodies, e = 0.5, a hundred orbits: the leapfrog's energy does not drift; both precisions", kepler,
     .run = nbody_case_kepler_energy},
    {"kepler-order", "order in time of both integrators over one orbit", kepler,
     .run = nbody_case_kepler_order, .is_double = true},
    {"kepler-reversed", "a hundred orbits and back, velocities reversed; both precisions", kepler,
     .run = nbody_case_kepler_reverse},
    {"tree-errors",
     "error of the tree's acceleration over the opening angle, Plummer's sphere and a cube; full size: a "
     "million bodies",
     "direct summation in double, at 1024 of the bodies", .run = nbody_case_tree_errors},
    {"plummer",
     "a sphere in equilibrium for ten time units, direct summation: energy, momentum, balance, radii; full "
     "size: 32 768 bodies",
     sphere, .run = nbody_case_plummer},
    {"plummer-tree", "the same by barnes-hut, theta 0.6", sphere, .run = nbody_case_plummer_tree},
    {"collapse", "an even sphere at rest falls in within its time; full size: 131 072 bodies, barnes-hut",
     "dust: Binney & Tremaine, Galactic Dynamics, 2nd ed. (2008), problem 3.4", .run = nbody_case_collapse},
    {"units", "a star cluster in units si, and in those of its mass and radius: the same run",
     "the same program in units nbody", .run = nbody_case_units, .is_double = true},
    {"repeat", "the same bits from two runs, and from one that was stopped and went on; both precisions",
     "the same job without a stop", .run = nbody_case_repeat},
    {"openmp-forces", "processor cores against the reference: each precision and method", plain,
     .backend = "openmp", .run = nbody_case_backend},
    {"cuda-forces", "NVIDIA GPU against the reference: each precision and method", plain, .backend = "cuda",
     .run = nbody_case_backend},
};

const struct validation_suite nbody_suite = {
    "nbody", "gravity of many bodies against exact orbits, conservation laws and direct summation in double",
    cases, sizeof cases / sizeof *cases, false};
