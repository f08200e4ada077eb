// A current along a ridge of the surface, in balance with the Earth's rotation: an exact steady solution of
// the nonlinear equations (u = 0, f v = g η_x, nothing changes along y). What moves after a day is the
// scheme's error.
#include "validate/case_job.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRIDS = 3, NODES = 100, ACROSS = 8 };
static const double spacing_m = 40e3, depth_m = 4000, height_m = 1, half_width_m = 300e3;
static const double coriolis_per_s = 1e-4, gravity_m_s2 = 9.81;
static const char *const names[GRIDS] = {"40km", "20km", "10km"};
static const char exact_flow[] = "exact steady flow: f v = g d(eta)/dx, u = 0";

// The ridge in the middle of 4000 km.
static double eta_m(double x_m)
{
    const double x = (x_m - 0.5 * NODES * spacing_m) / half_width_m;
    return height_m * exp(-x * x);
}

static double value(const void *context, int variable, double x, double y)
{
    (void)context;
    (void)y;
    switch (variable) {
    case 0:
        return depth_m;
    case 1:
        return eta_m(x);
    case 2:
        return 0;
    default:
        return -2 * gravity_m_s2 / coriolis_per_s * (x - 0.5 * NODES * spacing_m) /
               (half_width_m * half_width_m) * eta_m(x);
    }
}

static enum status run_grid(struct validation_run *run, int number)
{
    static const char text[] =
        "{\"fathom\": 1, \"model\": \"tsunami\", \"title\": \"Current in geostrophic balance\", "
        "\"precision\": \"double\", \"domain\": {\"bathymetry\": {\"variable\": \"depth\"}, \"edges\": "
        "{\"west\": \"wall\", \"east\": \"wall\", \"south\": \"periodic\", \"north\": \"periodic\"}}, "
        "\"physics\": {\"coriolis_parameter\": \"1e-4 s-1\"}, \"source\": {\"initial\": {\"eta\": \"eta\", "
        "\"u\": \"u\", \"v\": \"v\"}}, \"time\": {\"duration\": \"24 h\"}, \"output\": {\"precision\": "
        "\"double\", \"maxima\": false, \"fields\": {\"every\": \"24 h\", \"variables\": [\"eta\", \"u\", "
        "\"v\"]}}}";
    const int fine = 1 << number;
    const double dx = spacing_m / fine;
    const struct case_grid grid = {
        .x = {(size_t)(NODES * fine), 0.5 * dx, dx},
        .y = {ACROSS, 0, dx},
        .variable_count = 4,
        .variables = {{"depth", "m", "down"}, {"eta", "m", NULL}, {"u", "m s-1", NULL}, {"v", "m s-1", NULL}},
        .value = value};
    char file[64];
    snprintf(file, sizeof file, "%s.nc", names[number]);
    CHECK(case_write_grid(run, file, &grid));
    struct case_job job = case_job_parse(text);
    case_job_set(&job, "domain.bathymetry.file", "\"%s\"", file);
    case_job_set(&job, "source.initial.file", "\"%s\"", file);
    // Courant number 0.79 on each grid, or less.
    case_job_set(&job, "time.step", "\"%g s\"", 160.0 / fine * tsunami_step_share(run));
    return case_job_run_once(run, &job, names[number], NULL, NULL);
}

// The middle row after a day.
struct final_row {
    size_t nx;
    double eta_error_m, v_error_m_s, u_m_s; // largest magnitudes
    double *x, *v, *v_exact;                // owned
};

static enum status read_final(const struct validation_run *run, int number, const char *variable,
                              double **values, size_t *nx, size_t *offset)
{
    size_t shape[4];
    CHECK(case_read_variable(run, names[number], "fields.nc", variable, values, shape));
    *nx = shape[2];
    *offset = ((shape[0] - 1) * shape[1] + shape[1] / 2) * shape[2];
    return STATUS_OK;
}

static enum status compare(const struct validation_run *run, int number, struct final_row *row)
{
    const double dx = spacing_m / (1 << number);
    double *eta = NULL, *u = NULL, *v = NULL;
    size_t nx = 0, offset = 0;
    enum status status = read_final(run, number, "eta", &eta, &nx, &offset);
    if (status == STATUS_OK)
        status = read_final(run, number, "u", &u, &nx, &offset);
    if (status == STATUS_OK)
        status = read_final(run, number, "v", &v, &nx, &offset);
    *row = (struct final_row){.nx = nx,
                              .x = malloc((nx + 1) * sizeof *row->x),
                              .v = malloc((nx + 1) * sizeof *row->v),
                              .v_exact = malloc((nx + 1) * sizeof *row->v_exact)};
    if (status == STATUS_OK && !(row->x && row->v && row->v_exact))
        status = FAIL(STATUS_SYSTEM, "not enough memory for a row of %zu nodes", nx);
    for (size_t i = 0; status == STATUS_OK && i < nx; i++) {
        row->x[i] = ((double)i + 0.5) * dx;
        row->v[i] = v[offset + i];
        row->v_exact[i] = value(NULL, 3, row->x[i], 0);
        row->eta_error_m = fmax(row->eta_error_m, fabs(eta[offset + i] - eta_m(row->x[i])));
        row->v_error_m_s = fmax(row->v_error_m_s, fabs(row->v[i] - row->v_exact[i]));
        row->u_m_s = fmax(row->u_m_s, fabs(u[offset + i]));
        row->x[i] /= 1e3; // km, for the picture
    }
    free(eta);
    free(u);
    free(v);
    return status;
}

static void free_row(struct final_row *row)
{
    free(row->x);
    free(row->v);
    free(row->v_exact);
}

static enum status draw(struct validation_run *run, const struct final_row *row)
{
    struct validation_picture *picture;
    CHECK(validation_picture(run, "Current after a day, 10 km", "x (km)", "velocity along the ridge (m/s)",
                             "The middle row at the end of the run, and the flow it began with.", &picture));
    CHECK(validation_line(run, picture, "exact", true, row->x, row->v_exact, row->nx));
    return validation_line(run, picture, "Fathom", false, row->x, row->v, row->nx);
}

static enum status measure_finest(struct validation_run *run, const struct final_row *row)
{
    CHECK(draw(run, row));
    CHECK(validation_compare(run, "geostrophic/eta", "m", exact_flow, row->eta_error_m, 0,
                             "largest change of the elevation, 10 km"));
    CHECK(validation_compare(run, "geostrophic/velocity", "m/s", exact_flow, row->v_error_m_s, 0,
                             "largest change of the current, 10 km"));
    return validation_compare(run, "geostrophic/velocity", "m/s", exact_flow, row->u_m_s, 0,
                              "largest flow across the ridge, 10 km");
}

// vtcs2 takes X, Y and the rotation in the same order in every step, as MOST does: that is of first order.
static enum status measure_order(struct validation_run *run, double before_m, double after_m, int number)
{
    const bool is_first = run->method && strcmp(run->method, "vtcs2") == 0;
    return validation_compare(run, is_first ? "geostrophic/order-of-vtcs2" : "geostrophic/order", "1",
                              "order of the scheme", log2(before_m / after_m), is_first ? 1 : 2,
                              "order of the elevation, %s to %s", names[number - 1], names[number]);
}

enum status tsunami_case_geostrophic(struct validation_run *run)
{
    double before_m = NAN;
    for (int k = 0; k < GRIDS; k++) {
        struct final_row row;
        CHECK(run_grid(run, k));
        enum status status = compare(run, k, &row);
        if (status == STATUS_OK && k > 0)
            status = measure_order(run, before_m, row.eta_error_m, k);
        before_m = row.eta_error_m;
        if (status == STATUS_OK && k == GRIDS - 1)
            status = measure_finest(run, &row);
        free_row(&row);
        CHECK(status);
    }
    CHECK(tsunami_measure_volume(run, names[GRIDS - 1], "volume after a day, 10 km"));
    return case_note(run, names[GRIDS - 1],
                     "plane, 4000 km across, 4000 m deep, f 1e-4 1/s, spacings 40, 20, 10 km");
}
