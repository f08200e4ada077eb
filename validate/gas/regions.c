// The force of ln r by three regions of cells against direct summation in double, at some of the particles:
// evenly spread ones and clusters, radii 2 and 10, of both orders.
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include "core/philox.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { USUAL = 1 << 15, FULL = 1 << 16, SAMPLES = 1024, SETS = 2, ORDERS = 2, CLUSTERS = 32 };
static const double pi = 3.14159265358979323846, side = 256, softening = 0.01, near = 2, far = 10;
static const char source[] = "direct summation in double";

// ---- particles

static void draw(size_t particle, uint64_t what, double numbers[2])
{
    static const uint64_t seed = 20161123;
    const struct philox_counter words =
        philox4x32(philox_counter_from(what, particle), philox_key_from_seed(seed));
    numbers[0] = philox_double(words.v[0], words.v[1]);
    numbers[1] = philox_double(words.v[2], words.v[3]);
}

static void place_evenly(size_t k, double *position)
{
    double u[2];
    draw(k, 0, u);
    position[0] = side * u[0];
    position[1] = side * u[1];
}

// Three quarters of them in normal distributions of width 4 about random centres; folded at the boundaries.
static void place_clustered(size_t k, double *position)
{
    double u[2], middle[2];
    if (k % 4 == 0) {
        place_evenly(k, position);
        return;
    }
    draw(k, 1, u);
    draw(k % CLUSTERS, 2, middle);
    const double radius = 4 * sqrt(-2 * log(u[0])), turn = 2 * pi * u[1];
    position[0] = fabs(side * middle[0] + radius * cos(turn));
    position[1] = fabs(side * middle[1] + radius * sin(turn));
    for (int axis = 0; axis < 2; axis++)
        position[axis] = position[axis] > side ? 2 * side - position[axis] : position[axis];
}

struct shape {
    const char *name, *file;
    void (*place)(size_t k, double *position);
};
static const struct shape shapes[SETS] = {{"uniform", "uniform.nc", place_evenly},
                                          {"clustered", "clustered.nc", place_clustered}};

static enum status make_set(const struct shape *shape, size_t count, struct body_set *set)
{
    CHECK(body_set_new(set, count));
    for (size_t k = 0; k < count; k++) {
        shape->place(k, &set->position[3 * k]);
        set->mass[k] = 1;
    }
    return STATUS_OK;
}

// ---- all runs first: they run in separate processes, which must not share the machine with the threads
// below

static void job_name(const struct shape *shape, int order, char name[48])
{
    snprintf(name, 48, "%s-%d", shape->name, order);
}

static enum status run_regions(struct validation_run *run, const struct shape *shape, size_t count)
{
    struct body_set set = {0};
    enum status status = make_set(shape, count, &set);
    if (status == STATUS_OK)
        status = body_set_write(run, &set, shape->file);
    body_set_free(&set);
    for (int order = 0; order < ORDERS && status == STATUS_OK; order++) {
        char name[48], method[128];
        job_name(shape, order, name);
        snprintf(method, sizeof method,
                 "\"name\": \"cells\", \"regions\": {\"near\": %g, \"far\": %g, \"order\": %d}", near, far,
                 order);
        struct case_job job = gas_job_of_forces(shape->file, method);
        case_job_set(&job, "domain", "{\"size\": [%g, %g]}", side, side);
        case_job_set(&job, "physics", "{\"potential\": {\"name\": \"log\", \"softening\": %g}}", softening);
        status = case_job_run_once(run, &job, name, NULL, body_case_precision(run));
    }
    return status;
}

// ---- direct summation

struct exact {
    double force[2], far[2]; // of all others; of those beyond the near cells
};

struct cells {
    int columns, rows;
    int column[FULL], row[FULL]; // of each particle
};

static int cell_at(double place, int cells)
{
    const int cell = (int)(place / side * cells);
    return cell < cells ? cell : cells - 1;
}

static void find_cells(const struct body_set *set, struct cells *cells)
{
    for (size_t k = 0; k < set->count; k++) {
        cells->column[k] = cell_at(set->position[3 * k], cells->columns);
        cells->row[k] = cell_at(set->position[3 * k + 1], cells->rows);
    }
}

static size_t sample_id(size_t sample, size_t count)
{
    return sample * (count / SAMPLES) + sample % (count / SAMPLES);
}

// Attraction 1/r: F_i = −(x_i − x_j)/(r² + ε²).
static void sum_pairs(const struct body_set *set, const struct cells *cells, size_t i, struct exact *exact)
{
    const double *x = &set->position[3 * i];
    *exact = (struct exact){{0, 0}, {0, 0}};
    for (size_t j = 0; j < set->count; j++) {
        const double *y = &set->position[3 * j];
        const double dx = x[0] - y[0], dy = x[1] - y[1];
        const double f = j == i ? 0 : -1 / (dx * dx + dy * dy + softening * softening);
        const int columns = cells->column[j] - cells->column[i], rows = cells->row[j] - cells->row[i];
        const double beyond = columns * columns + rows * rows < near * near ? 0 : 1;
        exact->force[0] += f * dx;
        exact->force[1] += f * dy;
        exact->far[0] += beyond * f * dx;
        exact->far[1] += beyond * f * dy;
    }
}

// ---- errors

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct errors {
    double rms, most; // of 99 % of the samples; both in rms of the far part
};

static enum status find_errors(const struct validation_run *run, const char *name, const struct exact *exact,
                               size_t count, struct errors *errors)
{
    static double each[SAMPLES];
    struct body_set force;
    double squares = 0, far_squares = 0;
    enum status status = gas_job_read_forces(run, name, &force);
    if (status == STATUS_OK && force.count != count)
        status = FAIL(STATUS_DATA, "the job %s ended with %zu particles", name, force.count);
    for (size_t s = 0; s < SAMPLES && status == STATUS_OK; s++) {
        const double *computed = &force.velocity[3 * sample_id(s, count)];
        const double error = hypot(computed[0] - exact[s].force[0], computed[1] - exact[s].force[1]);
        each[s] = isnan(error) ? (double)INFINITY : error;
        squares += each[s] * each[s];
        far_squares += pow(hypot(exact[s].far[0], exact[s].far[1]), 2);
    }
    body_set_free(&force);
    qsort(each, SAMPLES, sizeof *each, ascending);
    errors->rms = sqrt(squares / far_squares);
    errors->most = each[SAMPLES * 99 / 100] / sqrt(far_squares / SAMPLES);
    return status;
}

static enum status measure_order(struct validation_run *run, const struct shape *shape, int order,
                                 const struct exact *exact, size_t count)
{
    char name[48];
    struct errors errors;
    double own;
    job_name(shape, order, name);
    CHECK(find_errors(run, name, exact, count, &errors));
    CHECK(case_run_number(run, name, "regions.force_error.rms", &own));
    const bool is_judged = order == 1;
    const double none = is_judged ? 0 : (double)NAN;
    CHECK(validation_compare(run, is_judged ? "regions/rms" : NULL, "1", source, errors.rms, none,
                             "%s, order %d: rms error / rms of the far part", shape->name, order));
    CHECK(validation_compare(run, is_judged ? "regions/most" : NULL, "1", source, errors.most, none,
                             "%s, order %d: error of 99 %% / rms of the far part", shape->name, order));
    return validation_compare(run, "regions/reported", "1", "this case's own error", own, errors.rms,
                              "%s, order %d: error that the run reports for 64 particles", shape->name,
                              order);
}

static enum status measure_shape(struct validation_run *run, const struct shape *shape, size_t count)
{
    static struct exact exact[SAMPLES];
    static struct cells cells;
    struct body_set set = {0};
    double columns, rows;
    char name[48];
    job_name(shape, 1, name);
    CHECK(case_run_number(run, name, "regions.columns", &columns));
    CHECK(case_run_number(run, name, "regions.rows", &rows));
    const enum status status = make_set(shape, count, &set);
    cells.columns = (int)columns;
    cells.rows = (int)rows;
    if (status == STATUS_OK)
        find_cells(&set, &cells);
    for (size_t s = 0; s < SAMPLES && status == STATUS_OK; s++)
        sum_pairs(&set, &cells, sample_id(s, count), &exact[s]);
    body_set_free(&set);
    CHECK(status);
    for (int order = 0; order < ORDERS; order++)
        CHECK(measure_order(run, shape, order, exact, count));
    return case_note(run, name, "%zu particles, %dx%d cells, radii %g and %g, %d of them compared; last",
                     count, cells.columns, cells.rows, near, far, SAMPLES);
}

enum status gas_case_regions(struct validation_run *run)
{
    const size_t count = body_case_size(run, USUAL, FULL);
    for (int s = 0; s < SETS; s++)
        CHECK(run_regions(run, &shapes[s], count));
    for (int s = 0; s < SETS; s++)
        CHECK(measure_shape(run, &shapes[s], count));
    return STATUS_OK;
}
