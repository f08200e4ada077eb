// The energy of a gas between walls: a table of what each kind of wall and each integrator leaves of it, with
// pair forces; and in a uniform outer force alone, where one kind of wall is exact.
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INTEGRATORS = 2, WALLS = 8 };
static const char *const integrators[INTEGRATORS] = {"leapfrog", "symplectic-euler"};

// A kind of wall: its name in the job, and its tolerances with the leapfrog.
struct wall {
    const char *name, *more; // other keys of the domain
    const char *tolerance, *falling_tolerance;
    bool is_leapfrogs; // with the leapfrog only
};
static const struct wall walls[WALLS] = {
    {"periodic", "", "walls/smooth", NULL, false},
    {"reflect", "", "walls/bounce", NULL, false},
    {"soft", ", \"stiffness\": 100", "walls/smooth", "falling/soft", false},
    {"field-corrected", "", "walls/bounce", "falling/exact", true},
    {"velocity-flip", "", NULL, NULL, false},
    {"flip-and-mirror", "", NULL, NULL, false},
    {"a-priori", "", NULL, "falling/exact", false},
    {"damped", ", \"damping\": 0.1", NULL, NULL, false},
};

static bool has_wall(const struct wall *wall, int integrator)
{
    return integrator == 0 || !wall->is_leapfrogs;
}

static void job_name(const struct wall *wall, int integrator, char name[64])
{
    snprintf(name, 64, "%s-%s", integrators[integrator], wall->name);
}

// Judged where there is a tolerance and the integrator is the leapfrog.
static enum status measure(struct validation_run *run, const struct wall *wall, int integrator,
                           const char *tolerance, const char *what, double value)
{
    const bool is_judged = tolerance && integrator == 0, is_damped = strcmp(wall->name, "damped") == 0;
    return validation_compare(run, is_judged ? tolerance : NULL, "1", "energy is conserved", value,
                              is_damped ? (double)NAN : 0, "%s, %s: %s", integrators[integrator], wall->name,
                              what);
}

// ---- pair forces

// A box of SIDE; the gas melts in one smaller by MARGIN, so that no particle lies on a side of the larger
// one, nor on another across it.
enum { COUNT = 400, STEPS = 10000, EVERY = 20, MELT_STEPS = 5000 };
static const double side = 32, margin = 1, step = 0.005;

static enum status melt_inside(struct validation_run *run)
{
    struct body_set set;
    struct case_job job = gas_job_new(step, MELT_STEPS, MELT_STEPS);
    case_job_set(&job, "particles", "{\"lattice\": {\"count\": %d}}", COUNT);
    case_job_set(&job, "domain", "{\"size\": [%g, %g]}", side - margin, side - margin);
    case_job_set(&job, "physics", "{\"potential\": {\"name\": \"lj-force-shifted\"}, " GAS_JOB_LANGEVIN "}");
    CHECK(case_job_run_once(run, &job, "melt", NULL, "double"));
    enum status status = body_set_read(run, "melt", &set);
    for (size_t k = 0; k < 3 * set.count && status == STATUS_OK; k++)
        set.position[k] += k % 3 < 2 ? margin / 2 : 0;
    if (status == STATUS_OK)
        status = body_set_write(run, &set, "start.nc");
    body_set_free(&set);
    return status;
}

static enum status run_between(struct validation_run *run, const struct wall *wall, int integrator,
                               const char *name)
{
    struct case_job job = gas_job_new(step, STEPS, EVERY);
    case_job_set(&job, "particles", GAS_JOB_FILE("start.nc"));
    case_job_set(&job, "domain", "{\"size\": [%g, %g], \"walls\": \"%s\"%s}", side, side, wall->name,
                 wall->more);
    case_job_set(&job, "physics", "{\"potential\": {\"name\": \"lj-force-shifted\"}}");
    case_job_set(&job, "method.integrator", "\"%s\"", integrators[integrator]);
    return case_job_run_once(run, &job, name, NULL, body_case_precision(run));
}

enum status gas_case_walls(struct validation_run *run)
{
    struct validation_picture *pictures[INTEGRATORS];
    char name[64], title[VALIDATION_NAME_BYTES];
    CHECK(melt_inside(run));
    for (int i = 0; i < INTEGRATORS; i++) {
        snprintf(title, sizeof title, "Energy between walls, %s", integrators[i]);
        CHECK(validation_picture(
            run, title, "time", "(E - E0)/N",
            "A Lennard-Jones gas whose force ends continuously; walls that are damped are left out.",
            &pictures[i]));
        for (int w = 0; w < WALLS; w++) {
            double drift;
            if (!has_wall(&walls[w], i))
                continue;
            job_name(&walls[w], i, name);
            CHECK(run_between(run, &walls[w], i, name));
            CHECK(gas_job_drift(run, name, &drift));
            CHECK(measure(run, &walls[w], i, walls[w].tolerance, "drift of the energy a particle", drift));
            if (strcmp(walls[w].name, "damped") != 0)
                CHECK(gas_job_draw_energy(run, name, walls[w].name, pictures[i]));
        }
    }
    return case_note(run, name, "%d particles in a box of %g, temperature 1 at the start; last", COUNT, side);
}

// ---- a uniform force alone

enum { FALLING = 1000, FALLING_STEPS = 10000, FALLING_EVERY = 100 };
static const double falling_step = 0.01;

static enum status run_falling(struct validation_run *run, const struct wall *wall, int integrator,
                               const char *name)
{
    struct case_job job = gas_job_new(falling_step, FALLING_STEPS, FALLING_EVERY);
    case_job_set(&job, "particles", "{\"random\": {\"count\": %d, \"temperature\": 1}}", FALLING);
    case_job_set(&job, "domain", "{\"size\": [20, 10], \"walls\": \"%s\"%s}", wall->name, wall->more);
    case_job_set(&job, "physics", "{\"potential\": {\"name\": \"none\"}, \"gravity\": [0, -1]}");
    case_job_set(&job, "method.integrator", "\"%s\"", integrators[integrator]);
    return case_job_run_once(run, &job, name, NULL, body_case_precision(run));
}

enum status gas_case_falling(struct validation_run *run)
{
    char name[64];
    for (int i = 0; i < INTEGRATORS; i++)
        for (int w = 1; w < WALLS; w++) { // periodic sides have no height
            double *change;
            size_t records;
            if (!has_wall(&walls[w], i))
                continue;
            job_name(&walls[w], i, name);
            CHECK(run_falling(run, &walls[w], i, name));
            CHECK(body_job_series(run, name, "energy_change", &change, &records, NULL));
            const double largest = body_largest_change(change, 0, records);
            free(change);
            CHECK(measure(run, &walls[w], i, walls[w].falling_tolerance,
                          "largest change of the energy a particle", largest));
        }
    return case_note(run, name, "%d particles without pair forces, gravity 1, a box 10 high; last", FALLING);
}
